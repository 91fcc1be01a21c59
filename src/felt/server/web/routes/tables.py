"""Tables: made, joined, played at and watched over plain HTTP."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from felt.cards.card import parse_cards
from felt.games import Action, parameters
from felt.games.moves import MOVES_BY_NAME
from felt.server.net.clients import address_of, client_of
from felt.server.tables.pace import Speed
from felt.server.tables.registry import MOST_TABLES, Tables
from felt.server.tables.settings import TableError, TableSettings
from felt.server.tables.table import Table
from felt.server.tables.table_list import TableList
from felt.server.tables.viewer_state import info
from felt.server.tables.watching import NOBODY
from felt.server.web.schemas.tables import (
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
from felt.server.web.sessions import Changer, Viewer, asker
from felt.store.database.db import Player

router = APIRouter()
MOST_WAIT = 30.0
PAGE, MOST_LISTED = 100, 500


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


@router.get("/tables", response_model=list[TableInfo])
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
    page = tables.page(player.id if player else NOBODY, offset=offset, limit=limit)
    more = f'<{request.url.path}?limit={limit}&offset={page.next}>; rel="next"'
    headers = {} if page.next is None else {"Link": more}
    return Response(page.text, headers=headers, media_type="application/json")


@router.post("/tables", status_code=201)
async def make(body: TableAsked, request: Request, player: Changer) -> Made:
    """Set up a table."""
    tables: Tables = request.app.state.tables
    request.app.state.sessions.tables.check(client_of(request, player))
    table, seat = await tables.create(
        settings_of(body),
        player,
        agents=body.agents,
        sit=body.sit,
        private=body.private,
        open_cards=body.open_cards,
        speed=None if body.pace is None else Speed(**body.pace.model_dump()),
        address=address_of(request),
    )
    return Made(table=TableInfo(**info(table, player.id)), seat=seat)


@router.get("/tables/{table}", response_model=State)
async def look(table: Seen, player: Viewer) -> Response:
    """The table as the caller sees it."""
    return await state_response(table, player)


@router.get("/tables/{table}/events", response_model=Messages)
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


@router.post("/tables/{table}/sit", response_model=State)
async def sit(body: SitAsked, table: At, request: Request, player: Changer) -> Response:
    """Take a seat."""
    tables: Tables = request.app.state.tables
    await tables.sit(table, player, body.seat, body.invite)
    return await state_response(table, player)


@router.post("/tables/{table}/leave", response_model=State)
async def leave(table: At, player: Changer) -> Response:
    """Get up."""
    await table.leave(player)
    return await state_response(table, player)


@router.post("/tables/{table}/away", response_model=State)
async def away(body: AwayAsked, table: At, player: Changer) -> Response:
    """Sit out, or come back."""
    await table.sit_out(player, body.away)
    return await state_response(table, player)


@router.post("/tables/{table}/rebuy", response_model=State)
async def rebuy(table: At, player: Changer) -> Response:
    """Buy chips after all were lost."""
    await table.rebuy(player)
    return await state_response(table, player)


@router.post("/tables/{table}/act", response_model=State)
async def act(body: ActAsked, table: At, player: Changer) -> Response:
    """Make a move, meant for one hand and step."""
    await table.act(player, action_of(body), hand=body.hand, step=body.step)
    return await state_response(table, player)


@router.post("/tables/{table}/pace", response_model=State)
async def pace(body: PaceAsked, table: At, player: Changer) -> Response:
    """Let a table of agents go faster or slower, or wait; for who has set it up."""
    await table.set_speed(player, Speed(**body.model_dump()))
    return await state_response(table, player)


@router.post("/tables/{table}/step", response_model=State)
async def step(table: At, player: Changer) -> Response:
    """Let a table that is paused go one move further; for who has set it up."""
    table.step(player)
    return await state_response(table, player)


@router.post("/tables/{table}/close")
async def close(table: At, player: Changer) -> None:
    """Close a table at which nobody else sits; for who has set it up."""
    await table.close(player)


def action_of(body: ActAsked) -> Action:
    """The move that was asked for."""
    return Action(MOVES_BY_NAME[body.move], body.amount, parse_cards(body.cards))


def settings_of(body: TableAsked) -> TableSettings:
    """The table that was asked for."""
    known = {parameter.name for parameter in parameters(body.game)}
    unknown = next((name for name in body.parameters if name not in known), None)
    if unknown is not None:
        raise TableError("parameters", f"{body.game} has no parameter {unknown!r}; it has {', '.join(sorted(known))}")
    return TableSettings(
        game=body.game,
        parameters=tuple(body.parameters.items()),
        seats=body.seats,
        stack=body.stack,
        tournament=body.tournament,
        hands_per_level=body.hands_per_level,
        time_limit=body.time_limit,
        time_bank=body.time_bank,
    )


async def state_response(table: Table, player: Player | None) -> Response:
    """The table as the caller sees it, as an answer."""
    viewer = player.id if player else NOBODY
    await table.meet(viewer)
    return Response(table.now_told().state(viewer, table.now()), media_type="application/json")
