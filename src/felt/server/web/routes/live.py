"""A table over a WebSocket: events out, moves in."""

import asyncio
import json
from contextlib import ExitStack, suppress
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from felt.errors import FeltError
from felt.server.net.limits import Client, address_of, client_of
from felt.server.tables.settings import TableError
from felt.server.tables.table import Table
from felt.server.tables.watching import NOBODY, Watcher, compact
from felt.server.web.errors import response, told_of, validation_told
from felt.server.web.routes.tables import Invite, action_of
from felt.server.web.schemas.tables import ActMessage
from felt.server.web.sessions import asker, check_origin, viewer
from felt.store.database.db import Player

router = APIRouter()
TRY_AGAIN = 1013


@router.websocket("/tables/{table}/live")
async def live(
    socket: WebSocket, table: str, since: Annotated[str | None, Query(max_length=20)] = None, invite: Invite = None
) -> None:
    """Follow a table from the event `since` on, and play at it."""
    with ExitStack() as held:
        try:
            check_origin(socket)
            followed: Table = socket.app.state.tables.get(table)
            last = _number(since)
            player = await viewer(socket)
            followed.admit(player.id if player else NOBODY, invite)
            held.enter_context(socket.app.state.open.one_more(client_of(socket, player)))
        except FeltError as error:
            await socket.send_denial_response(response(*told_of(error)))
            return
        await _follow(socket, followed, player, last)


async def _follow(socket: WebSocket, table: Table, player: Player | None, last: int | None) -> None:
    await socket.accept()
    name = player.id if player else NOBODY
    await table.meet(name)
    missed = table.told_since(last, name)
    watcher = table.watch(name)
    for told in missed:
        watcher.put(told)
    known = await viewer(socket)
    if (known.id if known else NOBODY) != name:  # the session ended before there was somebody to dismiss
        watcher.end()
    sending = asyncio.create_task(_send(socket, table, watcher))
    try:
        while (message := await socket.receive())["type"] != "websocket.disconnect":
            answer = await _answer(socket, table, player, message.get("text"))
            if answer is not None:
                watcher.put(compact(answer))
    finally:
        table.unwatch(watcher)
        sending.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await sending


def _number(since: str | None) -> int | None:
    if since is None:
        return None
    if not (since.isascii() and since.isdigit()):
        raise TableError("invalid", f"since={since!r}: give the number of the last event that was seen")
    return int(since)


async def _send(socket: WebSocket, table: Table, watcher: Watcher) -> None:
    while (message := await watcher.waiting.get()) is not None:
        await socket.send_text(message if isinstance(message, str) else message.message(watcher.viewer, table.now()))
    await socket.close(TRY_AGAIN)


async def _answer(socket: WebSocket, table: Table, player: Player | None, text: str | None) -> dict[str, Any] | None:
    """What to say to one message; a move that is made is answered by its event."""
    sent: Any = None
    try:
        client = client_of(socket, player) if player else Client(id(socket), address_of(socket))
        socket.app.state.sessions.changes.check(client)
        most = socket.app.state.limits.message
        if text is not None and len(text) > most:
            raise TableError("too_large", f"a message of {len(text)} letters: send no more than {most}")
        sent = _read(text)
        if sent.get("type") == "ping":
            return {"type": "pong"}
        player = await asker(socket)  # the session may have ended meanwhile
        act = ActMessage.model_validate(sent)
        await table.act(player, action_of(act), hand=act.hand, step=act.step)
        return None
    except ValidationError as error:
        return _refused(validation_told(error.errors(), sent), sent)
    except FeltError as error:
        return _refused(told_of(error)[1], sent)


def _read(text: str | None) -> dict[str, Any]:
    try:
        message = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise TableError("malformed", "this is no message: send a JSON object with a type")
    return message


def _refused(error: dict[str, Any], sent: Any) -> dict[str, Any]:
    meant = {name: sent.get(name) for name in ("hand", "step")} if isinstance(sent, dict) else {}
    numbers = {name: value if type(value) is int else None for name, value in meant.items()}
    return {"type": "refused", "error": error, **numbers}
