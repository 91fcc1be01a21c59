"""Players, sessions, tables and hands."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "players",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("guest", sa.Boolean, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("key_hash", sa.String, primary_key=True),
        sa.Column("player", sa.String, sa.ForeignKey("players.id"), nullable=False, index=True),
        sa.Column("created", sa.DateTime, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("saved", sa.JSON, nullable=False),
        sa.Column("room", sa.JSON, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False, index=True),
        sa.Column("created", sa.DateTime, nullable=False),
    )
    op.create_table(
        "hands",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("phh", sa.String, nullable=False),
        sa.Column("saved", sa.JSON, nullable=False),
        sa.Column("result", sa.JSON, nullable=False),
        sa.Column("deal", sa.JSON, nullable=False),
        sa.Column("finished", sa.DateTime, nullable=False),
        sa.UniqueConstraint("table_id", "number"),
    )
    op.create_table(
        "hand_seats",
        sa.Column("hand", sa.Integer, sa.ForeignKey("hands.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player", sa.String, sa.ForeignKey("players.id"), nullable=True, index=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("agent", sa.String, nullable=True),
        sa.Column("payoff", sa.Integer, nullable=False),
    )
