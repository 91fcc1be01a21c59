"""Accounts, the moves of hands, what statistics count in them, and solved strategies."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add what is new."""
    op.create_table(
        "accounts",
        sa.Column("player", sa.String, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("folded", sa.String, nullable=False, unique=True),
        sa.Column("password_hash", sa.String, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
    )
    op.create_table(
        "actions",
        sa.Column("hand", sa.Integer, sa.ForeignKey("hands.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("street", sa.Integer, nullable=False),
        sa.Column("move", sa.String, nullable=False),
        sa.Column("amount", sa.Integer, nullable=False),
        sa.Column("cards", sa.String, nullable=False),
    )
    op.create_table(
        "strategies",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("origin", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("added", sa.DateTime, nullable=False),
    )
    op.add_column("hand_seats", sa.Column("counts", sa.JSON, nullable=True))
    op.drop_index("ix_hand_seats_player", table_name="hand_seats")
    op.create_index("ix_hand_seats_player_hand", "hand_seats", ["player", "hand"])
