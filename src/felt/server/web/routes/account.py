"""Who one is: a guest's session, or an account, which people look at, change, take along, recover and delete."""

import logging
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse
from sqlalchemy.exc import SQLAlchemyError

from felt.errors import FeltError
from felt.server.accounts.accounts import Accounts
from felt.server.net.limits import address_of
from felt.server.study.replays import Replay, as_phh, in_utc
from felt.server.study.study import Cost, Here, Reader
from felt.server.tables.registry import Tables
from felt.server.tables.settings import TableError
from felt.server.tables.viewer_state import cards_told
from felt.server.web.schemas import accounts as schemas
from felt.server.web.schemas.accounts import AccountTold, MeWithCode
from felt.server.web.schemas.tables import Me, SeatOf, SessionAsked
from felt.server.web.sessions import (
    COOKIE,
    NO_SESSION,
    Asker,
    Changer,
    Entering,
    Sessions,
    Viewer,
    check_origin,
    token_of,
)
from felt.store.accounts.names import folded
from felt.store.accounts.players import SESSION_DAYS, Players
from felt.store.database.db import Player
from felt.store.database.hands import FinishedHand, hands_before

log = logging.getLogger(__name__)
router = APIRouter()
PAGE = 50  # hands of an export that are worked out at a time, and then sent


class Visit:
    """A request about who one is, and its answer."""

    def __init__(self, request: Request, response: Response) -> None:
        state = request.app.state
        self.accounts: Accounts = state.accounts
        self.sessions: Sessions = state.sessions
        self.address = address_of(request)
        self.key = request.cookies.get(COOKIE, "")
        self._tables: Tables = state.tables
        self._cookie: dict[str, Any] = {"httponly": True, "samesite": "lax", "secure": request.url.scheme == "https"}
        self._response = response

    def me(self, player: Player, key: str = "") -> Me:
        """Who somebody is, and where they sit."""
        seats = [SeatOf(table=table.id, seat=seat) for table, seat in self._tables.of(player)]
        return Me(**player._asdict(), token=token_of(key or self.key), seats=seats)

    def enter(self, player: Player, key: str) -> Me:
        """Let somebody in: the browser keeps the key, out of reach of scripts."""
        self._response.set_cookie(COOKIE, key, max_age=SESSION_DAYS * 86400, **self._cookie)
        return self.me(player, key)

    def enter_with_code(self, player: Player, key: str, code: str) -> MeWithCode:
        """The same with a code for a lost password, which is shown this once."""
        return MeWithCode(**self.enter(player, key).model_dump(), recovery_code=code)

    def end(self) -> None:
        """Let the browser forget the key."""
        self._response.delete_cookie(COOKIE, **self._cookie)


Visiting = Annotated[Visit, Depends()]


@router.post("/session")
async def begin(body: SessionAsked, request: Request, visit: Visiting, known: Viewer) -> Me:
    """Play as a guest; who has a session already keeps it under the new name."""
    check_origin(request)
    visit.sessions.starts.check(visit.address)
    if known is not None and not known.guest:
        if folded(known.name) != folded(body.name):
            raise TableError("logged_in", f"you are logged in as {known.name!r}: log out to be a guest")
        return visit.me(known)
    await visit.accounts.check_name(body.name, known)
    if known is not None:
        return visit.me(await visit.sessions.rename(known, body.name))
    return visit.enter(*await visit.sessions.begin(body.name))


@router.get("/me")
async def me(visit: Visiting, player: Viewer) -> Me | None:
    """Who the session belongs to, where they sit, and the token for changes; null where there is no session."""
    return None if player is None else visit.me(player)


@router.post("/account/register")
async def register(body: schemas.RegisterAsked, visit: Visiting, known: Entering) -> MeWithCode:
    """Make an account of the guest who asks, with their seats and hands, or of somebody new."""
    visit.sessions.starts.check(visit.address)
    return visit.enter_with_code(*await visit.accounts.register(known, body.name, body.password))


@router.post("/account/login")
async def login(body: schemas.LoginAsked, visit: Visiting, known: Entering) -> Me:
    """Come back with name and password. A guest who does so gets up from their tables."""
    return visit.enter(*await visit.accounts.login(known, visit.key, body.name, body.password, address=visit.address))


@router.post("/account/logout")
async def logout(visit: Visiting, known: Entering) -> None:
    """End the session."""
    if known is not None:
        await visit.accounts.logout(known, visit.key)
    visit.end()


@router.post("/account/password")
async def password(body: schemas.PasswordAsked, visit: Visiting, player: Changer) -> MeWithCode:
    """Change the password; all other sessions end, and the answer has the next code for a lost password."""
    key, code = await visit.accounts.change_password(player, body.old, body.new, address=visit.address)
    return visit.enter_with_code(player, key, code)


@router.get("/account")
async def account(reader: Here, player: Asker) -> AccountTold:
    """What is known of the caller."""
    return await reader.ask(lambda: _account(reader.study.store.players, player), Cost.FIGURES)


@router.post("/account/name")
async def name(body: schemas.NameAsked, visit: Visiting, player: Changer) -> Me:
    """Call the account otherwise from now on; at tables where the caller sits, and in past hands, names stay."""
    return visit.me(await visit.accounts.rename(player, body.name))


@router.post("/account/recovery-code")
async def recovery_code(body: schemas.ConfirmAsked, visit: Visiting, player: Changer) -> schemas.RecoveryTold:
    """A code that lets the caller in once without the password, instead of the one before."""
    code = await visit.accounts.new_recovery_code(player, body.password, address=visit.address)
    return schemas.RecoveryTold(recovery_code=code)


@router.post("/account/recover")
async def recover(body: schemas.RecoverAsked, visit: Visiting, known: Entering) -> MeWithCode:
    """Get in with the code, which then is used up, and choose another password; the answer has the next code."""
    return visit.enter_with_code(
        *await visit.accounts.recover(known, body.name, body.code, body.new, address=visit.address)
    )


@router.post("/account/delete")
async def delete(body: schemas.ConfirmAsked, visit: Visiting, player: Changer) -> None:
    """Delete the account, with the hands that no other person was in; in the others its name is replaced."""
    await visit.accounts.delete(player, body.password, address=visit.address)
    visit.end()


@router.get(
    "/account/export",
    response_class=StreamingResponse,
    responses={200: {"model": schemas.Exported, "description": "A file to keep"}},
)
async def export(reader: Here, player: Asker) -> StreamingResponse:
    """All that is kept of the caller, as one JSON file: the account, the sessions, and every hand as they saw it."""
    players = reader.study.store.players

    def head() -> str:
        text = _account(players, player).model_dump_json()
        sessions = [schemas.SessionTold(since=in_utc(when)) for when in players.sessions_of(player.id)]
        begun = ",".join(session.model_dump_json() for session in sessions)
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
        raise TableError(*NO_SESSION)
    hands = hands_before(reader.study.store, reader.id, before=before, limit=PAGE)
    text = ",".join(_exported_hand(past, reader.id).model_dump_json() for past in hands)
    return text, hands[-1].id if len(hands) == PAGE else None


def _exported_hand(past: FinishedHand, player: str) -> schemas.ExportedHand:
    """A hand as a player saw it."""
    replayed, own = Replay(past, player), past.seat_of(player)
    moves = [
        schemas.ExportedMove(
            seat=seat,
            street=street,
            move=action.move.name.lower(),
            amount=action.amount,
            cards=cards_told(action.cards) if seat == own else [],
        )
        for seat, street, action in replayed.table.moves
    ]
    try:
        phh = as_phh(past, replayed, everything=False)
    except FeltError:  # PHH has words for some games only
        phh = None
    return schemas.ExportedHand(hand=replayed.summary(), moves=moves, phh=phh)


def _account(players: Players, player: Player) -> AccountTold:
    """What is known of a player beside their hands."""
    account, since = players.account_of(player.id), players.since(player.id)
    if since is None:
        raise TableError(*NO_SESSION)
    return AccountTold(
        **player._asdict(),
        since=in_utc(account.created if account else since),
        recovery_code=account is not None and account.recovery_hash is not None,
    )
