"""Random orders: well formed, often sensible, often not. For asking whether `legal` and `play` agree about them."""

from __future__ import annotations

import random

from sandtable.engine.facts import active
from sandtable.engine.game import Game
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, UnitSpec


def random_order(game: Game, rng: random.Random) -> AnyOrder:
    """An order with real ids that answers the open question about as often as not."""
    if rng.random() < 0.75:
        return _fitting(game, rng)
    return rng.choice((_move, _other, _battle_answer))(game, rng)


def _fitting(game: Game, rng: random.Random) -> AnyOrder:
    question = game.decision
    kind = question.kind if question else "none"
    if kind in ("combat-move", "noncombat-move"):
        return _move(game, rng)
    if kind in ("casualties", "retreat", "submarines", "battle", "rocket"):
        return _battle_answer(game, rng)
    return _other(game, rng)


def _move(game: Game, rng: random.Random) -> AnyOrder:
    world, state = game.world, game.state
    power = active(world, state)
    stacks = [
        (space, piece.type)
        for space, stack in sorted(state.units.items())
        for piece in stack
        if piece.power == power or rng.random() < 0.05
    ]
    stacks += [(s, c.type) for s, stack in sorted(state.units.items()) for p in stack for c in p.cargo]
    if not stacks:
        return orders.End()
    start, unit = rng.choice(stacks)
    route = [start]
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        route.append(rng.choice(world.neighbours[route[-1]]))
    if rng.random() < 0.5:
        route = [start, route[-1]]
    units = [UnitSpec(unit, rng.choice((1, 1, 1, 2, 3)))]
    others = [u for s, u in stacks if s == start and u != unit]
    if others and rng.random() < 0.25:
        units.append(UnitSpec(rng.choice(others)))
    role = "raid" if rng.random() < 0.1 else None
    if role is None and unit == "bomber" and rng.random() < 0.2:
        role = rng.choice(("paradrop", "airlift"))
    if role is None and unit == "fighter" and rng.random() < 0.1:
        role = rng.choice(("escort", "kamikaze"))
    return orders.Move(tuple(units), tuple(route), role)


def _battle_answer(game: Game, rng: random.Random) -> AnyOrder:
    question = game.decision
    spaces = list(game.world.spaces)
    places = list(question.places) if question and question.places else [rng.choice(spaces)]
    units = list(question.units) if question else []
    choice = rng.randrange(8)
    if units and rng.random() < 0.7:
        assert question is not None
        specs: list[UnitSpec] = []
        left = question.count + rng.choice((0, 0, 0, 0, 1, -1))
        for power, unit, most in rng.sample(units, len(units)):
            n = min(left, rng.randint(0, most))
            if n > 0:
                specs.append(UnitSpec(unit, n, rng.choice((power, None))))
                left -= n
        return orders.Casualties(tuple(specs) or (UnitSpec("infantry"),))
    match choice:
        case 0:
            return orders.Press()
        case 1:
            return orders.Retreat(rng.choice(places))
        case 2:
            return orders.Retreat()
        case 3:
            return orders.Stay()
        case 4:
            return orders.Submerge(rng.choice((None, 0, 1, 2)))
        case 5:
            return orders.Withdraw(rng.choice(places), rng.choice((None, 1, 2)))
        case 6:
            return orders.Fight(rng.choice(places))
        case _:
            launches = question.launches if question else ()
            if launches and rng.random() < 0.7:
                return orders.Rocket(*rng.choice(launches))
            return orders.Rocket(rng.choice(spaces), rng.choice(spaces))


def _other(game: Game, rng: random.Random) -> AnyOrder:
    world, state = game.world, game.state
    pool = list(state.pool) or list(world.units)
    unit = rng.choice(list(world.units))
    match rng.randrange(5):
        case 0:
            return orders.Research(rng.choice((0, 1, 2, 4)))
        case 1:
            return orders.Buy((UnitSpec(unit, rng.choice((1, 1, 2, 5))),))
        case 2:
            spaces = [s for s in world.spaces if state.at(s)] or list(world.spaces)
            return orders.Place((UnitSpec(rng.choice(pool), rng.choice((1, 1, 2))),), rng.choice(spaces))
        case 3:
            own = [s for s, o in state.owners.items() if o == active(world, state)] or list(world.spaces)
            space = rng.choice(own)
            near = [space, *world.sea[space]]
            return orders.Place((UnitSpec(rng.choice(pool)),), rng.choice(near))
        case _:
            return orders.End()
