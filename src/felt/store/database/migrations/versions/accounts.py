"""Accounts, the moves of hands, what statistics count in them, and solved strategies."""

import sqlalchemy as sa
from alembic import op

from felt.store.database.migrations import required

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add what is new."""
    op.create_table(
        "accounts",
        sa.Column("player", sa.String, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("folded", sa.String, nullable=False, unique=True),
        *required(sa.String, "password_hash"),
        *required(sa.DateTime, "created"),
    )
    op.create_table(
        "actions",
        sa.Column("hand", sa.Integer, sa.ForeignKey("hands.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        *required(sa.Integer, "seat", "street"),
        *required(sa.String, "move"),
        *required(sa.Integer, "amount"),
        *required(sa.String, "cards"),
    )
    op.create_table(
        "strategies",
        sa.Column("name", sa.String, primary_key=True),
        *required(sa.String, "game"),
        *required(sa.Integer, "players"),
        *required(sa.String, "origin", "digest"),
        *required(sa.Integer, "size"),
        *required(sa.LargeBinary, "content"),
        *required(sa.DateTime, "added"),
    )
    op.add_column("hand_seats", sa.Column("counts", sa.JSON, nullable=True))
    op.drop_index("ix_hand_seats_player", table_name="hand_seats")
    op.create_index("ix_hand_seats_player_hand", "hand_seats", ["player", "hand"])
