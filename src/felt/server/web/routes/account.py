"""What people do with their own account: look at it, change it, take its data along, recover it, delete it."""

import logging
from collections.abc import AsyncIterator
from functools import partial

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from sqlalchemy.exc import SQLAlchemyError

from felt.errors import FeltError
from felt.server.accounts.exports import account_told, exported_hand
from felt.server.net.clients import address_of
from felt.server.study.readers import Cost, Here, Reader
from felt.server.study.replays import in_utc
from felt.server.tables.settings import TableError
from felt.server.web.routes.players import accounts_of, entered, me_of, with_code
from felt.server.web.schemas.accounts import (
    AccountTold,
    ConfirmAsked,
    Exported,
    MeWithCode,
    NameAsked,
    RecoverAsked,
    RecoveryTold,
    SessionTold,
)
from felt.server.web.schemas.tables import Me
from felt.server.web.sessions import COOKIE, Asker, Changer, Entering, take_cookie
from felt.store.database.hands import hands_before

log = logging.getLogger(__name__)
router = APIRouter(prefix="/account")
PAGE = 50
"""Hands of an export that are worked out at a time, and then sent."""


@router.get("")
async def account(request: Request, reader: Here, player: Asker) -> AccountTold:
    """What is known of the caller."""
    return await reader.ask(lambda: account_told(reader.study.store.players, player), Cost.FIGURES)


@router.post("/name")
async def name(body: NameAsked, request: Request, player: Changer) -> Me:
    """Call the account otherwise from now on; at tables where the caller sits, and in past hands, names stay."""
    key = request.cookies[COOKIE]
    return me_of(request, await accounts_of(request).rename(player, body.name), key)


@router.post("/recovery-code")
async def recovery_code(body: ConfirmAsked, request: Request, player: Changer) -> RecoveryTold:
    """A code that lets the caller in once without the password, instead of the one before."""
    code = await accounts_of(request).new_recovery_code(player, body.password, address=address_of(request))
    return RecoveryTold(recovery_code=code)


@router.post("/recover")
async def recover(body: RecoverAsked, request: Request, response: Response, known: Entering) -> MeWithCode:
    """Get in with the code, which then is used up, and choose another password; the answer has the next code."""
    player, key, code = await accounts_of(request).recover(
        known, body.name, body.code, body.new, address=address_of(request)
    )
    return with_code(entered(request, response, player, key), code)


@router.post("/delete")
async def delete(body: ConfirmAsked, request: Request, response: Response, player: Changer) -> None:
    """Delete the account, with the hands that no other person was in; in the others its name is replaced."""
    await accounts_of(request).delete(player, body.password, address=address_of(request))
    take_cookie(request, response)


@router.get(
    "/export", response_class=StreamingResponse, responses={200: {"model": Exported, "description": "A file to keep"}}
)
async def export(reader: Here, player: Asker) -> StreamingResponse:
    """All that is kept of the caller, as one JSON file: the account, the sessions, and every hand as they saw it."""
    players = reader.study.store.players

    def head() -> str:
        text = account_told(players, player).model_dump_json()
        begun = ",".join(SessionTold(since=in_utc(when)).model_dump_json() for when in players.sessions_of(player.id))
        return f'{{"account":{text},"sessions":[{begun}],"hands":['

    start = await reader.ask(head, Cost.ALL_HANDS)
    headers = {"Content-Disposition": 'attachment; filename="felt-data.json"'}
    return StreamingResponse(_pieces(reader, start), media_type="application/json", headers=headers)


async def _pieces(reader: Reader, start: str) -> AsyncIterator[str]:
    """The file bit by bit: there may be more hands than fit into the memory, and others want to ask in between."""
    yield start
    before: str | None = None
    while True:
        try:
            page, last = await reader.study.work(reader.client, partial(_page, reader, before))
        except (FeltError, SQLAlchemyError) as error:  # a file that is not whole is no JSON: nobody takes it for one
            log.error("an export breaks off: %s", reader.study.store.reason(error))
            return
        yield page if before is None or not page else f",{page}"
        if last is None:
            break
        before = last
    yield "]}"


def _page(reader: Reader, before: str | None) -> tuple[str, str | None]:
    """Some hands, and the last of them if there may be more."""
    if reader.id is None:
        raise TableError("no_session", "you have no session here: begin one first")
    hands = hands_before(reader.study.store, reader.id, before=before, limit=PAGE)
    text = ",".join(exported_hand(past, reader.id).model_dump_json() for past in hands)
    return text, hands[-1].id if len(hands) == PAGE else None
