"""Odds of a battle on paper: units of both sides and what they mean to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from sandtable.notation.names import names
from sandtable.odds.exact import Exact, Start
from sandtable.odds.intentions import NEVER, Boats, Intentions, Method, Retreat
from sandtable.odds.losses import Wanted, loss_order
from sandtable.odds.model import (
    BattleModel,
    Force,
    Kind,
    OddsError,
    Role,
    check_sequence,
    gun_value,
    make_kind,
    shield_of,
)
from sandtable.odds.read import resolve
from sandtable.odds.result import Odds
from sandtable.odds.simulate import RUNS, FleetSimulation, Simulation
from sandtable.odds.walk import Walk
from sandtable.world.model import PowerId, TechId, UnitId, World
from sandtable.world.profiles import profile

Units = Mapping[UnitId, int]


def odds(
    world: World,
    attackers: Units | str,
    defenders: Units | str,
    *,
    kind: str | None = None,
    attacker_power: PowerId | None = None,
    defender_power: PowerId | None = None,
    attacker_techs: Iterable[TechId] = (),
    defender_techs: Iterable[TechId] = (),
    attacker_order: Wanted = "weakest",
    defender_order: Wanted = "weakest",
    keep_land: int = 0,
    amphibious: bool | None = None,
    retreat: Retreat = NEVER,
    attacker_submarines: Boats = "stay",
    defender_submarines: Boats = "stay",
    shelter: bool = False,
    method: Method = "auto",
    runs: int = RUNS,
    seed: int = 0,
) -> Odds:
    """The odds of a battle between these units.

    `kind` is `land` or `sea`; left out, ships without land units among either force mean a sea battle. Ships among the
    attackers of a land battle give their support shots, and the attack is then amphibious: its troops cannot
    retreat. An `aa-gun` among the defenders fires first. Orders of loss are `weakest`, `cheapest` or lists such as
    `["infantry", "2 armor", "fighter"]` (`sandtable.odds.losses`); `keep_land` attackers that can take land are lost
    last of all. With `shelter`, defending fighters whose carrier sinks find an island. `method="auto"` simulates only
    where there are too many states to enumerate.
    """
    attack, defense = resolve(world, attackers), resolve(world, defenders)
    fought = kind or _kind(world, attack, defense)
    if fought not in world.battles or fought not in ("land", "sea"):
        raise OddsError(f"There is no battle of the kind {fought!r} to calculate; known are land and sea.")
    attacker, defender = _powers(world, attacker_power, defender_power)
    a_techs, d_techs = _techs(world, attacker_techs), _techs(world, defender_techs)
    support = _support(world, fought, attacker, a_techs, attack)
    landed = bool(support) if amphibious is None else amphibious
    fighters = {u: n for u, n in attack.items() if not (fought == "land" and world.units[u].domain == "sea")}
    model = battle_model(
        world,
        fought,
        _force(world, "attack", fought, attacker, a_techs, fighters, landed=landed),
        _force(world, "defense", fought, defender, d_techs, defense),
        attacker_order=attacker_order,
        defender_order=defender_order,
        keep_land=keep_land,
        aa=gun_value(world, defender, defense, d_techs) if fought == "land" else 0,
        support=support,
        shelter=shelter,
    )
    intentions = Intentions(
        retreat=retreat, attacker_submarines=attacker_submarines, defender_submarines=defender_submarines
    )
    return solve(model, intentions, method=method, runs=runs, seed=seed)


def battle_model(
    world: World,
    kind: str,
    attack: Sequence[tuple[Kind, int]],
    defense: Sequence[tuple[Kind, int]],
    *,
    attacker_order: Wanted = "weakest",
    defender_order: Wanted = "weakest",
    keep_land: int = 0,
    aa: int = 0,
    support: tuple[tuple[int, int], ...] = (),
    can_retreat: bool = True,
    shelter: bool = False,
) -> BattleModel:
    """The battle of two forces by the rules of this world, with their orders of loss."""
    if not any(n for _, n in attack):
        raise OddsError("Nobody attacks: name at least one attacker that can fight here.")
    if not any(n for _, n in defense):
        raise OddsError(
            "There is nobody to fight: name at least one defender other than AA guns and complexes. "
            "Land that holds only those falls without a battle."
        )
    check_sequence(world.battles[kind])
    find = names(world, "unit").find
    return BattleModel(
        world=world,
        kind=kind,
        steps=tuple(world.battles[kind]),
        attack=_ordered(attack, attacker_order, keep_land, find),
        defense=_ordered(defense, defender_order, 0, find),
        dice_sides=world.rules.dice_sides,
        aa=aa,
        aa_each=world.rules.aa_targets == "each",
        support=support,
        by_column=world.rules.casualties_by_column,
        planes_may_leave=world.rules.planes_retreat_from_assault,
        overland_may_leave=world.rules.overland_retreat,
        can_retreat=can_retreat,
        shelter=shelter,
    )


def _ordered(units: Sequence[tuple[Kind, int]], wanted: Wanted, keep: int, find: Callable[[str], str]) -> Force:
    kinds, counts = tuple(k for k, _ in units), tuple(n for _, n in units)
    return Force(kinds, counts, loss_order(kinds, counts, wanted, keep_land=keep, find=find))


def solve(
    model: BattleModel,
    intentions: Intentions,
    start: Start | None = None,
    *,
    method: Method = "auto",
    runs: int = RUNS,
    seed: int = 0,
) -> Odds:
    """Calculate a model, from its beginning or from a point inside a round."""
    intentions.check()
    if start is None:
        start = Start(whole(model.attack), whole(model.defense), whole(model.defense), tuple(model.acts(True)))
    if method not in ("auto", "exact", "simulate"):
        raise OddsError(f"The method is auto, exact or simulate, not {method!r}.")
    if method != "simulate":
        exact = Walk(model, intentions, start) if model.intricate else Exact(model, intentions, start)
        if exact.possible:
            return Odds(model, exact.solve(), exact.rounds)
        if method == "exact":
            raise OddsError("This battle has too many states for exact odds; simulate it.")
    if runs < 1:
        raise OddsError("A simulation needs at least one run.")
    dice = FleetSimulation if model.intricate else Simulation
    outcome, rounds = dice(model, intentions, start, runs=runs, seed=seed).run()
    return Odds(model, outcome, rounds)


def whole(force: Force) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The state in which nobody has been lost."""
    return force.counts, (0,) * len(force.counts)


def _kind(world: World, attack: Units, defense: Units) -> str:
    domains = {world.units[u].domain for u in (*attack, *defense)}
    return "sea" if "sea" in domains and "land" not in domains else "land"


def _powers(world: World, attacker: PowerId | None, defender: PowerId | None) -> tuple[PowerId, PowerId]:
    """The powers named, or any two that are enemies."""
    find = names(world, "power").find
    against = find(defender) if defender is not None else None
    who = find(attacker) if attacker is not None else None
    if who is None:
        who = next(p for p in world.order if against is None or not world.friends(p, against))
    if against is None:
        against = next(p for p in world.order if not world.friends(p, who))
    if world.friends(who, against):
        raise OddsError(f"{world.powers[who].name} and {world.powers[against].name} do not fight each other.")
    return who, against


def _techs(world: World, techs: Iterable[TechId]) -> frozenset[TechId]:
    return frozenset(names(world, "technology").find(t) for t in techs)


def _support(
    world: World, kind: str, power: PowerId, techs: frozenset[TechId], attack: Units
) -> tuple[tuple[int, int], ...]:
    """The support shots of ships named among the attackers of a land battle."""
    if kind != "land":
        return ()
    values = profile(world, power, techs)
    ships = {u: n for u, n in attack.items() if world.units[u].domain == "sea"}
    for unit in ships:
        if not values[unit].support:
            raise OddsError(f"{world.units[unit].plural.capitalize()} take no part in a land battle.")
    most = sum(n for u, n in attack.items() if world.units[u].domain == "land")
    shots = []
    for unit in sorted(ships, key=lambda u: -values[u].support):
        number = min(ships[unit], most) if world.rules.support_per_landed else ships[unit]
        most -= number
        if number:
            shots.append((values[unit].support, number))
    return tuple(shots)


def _force(
    world: World,
    role: Role,
    kind: str,
    power: PowerId,
    techs: frozenset[TechId],
    units: Units,
    *,
    landed: bool = False,
) -> list[tuple[Kind, int]]:
    force = []
    for unit, number in units.items():
        plain = world.units[unit]
        if role == "attack" and not (plain.attacks and plain.casualty):
            raise OddsError(f"{plain.plural[0].upper() + plain.plural[1:]} never attack.")
        if not plain.casualty:
            continue  # guns and complexes watch
        if plain.domain == "sea" and kind == "land":
            raise OddsError(f"{plain.plural.capitalize()} cannot defend land.")
        if plain.domain == "land" and kind == "sea":
            raise OddsError(f"{plain.plural.capitalize()} cannot fight at sea.")
        ashore = landed and plain.domain == "land"
        made = make_kind(world, role, power, unit, techs, landed=ashore)
        force.append((made, number))
        if plain.hits > 1:
            force.append((shield_of(made), number * (plain.hits - 1)))
    return force
