"""How many hands are kept: agents at pace 0 play thousands in a minute, and nobody's tables may fill the disk.

Hands count for whoever has set up their table. Those that were only watched, with agents in every seat, go first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, delete, func, select, true
from sqlalchemy.orm import Session

from felt.store.database.models import ActionRow, HandRow, HandSeatRow, TableRow

SLACK = 50
"""Hands over a quota that are waited for, so that they are not taken away one by one."""
MOST_COUNTED = 10_000
"""Owners whose counts are remembered."""
AT_ONCE = 500
"""Hands that are taken away at a time; tables wait as long."""


@dataclass(frozen=True)
class HandQuotas:
    """How many hands are kept at most."""

    watched: int = 2_000
    """Of the tables that one player has set up: hands of agents alone. About 4 kB each."""
    all_watched: int = 100_000
    """Hands of agents alone, of everybody together."""
    owned: int = 100_000
    """Of the tables that one player has set up, hands of all kinds: more than a year of full days at a table."""


@dataclass
class _Count:
    """Hands of one kind: which they are, how many there may be, and how many there are."""

    condition: ColumnElement[bool]
    most: int
    stored: int


@dataclass
class HandCounts:
    """Counts hands as they are kept, and takes the oldest away where there are too many. For the writer's thread."""

    quotas: HandQuotas
    _counts: dict[tuple[str | None, bool], _Count] = field(default_factory=dict)

    def add(self, session: Session, owner: str | None, *, watched: bool) -> None:
        """One hand more, which has just been written."""
        over: list[_Count] = []
        if watched:
            over.append(self._grown(session, (None, True), HandRow.watched.is_(True), self.quotas.all_watched))
        if owner is not None:
            theirs = HandRow.owner == owner
            if watched:
                over.append(self._grown(session, (owner, True), theirs & HandRow.watched, self.quotas.watched))
            over.append(self._grown(session, (owner, False), theirs, self.quotas.owned))
        for count in over:
            if count.stored > count.most + SLACK:
                self._take_away(session, count)

    def _grown(
        self, session: Session, key: tuple[str | None, bool], condition: ColumnElement[bool], most: int
    ) -> _Count:
        count = self._counts.get(key)
        if count is None:
            if len(self._counts) >= MOST_COUNTED:
                self._counts.clear()
            count = self._counts[key] = _Count(condition, most, _number(session, condition))
        else:
            count.stored += 1
        return count

    def _take_away(self, session: Session, count: _Count) -> None:
        """Bring a count back to its quota, the oldest watched hands first."""
        count.stored = _number(session, count.condition)  # some that were counted may not have been kept, or be gone
        excess = min(count.stored - count.most, AT_ONCE)
        if excess > 0:
            oldest = select(HandRow.id).where(count.condition).order_by(HandRow.watched.desc(), HandRow.id)
            drop_hands(session, session.scalars(oldest.limit(excess)).all())
            count.stored -= excess


def _number(session: Session, condition: ColumnElement[bool]) -> int:
    return session.scalar(select(func.count()).select_from(HandRow).where(condition)) or 0


def drop_hands(session: Session, hands: Sequence[int]) -> None:
    """Take hands away with all that belongs to them, also tables that are closed and have no other hand."""
    if not hands:
        return
    played_at = session.scalars(select(HandRow.table_id).where(HandRow.id.in_(hands)).distinct()).all()
    for part in (ActionRow.hand, HandSeatRow.hand, HandRow.id):
        session.execute(delete(part.class_).where(part.in_(hands)))
    drop_empty_tables(session, TableRow.id.in_(played_at))


def drop_empty_tables(session: Session, condition: ColumnElement[bool] | None = None) -> None:
    """Take closed tables away at which no hand was kept."""
    no_hand = ~select(HandRow.id).where(HandRow.table_id == TableRow.id).exists()
    session.execute(delete(TableRow).where(TableRow.closed, no_hand, true() if condition is None else condition))
