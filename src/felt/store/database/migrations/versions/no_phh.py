"""Hands are not kept as PHH any more: it is written from what else is kept, for whoever asks."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Drop the column."""
    op.drop_column("hands", "phh")
