"""Who is asking: sessions in a cookie, a token against forged requests, and where requests may come from."""

import hmac
import secrets
from asyncio import to_thread, wrap_future
from collections import OrderedDict
from hashlib import sha256
from time import monotonic
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from felt.server.net.limits import Allowance, Limits, SharedAllowance, client_of
from felt.server.tables.settings import TableError
from felt.store.accounts.names import alike, keys
from felt.store.database.db import Player, Store

COOKIE = "felt_session"
TOKEN = "X-Felt-Token"
MOST_KNOWN = 10_000
MOST_NAMES = 20_000
NO_SESSION = "no_session", "you have no session here: begin one first"


class NamesInUse:
    """Names that people use at the moment, by who was last seen with them: nobody else may be called the same.

    >>> names, ada = NamesInUse(120.0), Player("1", "Ada", True)
    >>> names.seen(ada, now=0.0)
    >>> names.users("ADA", now=100.0), names.users("Аdа", now=100.0)  # of which one is Cyrillic
    ({'1'}, {'1'})
    >>> names.users("ADA", now=200.0), names.users("Bo", now=0.0)
    (set(), set())
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._seen: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def seen(self, player: Player, now: float | None = None) -> None:
        for key in keys(player.name):
            self._seen[key] = (player.id, monotonic() if now is None else now)
            self._seen.move_to_end(key)
        while len(self._seen) > 2 * MOST_NAMES:
            self._seen.popitem(last=False)

    def forget(self, player: Player) -> None:
        for key in keys(player.name):
            if self._seen.get(key, ("", 0.0))[0] == player.id:
                del self._seen[key]

    def users(self, name: str, now: float | None = None) -> set[str]:
        """The ids of those who use the name, or one that looks like it."""
        last = [self._seen.get(key, ("", 0.0)) for key in keys(name)]
        now = monotonic() if now is None else now
        return {player for player, then in last if player and now - then < self.seconds}


class Sessions:
    """Players by the key in their browser's cookie; the store knows only a hash of it."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._known: dict[str, Player] = {}
        self._endings = 0
        self.names = NamesInUse(limits.name_seconds)
        self.changes = SharedAllowance(rate=limits.changes, at_once=limits.changes_at_once)
        self.tables = SharedAllowance(rate=limits.tables, at_once=limits.tables_at_once)
        self.starts = Allowance(rate=limits.sessions, at_once=limits.sessions_at_once)

    async def player(self, key: str) -> Player | None:
        """Whose key this is."""
        hashed, endings = session_hash(key), self._endings
        player = self._known.get(hashed) or await to_thread(self._store.players.by_session, hashed)
        if player is not None:
            self.names.seen(player)
            if endings == self._endings:  # else it may be this one that has ended meanwhile
                self.remember(hashed, player)
        return player

    async def begin(self, name: str) -> tuple[Player, str]:
        """A new guest, and the key for their cookie."""
        player, key = Player(secrets.token_hex(8), name, True), new_key()
        self.names.seen(player)  # before anybody else can ask
        await wrap_future(self._store.players.add(player, session_hash(key)))
        self.remember(session_hash(key), player)
        return player, key

    async def rename(self, player: Player, name: str) -> Player:
        renamed = player._replace(name=name)
        self.names.seen(renamed)  # before anybody else can ask
        await wrap_future(self._store.players.rename(player.id, name))
        self.called_otherwise(player, renamed)
        return renamed

    def called_otherwise(self, old: Player, renamed: Player) -> None:
        """Somebody has another name, also of guests who had it. Sessions may have ended meanwhile: the store knows."""
        for named in (old, renamed):
            self.forget(named)
        self.names.seen(renamed)

    def remember(self, hashed: str, player: Player) -> None:
        """Whose session this is, without asking the store again."""
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[hashed] = player
        self.names.seen(player)

    def forget(self, player: Player) -> None:
        """Sessions of a player have ended, or somebody has got their name: ask the store again about all of these."""
        self._endings += 1
        left = ((hashed, other) for hashed, other in self._known.items() if other.id != player.id)
        self._known = {hashed: other for hashed, other in left if not alike(other.name, player.name)}
        self.names.forget(player)


def new_key() -> str:
    """What a browser shows to be let in."""
    return secrets.token_urlsafe(32)


def session_hash(key: str) -> str:
    """What the store knows of a key."""
    return sha256(f"felt session {key}".encode("utf-8", "replace")).hexdigest()


def token_of(key: str) -> str:
    """What a page of ours shows with every change: other sites can send the cookie, but not read this."""
    return sha256(f"felt token {key}".encode("utf-8", "replace")).hexdigest()


def check_origin(connection: HTTPConnection) -> None:
    """Refuse what another site's page sends; programs, which send no origin, are let in."""
    origin = connection.headers.get("origin")
    if origin is not None and urlsplit_host(origin) != connection.headers.get("host", "").lower():
        raise TableError("foreign_origin", "requests from pages of other sites are refused")


def urlsplit_host(origin: str) -> str | None:
    """The host and port of an origin; None for what is none.

    >>> urlsplit_host("http://127.0.0.1:5252"), urlsplit_host("null")
    ('127.0.0.1:5252', None)
    """
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in ("http", "https") and parts.netloc else None


async def viewer(connection: HTTPConnection) -> Player | None:
    """Who is asking; None for somebody without a session."""
    key = connection.cookies.get(COOKIE)
    sessions: Sessions = connection.app.state.sessions
    return await sessions.player(key) if key else None


async def asker(connection: HTTPConnection) -> Player:
    """Who is asking, who must have a session."""
    player = await viewer(connection)
    if player is None:
        raise TableError(*NO_SESSION)
    return player


async def entering(request: Request) -> Player | None:
    """Who wants to become somebody else, or nobody yet; who has a session shows its token, as for every change."""
    check_origin(request)
    return None if await viewer(request) is None else await changer(request)


async def changer(request: Request) -> Player:
    """Who wants to change something: from our own page or a program, with the token, and not too often."""
    check_origin(request)
    player = await asker(request)
    shown = request.headers.get(TOKEN, "").encode("utf-8", "replace")
    if not hmac.compare_digest(shown, token_of(request.cookies[COOKIE]).encode()):
        raise TableError("wrong_token", f"the header {TOKEN} is not that of your session: see GET /api/v1/me")
    request.app.state.sessions.changes.check(client_of(request, player))
    return player


Viewer = Annotated[Player | None, Depends(viewer)]
Asker = Annotated[Player, Depends(asker)]
Entering = Annotated[Player | None, Depends(entering)]
Changer = Annotated[Player, Depends(changer)]
