"""Who one is: a guest's session. (Accounts will be here too.)"""

from fastapi import APIRouter, Request, Response

from felt.server.rooms import Rooms
from felt.server.schemas import Me, SeatOf, SessionAsked
from felt.server.sessions import COOKIE, Asker, Sessions, Viewer, check_origin, give_cookie, token_of
from felt.store.db import Player

router = APIRouter()


@router.post("/session")
async def begin(asked: SessionAsked, request: Request, response: Response, known: Viewer) -> Me:
    """Play as a guest; who has a session already keeps it under the new name."""
    check_origin(request)
    sessions: Sessions = request.app.state.sessions
    sessions.starts.check(request.client.host if request.client else "")
    if known is not None:
        key = request.cookies[COOKIE]
        return _me(request, await sessions.rename(known, key, asked.name), key)
    player, key = await sessions.begin(asked.name)
    give_cookie(request, response, key)
    return _me(request, player, key)


@router.get("/me")
async def me(request: Request, player: Asker) -> Me:
    """Who the session belongs to, where they sit, and the token for changes."""
    return _me(request, player, request.cookies[COOKIE])


def _me(request: Request, player: Player, key: str) -> Me:
    rooms: Rooms = request.app.state.rooms
    seats = [SeatOf(table=room.id, seat=seat) for room, seat in rooms.of(player)]
    return Me(id=player.id, name=player.name, guest=player.guest, token=token_of(key), seats=seats)
