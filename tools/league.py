"""A league of opponents, and the fitting of five stars against it: `python -m tools.league --help`.

    python -m tools.league table --games 20 --workers 2          everybody against everybody, one rating table
    python -m tools.league fit --field armor --field caution     small steps of some settings, judged by the league

Games are those of the arena: pairs with the same dice and the sides swapped. Fitting plays against the part of the
league that is not held out (`sandtable.bots.sparring.HELD_OUT`), with seeds of its own, so the games that a table
reports are never those that something was fitted to. The result is printed, not written into the package.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Iterator, Sequence

import msgspec

from sandtable.arena.backends import backend
from sandtable.arena.match import GameResult, Job
from sandtable.arena.rating import rate
from sandtable.bots.sparring import HELD_OUT, SPARRING
from sandtable.bots.style import LEVELS, Style

LEVELS_PLAYED = ("3star", "4star", "5star")
STEPS = {  # settings that may be fitted: how far one step goes, and between what they stay
    "least_odds": (0.04, 0.4, 0.8),
    "greed": (0.6, -4.0, 3.0),
    "capital_risk": (0.015, 0.005, 0.2),
    "future": (0.4, 0.5, 6.0),
    "armor": (0.08, 0.0, 0.8),
    "caution": (0.08, 0.0, 1.2),
    "march": (0.15, 0.1, 2.5),
    "foresight": (0.06, 0.0, 1.0),
    "held": (0.08, 0.0, 1.0),
    "ration": (0.5, 1.0, 6.0),
    "doom": (0.1, 0.0, 1.0),
    "fields": (0.15, 0.0, 1.5),
    "ships": (0.1, 0.0, 1.0),
    "hangar": (0.1, 0.0, 1.0),
    "joint": (0.15, 0.0, 1.0),
    "backward": (0.2, 0.0, 2.0),
    "raids": (0.3, -1.0, 2.0),
    "margin": (2.0, 0.0, 20.0),
}


def pairs(one: str, other: str, games: int, seed: str, scenario: str, rounds: int) -> list[Job]:
    """Games of two opponents, every pair of them with the same dice and the sides swapped."""
    return [
        Job(
            number=number,
            scenario=scenario,
            bots={"axis": one, "allies": other} if number % 2 == 0 else {"axis": other, "allies": one},
            seed=f"{seed}/{one}-{other}/{number // 2}",
            rounds=rounds,
            decided_at=0.85,
        )
        for number in range(games)
    ]


def played(jobs: Sequence[Job], workers: int) -> Iterator[GameResult]:
    for done, result in enumerate(backend("process", workers).run(jobs), 1):
        print(f"\r{done} of {len(jobs)} games", end="", file=sys.stderr, flush=True)
        if result.failed:
            print(f"\n{result.bots}: {result.reason}", file=sys.stderr)
        yield result
    print(file=sys.stderr)


def score_of(result: GameResult, name: str) -> float:
    """1 for a victory of this opponent, 0 for a defeat, one half for a draw."""
    if result.winner is None:
        return 0.5
    return 1.0 if result.bots[result.winner] == name else 0.0


def table(args: argparse.Namespace) -> None:
    names = args.player or [*LEVELS_PLAYED, *SPARRING]
    matches = list(itertools.combinations(names, 2))
    if args.against:
        matches = [(a, b) for a, b in matches if args.against in (a, b)]
    jobs = [job for a, b in matches for job in pairs(a, b, args.games, args.seed, args.scenario, args.rounds)]
    results = [r for r in played(jobs, args.workers) if not r.failed]
    ratings = rate((r.bots["axis"], r.bots["allies"], score_of(r, r.bots["axis"])) for r in results)
    print(f"{args.scenario}: {len(results)} games, at most {args.rounds} rounds, seed {args.seed}")
    print(f"{'player':14} {'games':>5} {'score':>6} {'axis share':>10} {'allied share':>12} {'rating':>7}")
    for name in sorted(ratings, key=lambda n: -ratings[n].mu):
        mine = [r for r in results if name in r.bots.values()]
        shares = {side: [r.shares[side] for r in mine if r.bots[side] == name] for side in ("axis", "allies")}
        mean = {side: sum(found) / len(found) if found else 0.0 for side, found in shares.items()}
        score = sum(score_of(r, name) for r in mine) / len(mine)
        held = " (held out)" if name in HELD_OUT else ""
        print(
            f"{name:14} {len(mine):5} {score:6.0%} {mean['axis']:10.1%} {mean['allies']:12.1%} "
            f"{ratings[name].mu:7.1f}{held}"
        )
    if args.against:
        for name in names:
            mine = [r for r in results if name in r.bots.values() and name != args.against]
            if mine:
                print(f"{args.against} against {name}: {1 - sum(score_of(r, name) for r in mine) / len(mine):.0%}")


def fit(args: argparse.Namespace) -> None:
    """A random walk: each setting a step up in one and down in the other of two versions, who play the league."""
    rng = random.Random(args.seed)
    style = LEVELS[5]
    sparring = [name for name in ("4star", *SPARRING) if name not in HELD_OUT]
    for turn in range(1, args.steps + 1):
        signs = {field: rng.choice((-1, 1)) for field in args.field}
        versions = {f"fitted-{mark}": stepped(style, signs, mark) for mark in (1, -1)}
        SPARRING.update(versions)
        partner = sparring[turn % len(sparring)]
        seed = f"fit/{args.seed}/{turn}"
        worth = {}
        for name in versions:
            jobs = pairs(name, partner, args.games, seed, args.scenario, args.rounds)
            same_dice = [msgspec.structs.replace(job, seed=f"{seed}/{job.number // 2}") for job in jobs]
            results = [r for r in played(same_dice, 1) if not r.failed]  # one process: it knows the two versions
            own = [r.shares[side] for r in results for side in r.bots if r.bots[side] == name]
            worth[name] = sum(own) / max(1, len(own))
        up, down = (worth[name] for name in versions)
        style = stepped(style, signs, max(-1.0, min(1.0, (up - down) * args.trust)))
        found = ", ".join(f"{field}={getattr(style, field):.3g}" for field in args.field)
        print(f"{turn}: against {partner} {up:.3f} and {down:.3f}; {found}", flush=True)


def stepped(style: Style, signs: dict[str, int], size: float) -> Style:
    """The style with each setting so many steps away in its direction."""
    changed = {}
    for field, sign in signs.items():
        step, least, most = STEPS[field]
        changed[field] = min(most, max(least, getattr(style, field) + sign * size * step))
    return msgspec.structs.replace(style, **changed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, command, games in (("table", table, 20), ("fit", fit, 4)):
        one = commands.add_parser(name)
        one.set_defaults(command=command)
        one.add_argument("--scenario", default="classic-1942")
        one.add_argument("--games", type=int, default=games, help="of each pair of opponents, an even number")
        one.add_argument("--rounds", type=int, default=12)
        one.add_argument("--seed", default="league")
        one.add_argument("--workers", type=int, default=1)
    listed = commands.choices["table"]
    listed.add_argument("--player", action="append", help="who plays; all of the league unless said")
    listed.add_argument("--against", help="only the matches of this player")
    fitted = commands.choices["fit"]
    fitted.add_argument("--field", action="append", required=True, choices=sorted(STEPS))
    fitted.add_argument("--steps", type=int, default=20)
    fitted.add_argument("--trust", type=float, default=10.0, help="steps taken for a whole of the worth on the board")
    args = parser.parse_args()
    args.command(args)


if __name__ == "__main__":
    main()
