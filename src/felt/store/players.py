"""Players, their sessions and their accounts in the database."""

import unicodedata
from concurrent.futures import Future
from datetime import timedelta
from typing import Protocol

from sqlalchemy import Engine, delete, select, update
from sqlalchemy.orm import Session

from felt.store.kept import Account, NameTakenError, Player
from felt.store.models import AccountRow, PlayerRow, SessionRow, now
from felt.store.writer import Change

SESSION_DAYS = 365
"""How long a session lasts."""


class Submit(Protocol):
    """Makes a change, so that it survives a power cut or only the process."""

    def __call__(self, change: Change, *, synced: bool) -> "Future[None]": ...


def folded(name: str) -> str:
    """A name such that two that people would take for the same are the same.

    >>> folded("Ada") == folded("ＡDA"), folded("Straße") == folded("STRASSE")
    (True, True)
    """
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


class Players:
    """Who plays. What is written is there when the future is done."""

    def __init__(self, engine: Engine, submit: Submit) -> None:
        self._engine, self._submit = engine, submit

    def by_session(self, key_hash: str) -> Player | None:
        """Who has the session with this hash; a guest whose name has become an account's is called otherwise."""
        asked = select(PlayerRow).join(SessionRow, SessionRow.player == PlayerRow.id)
        with Session(self._engine) as session:
            begun = SessionRow.created > now() - timedelta(days=SESSION_DAYS)
            row = session.scalar(asked.where(SessionRow.key_hash == key_hash, begun))
            if row is None:
                return None
            taken = row.guest and self._owner(session, folded(row.name)) is not None
            return _player(row)._replace(name=f"{row.name[:16]} (guest)") if taken else _player(row)

    def account(self, name: str) -> Account | None:
        """The account with this name, or one that looks the same."""
        asked = select(PlayerRow, AccountRow.password_hash).join(AccountRow, AccountRow.player == PlayerRow.id)
        with Session(self._engine) as session:
            found = session.execute(asked.where(AccountRow.folded == folded(name))).first()
            return None if found is None else Account(_player(found[0]), found[1])

    def password_of(self, player: str) -> str | None:
        """The hash of a player's password; None for a guest."""
        with Session(self._engine) as session:
            return session.scalar(select(AccountRow.password_hash).where(AccountRow.player == player))

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

    def register(self, player: Player, password_hash: str, key_hash: str) -> "Future[None]":
        """Give somebody, who may be a guest or new, an account; of their sessions only the new one remains."""

        def change(session: Session) -> None:
            fold = folded(player.name)
            if self._owner(session, fold) is not None:
                raise NameTakenError(f"the name {player.name!r} belongs to somebody: choose another")
            row = session.get(PlayerRow, player.id)
            if row is None:
                session.add(PlayerRow(id=player.id, name=player.name, guest=False))
            else:
                row.name, row.guest = player.name, False
            session.flush()
            session.add(AccountRow(player=player.id, folded=fold, password_hash=password_hash))
            session.execute(delete(SessionRow).where(SessionRow.player == player.id))
            session.add(SessionRow(key_hash=key_hash, player=player.id))

        return self._submit(change, synced=True)

    def begin_session(self, player: str, key_hash: str, *, instead_of: str | None = None) -> "Future[None]":
        """A further session; the one that the browser had ends."""

        def change(session: Session) -> None:
            session.execute(delete(SessionRow).where(SessionRow.key_hash == instead_of))
            session.add(SessionRow(key_hash=key_hash, player=player))

        return self._submit(change, synced=True)

    def end_session(self, key_hash: str) -> "Future[None]":
        """End a session."""
        change = delete(SessionRow).where(SessionRow.key_hash == key_hash)
        return self._submit(lambda session: session.execute(change), synced=True)

    def change_password(self, player: str, password_hash: str, key_hash: str) -> "Future[None]":
        """Another password; all sessions end, and the one with this hash begins."""

        def change(session: Session) -> None:
            new = update(AccountRow).where(AccountRow.player == player).values(password_hash=password_hash)
            session.execute(new)
            session.execute(delete(SessionRow).where(SessionRow.player == player))
            session.add(SessionRow(key_hash=key_hash, player=player))

        return self._submit(change, synced=True)

    @staticmethod
    def _owner(session: Session, fold: str) -> str | None:
        return session.scalar(select(AccountRow.player).where(AccountRow.folded == fold))


def _player(row: PlayerRow) -> Player:
    return Player(row.id, row.name, row.guest)
