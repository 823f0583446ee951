"""`python -m tools.maps classic|anniversary|global1940|all [--preview FOLDER]`: compile the boards' maps."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.maps import board, export, slots
from tools.maps.compile import build, progress_printer, report

ASSETS = Path(__file__).parents[2] / "src" / "sandtable" / "maps" / "assets"


def main() -> int:
    """Compile what was asked for; 1 if a map does not say what the rules say."""
    parser = argparse.ArgumentParser(prog="python -m tools.maps", description=__doc__)
    parser.add_argument("board", choices=[*board.BOARDS, "global", "all"])
    parser.add_argument("--preview", type=Path, help="also draw a picture into this folder")
    parser.add_argument("--zoom", type=float, default=0.5, help="size of the picture")
    parser.add_argument("--box", type=float, nargs=4, help="part of the map to draw: x0 y0 x1 y1")
    parser.add_argument("--draft", action="store_true", help="write the asset even if the map is wrong")
    options = parser.parse_args()
    chosen = board.BOARDS if options.board == "all" else [options.board.replace("global1940", "global")]
    wrong = 0
    for name in chosen:
        name = "global1940" if name == "global" else name
        print(f"{name}:")
        say = progress_printer()
        result = build(board.load(name), say)
        right = report(result)
        wrong += not right
        if not right and not options.draft:
            print("  not written: the map is wrong")
            continue
        placed = slots.furnish(result)
        callouts = sorted(space for space, entry in placed.items() if "callout" in entry)
        beside = sorted(space for space, entry in placed.items() if entry["label"].get("outside"))
        smallest = min((slot["r"], space) for space, entry in placed.items() for slot in entry["slots"])
        say(f"furnished: {len(callouts)} callouts, {len(beside)} names beside, smallest slot {smallest}")
        print(f"  callouts: {', '.join(callouts)}\n  beside: {', '.join(beside)}")
        data = export.asset(result, placed)
        size = export.write(data, ASSETS / f"{name}.json")
        say(f"written: {size / 1000:.0f} kB gzipped")
        if options.preview:
            from tools.maps import preview

            options.preview.mkdir(parents=True, exist_ok=True)
            preview.picture(data, options.preview / f"{name}.png", options.zoom, options.box)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
