"""Bombers hit the facilities that they were sent against, each its own (G40-SBR-06 to G40-SBR-08, G40-SBR-18).

One die a bomber, by facility in the order complex, air base, naval base, fortification. With a 1, a tactical bomber may
take a plane on the ground instead of doing its point of damage.
"""

from __future__ import annotations

from sandtable.engine.battle.forces import grounded, raiders
from sandtable.engine.damage import hurt
from sandtable.engine.events import Change, Lost, Rolled
from sandtable.engine.facts import amount, means, name, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Question, Stack, in_order, units_of
from sandtable.errors import Refusal
from sandtable.notation.orders import UnitSpec
from sandtable.world.model import UnitId, World

ROLLED = 1


def drop_bombs(run: Run) -> bool:
    world = run.world
    if run.battle.column < 0:
        ones = tuple((place, _bomb(run, unit)) for place, unit in enumerate(_aims(run)))
        run.note(column=ROLLED, results=tuple(item for item in ones if item[1]))
    while run.battle.results:
        place, left = run.battle.results[0]
        planes = grounded(world, run.state, run.battle)
        if planes:
            run.ask(Question("grounded", run.battle.attacker, run.battle.space, "defense", 1, units_of(planes)))
            return False
        hurt(run, run.battle.attacker, run.battle.space, left, _aims(run)[place])
        run.note(results=run.battle.results[1:])
    return True


def _aims(run: Run) -> list[UnitId]:
    """The facilities that are raided, in the order of the dice."""
    aimed = {p.target for p in raiders(run.state, run.battle)}
    return sorted(aimed, key=lambda unit: rank(run.world, unit))


def rank(world: World, unit: UnitId) -> tuple[bool, bool, int]:
    """Complexes first, fortifications last."""
    kind = world.units[unit]
    return not kind.complex, kind.bulwark, list(world.units).index(unit)


def _bomb(run: Run, unit: UnitId) -> int:
    """Roll for those who were sent against this facility; tells how many faces are still to be used otherwise."""
    world, battle = run.world, run.battle
    order = list(world.units)
    bombers = sorted(
        ((p, n) for p, n in in_order(raiders(run.state, battle)) if p.target == unit),
        key=lambda item: order.index(item[0].type),
    )
    shooters = tuple((p.power, p.type, n * type_of(world, run.state, p).raid_dice) for p, n in bombers)
    done = [0, 0]  # damage, low faces of those who may pick a plane

    def tell(faces: tuple[int, ...]) -> Rolled:
        place = 0
        for (piece, _), (_, _, dice) in zip(bombers, shooters, strict=True):
            kind = type_of(world, run.state, piece)
            low: int = kind.traits.get("picks_grounded", 0)
            each = kind.raid_dice  # of several dice of a bomber the best counts (G40-RES-22)
            for face in (max(faces[i : i + each]) for i in range(place, place + dice, each)):
                if face <= low:
                    done[1] += 1
                else:
                    done[0] += face + kind.raid_bonus
            place += dice
        return Rolled("raid", battle.attacker, faces, battle.space, 0, shooters, sum(done))

    run.roll(sum(dice for _, _, dice in shooters), tell)
    if done[0]:
        hurt(run, battle.attacker, battle.space, done[0], unit)
    return done[1]


def answer(run: Run, question: Question, specs: tuple[UnitSpec, ...] | None) -> None:
    """A plane on the ground is lost, or the facility suffers after all."""
    world, battle = run.world, run.battle
    place, left = battle.results[0]
    if specs is None:
        run.close()
        hurt(run, battle.attacker, battle.space, 1, _aims(run)[place])
    else:
        victim = _named(world, dict(question.units), specs, question)
        run.close()
        units = ((victim, 1),)
        run.emit(Lost(battle.space, "battle", units, (Change(battle.space, minus=units),)))
    rest = ((place, left - 1),) if left > 1 else ()
    run.note(results=(*rest, *battle.results[1:]))


def _named(world: World, planes: Stack, specs: tuple[UnitSpec, ...], question: Question) -> Piece:
    if sum(spec.count for spec in specs) != 1:
        raise Refusal("wrong-number-of-casualties", "One plane on the ground is to be named.", (question.space,))
    for piece, _ in in_order(planes):
        if means(specs[0], piece):
            return piece
    raise Refusal(
        "no-such-casualty",
        f"There is no {amount(world, specs[0].type, 1)[2:]} on the ground in {name(world, question.space)}.",
        (question.space,),
    )
