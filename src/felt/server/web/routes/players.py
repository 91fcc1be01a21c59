"""Who one is: a guest's session, or an account."""

from fastapi import APIRouter, Request, Response

from felt.server.accounts.accounts import Accounts
from felt.server.net.clients import address_of
from felt.server.tables.registry import Tables
from felt.server.tables.settings import TableError
from felt.server.web.schemas.accounts import LoginAsked, MeWithCode, PasswordAsked, RegisterAsked
from felt.server.web.schemas.tables import Me, SeatOf, SessionAsked
from felt.server.web.sessions import (
    COOKIE,
    Changer,
    Entering,
    Sessions,
    Viewer,
    check_origin,
    give_cookie,
    take_cookie,
    token_of,
)
from felt.store.accounts.names import folded
from felt.store.database.db import Player

router = APIRouter()


@router.post("/session")
async def begin(body: SessionAsked, request: Request, response: Response, known: Viewer) -> Me:
    """Play as a guest; who has a session already keeps it under the new name."""
    check_origin(request)
    sessions: Sessions = request.app.state.sessions
    sessions.starts.check(address_of(request))
    if known is not None and not known.guest:
        if folded(known.name) != folded(body.name):
            raise TableError("logged_in", f"you are logged in as {known.name!r}: log out to be a guest")
        return me_of(request, known, request.cookies[COOKIE])
    await accounts_of(request).check_name(body.name, known)
    if known is not None:
        key = request.cookies[COOKIE]
        return me_of(request, await sessions.rename(known, body.name), key)
    return entered(request, response, *await sessions.begin(body.name))


@router.get("/me")
async def me(request: Request, player: Viewer) -> Me | None:
    """Who the session belongs to, where they sit, and the token for changes; null where there is no session."""
    return None if player is None else me_of(request, player, request.cookies[COOKIE])


@router.post("/account/register")
async def register(body: RegisterAsked, request: Request, response: Response, known: Entering) -> MeWithCode:
    """Make an account of the guest who asks, with their seats and hands, or of somebody new."""
    request.app.state.sessions.starts.check(address_of(request))
    player, key, code = await accounts_of(request).register(known, body.name, body.password)
    return with_code(entered(request, response, player, key), code)


@router.post("/account/login")
async def login(body: LoginAsked, request: Request, response: Response, known: Entering) -> Me:
    """Come back with name and password. A guest who does so gets up from their tables."""
    old_key = request.cookies.get(COOKIE)
    player, key = await accounts_of(request).login(
        known, old_key, body.name, body.password, address=address_of(request)
    )
    return entered(request, response, player, key)


@router.post("/account/logout")
async def logout(request: Request, response: Response, known: Entering) -> None:
    """End the session."""
    if known is not None:
        await accounts_of(request).logout(known, request.cookies[COOKIE])
    take_cookie(request, response)


@router.post("/account/password")
async def password(body: PasswordAsked, request: Request, response: Response, player: Changer) -> MeWithCode:
    """Change the password; all other sessions end, and the answer has the next code for a lost password."""
    key, code = await accounts_of(request).change_password(player, body.old, body.new, address=address_of(request))
    return with_code(entered(request, response, player, key), code)


def accounts_of(request: Request) -> Accounts:
    """The accounts of the service."""
    accounts: Accounts = request.app.state.accounts
    return accounts


def entered(request: Request, response: Response, player: Player, key: str) -> Me:
    """Somebody who has got in, with the cookie for it."""
    give_cookie(request, response, key)
    return me_of(request, player, key)


def me_of(request: Request, player: Player, key: str) -> Me:
    """Who somebody is, and where they sit."""
    tables: Tables = request.app.state.tables
    seats = [SeatOf(table=table.id, seat=seat) for table, seat in tables.of(player)]
    return Me(id=player.id, name=player.name, guest=player.guest, token=token_of(key), seats=seats)


def with_code(me: Me, code: str) -> MeWithCode:
    """The same with a code for a lost password, which is shown this once."""
    return MeWithCode(**me.model_dump(), recovery_code=code)
