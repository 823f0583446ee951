"""One door to the odds of a mustered battle: calculated where everything in it is understood, played out where not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sandtable.engine.battle.casualties import asked_about, fate_of
from sandtable.engine.battle.forces import bulwark_room, without
from sandtable.engine.battle.muster import Muster
from sandtable.engine.battle.steps import STEPS, steps_of_round
from sandtable.engine.state import Hits, Question
from sandtable.odds.exact import Exact, Start
from sandtable.odds.front import Front, strength, whole
from sandtable.odds.front import State as Strength
from sandtable.odds.intentions import Intentions, Method
from sandtable.odds.known import MOST_CALCULATED, Way, act_in_strikes, act_of, dearest, way
from sandtable.odds.model import PLANES, Act, BattleModel, OddsError
from sandtable.odds.played import RUNS as RUNS
from sandtable.odds.played import SECONDS as SECONDS
from sandtable.odds.played import play_out
from sandtable.odds.result import GridOdds, Odds
from sandtable.odds.salvos import Picker
from sandtable.odds.sorties import Sorties
from sandtable.odds.strikes import Strikes
from sandtable.odds.walk import Walk

TOO_MANY = "there are too many states to be counted one by one"


def solve(
    model: BattleModel,
    intentions: Intentions,
    muster: Muster,
    *,
    method: Method = "auto",
    runs: int = RUNS,
    seconds: float | None = SECONDS,
    seed: int = 0,
) -> Odds:
    """The odds of a battle from where it stands."""
    intentions.check()
    if method not in ("auto", "exact", "play"):
        raise OddsError(f"The method is auto, exact or play, not {method!r}.")
    if runs < 1:
        raise OddsError("A battle has to be played at least once: the number of runs must be 1 or more.")
    if seconds is not None and not seconds > 0:
        raise OddsError(f"Playing takes time: {seconds} seconds are not enough.")
    if strange := [step for step in model.steps if step not in STEPS]:
        raise OddsError(f"Nobody can fight this battle: there is no step called {strange[0]!r}.")
    how, why = way(model, muster) if method != "play" else ("exact", "it was wanted so")
    if why is None:
        acts = act_in_strikes if how in ("strikes", "sorties") else act_of
        found = calculate(model, intentions, start_of(model, muster, acts), how)
        if found is not None:
            return found
        why = TOO_MANY
    if method == "exact":
        raise OddsError(f"There are no exact odds of this battle: {why}.")
    return play_out(model, intentions, muster, why=why, runs=runs, seconds=seconds, seed=seed)


SOLVERS: dict[Way, type[Exact] | type[Walk] | type[Sorties]] = {
    "exact": Exact,
    "walk": Walk,
    "strikes": Strikes,
    "sorties": Sorties,
}


def calculate(model: BattleModel, intentions: Intentions, start: Start, how: Way) -> Odds | None:
    """Exact odds; None if there are too many states."""
    if any(sum(force.counts) > MOST_CALCULATED for force in (model.attack, model.defense)):
        return None
    exact = SOLVERS[how](model, intentions, start)
    return GridOdds(model, exact.solve(), exact.rounds) if exact.possible else None


def start_of(model: BattleModel, muster: Muster, act_of: Callable[[str], Act | None] = act_of) -> Start:
    """The point of the round at which the battle stands, its open hits settled along the orders of loss."""
    battle = muster.battle
    steps = steps_of_round(model.steps[battle.step :], battle.round)
    firing = whole(model.defense)
    attack, alive = whole(model.attack), strength(model.world, muster.state, model.defense, muster.alive)
    walls = bulwark_room(model.world, muster.state, battle)
    if any(kind.bulwark for kind in model.defense.kinds):
        kinds = zip(model.defense.kinds, alive[0], strict=True)
        alive = tuple(walls.get(kind.unit, 0) if kind.bulwark else n for kind, n in kinds), alive[1]
    shooting = None
    if any(p.power == battle.attacker for p in battle.doomed):  # planes that strike before they go down
        shooting = attack
        attack = strength(model.world, muster.state, model.attack, without(muster.attackers, battle.doomed))
    column = -1
    asked = next(iter(muster.state.questions), None)
    if asked is not None and asked.kind in ("casualties", "target"):
        step, fate = model.steps[battle.step], fate_of(asked)
        if fate == "aa":
            front = Front(model.attack)
            attack = front.past_guns(attack, _after(front, attack, battle.hits[0].count))
        elif asked.role == "attack":
            shooting = attack if fate == "doomed" else shooting
            attack = _settled(model, asked, Front(model.attack), attack, battle.hits)
        else:
            alive = _settled(model, asked, Front(model.defense), alive, battle.hits)
            firing = firing if fate == "doomed" else alive
        if model.by_column and act_of(step) in ("first", "doom", "reply"):
            column = battle.column
        else:
            steps = steps[1:]
    acts = tuple(act for s in steps if (act := act_of(s)) is not None)
    return Start(attack, firing, alive, acts, column, battle.round, shooting)


def _settled(model: BattleModel, asked: Question, front: Front, state: Strength, hits: tuple[Hits, ...]) -> Strength:
    """The state after open hits: along the order of losses, and those that the enemy places on what is dearest."""
    if asked.kind == "casualties":
        return front.after_hits(state, hits)
    assert asked.role is not None
    picked, others = asked_about(asked, hits)
    picks = 0
    for hit in picked:
        picks |= front.struck_by(hit)
    numbers = [np.array([hit.count]) for hit in others]
    picker = Picker(front, dearest(model, asked.role))
    groups = [front.struck_by(hit) for hit in others]
    (after,) = picker.pick(np.array([front.find(state)]), numbers, groups, np.array([asked.count]), picks).tolist()
    return front.after_hits(front.states[after], others)


def _after(front: Front, planes: Strength, hits: int) -> Strength:
    for _ in range(hits):
        planes = front.after_hit(planes, PLANES)
    return planes
