"""What the service keeps, as tables of a database. Whoever changes them adds a step to `store.database.migrations`."""

from datetime import UTC, datetime

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, UniqueConstraint, false
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


def now() -> datetime:
    """The time, in UTC and without saying so: databases differ in what they make of zones."""
    return datetime.now(UTC).replace(tzinfo=None)


class Base(DeclarativeBase):
    """All tables."""


class PlayerRow(Base):
    """Somebody who plays; a guest until there is an account."""

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    guest: Mapped[bool] = mapped_column(default=True)
    created: Mapped[datetime] = mapped_column(default=now)
    erasing: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the account was deleted, and the name may still stand in hands."""


class AccountRow(Base):
    """The password of a player who is no guest."""

    __tablename__ = "accounts"

    player: Mapped[str] = mapped_column(ForeignKey("players.id"), primary_key=True)
    folded: Mapped[str] = mapped_column(unique=True)
    """The name as `felt.store.accounts.names.folded` has it: no two accounts have the same."""
    skeleton: Mapped[str] = mapped_column(index=True, server_default="")
    """What the name looks like; accounts of 0.1 may look alike, later ones do not."""
    password_hash: Mapped[str]
    recovery_hash: Mapped[str | None]
    """Of the code that lets somebody in who has lost the password."""
    created: Mapped[datetime] = mapped_column(default=now)


class SessionRow(Base):
    """A browser that a player uses; what it shows to be let in is kept as a hash only."""

    __tablename__ = "sessions"

    key_hash: Mapped[str] = mapped_column(primary_key=True)
    player: Mapped[str] = mapped_column(ForeignKey("players.id"), index=True)
    created: Mapped[datetime] = mapped_column(default=now)


class TableRow(Base):
    """A live table after its last step."""

    __tablename__ = "tables"

    id: Mapped[str] = mapped_column(primary_key=True)
    saved: Mapped[dict[str, object]] = mapped_column(JSON)
    """What `LiveTable.saved` tells."""
    room: Mapped[dict[str, object]] = mapped_column(JSON)
    """What the room round the table knows: whose the seats are, the log, the number of the last event."""
    closed: Mapped[bool] = mapped_column(default=False, index=True)
    created: Mapped[datetime] = mapped_column(default=now)


class HandRow(Base):
    """A hand that is over."""

    __tablename__ = "hands"
    __table_args__ = (
        UniqueConstraint("table_id", "number"),
        Index("ix_hands_owner_watched_id", "owner", "watched", "id"),  # what `felt.store.database.quotas` counts
        Index("ix_hands_watched_id", "watched", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"))
    number: Mapped[int]
    """Of the hand at its table, from 1."""
    game: Mapped[str]
    saved: Mapped[dict[str, object]] = mapped_column(JSON)
    """The table at the end of the hand: all moves, from which it can be played again."""
    result: Mapped[dict[str, object]] = mapped_column(JSON)
    deal: Mapped[dict[str, str]] = mapped_column(JSON)
    """The commitment that was shown before it; deck and salt are in `saved`."""
    finished: Mapped[datetime] = mapped_column(default=now)
    owner: Mapped[str | None]
    """Who had set up the table."""
    watched: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether agents sat in every seat."""


class HandSeatRow(Base):
    """Somebody's part in a hand."""

    __tablename__ = "hand_seats"
    __table_args__ = (Index("ix_hand_seats_player_hand", "player", "hand"),)  # the newest hands of a player

    hand: Mapped[int] = mapped_column(ForeignKey("hands.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    player: Mapped[str | None] = mapped_column(ForeignKey("players.id"))
    """None for an agent."""
    name: Mapped[str]
    agent: Mapped[str | None]
    payoff: Mapped[int]
    counts: Mapped[dict[str, object] | None] = mapped_column(JSON(none_as_null=True))
    """What statistics count in this hand."""


class ActionRow(Base):
    """One move of a hand."""

    __tablename__ = "actions"

    hand: Mapped[int] = mapped_column(ForeignKey("hands.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """Of the move in its hand, from 0."""
    seat: Mapped[int]
    street: Mapped[int]
    move: Mapped[str]
    amount: Mapped[int]
    cards: Mapped[str]


class StrategyRow(Base):
    """A solved strategy that the service plays as an agent."""

    __tablename__ = "strategies"

    name: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    players: Mapped[int]
    origin: Mapped[str]
    digest: Mapped[str]
    size: Mapped[int]
    content: Mapped[bytes] = mapped_column(LargeBinary)
    """The file that `felt solve --save` wrote."""
    added: Mapped[datetime] = mapped_column(default=now)
