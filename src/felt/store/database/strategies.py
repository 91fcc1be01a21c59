"""Solved strategies in the database, which the service plays as agents.

They are added and removed without the lock of the tables, while the service runs or not: it looks them up when asked.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from felt.errors import FeltError
from felt.store.database.engine import Database
from felt.store.database.models import StrategyRow
from felt.store.database.upgrade import upgrade_alone
from felt.store.database.values import StoredStrategy
from felt.store.database.writer import insert_new

MOST_BYTES = 500_000_000
"""Neither database takes much more in one piece."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,29}")
_COLUMNS = [getattr(StrategyRow, name) for name in StoredStrategy._fields]


class Strategies:
    """The strategies of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[StoredStrategy]:
        """Every strategy, by name."""
        with self._session() as session:
            return [StoredStrategy(*row) for row in session.execute(select(*_COLUMNS).order_by(StrategyRow.name))]

    def get(self, name: str) -> StoredStrategy | None:
        """The strategy with a name."""
        with self._session() as session:
            row = session.execute(select(*_COLUMNS).where(StrategyRow.name == name)).first()
            return None if row is None else StoredStrategy(*row)

    def content(self, name: str) -> bytes | None:
        """The file of a strategy."""
        with self._session() as session:
            return session.scalar(select(StrategyRow.content).where(StrategyRow.name == name))

    def add(self, name: str, file: Path) -> StoredStrategy:
        """Keep the strategy in a file, if it can be played, under a name that is free."""
        if not NAME.fullmatch(name):
            raise FeltError(f"{name!r} is no name for a strategy: give up to 30 letters, digits, '.', '_' or '-'")
        values = _read(file)
        with self._session() as session:
            if insert_new(session, StrategyRow, {"name": name, **values}, "name") is None:
                raise FeltError(f"there is a strategy {name!r} already: remove it first, or give another --name")
            session.commit()
        strategy = self.get(name)
        assert strategy is not None
        return strategy

    def remove(self, name: str) -> None:
        """Forget a strategy; a service that plays it does so until it is started again."""
        with self._session() as session:
            gone = session.scalar(delete(StrategyRow).where(StrategyRow.name == name).returning(StrategyRow.name))
            session.commit()
        if gone is None:
            names = ", ".join(strategy.name for strategy in self.all())
            raise FeltError(f"there is no strategy {name!r}: {f'there are {names}' if names else 'there is none yet'}")

    @contextmanager
    def _session(self) -> Iterator[Session]:
        try:
            with Session(self._database.engine) as session:
                yield session
        except SQLAlchemyError as error:
            raise self._database.refused(error) from None


@contextmanager
def opened(folder: Path, url: str | None = None) -> Iterator[Strategies]:
    """The strategies of a database that a service may be using at the same time."""
    database = Database(folder, url)
    try:
        upgrade_alone(database)
        yield Strategies(database)
    except SQLAlchemyError as error:
        raise database.refused(error) from None
    finally:
        database.close()


def _read(file: Path) -> dict[str, Any]:
    """What is kept of a file, which must be a strategy that the agent can play."""
    from felt.agents.solved.strategy import FromFile

    if not str(file) or not file.is_file():
        raise FeltError(f"{str(file)!r} is no file: give one that felt solve --save has written")
    if file.stat().st_size > MOST_BYTES:
        raise FeltError(f"{str(file)!r} is too large to be kept: it has more than {MOST_BYTES // 1_000_000} MB")
    strategy = FromFile(str(file)).strategy
    assert strategy is not None
    content = file.read_bytes()
    origin = f"{strategy.algorithm}, {strategy.iterations} iterations"
    if strategy.exploitability is not None:
        origin += f", exploitability {strategy.exploitability:.3g}"
    return {
        "game": strategy.rules.name,
        "players": strategy.players,
        "origin": origin,
        "digest": sha256(content).hexdigest(),
        "size": len(content),
        "content": content,
    }
