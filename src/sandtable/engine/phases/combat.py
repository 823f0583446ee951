"""The battles of the turn: rockets, raids, then whatever the attacker chooses first (CL-CMB-04)."""

from __future__ import annotations

from collections import Counter

from sandtable.engine import atomic, commandos, pacts, rockets, sorties
from sandtable.engine.battle import adrift, stranded
from sandtable.engine.battle.conduct import conduct
from sandtable.engine.battle.ending import call_off, land_troops
from sandtable.engine.battle.interception import lose_grounded
from sandtable.engine.battle.opening import Pending, check_turn, choices, declared, is_unopposed, open_battle, pending
from sandtable.engine.battle.steps.expended import remove
from sandtable.engine.capture import ask_for_capital
from sandtable.engine.events import BattlesDeclined, Change, CommandosDeclined, RocketDeclined, Surfaced
from sandtable.engine.facts import amounts, capital_lost, listed, name
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, units_of
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.world.model import SpaceId


class Combat(Phase):
    name = "combat"
    title = "Combat"

    def enter(self, run: Run) -> None:
        """Governments that fled from troops who walked in say where they are."""
        for power in run.world.powers.values():
            if power.exile and capital_lost(run.world, run.state, power.id):
                ask_for_capital(run, power.id)

    def is_open(self, run: Run) -> bool:
        if sorties.before_battles(run):
            return True
        while True:
            possible = choices(run.world, run.state, run.power)
            if self._asks_for_rockets(run, possible) or commandos.available(run.world, run.state, run.power):
                return True
            contested = [p for p in possible if run.world.battles[p.kind].captures]
            simple = [p for p in contested if is_unopposed(run.world, run.state, run.power, p.space)]
            if not possible:
                return self._fighters_wait(run)
            if not simple and (len({p.space for p in possible}) != 1 or possible[0].optional):
                return True
            open_battle(run, (simple or possible)[0])
            conduct(run)
            if run.state.battle is not None or run.state.questions:
                return True

    @staticmethod
    def _asks_for_rockets(run: Run, possible: list[Pending]) -> bool:
        """Rockets that belong to the raids are fired first (AN-TEC-02); elsewhere they are offered beside battles, and
        are a question of their own only if nothing was fought."""
        if not rockets.available(run.world, run.state, run.power):
            return False
        if any(run.world.battles[p.kind].air for p in possible):
            return False  # the air is fought for before anything else
        if run.world.rules.rocket_time == "before-raids":
            return True
        return not possible and not run.state.fought

    @staticmethod
    def _fighters_wait(run: Run) -> bool:
        """All is fought: fighters of sunken carriers go where they can, and somebody may have to say where."""
        if run.state.adrift and adrift.settle(run):
            return True
        return run.world.rules.stranded_time == "phase" and stranded.settle(run)

    def decision(self, run: Run) -> str:
        possible = choices(run.world, run.state, run.power)
        if self._asks_for_rockets(run, possible):
            return "rocket"
        if commandos.available(run.world, run.state, run.power):
            return commandos.KIND
        return "battle" if possible else "rocket"

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        match order:
            case orders.Rocket():
                rockets.fire(run, order)
            case orders.Commando():
                commandos.send(run, order)
            case orders.Stay() if self.decision(run) == "rocket":
                run.emit(RocketDeclined(run.power))
            case orders.Stay() if self.decision(run) == commandos.KIND:
                run.emit(CommandosDeclined(run.power))
            case orders.Stay() if offers := [p.space for p in choices(run.world, run.state, run.power) if p.optional]:
                self._decline(run, offers)
            case orders.Move() if any(p.optional for p in choices(run.world, run.state, run.power)):
                self._land(run, order)
            case orders.Fight(space=space):
                self._fight(run, space)
            case _:
                raise misplaced(run, order, self)

    @staticmethod
    def _decline(run: Run, offers: list[SpaceId]) -> None:
        """Leave enemies alone, and troops aboard."""
        landings = declared(run.world, run.state, run.power)
        zones = tuple(space for space in offers if space not in landings)
        if zones:
            run.emit(BattlesDeclined(run.power, zones))
        for shore in offers:
            for zone in sorted(landings.get(shore, ())):
                call_off(run, run.power, zone, shore)

    @staticmethod
    def _land(run: Run, order: orders.Move) -> None:
        """Only these troops go ashore, as declared; those that are not named stay aboard (AN-AMP-15)."""
        zone, shore = order.route[0], order.route[-1]
        if len(order.route) != 2 or zone not in declared(run.world, run.state, run.power).get(shore, ()):
            raise Refusal(
                "landing-was-not-declared",
                "Only landings that were declared can go ahead now, and only where they were to go.",
                order.route,
            )
        wanted = Counter({spec.type: 0 for spec in order.units})
        for spec in order.units:
            wanted[spec.type] += spec.count
        due = Counter(c.type for t, n in run.state.at(zone).items() for c in t.cargo * n if c.target == shore)
        if not wanted <= due:
            told = amounts(run.world, due.items())
            raise Refusal("more-than-were-to-land", f"No more than {told} were to land there.", (zone, shore))
        call_off(run, run.power, zone, shore, but=wanted)
        land_troops(run, run.power, zone, shore)

    @staticmethod
    def _fight(run: Run, space: SpaceId) -> None:
        world, power = run.world, run.power
        waiting = [p for p in choices(world, run.state, power) if p.space == space and world.battles[p.kind].air]
        waiting = waiting or [
            p for p in pending(world, run.state, power) if p.space == space and not world.battles[p.kind].first
        ]
        if not waiting:
            raise Refusal(
                "no-battle-there",
                f"There is no battle to fight in {name(world, space)}.",
                (space,),
            )
        check_turn(world, run.state, power, waiting[0])
        possible = choices(world, run.state, power)
        if world.rules.battle_order == "assaults-first" and waiting[0].space not in [p.space for p in possible]:
            first = listed([name(world, p.space) for p in possible], "or")
            raise Refusal(
                "assaults-first",
                f"Amphibious assaults, and the sea battles that they need, come first: {first}.",
                (space,),
            )
        if run.world.rules.rocket_time == "before-raids" and rockets.available(world, run.state, power):
            run.emit(RocketDeclined(power))  # going on to the battles gives the rockets up
        if commandos.available(world, run.state, power):
            run.emit(CommandosDeclined(power))
        open_battle(run, waiting[0])

    def finish(self, run: Run) -> bool:
        world = run.world
        waiting = [p for p in pending(world, run.state, run.power) if not p.optional]
        if waiting:
            places = ", ".join(name(world, p.space) for p in waiting)
            raise Refusal(
                "battles-to-fight-first",
                f"There are battles to fight first: {places}.",
                tuple(p.space for p in waiting),
            )
        self._decline(run, [p.space for p in pending(world, run.state, run.power)])
        if not self._fighters_wait(run):
            return True
        if rockets.available(world, run.state, run.power):
            run.emit(RocketDeclined(run.power))  # nothing comes after the fighters
        return False

    def leave(self, run: Run) -> None:
        if run.world.rules.sacrifice is not None:
            for space, stack in list(run.state.units.items()):
                remove(run, space, stack)  # whose battle never came about
        lose_grounded(run)
        surface(run)
        atomic.bring_back(run)
        pacts.honour(run)


def surface(run: Run) -> None:
    """Submerged submarines come up when the fighting is over (CL3-SUB-03)."""
    for space, stack in list(run.state.units.items()):
        under = {p: n for p, n in stack.items() if p.mark == "submerged"}
        if under:
            units = units_of(under)
            up = tuple((Piece(p.power, p.type, done=p.done, hits=p.hits, marks=p.marks), n) for p, n in units)
            run.emit(Surfaced(space, (Change(space, units, up),)))
