"""Players, their sessions and their accounts in the database."""

from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import ColumnElement, Engine, delete, or_, select, update
from sqlalchemy.orm import Session

from felt.store.accounts.names import folded, skeleton
from felt.store.database.models import AccountRow, PlayerRow, SessionRow, now
from felt.store.database.values import Account, CodeUsedError, NameTakenError, PasswordChangedError, Player
from felt.store.database.writer import Change

SESSION_DAYS = 365
"""How long a session lasts."""


class Submit(Protocol):
    """Makes a change, so that it survives a power cut or only the process."""

    def __call__(self, change: Change, *, synced: bool) -> "Future[None]": ...


class Players:
    """Who plays. What is written is there when the future is done."""

    def __init__(self, engine: Engine, submit: Submit) -> None:
        self._engine, self._submit = engine, submit

    def by_session(self, key_hash: str) -> Player | None:
        """Who has the session with this hash; a guest whose name has become an account's is called otherwise."""
        query = select(PlayerRow).join(SessionRow, SessionRow.player == PlayerRow.id)
        with Session(self._engine) as session:
            row = session.scalar(query.where(SessionRow.key_hash == key_hash, _is_open()))
            if row is None:
                return None
            taken = row.guest and self._taken(session, row.name)
            return _player(row)._replace(name=f"{row.name[:16]} (guest)") if taken else _player(row)

    def account(self, name: str) -> Account | None:
        """The account with this name, in whatever case."""
        return self._account(AccountRow.folded == folded(name))

    def is_taken(self, name: str, *, by_others_than: str | None = None) -> bool:
        """Whether an account has this name, or one that looks like it."""
        with Session(self._engine) as session:
            return self._taken(session, name, by_others_than)

    def account_of(self, player: str) -> Account | None:
        """The account of a player; None for a guest."""
        return self._account(AccountRow.player == player)

    def _account(self, condition: ColumnElement[bool]) -> Account | None:
        with Session(self._engine) as session:
            joined = select(PlayerRow, AccountRow).join(AccountRow, AccountRow.player == PlayerRow.id)
            row = session.execute(joined.where(condition)).first()
            if row is None:
                return None
            player, account = row
            return Account(_player(player), account.password_hash, account.recovery_hash, account.created)

    def since(self, player: str) -> datetime | None:
        """When a player was first here; None for nobody."""
        with Session(self._engine) as session:
            return session.scalar(select(PlayerRow.created).where(PlayerRow.id == player))

    def sessions_of(self, player: str) -> list[datetime]:
        """When the sessions of a player that have not ended began, oldest first."""
        mine = select(SessionRow.created).where(SessionRow.player == player, _is_open())
        with Session(self._engine) as session:
            return list(session.scalars(mine.order_by(SessionRow.created)))

    def add(self, player: Player, key_hash: str) -> "Future[None]":
        """Keep a new guest with a first session."""

        def change(session: Session) -> None:
            session.add(PlayerRow(id=player.id, name=player.name, guest=True))
            session.flush()
            session.add(SessionRow(key_hash=key_hash, player=player.id))

        return self._submit(change, synced=False)

    def rename(self, player: str, name: str) -> "Future[None]":
        """Call a player otherwise from now on."""
        change = update(PlayerRow).where(PlayerRow.id == player).values(name=name)
        return self._submit(lambda session: session.execute(change), synced=False)

    def rename_account(self, player: str, name: str) -> "Future[None]":
        """Call an account otherwise from now on."""

        def change(session: Session) -> None:
            if self._taken(session, name, player):
                raise NameTakenError(_refusal(name))
            session.execute(update(AccountRow).where(AccountRow.player == player).values(**_looks(name)))
            session.execute(update(PlayerRow).where(PlayerRow.id == player).values(name=name))

        return self._submit(change, synced=True)

    def register(self, player: Player, password_hash: str, recovery_hash: str, key_hash: str) -> "Future[None]":
        """Give somebody, who may be a guest or new, an account; of their sessions only the new one remains."""

        def change(session: Session) -> None:
            if self._taken(session, player.name):
                raise NameTakenError(_refusal(player.name))
            row = session.get(PlayerRow, player.id)
            if row is None:
                session.add(PlayerRow(id=player.id, name=player.name, guest=False))
            else:
                row.name, row.guest = player.name, False
            session.flush()
            hashes = {"password_hash": password_hash, "recovery_hash": recovery_hash}
            session.add(AccountRow(player=player.id, **_looks(player.name), **hashes))
            _only_session(session, player.id, key_hash)

        return self._submit(change, synced=True)

    def begin_session(self, account: Account, key_hash: str, *, instead_of: str | None = None) -> "Future[None]":
        """A further session for who has shown the password of `account`; the one that the browser had ends."""

        def change(session: Session) -> None:
            row = session.get(AccountRow, account.player.id)
            if row is None or row.password_hash != account.password_hash:
                raise PasswordChangedError("the password was changed meanwhile")
            session.execute(delete(SessionRow).where(SessionRow.key_hash == instead_of))
            session.add(SessionRow(key_hash=key_hash, player=account.player.id))

        return self._submit(change, synced=True)

    def end_session(self, key_hash: str) -> "Future[None]":
        """End a session."""
        change = delete(SessionRow).where(SessionRow.key_hash == key_hash)
        return self._submit(lambda session: session.execute(change), synced=True)

    def change_password(self, player: str, password_hash: str, recovery_hash: str, key_hash: str) -> "Future[None]":
        """Another password and another code for a lost one; all sessions end, and the one with this hash begins."""

        def change(session: Session) -> None:
            hashes = {"password_hash": password_hash, "recovery_hash": recovery_hash}
            session.execute(update(AccountRow).where(AccountRow.player == player).values(**hashes))
            _only_session(session, player, key_hash)

        return self._submit(change, synced=True)

    def change_recovery(self, player: str, recovery_hash: str) -> "Future[None]":
        """Another code for a lost password; the one before is worth nothing any more."""
        change = update(AccountRow).where(AccountRow.player == player).values(recovery_hash=recovery_hash)
        return self._submit(lambda session: session.execute(change), synced=True)

    def recover(self, account: Account, password_hash: str, recovery_hash: str, key_hash: str) -> "Future[None]":
        """Another password and another code, for who has shown the code of `account`, which works once.

        All sessions end, and the one with this hash begins.
        """

        def change(session: Session) -> None:
            row = session.get(AccountRow, account.player.id)
            if row is None or row.recovery_hash != account.recovery_hash:
                raise CodeUsedError("this code has been used already")
            row.password_hash, row.recovery_hash = password_hash, recovery_hash
            _only_session(session, account.player.id, key_hash)

        return self._submit(change, synced=True)

    def delete(self, player: Player) -> "Future[None]":
        """End an account and all its sessions. The player stays, as a guest of the name that they have here, because
        hands of others point to them; `felt.store.accounts.erase` takes the old name out of these."""

        def change(session: Session) -> None:
            for part in (SessionRow, AccountRow):
                session.execute(delete(part).where(part.player == player.id))
            values = {"name": player.name, "guest": True, "erasing": True}
            session.execute(update(PlayerRow).where(PlayerRow.id == player.id).values(**values))

        return self._submit(change, synced=True)

    def being_erased(self) -> list[Player]:
        """Players whose accounts were deleted and whose names may still stand in hands."""
        with Session(self._engine) as session:
            return [_player(row) for row in session.scalars(select(PlayerRow).where(PlayerRow.erasing))]

    @staticmethod
    def _taken(session: Session, name: str, player: str | None = None) -> bool:
        """Whether somebody else than `player` has an account whose name is like this one."""
        like = or_(AccountRow.folded == folded(name), AccountRow.skeleton == skeleton(name))
        owners = session.scalars(select(AccountRow.player).where(like)).all()
        return any(owner != player for owner in owners)


def _is_open() -> ColumnElement[bool]:
    return SessionRow.created > now() - timedelta(days=SESSION_DAYS)


def _only_session(session: Session, player: str, key_hash: str) -> None:
    """End all sessions of a player, and begin one."""
    session.execute(delete(SessionRow).where(SessionRow.player == player))
    session.add(SessionRow(key_hash=key_hash, player=player))


def _refusal(name: str) -> str:
    return f"the name {name!r} belongs to somebody, or looks like one that does: choose another"


def _looks(name: str) -> dict[str, str]:
    return {"folded": folded(name), "skeleton": skeleton(name)}


def _player(row: PlayerRow) -> Player:
    return Player(row.id, row.name, row.guest)
