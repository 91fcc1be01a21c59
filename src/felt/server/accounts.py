"""Accounts: a name of one's own and a password, under which somebody is found again."""

from asyncio import to_thread, wrap_future

from felt.server.clients import ADDRESS_FACTOR, Client, SharedAllowance
from felt.server.limits import Allowance, Limits
from felt.server.passwords import Passwords
from felt.server.rooms import Rooms
from felt.server.sessions import Sessions, new_key, new_player, session_hash
from felt.server.table_settings import TableError
from felt.store.db import Player, Store
from felt.store.kept import NameTakenError
from felt.store.players import folded

WRONG = "this name and this password do not belong together"


class Accounts:
    """Registers players and lets them in; each way in gives a new session key."""

    def __init__(self, store: Store, sessions: Sessions, rooms: Rooms, limits: Limits, passwords: Passwords) -> None:
        self._players, self._sessions, self._rooms = store.players, sessions, rooms
        self._passwords = passwords
        self._attempts = SharedAllowance(rate=limits.logins, at_once=limits.logins_at_once)
        # not as strict, or somebody else's attempts would keep out whose name it is
        most = ADDRESS_FACTOR * limits.logins_at_once
        self._by_name = Allowance(rate=ADDRESS_FACTOR * limits.logins, at_once=most)

    async def check_name(self, name: str, own: Player | None) -> None:
        """Refuse a name that is an account's, or that somebody else uses now."""
        account = await to_thread(self._players.account, name)
        if account is not None and (own is None or account.player.id != own.id):
            raise TableError("name_taken", f"the name {name!r} belongs to somebody: choose another, or log in")
        if not self._sessions.names.seconds or (own is not None and folded(own.name) == folded(name)):
            return
        users = {self._sessions.names.user(name), *self._seated(name)} - {None, own.id if own else None}
        if users:
            raise TableError("name_in_use", f"somebody is called {name!r} here at the moment: choose another name")

    def _seated(self, name: str) -> set[str | None]:
        wanted = folded(name)
        return {
            player
            for room in self._rooms.all()
            for player, who in zip(room.people, room.table.seats, strict=True)
            if who is not None and player is not None and folded(who.name) == wanted
        }

    async def register(self, known: Player | None, name: str, password: str) -> tuple[Player, str]:
        """Make an account of a guest, or of somebody new."""
        if known is not None and not known.guest:
            raise TableError("logged_in", f"you are logged in as {known.name!r}: log out first")
        await self.check_name(name, known)
        player = (known or new_player(name))._replace(name=name, guest=False)
        self._sessions.names.seen(player)  # before anybody else can ask
        kept, key = await self._passwords.hashed(password), new_key()
        try:
            await wrap_future(self._players.register(player, kept, session_hash(key)))
        except NameTakenError as error:
            raise TableError("name_taken", str(error)) from None
        if known is not None:
            self._ended(known)
        self._sessions.forget(player)
        self._sessions.remember(session_hash(key), player)
        return player, key

    async def login(
        self, known: Player | None, old_key: str | None, name: str, password: str, *, address: str
    ) -> tuple[Player, str]:
        """Let somebody in with their password; a guest's session that the browser had ends."""
        self._attempts.check(Client((folded(name), address), address))
        self._by_name.check(folded(name))
        account = await to_thread(self._players.account, name)
        if not await self._passwords.right(password, account and account.password_hash) or account is None:
            raise TableError("wrong_password", WRONG)
        if known is not None:
            await self._let_go(known)
        key = new_key()
        ended = session_hash(old_key) if old_key and known is not None else None
        await wrap_future(self._players.begin_session(account.player.id, session_hash(key), instead_of=ended))
        if known is not None:
            self._ended(known)
        self._sessions.remember(session_hash(key), account.player)
        return account.player, key

    async def logout(self, player: Player, key: str) -> None:
        """End a session."""
        await self._let_go(player)
        await wrap_future(self._players.end_session(session_hash(key)))
        self._ended(player)

    async def change_password(self, player: Player, old: str, new: str, *, address: str) -> str:
        """Another password, and a new session instead of all others: its key."""
        if player.guest:
            raise TableError("no_account", "you are a guest, who has no password: register first")
        self._attempts.check(Client((folded(player.name), address), address))
        if not await self._passwords.right(old, await to_thread(self._players.password_of, player.id)):
            raise TableError("wrong_password", "this is not your password")
        key = new_key()
        await wrap_future(
            self._players.change_password(player.id, await self._passwords.hashed(new), session_hash(key))
        )
        self._ended(player)
        self._sessions.remember(session_hash(key), player)
        return key

    async def _let_go(self, player: Player) -> None:
        """A guest, to whom nobody can come back, gets up; somebody with an account keeps their seats."""
        if player.guest:
            await self._rooms.get_up(player)

    def _ended(self, player: Player) -> None:
        self._sessions.forget(player)
        self._rooms.dismiss(player)
