"""Battles: lists of steps that the edition declares, run one after the other until the battle ends.

`forces` tells who fights, `casualties` who can be lost, `fire` rolls the columns of a force; each step is one function
of one file in `steps/`. `conduct` runs the steps, `opening` finds the battles of a turn, `ending` settles what is left
behind.
"""
