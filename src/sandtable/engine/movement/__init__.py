"""How units move: by land, by sea, by air, and aboard each other.

`land`, `sea` and `air` each answer two questions about one kind of movement: where can this piece go (`reach`), and is
this route allowed (`check`, which refuses with the rule). `cargo` is boarding and going ashore, `landing` judges if
every plane will find a place, `move` carries out a whole order, and `reach` tells where a unit can go.
"""
