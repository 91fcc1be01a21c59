"""Players, sessions, tables and hands."""

import sqlalchemy as sa
from alembic import op

from felt.store.database.migrations import required

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "players",
        sa.Column("id", sa.String, primary_key=True),
        *required(sa.String, "name"),
        *required(sa.Boolean, "guest"),
        *required(sa.DateTime, "created"),
    )
    op.create_table(
        "sessions",
        sa.Column("key_hash", sa.String, primary_key=True),
        sa.Column("player", sa.String, sa.ForeignKey("players.id"), nullable=False, index=True),
        *required(sa.DateTime, "created"),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String, primary_key=True),
        *required(sa.JSON, "saved", "room"),
        sa.Column("closed", sa.Boolean, nullable=False, index=True),
        *required(sa.DateTime, "created"),
    )
    op.create_table(
        "hands",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), nullable=False),
        *required(sa.Integer, "number"),
        *required(sa.String, "game", "phh"),
        *required(sa.JSON, "saved", "result", "deal"),
        *required(sa.DateTime, "finished"),
        sa.UniqueConstraint("table_id", "number"),
    )
    op.create_table(
        "hand_seats",
        sa.Column("hand", sa.Integer, sa.ForeignKey("hands.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player", sa.String, sa.ForeignKey("players.id"), nullable=True, index=True),
        *required(sa.String, "name"),
        sa.Column("agent", sa.String, nullable=True),
        *required(sa.Integer, "payoff"),
    )
