"""After the game, or in the middle of it: how it came to this."""

from __future__ import annotations

from collections import OrderedDict
from urllib.parse import quote

from fastapi import APIRouter
from starlette.responses import Response

from sandtable.play.analysis import Analysis, analyse
from sandtable.server.access import InRoom, Somebody
from sandtable.server.calculator import AtCalculator, Calculator
from sandtable.server.people import Person
from sandtable.server.report import report
from sandtable.server.rooms import Room
from sandtable.server.views.analysis import AnalysisView, analysis_view

router = APIRouter(prefix="/api/games/{game}", tags=["history"])

KEPT = 12
_kept: OrderedDict[tuple[str, int], Analysis] = OrderedDict()


async def _analysis(room: Room, calculator: Calculator, person: Person) -> Analysis:
    """Worked out beside the event loop, and kept: a game that is over does not change any more."""
    async with room.reading(person) as journal:
        key = (room.id, journal.version)
        still = None if key in _kept else room.journal.standing_still()
    if still is not None:
        _kept[key] = await calculator.work(lambda: analyse(still.game), person.id)
    _kept.move_to_end(key)
    found = _kept[key]
    while len(_kept) > KEPT:
        _kept.popitem(last=False)
    return found


@router.get("/analysis", operation_id="getAnalysis")
async def get_analysis(room: InRoom, calculator: AtCalculator, person: Somebody) -> AnalysisView:
    """Chances over time, turning points, luck in every battle, and the best and worst decisions by odds."""
    return analysis_view(await _analysis(room, calculator, person))


@router.get("/analysis.html", operation_id="getReport", responses={200: {"content": {"text/html": {}}}})
async def get_report(room: InRoom, calculator: AtCalculator, person: Somebody) -> Response:
    """The same as a file to keep or to send."""
    found = await _analysis(room, calculator, person)
    async with room.reading(person) as journal:
        title, world = journal.header.name or journal.game.world.scenario_name, journal.game.world
    file = quote("".join(c if c.isalnum() or c in " -_" else "_" for c in title).strip() or "game")
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{file}-analysis.html"}
    return Response(report(world, title, found), media_type="text/html; charset=utf-8", headers=headers)
