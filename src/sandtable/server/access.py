"""Who is asking. Today everybody who reaches the server sits at the same table and may answer for every person.

Routes get the rooms through here and nowhere else, so that seats with tokens have one place to be checked in.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path
from starlette.requests import HTTPConnection

from sandtable.server.rooms import Lobby, Room


def the_lobby(connection: HTTPConnection) -> Lobby:
    lobby: Lobby = connection.app.state.lobby
    return lobby


GameId = Annotated[str, Path(max_length=60, description="the game")]
InLobby = Annotated[Lobby, Depends(the_lobby)]


async def the_room(game: GameId, lobby: InLobby) -> Room:
    return await lobby.open(game)


InRoom = Annotated[Room, Depends(the_room)]
