"""Tables: made, joined, played at and watched over plain HTTP."""

from collections.abc import Awaitable, Callable
from dataclasses import fields
from functools import wraps
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Query, Request, Response

from felt.cards.card import parse_cards
from felt.games import Action, parameters
from felt.games.moves import MOVES_BY_NAME
from felt.server.net.limits import address_of, client_of
from felt.server.tables.registry import MOST_TABLES, TableList, Tables
from felt.server.tables.settings import Speed, TableError, TableSettings
from felt.server.tables.table import Table
from felt.server.tables.viewer_state import info
from felt.server.tables.watching import NOBODY
from felt.server.web.schemas import tables as schemas
from felt.server.web.sessions import Changer, Viewer, asker
from felt.store.database.db import Player

router = APIRouter()
Change = TypeVar("Change", bound=Callable[..., Awaitable[None]])
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
