"""Documentation that runs, and that mentions everything."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from sandtable.archive.cases import parse_cases, run_case
from sandtable.engine.questions import KINDS
from sandtable.errors import NotationError
from sandtable.notation.parse import READERS, parse_order
from sandtable.world.compile import compile_world
from sandtable.world.conditions import PREDICATES, Parser
from sandtable.world.fields import Report
from sandtable.world.files import read_yaml
from sandtable.world.load import scenarios
from sandtable.world.model import Patch

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_readme_example_runs() -> None:
    """The Python example is short, runs as it stands and shows a refusal with its rule."""
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert code is not None
    assert len(code[1].splitlines()) <= 20
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(code[1], "README.md", "exec"), {})
    assert "CL-MOV-17" in shown.getvalue()


def test_case_example_holds() -> None:
    """The case printed in the reference is a case, and it holds."""
    text = re.search(r"```yaml\n(.*?)```", (ROOT / "docs/reference/cases.md").read_text(), re.DOTALL)
    assert text is not None
    (case,) = parse_cases(text[1])
    result = run_case(case)
    assert result.ok, [str(f) for f in result.failures]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith(("http:", "https:")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_option_is_documented() -> None:
    page = (ROOT / "docs/reference/options.md").read_text()
    for scenario in (info.id for info in scenarios() if info.playable):
        for option in compile_world(scenario).option_list:
            assert f"`{option.key}`" in page
            for rule in option.rules:
                assert rule in page


def test_every_predicate_is_documented_and_every_example_is_one() -> None:
    page = (ROOT / "docs/reference/conditions.md").read_text()
    for head in PREDICATES:
        assert f"{{{head}: " in page, head
    for text in re.findall(r"`(\{[a-z_]+: .*?\})`", page):
        words = text.replace("PLACES", "[egypt, france, libya]").replace("MILESTONE", "x").replace("VALUE", "y")
        raw = read_yaml(words)
        report = Report()
        Parser("conditions.md", report).condition(raw, text)
        assert not report.problems, report.problems


def test_every_field_of_a_patch_is_documented() -> None:
    page = (ROOT / "docs/reference/options.md").read_text()
    for field in Patch.__struct_fields__:
        stem = field.removeprefix("add_").removeprefix("remove_")
        assert f"`{field}`" in page or f"    {field}: " in page or f"`{stem}`" in page or field == "options", field


def test_every_order_and_decision_is_documented() -> None:
    orders = (ROOT / "docs/reference/orders.md").read_text()
    for verb in READERS:
        assert re.search(rf"`{verb}\b", orders), verb
    cases = (ROOT / "docs/reference/cases.md").read_text()
    for kind in KINDS:
        assert f"`{kind}`" in cases


def test_orders_of_the_reference_can_be_read() -> None:
    """Every example in the first column of a table is an order in at least one edition."""
    worlds = [compile_world(name) for name in ("classic-1942", "anniversary-1941", "global-1940")]
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / "docs/reference/orders.md").read_text(), re.MULTILINE)
    examples = [text for row in rows for text in re.findall(r"`([^`]+)`", row) if "…" not in text]
    examples = [text for text in examples if text.split()[0] in READERS]  # words alone are roles
    assert len(examples) > 60
    for text in examples:
        problems = []
        for world in worlds:
            try:
                assert parse_order(world, text)
                break
            except NotationError as error:
                problems.append(str(error))
        else:
            raise AssertionError(f"{text}: {problems}")


def test_the_map_of_the_code_names_what_is_there() -> None:
    """Modules and folders in the tables of the architecture; a name without a folder is beside the one before it."""
    source, missing = ROOT / "src" / "sandtable", []
    text = (ROOT / "docs" / "design" / "architecture.md").read_text("utf-8")
    for row in (line for line in text.splitlines() if line.startswith("|")):
        beside = source / "engine"
        for name in re.findall(r"`([\w/]+(?:\.py|/))`", row):
            found = next(
                (place / name for place in (beside, source / "engine", source) if (place / name).exists()), None
            )
            if found is None:
                missing.append(name)
            else:
                beside = found.parent
    assert not missing
