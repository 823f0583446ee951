"""The engine: Game, State, Decision, Event; phases, battles, movement. Pure: no I/O, no clock, no global chance.

What many rules ask has one place each:

- `state` is what is on the table, `events` how it changes, `run` an order being carried out, `facts` what follows;
- `relations` tells who is whose ally and enemy, `access` where that lets units be;
- `questions` has every kind of question that somebody can be asked, `legal` the answers that are right;
- `battle.strength` tells what units hit at, `battle.hits` what their hits can strike;
- `conditions` judges what victory, objectives, declarations and bans depend on.

`turn` goes from phase to phase (`phases`), `movement` and `battle` are what most of a turn consists of. Everything else
is one rule a module, by its name.
"""
