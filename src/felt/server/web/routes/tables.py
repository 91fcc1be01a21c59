"""Tables: made, joined, played at and watched over plain HTTP and over a WebSocket: events out, moves in."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from dataclasses import fields
from functools import wraps
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Query, Request, Response, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from felt.cards.card import parse_cards
from felt.errors import FeltError
from felt.games import Action, parameters
from felt.games.moves import MOVES_BY_NAME
from felt.server.net.limits import Client, address_of, client_of
from felt.server.tables.registry import MOST_TABLES, TableList, Tables
from felt.server.tables.settings import Speed, TableError, TableSettings
from felt.server.tables.table import Table
from felt.server.tables.viewer_state import info
from felt.server.tables.watching import NOBODY, Watcher, compact
from felt.server.web.errors import response, told_of, validation_told
from felt.server.web.schemas import tables as schemas
from felt.server.web.sessions import Changer, Viewer, asker, check_origin, viewer
from felt.store.database.db import Player

router = APIRouter()
Change = TypeVar("Change", bound=Callable[..., Awaitable[None]])
MOST_WAIT = 30.0
PAGE, MOST_LISTED = 100, 500
TRY_AGAIN = 1013  # WebSocket's word for who may come back


async def table_of(table: str, request: Request) -> Table:
    """The table that the address names."""
    tables: Tables = request.app.state.tables
    return tables.get(table)


At = Annotated[Table, Depends(table_of)]
Invite = Annotated[str | None, Query(max_length=60, description="Of a private table, for who has no seat there")]


def table_seen(table: At, player: Viewer, invite: Invite = None) -> Table:
    """The table that the address names, for who may see it."""
    table.admit(player.id if player else NOBODY, invite)
    return table


Seen = Annotated[Table, Depends(table_seen)]


@router.get("/tables", response_model=list[schemas.TableInfo])
async def tables(
    request: Request,
    player: Viewer,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = PAGE,
    offset: Annotated[int, Query(ge=0, le=MOST_TABLES, description="How many tables to pass over")] = 0,
) -> Response:
    """The tables that are open to the caller: where they sit or which they have set up, then public ones.

    Where there are more, the header `Link` says how the next ones are asked for.
    """
    tables: TableList = request.app.state.table_list
    text, after = tables.page(player.id if player else NOBODY, offset=offset, limit=limit)
    more = f'<{request.url.path}?limit={limit}&offset={after}>; rel="next"'
    headers = {} if after is None else {"Link": more}
    return Response(text, headers=headers, media_type="application/json")


@router.post("/tables", status_code=201)
async def make(body: schemas.TableAsked, request: Request, player: Changer) -> schemas.Made:
    """Set up a table."""
    tables: Tables = request.app.state.tables
    request.app.state.sessions.tables.check(client_of(request, player))
    table, seat = await tables.create(
        settings_of(body),
        player,
        **body.model_dump(include={"agents", "sit", "private", "open_cards"}),
        speed=None if body.pace is None else Speed(**body.pace.model_dump()),
        address=address_of(request),
    )
    return schemas.Made(table=schemas.TableInfo(**info(table, player.id)), seat=seat)


@router.get("/tables/{table}", response_model=schemas.State)
async def look(table: Seen, player: Viewer) -> Response:
    """The table as the caller sees it."""
    return await state_response(table, player)


@router.get("/tables/{table}/events", response_model=schemas.Messages)
async def events(
    request: Request,
    table: Seen,
    player: Viewer,
    since: Annotated[int | None, Query(ge=0)] = None,
    wait: Annotated[float, Query(ge=0, le=MOST_WAIT)] = 0.0,
) -> Response:
    """What has happened after the event `since`; waits up to `wait` seconds for something to happen."""
    viewer = player.id if player else NOBODY
    await table.meet(viewer)
    messages = table.told_since(since, viewer)
    if not messages and wait:
        with request.app.state.open.one_more(client_of(request, player)):
            await table.audience.wait(viewer, wait)
        if player is not None and (await asker(request)).id != player.id:
            raise TableError("no_session", "you have become somebody else meanwhile: look at the table again")
        table_seen(table, player, request.query_params.get("invite"))  # who sat here when they asked may have left
        await table.meet(viewer)
        messages = table.told_since(since, viewer)
    texts = ",".join(message.message(viewer, table.now()) for message in messages)
    return Response(f'{{"messages":[{texts}]}}', media_type="application/json")


def change(path: str) -> Callable[[Change], Change]:
    """A route that changes a table, and answers with the table as the caller sees it then."""

    def add(make: Change) -> Change:
        @router.post(f"/tables/{{table}}/{path}", response_model=schemas.State)
        @wraps(make)
        async def made(**arguments: Any) -> Response:
            await make(**arguments)
            return await state_response(arguments["table"], arguments["player"])

        return make

    return add


@change("sit")
async def sit(body: schemas.SitAsked, table: At, request: Request, player: Changer) -> None:
    """Take a seat."""
    tables: Tables = request.app.state.tables
    await tables.sit(table, player, body.seat, body.invite)


@change("leave")
async def leave(table: At, player: Changer) -> None:
    """Get up."""
    await table.leave(player)


@change("away")
async def away(body: schemas.AwayAsked, table: At, player: Changer) -> None:
    """Sit out, or come back."""
    await table.sit_out(player, body.away)


@change("rebuy")
async def rebuy(table: At, player: Changer) -> None:
    """Buy chips after all were lost."""
    await table.rebuy(player)


@change("act")
async def act(body: schemas.ActAsked, table: At, player: Changer) -> None:
    """Make a move, meant for one hand and step."""
    await table.act(player, action_of(body), hand=body.hand, step=body.step)


@change("pace")
async def pace(body: schemas.PaceAsked, table: At, player: Changer) -> None:
    """Let a table of agents go faster or slower, or wait; for who has set it up."""
    await table.set_speed(player, Speed(**body.model_dump()))


@change("step")
async def step(table: At, player: Changer) -> None:
    """Let a table that is paused go one move further; for who has set it up."""
    table.step(player)


@router.post("/tables/{table}/close")
async def close(table: At, player: Changer) -> None:
    """Close a table at which nobody else sits; for who has set it up."""
    await table.close(player)


def action_of(body: schemas.ActAsked) -> Action:
    """The move that was asked for."""
    return Action(MOVES_BY_NAME[body.move], body.amount, parse_cards(body.cards))


def settings_of(body: schemas.TableAsked) -> TableSettings:
    """The table that was asked for."""
    known = {parameter.name for parameter in parameters(body.game)}
    unknown = next((name for name in body.parameters if name not in known), None)
    if unknown is not None:
        raise TableError("parameters", f"{body.game} has no parameter {unknown!r}; it has {', '.join(sorted(known))}")
    values = body.model_dump(include={field.name for field in fields(TableSettings)})
    return TableSettings.restored({**values, "parameters": body.parameters.items()})


async def state_response(table: Table, player: Player | None) -> Response:
    """The table as the caller sees it, as an answer."""
    viewer = player.id if player else NOBODY
    await table.meet(viewer)
    return Response(table.now_told().state(viewer, table.now()), media_type="application/json")


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
        act = schemas.ActMessage.model_validate(sent)
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
