"""`python -m benchmarks`: all figures as a table, with budgets and ratios."""

from __future__ import annotations

import importlib

from benchmarks.measure import Figure, reference

GROUPS = ("engine", "odds", "bots")


def line(figure: Figure, unit: float) -> str:
    budget = "" if figure.budget is None else f"{figure.budget * 1000:.2f}"
    return f"| {figure.name} | {figure.seconds * 1000:.3f} | {figure.seconds / unit:.4f} | {budget} | {figure.note} |"


def main() -> None:
    unit = reference()
    print(f"reference: 200,000 dictionary updates in {unit * 1000:.1f} ms\n")
    print("| what | ms | reference units | budget ms | note |\n|---|---:|---:|---:|---|")
    for group in GROUPS:
        for figure in importlib.import_module(f"benchmarks.{group}").figures():
            print(line(figure, unit))


if __name__ == "__main__":
    main()
