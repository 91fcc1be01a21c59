"""Accounts: a name of one's own and a password, under which somebody is found again."""

import logging
import secrets
import unicodedata
from asyncio import Task, create_task, gather, to_thread, wrap_future
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.exc import SQLAlchemyError

from felt.errors import FeltError
from felt.server.net.limits import ADDRESS_FACTOR, Allowance, Client, Limits, SharedAllowance
from felt.server.tables.registry import Tables
from felt.server.tables.settings import TableError
from felt.server.web.sessions import Sessions, new_key, session_hash
from felt.store.accounts.erase import erase
from felt.store.accounts.names import alike, folded
from felt.store.database.db import Player, Store
from felt.store.database.values import Account, CodeUsedError, NameTakenError, PasswordChangedError

log = logging.getLogger(__name__)
WRONG = "this name and this password do not belong together"
WRONG_CODE = "this name and this code do not belong together, or the code has been used"
CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32
CODE_LENGTH = 20
THREADS = 2  # hashes computed at a time, each with its own memory


class Passwords:
    """Makes Argon2 hashes and compares with them, in threads of their own: each takes a while, on purpose. Tests bring
    a quicker hasher."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        # 64 MiB and three passes, as RFC 9106 (section 4) has it for less memory; one lane, for one thread
        self._hasher = hasher or PasswordHasher(time_cost=3, memory_cost=65536, parallelism=1)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="felt-password")
        self._nobodys = self._threads.submit(self._hasher.hash, secrets.token_hex())

    async def hashed(self, password: str) -> str:
        """What is kept of a password."""
        return await wrap_future(self._threads.submit(self._hasher.hash, _same(password)))

    async def right(self, password: str, stored: str | None) -> bool:
        """Whether the password is the one that was kept; where none was, that is found out no sooner."""
        hashed = stored if stored is not None else await wrap_future(self._nobodys)
        return await wrap_future(self._threads.submit(self._verify, hashed, _same(password)))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _verify(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False


def new_code() -> str:
    """A code for a lost password, of 100 random bits, to be written down: no letter looks like another or a digit.

    >>> len(new_code()), new_code() != new_code()
    (24, True)
    """
    letters = [secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)]
    return "-".join("".join(letters[at : at + 4]) for at in range(0, CODE_LENGTH, 4))


def same_code(code: str) -> str:
    """One text for what people make of a code when they type it.

    >>> same_code(" 7kqd m2xa-9Ol1")
    '7KQDM2XA9011'
    """
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    return plain.replace("O", "0").replace("I", "1").replace("L", "1")


def _same(password: str) -> str:
    """One text for what keyboards write in several ways."""
    return unicodedata.normalize("NFC", password)


class Accounts:
    """Registers players and lets them in; each way in gives a new session key."""

    def __init__(self, store: Store, sessions: Sessions, tables: Tables, limits: Limits, passwords: Passwords) -> None:
        self._store, self._players, self._sessions, self._tables = store, store.players, sessions, tables
        self._passwords = passwords
        self._attempts = SharedAllowance(rate=limits.logins, at_once=limits.logins_at_once)
        # not as strict, or somebody else's attempts would keep out whose name it is
        most = ADDRESS_FACTOR * limits.logins_at_once
        self._by_name = Allowance(rate=ADDRESS_FACTOR * limits.logins, at_once=most)
        self._renames = Allowance(rate=limits.renames, at_once=limits.renames_at_once)
        self._stopped = Event()
        self._erasing: set[Task[None]] = set()

    async def start(self) -> None:
        """Go on with deleting what was not finished."""
        for player in await to_thread(self._players.being_erased):
            self._erase(player)

    async def stop(self) -> None:
        """Let what is being deleted wait for the next start."""
        self._stopped.set()
        await gather(*self._erasing, return_exceptions=True)

    async def check_name(self, name: str, own: Player | None) -> None:
        """Refuse a name that is an account's, or that somebody else uses now."""
        if await to_thread(self._players.is_taken, name, by_others_than=own.id if own else None):
            words = f"the name {name!r} belongs to somebody, or looks like one that does: choose another, or log in"
            raise TableError("name_taken", words)
        if not self._sessions.names.seconds or (own is not None and folded(own.name) == folded(name)):
            return
        users = {*self._sessions.names.users(name), *self._seated(name)} - {own.id if own else None}
        if users:
            raise TableError("name_in_use", f"somebody is called {name!r} here at the moment: choose another name")

    def _seated(self, name: str) -> set[str]:
        return {
            player
            for table in self._tables.all()
            for player, who in zip(table.people, table.state.seats, strict=True)
            if who is not None and player is not None and alike(who.name, name)
        }

    async def register(self, known: Player | None, name: str, password: str) -> tuple[Player, str, str]:
        """Make an account of a guest, or of somebody new; the player, a session key, and a code for a lost password."""
        if known is not None and not known.guest:
            raise TableError("logged_in", f"you are logged in as {known.name!r}: log out first")
        await self.check_name(name, known)
        player = Player(known.id if known else secrets.token_hex(8), name, False)
        self._sessions.names.seen(player)  # before anybody else can ask
        key, code, hashes = await self._new_secrets(password)
        try:
            await wrap_future(self._players.register(player, *hashes))
        except NameTakenError as error:
            raise TableError("name_taken", str(error)) from None
        if known is not None:
            self._ended(known)
        self._sessions.forget(player)
        self._sessions.remember(session_hash(key), player)
        return player, key, code

    async def login(
        self, known: Player | None, old_key: str | None, name: str, password: str, *, address: str
    ) -> tuple[Player, str]:
        """Let somebody in with their password; a guest's session that the browser had ends."""
        account = await self._tried(name, address)
        if not await self._passwords.right(password, account and account.password_hash) or account is None:
            raise TableError("wrong_password", WRONG)
        if known is not None:
            await self._let_go(known)
        key = new_key()
        ended = session_hash(old_key) if old_key and known is not None else None
        try:
            await wrap_future(self._players.begin_session(account, session_hash(key), instead_of=ended))
        except PasswordChangedError:
            raise TableError("wrong_password", WRONG) from None
        if known is not None:
            self._ended(known)
        self._sessions.remember(session_hash(key), account.player)
        return account.player, key

    async def logout(self, player: Player, key: str) -> None:
        await self._let_go(player)
        await wrap_future(self._players.end_session(session_hash(key)))
        self._ended(player)

    async def change_password(self, player: Player, old: str, new: str, *, address: str) -> tuple[str, str]:
        """Another password, and a new session instead of all others: its key, and the next code for a lost password.

        Who knew the old password may have had a code made: it would let them in again.
        """
        await self.confirm(player, old, address=address)
        key, code, hashes = await self._new_secrets(new)
        await wrap_future(self._players.change_password(player.id, *hashes))
        self._ended(player)
        self._sessions.remember(session_hash(key), player)
        return key, code

    async def confirm(self, player: Player, password: str, *, address: str) -> None:
        """Refuse who does not know the password of the account that they are logged in to."""
        if player.guest:
            raise TableError("no_account", "you are a guest, who has no password: register first")
        self._attempts.check(Client((folded(player.name), address), address))
        account = await to_thread(self._players.account_of, player.id)
        if not await self._passwords.right(password, account and account.password_hash):
            raise TableError("wrong_password", "this is not your password")

    async def rename(self, player: Player, name: str) -> Player:
        """Another name for an account, from the next table on: at a table and in past hands nobody changes names."""
        if player.guest:
            raise TableError("no_account", "you are a guest: choose a name on the first page, or register")
        await self.check_name(name, player)
        self._renames.check(player.id)
        renamed = player._replace(name=name)
        self._sessions.names.seen(renamed)  # before anybody else can ask
        try:
            await wrap_future(self._players.rename_account(player.id, name))
        except NameTakenError as error:
            raise TableError("name_taken", str(error)) from None
        self._sessions.called_otherwise(player, renamed)
        return renamed

    async def new_recovery_code(self, player: Player, password: str, *, address: str) -> str:
        """A code for when the password is lost, instead of the one before."""
        await self.confirm(player, password, address=address)
        code = new_code()
        await wrap_future(self._players.change_recovery(player.id, await self._passwords.hashed(same_code(code))))
        return code

    async def recover(
        self, known: Player | None, name: str, code: str, new: str, *, address: str
    ) -> tuple[Player, str, str]:
        """Let somebody in who has lost the password: the player, a session key, and the next code.

        The code works once; all other sessions of the account end.
        """
        account = await self._tried(name, address)
        right = await self._passwords.right(same_code(code), account and account.recovery_hash)
        if not right or account is None or account.recovery_hash is None:
            raise TableError("wrong_code", WRONG_CODE)
        if known is not None:
            await self._let_go(known)
        key, next_code, hashes = await self._new_secrets(new)
        try:
            await wrap_future(self._players.recover(account, *hashes))
        except CodeUsedError:
            raise TableError("wrong_code", WRONG_CODE) from None
        for player in filter(None, (known, account.player)):
            self._ended(player)
        self._sessions.remember(session_hash(key), account.player)
        return account.player, key, next_code

    async def delete(self, player: Player, password: str, *, address: str) -> None:
        """Delete an account. Hands that no other person was in go with it; in the others the name is replaced."""
        await self.confirm(player, password, address=address)
        nobody = player._replace(name=f"deleted {secrets.token_hex(3)}", guest=True)
        await self._tables.let_go(player, nobody.name)
        await wrap_future(self._players.delete(nobody))
        self._ended(player)
        await self._tables.let_go(player, nobody.name)  # where they have sat down meanwhile
        self._erase(nobody)

    def _erase(self, player: Player) -> None:
        task = create_task(self._erased(player), name="erase")
        self._erasing.add(task)
        task.add_done_callback(self._erasing.discard)

    async def _erased(self, player: Player) -> None:
        try:
            await to_thread(erase, self._store, player, self._stopped.is_set)
        except (FeltError, SQLAlchemyError) as error:
            log.error("a deleted account's name still stands in hands (the next start tries again): %s", error)

    async def _new_secrets(self, password: str) -> tuple[str, str, tuple[str, str, str]]:
        """A session key, a code for a lost password, and what the store keeps: hashes of password, code and key."""
        key, code = new_key(), new_code()
        hashes = await self._passwords.hashed(password), await self._passwords.hashed(same_code(code))
        return key, code, (*hashes, session_hash(key))

    async def _tried(self, name: str, address: str) -> Account | None:
        """The account that somebody wants to get into, unless they have tried too often."""
        self._attempts.check(Client((folded(name), address), address))
        self._by_name.check(folded(name))
        return await to_thread(self._players.account, name)

    async def _let_go(self, player: Player) -> None:
        """A guest, to whom nobody can come back, gets up; somebody with an account keeps their seats."""
        if player.guest:
            await self._tables.get_up(player)

    def _ended(self, player: Player) -> None:
        self._sessions.forget(player)
        self._tables.dismiss(player)
