"""The engine: Game, State, Decision, Event; phases, battles, movement. Pure: no I/O, no clock, no global chance."""
