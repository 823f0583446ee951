"""`sandtable adjudicate`: run rule cases and tell which hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from rich.progress import Progress
from rich.text import Text

from sandtable.archive.cases import Case, CaseError, read_cases, run_case
from sandtable.cli import console
from sandtable.world.library import open_edition, qualified

ALL_HOLD, ONE_DOES_NOT, MALFORMED = 0, 1, 2


def adjudicate(paths: Iterable[Path], edition: Path | None = None, *, as_json: bool) -> int:
    """Run all cases; gives the exit status. A malformed file does not keep the others from being run.

    With an edition of one's own, scenarios of these names are its own.
    """
    own = None if edition is None else open_edition(edition)
    complaints: list[str] = []
    cases = list(_read(paths, complaints))
    out = console.output()
    failed = run = 0
    with Progress(console=console.errors(), transient=True, disable=not console.errors().is_terminal) as progress:
        for path, case in progress.track(cases, description="adjudicating"):
            try:
                if own is not None and case.scenario in own.scenarios:
                    case = msgspec.structs.replace(case, scenario=qualified(own, case.scenario))
                result = run_case(case)
            except CaseError as error:
                complaints.append(f"{path}: {error}")
                continue
            run += 1
            failed += not result.ok
            if as_json:
                print(msgspec.json.encode(result).decode())
                continue
            for failure in result.failures:
                out.print(Text(f"{result.case}: {failure}"), soft_wrap=True)
    for complaint in complaints:
        console.errors().print(Text(complaint), soft_wrap=True)
    if not as_json:
        out.print(_summary(run, failed, len(complaints)))
    if complaints:
        return MALFORMED
    return ONE_DOES_NOT if failed else ALL_HOLD


def _summary(run: int, failed: int, malformed: int) -> Text:
    text = Text(f"{run} case{'' if run == 1 else 's'}: ")
    if failed:
        text.append(f"{failed} {'does' if failed == 1 else 'do'} not hold", style="bold red")
    elif run:
        text.append("all hold" if run > 1 else "it holds", style="bold green")
    else:
        text.append("nothing was run", style="bold red")
    if malformed:
        text.append(f"; {malformed} malformed", style="bold red")
    return text.append(".")


def _read(paths: Iterable[Path], complaints: list[str]) -> Iterator[tuple[Path, Case]]:
    """Every case of every file; what cannot be read is complained about."""
    for path in paths:
        files = [path]
        if path.is_dir():
            files = sorted(p for pattern in ("*.yaml", "*.yml") for p in path.rglob(pattern) if p.is_file())
            if not files:
                complaints.append(f"{path}: holds no case files (*.yaml)")
        for file in files:
            try:
                for case in read_cases(file):
                    yield file, case
            except CaseError as error:
                complaints.append(str(error))
