"""What must hold in every state and after every order, whatever was played.

Each law is written from the rules and not from the engine's code: totals are counted again from the events' words,
places are judged by the units' domains, decks by adding up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeGuard

from sandtable.engine import cards
from sandtable.engine.damage import most_damage
from sandtable.engine.events import (
    AidSent,
    AnyEvent,
    BattleOpened,
    Bought,
    Captured,
    Change,
    ComplexesUpgraded,
    ComplexLifted,
    ComplexSettled,
    Dismantled,
    Downgraded,
    DropsCounted,
    Focused,
    Forfeited,
    LineRaised,
    LinesLost,
    Lost,
    MovingChanged,
    NeutralDefended,
    NeutralJoined,
    NeutralViolated,
    ObjectiveMet,
    Paid,
    Placed,
    Repaired,
    Researched,
    RocketFired,
    Rolled,
    TroopsRaised,
    UndergroundLeft,
    Upgraded,
    fold,
)
from sandtable.engine.facts import production, type_of
from sandtable.engine.movement.cargo import fits
from sandtable.engine.relations import allied
from sandtable.engine.state import Piece, State, with_cargo
from sandtable.world.model import World

MOVING = ("combat-move", "combat", "noncombat-move")
"""Phases in which something may be on its way; also what an option puts between them."""


def is_resting(world: World, state: State) -> bool:
    """Nothing is on its way to anywhere."""
    moving = [index for index, phase in enumerate(world.phases) if phase in MOVING]
    return not moving[0] <= state.phase <= moving[-1]


def check_state(world: World, state: State) -> None:
    """The laws about one state."""
    for space, stack in state.units.items():
        assert stack, f"{space} is kept although it is empty"
        for piece, n in stack.items():
            _check_piece(world, state, space, piece, n)
    assert set(state.treasury) == set(world.powers)
    assert all(money >= 0 for money in state.treasury.values()), f"a debt: {state.treasury}"
    for new in (state.pool, *state.waiting.values()):
        assert all(n > 0 for n in new.values()), f"pool: {new}"
    if world.phases[state.phase] == "mobilize":
        assert world.order[state.turn] not in state.waiting, "what waited before is in the pool"
    assert all(state.waiting.values()), f"waiting: {state.waiting}"
    assert all(n > 0 for n in state.tokens.values()), f"researchers: {state.tokens}"
    for space, facilities in state.damage.items():
        for unit, points in facilities.items():
            assert 0 < points <= most_damage(world, space, unit), f"{unit} in {space}: {points}"
            assert any(p.type == unit for p in state.at(space)), f"damage without {unit} in {space}"
    for space, facilities in state.building.items():
        for unit, left in facilities.items():
            rules = world.units[unit].facility
            assert rules is not None
            assert 0 < left <= rules.build_turns, f"{unit} in {space}: {left} turns left"
            assert any(p.type == unit for p in state.at(space)), f"{unit} is built in {space} and not there"
    for space, owner in state.owners.items():
        assert world.spaces[space].is_land, f"{space} is owned although it is sea"
        assert owner in world.powers
        assert not world.spaces[space].impassable
    for power, techs in state.techs.items():
        assert techs <= set(world.technologies), f"{power}: {techs}"
    assert 0 <= state.turn < len(world.order)
    assert 0 <= state.phase < len(world.phases)
    assert state.winner is None or state.over
    phase = world.phases[state.phase]
    if is_resting(world, state) and state.battle is None:
        _check_rest(world, state, waiting=phase == "mobilize" and world.rules.landing_on_new_carriers)
    _check_neutrals(world, state)
    if state.battle is None:
        hurt = [(s, p) for s, stack in state.units.items() for p in stack if p.hits and _mends(world, state, p)]
        assert not hurt, f"damaged outside of battles: {hurt}"


def _mends(world: World, state: State, piece: Piece) -> bool:
    """Damage goes away by itself when a battle is over."""
    return type_of(world, state, piece).traits.get("repaired") == "after-battle"


def _check_neutrals(world: World, state: State) -> None:
    """Where neutral land cannot be entered at any price, it is nobody's for ever (MX02-03)."""
    if world.rules.neutrals == "closed" and not any("leaning" in s.traits for s in world.spaces.values()):
        taken = [space for space in state.owners if world.spaces[space].owner is None]
        assert not taken, f"inviolable neutrals are taken: {taken}"


def _check_piece(world: World, state: State, space: str, piece: Piece, n: int) -> None:
    kind = type_of(world, state, piece)
    assert n > 0, f"{n} {piece} in {space}"
    assert piece.power in world.powers
    sea = world.spaces[space].is_sea
    if kind.domain in ("land", "facility"):
        assert not sea, f"{piece} swims in {space}"
    if kind.domain == "sea":
        assert sea, f"{piece} stands on land in {space}"
    assert not world.spaces[space].impassable
    cargo = piece.cargo
    if cargo:
        assert kind.domain == "air" or fits(kind.loads, Counter(c.type for c in cargo)), f"{piece} in {space}"
        for aboard in cargo:
            assert not aboard.cargo
            if world.rules.relations != "alliances":  # else the alliance may be broken, and the troops still aboard
                assert allied(world, state, aboard.power, piece.power), f"{piece} carries an enemy"


def _check_rest(world: World, state: State, *, waiting: bool) -> None:
    """Between movements planes stand on friendly land or decks, and no land holds units of both sides.

    Where planes may land on new carriers they can still be `waiting` for them; where alliances can be broken, units of
    former allies can stand together until one of them has had its turn.
    """
    together = world.rules.relations == "alliances"
    for space, stack in state.units.items():
        formed = [p for p in stack if p.fleet or p.home]
        assert not formed, f"task forces outlast the battles: {formed} in {space}"
        assert not any(type_of(world, state, p).expended for p in stack), f"a kamikaze is left in {space}"
        if world.spaces[space].is_land:
            owner = state.owners.get(space)
            if owner is None and state.leanings.get(space) in world.sides:
                assert all(not world.powers[p.power].side for p in stack), f"{stack} stay in {space}, which is nobody's"
                continue
            assert owner is not None, f"units stay in neutral {space}: {stack}"
            strangers = [p for p in stack if not world.same_side(p.power, owner)]
            assert not strangers or together, f"{strangers} stay in {space} of {owner}"
            for piece in stack:
                if world.units[piece.type].complex:
                    assert piece.power == owner, f"the complex in {space} is not its owner's"
                assert not piece.cargo, f"nobody jumped: {piece} in {space}"
            if not together:
                _check_company(world, state, space)
            continue
        for side in () if waiting or together else world.sides:
            planes: Counter[str] = Counter()
            decks: Counter[str] = Counter()
            for piece, n in stack.items():
                if world.side_of(piece.power) == side:
                    if world.units[piece.type].domain == "air":
                        planes[piece.type] += n
                    for plane, room in world.units[piece.type].deck.items():
                        decks[plane] += room * n
            assert planes <= decks, f"{side}: {dict(planes)} on decks for {dict(decks)} in {space}"


def _check_company(world: World, state: State, space: str) -> None:
    """Allies that share no land never stand in it together; what changes hands with the land stands with anybody."""
    sharing = world.rules.sharing
    if sharing is None or space in state.permitted or any(space in guests.places for guests in sharing.guests):
        return
    nations = {p.power for p in state.at(space) if not world.units[p.type].captured}
    for one in nations:
        for other in nations - {one}:
            assert any(one in group and other in group for group in sharing.partners), f"{nations} together in {space}"


def census(state: State) -> Counter[tuple[str, str]]:
    """How many units of each power and type there are, cargo included."""
    total: Counter[tuple[str, str]] = Counter()
    for stack in state.units.values():
        for piece, n in with_cargo(stack):
            total[piece.power, piece.type] += n
    return total


def check_step(world: World, before: State, events: Iterable[AnyEvent], after: State, faces: tuple[int, ...]) -> None:
    """The laws about one order: the events alone tell everything that changed."""
    state = before
    told = census(before)
    money = dict(before.treasury)
    rolled: list[int] = []
    bought = 0
    for event in events:
        previous = state
        state = fold(world, state, event)
        match event:
            case Placed(power=power, units=units):
                told.update({(power, unit): n for unit, n in units})
            case Lost(units=units):
                for piece, n in units:
                    told[piece.power, piece.type] -= n
                    for aboard in piece.cargo:
                        told[aboard.power, aboard.type] -= n
            case Captured(space=space, owner=owner):
                for piece, n in previous.at(space).items():
                    if world.units[piece.type].captured:
                        told[piece.power, piece.type] -= n
                        told[owner, piece.type] += n
            case NeutralDefended(power=power, units=units):
                told.update({(power, piece.type): n for piece, n in units})
            case NeutralJoined(power=power, space=space, units=units):
                for piece, n in previous.at(space).items():
                    if not world.powers[piece.power].side:
                        told[piece.power, piece.type] -= n
                    if world.units[piece.type].captured:
                        told[piece.power, piece.type] -= n
                        told[power, piece.type] += n
                told.update({(power, piece.type): n for piece, n in units})
            case Upgraded(power=power, space=space, unit=unit):
                rules = world.units[unit].facility
                assert rules is not None
                assert rules.upgrade_of is not None
                told.update({(power, rules.upgrade_of): -1, (power, unit): 1})
                bought += event.cost
            case Downgraded(power=power, old=old, unit=unit):
                told.update({(power, old): -1, (power, unit): 1})
            case Dismantled(power=power, unit=unit) | ComplexLifted(power=power, unit=unit):
                told[power, unit] -= 1
            case ComplexSettled(power=power, unit=unit) | LineRaised(power=power, unit=unit):
                told[power, unit] += 1
            case TroopsRaised(power=power, units=units):
                told.update({(power, unit): n for unit, n in units})
            case UndergroundLeft(units=units):
                told.subtract({(piece.power, piece.type): n for piece, n in units})
            case LinesLost() | ComplexesUpgraded():
                _tell_changes(told, event.changes)
            case MovingChanged(cost=cost):
                bought += cost
            case Paid(power=power, amount=amount):
                _check_payment(world, previous, event)
                money[power] += amount
            case Rolled(reason=reason, faces=dice):
                rolled.extend(dice)
                sides = len(world.cards) if reason == "event" else world.rules.dice_sides  # a card is drawn by a die
                assert all(1 <= face <= sides for face in dice), event
            case BattleOpened(battle=battle) if world.battles[battle.kind].defenders == "all" or battle.kind == "raid":
                bound = previous.stances.bound if previous.stances is not None else ()
                there = {p.power for p in previous.at(battle.space)} | {previous.owners.get(battle.space)}
                broken = [pair for pair in bound if pair[0] == battle.attacker and pair[1] in there]
                assert not broken, f"an attack on {battle.space} against a pact: {broken}"
            case Bought(cost=cost):
                bought += cost
            case _:
                pass
        if state.units is not previous.units or isinstance(event, Placed | Lost | Captured):
            assert +told == census(state), f"{type(event).__name__} does not tell the units it changes"
        assert money == dict(state.treasury), f"{type(event).__name__} moves money"
    assert state == after, "folding the events again gives another state"
    assert tuple(rolled) == faces, "dice without a word about them"
    assert after.rolls == before.rolls + len(faces)
    _check_money(world, before, tuple(events), bought)


def _tell_changes(told: Counter[tuple[str, str]], changes: Iterable[Change]) -> None:
    for change in changes:
        told.subtract({(piece.power, piece.type): n for piece, n in change.minus})
        told.update({(piece.power, piece.type): n for piece, n in change.plus})


def _check_payment(world: World, state: State, paid: Paid) -> None:
    """Money comes from production and captured capitals only, and goes for what is listed (CL-INC-03)."""
    assert paid.amount, "a payment of nothing"
    if paid.amount > 0:
        sources = ("income", "objective", "economy", "allowance", "bonds", "capital", "lend-lease", "refund")
        sources = (*sources, "event") if world.cards else sources
        assert paid.reason in sources, paid
        support = world.powers[paid.power].support
        if paid.reason == "income" and support is not None:
            assert support.dice <= paid.amount <= support.dice * world.rules.dice_sides
        elif paid.reason == "income":
            assert paid.amount == production(world, state, paid.power)
            assert paid.power == world.order[state.turn]
    else:
        spending = (
            "units", "repair", "research", "drops", "lend-lease", "neutral", "raid", "rocket", "capital", "convoy",
            "training",
        )  # fmt: skip
        spending = (*spending, "levy") if world.powers[paid.power].levy_dice else spending
        spending = (*spending, "event") if world.cards else spending
        assert paid.reason in spending, paid
        place = world.spaces.get(paid.space)
        if paid.reason == "raid" and world.rules.raid_limit == "value" and place is not None and not place.capital_of:
            assert -paid.amount <= place.ipc, f"{place.name} is not worth so much: {paid}"


def _check_money(world: World, before: State, events: tuple[AnyEvent, ...], bought: int) -> None:
    spent: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Paid):
            spent[event.reason] -= event.amount
    assert spent["units"] == bought
    assert spent["repair"] == sum(e.cost for e in events if isinstance(e, Repaired))
    assert -spent["objective"] == sum(e.bonus for e in events if isinstance(e, ObjectiveMet))
    assert -spent["bonds"] == sum(sum(e.faces) for e in events if isinstance(e, Rolled) and e.reason == "bonds")
    tracked = world.rules.developments == "tracked"
    projects = tracked and any(isinstance(e, Rolled) and e.reason == "research" for e in events)  # one die an order
    paid_for = sum(e.cost for e in events if isinstance(e, Researched | Focused))
    assert spent["research"] == paid_for + projects * cards.research_cost(world, before)
    assert spent["levy"] <= sum(min(e.faces) for e in events if isinstance(e, Rolled) and e.reason == "levy")
    aid = [e for e in events if isinstance(e, AidSent)]
    assert spent["lend-lease"] == sum(e.cost - e.amount for e in aid)
    assert sum(e.amount for e in aid) == sum(sum(e.faces) for e in events if _is_roll(e, "lend-lease"))
    assert spent["neutral"] == sum(e.fee for e in events if isinstance(e, NeutralViolated))
    assert spent["drops"] == sum(e.cost for e in events if isinstance(e, DropsCounted))
    assert spent["capital"] == 0, "what a capital's owner loses its captor gets"
    bonus = max((f.get("raid_bonus", 0) for t in world.technologies.values() for f in t.units.values()), default=0)
    raids = [e for e in events if isinstance(e, Rolled) and e.reason == "raid"]
    assert spent["raid"] <= sum(sum(e.faces) + bonus * len(e.faces) for e in raids)
    assert spent["rocket"] <= sum(sum(e.faces) for e in events if isinstance(e, Rolled) and e.reason == "rocket")
    assert not spent["rocket"] or any(isinstance(e, RocketFired) for e in events)


def _is_roll(event: AnyEvent, reason: str) -> TypeGuard[Rolled]:
    return isinstance(event, Rolled) and event.reason == reason


def check_forfeits(events: Iterable[AnyEvent], pool: Mapping[str, int]) -> None:
    """Units that are forfeited are exactly those that were left in the pool."""
    for event in events:
        if isinstance(event, Forfeited):
            assert dict(event.units) == dict(pool)
