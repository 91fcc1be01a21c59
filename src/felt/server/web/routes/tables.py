"""Tables: made, joined, played at and watched over plain HTTP."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from felt.cards.card import parse_cards
from felt.games import Action, Move, parameters
from felt.server.clients import address_of, client_of
from felt.server.pace import Speed
from felt.server.room import Room
from felt.server.room_told import info
from felt.server.rooms import MOST_ROOMS, Rooms
from felt.server.schemas import (
    ActAsked,
    AwayAsked,
    Made,
    Messages,
    PaceAsked,
    SitAsked,
    State,
    TableAsked,
    TableInfo,
)
from felt.server.sessions import Changer, Viewer, asker
from felt.server.table_list import TableList
from felt.server.table_settings import TableError, TableSettings
from felt.server.watching import NOBODY
from felt.store.db import Player

router = APIRouter()
MOST_WAIT = 30.0
PAGE, MOST_LISTED = 100, 500
MOVES = {"fold": Move.FOLD, "call": Move.CALL, "raise": Move.RAISE, "exchange": Move.EXCHANGE}


async def room_of(table: str, request: Request) -> Room:
    """The room that the address names."""
    rooms: Rooms = request.app.state.rooms
    return rooms.get(table)


At = Annotated[Room, Depends(room_of)]
Invite = Annotated[str | None, Query(max_length=60, description="Of a private table, for who has no seat there")]


def room_seen(room: At, player: Viewer, invite: Invite = None) -> Room:
    """The room that the address names, for who may see it."""
    room.admit(player.id if player else NOBODY, invite)
    return room


Seen = Annotated[Room, Depends(room_seen)]


@router.get("/tables", response_model=list[TableInfo])
async def tables(
    request: Request,
    player: Viewer,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = PAGE,
    offset: Annotated[int, Query(ge=0, le=MOST_ROOMS, description="How many tables to pass over")] = 0,
) -> Response:
    """The tables that are open to the caller: where they sit or which they have set up, then public ones.

    Where there are more, the header `Link` says how the next ones are asked for.
    """
    listed: TableList = request.app.state.table_list
    page = listed.page(player.id if player else NOBODY, offset=offset, limit=limit)
    more = f'<{request.url.path}?limit={limit}&offset={page.next}>; rel="next"'
    headers = {} if page.next is None else {"Link": more}
    return Response(page.text, headers=headers, media_type="application/json")


@router.post("/tables", status_code=201)
async def make(asked: TableAsked, request: Request, player: Changer) -> Made:
    """Set up a table."""
    rooms: Rooms = request.app.state.rooms
    request.app.state.sessions.tables.check(client_of(request, player))
    room, seat = await rooms.create(
        settings_of(asked),
        player,
        agents=asked.agents,
        sit=asked.sit,
        private=asked.private,
        open_cards=asked.open_cards,
        speed=None if asked.pace is None else Speed(**asked.pace.model_dump()),
        address=address_of(request),
    )
    return Made(table=TableInfo(**info(room, player.id)), seat=seat)


@router.get("/tables/{table}", response_model=State)
async def look(room: Seen, player: Viewer) -> Response:
    """The table as the caller sees it."""
    return await state_response(room, player)


@router.get("/tables/{table}/events", response_model=Messages)
async def events(
    request: Request,
    room: Seen,
    player: Viewer,
    since: Annotated[int | None, Query(ge=0)] = None,
    wait: Annotated[float, Query(ge=0, le=MOST_WAIT)] = 0.0,
) -> Response:
    """What has happened after the event `since`; waits up to `wait` seconds for something to happen."""
    viewer = player.id if player else NOBODY
    await room.meet(viewer)
    told = room.told_since(since, viewer)
    if not told and wait:
        with request.app.state.open.one_more(client_of(request, player)):
            await room.audience.wait(viewer, wait)
        if player is not None and (await asker(request)).id != player.id:
            raise TableError("no_session", "you have become somebody else meanwhile: look at the table again")
        room_seen(room, player, request.query_params.get("invite"))  # who sat here when they asked may have left
        await room.meet(viewer)
        told = room.told_since(since, viewer)
    texts = ",".join(one.message(viewer, room.now()) for one in told)
    return Response(f'{{"messages":[{texts}]}}', media_type="application/json")


@router.post("/tables/{table}/sit", response_model=State)
async def sit(asked: SitAsked, room: At, request: Request, player: Changer) -> Response:
    """Take a seat."""
    rooms: Rooms = request.app.state.rooms
    await rooms.sit(room, player, asked.seat, asked.invite)
    return await state_response(room, player)


@router.post("/tables/{table}/leave", response_model=State)
async def leave(room: At, player: Changer) -> Response:
    """Get up."""
    await room.leave(player)
    return await state_response(room, player)


@router.post("/tables/{table}/away", response_model=State)
async def away(asked: AwayAsked, room: At, player: Changer) -> Response:
    """Sit out, or come back."""
    await room.sit_out(player, asked.away)
    return await state_response(room, player)


@router.post("/tables/{table}/rebuy", response_model=State)
async def rebuy(room: At, player: Changer) -> Response:
    """Buy chips after all were lost."""
    await room.rebuy(player)
    return await state_response(room, player)


@router.post("/tables/{table}/act", response_model=State)
async def act(asked: ActAsked, room: At, player: Changer) -> Response:
    """Make a move, meant for one hand and step."""
    await room.act(player, action_of(asked), hand=asked.hand, step=asked.step)
    return await state_response(room, player)


@router.post("/tables/{table}/pace", response_model=State)
async def pace(asked: PaceAsked, room: At, player: Changer) -> Response:
    """Let a table of agents go faster or slower, or wait; for who has set it up."""
    await room.set_speed(player, Speed(**asked.model_dump()))
    return await state_response(room, player)


@router.post("/tables/{table}/step", response_model=State)
async def step(room: At, player: Changer) -> Response:
    """Let a table that is paused go one move further; for who has set it up."""
    room.step(player)
    return await state_response(room, player)


@router.post("/tables/{table}/close")
async def close(room: At, player: Changer) -> None:
    """Close a table at which nobody else sits; for who has set it up."""
    await room.close(player)


def action_of(asked: ActAsked) -> Action:
    """The move that was asked for."""
    return Action(MOVES[asked.move], asked.amount, parse_cards(asked.cards))


def settings_of(asked: TableAsked) -> TableSettings:
    """The table that was asked for."""
    known = {parameter.name for parameter in parameters(asked.game)}
    unknown = next((name for name in asked.parameters if name not in known), None)
    if unknown is not None:
        raise TableError("parameters", f"{asked.game} has no parameter {unknown!r}; it has {', '.join(sorted(known))}")
    return TableSettings(
        game=asked.game,
        parameters=tuple(asked.parameters.items()),
        seats=asked.seats,
        stack=asked.stack,
        tournament=asked.tournament,
        hands_per_level=asked.hands_per_level,
        time_limit=asked.time_limit,
        time_bank=asked.time_bank,
    )


async def state_response(room: Room, player: Player | None) -> Response:
    """The table as the caller sees it, as an answer."""
    viewer = player.id if player else NOBODY
    await room.meet(viewer)
    return Response(room.now_told().state(viewer, room.now()), media_type="application/json")
