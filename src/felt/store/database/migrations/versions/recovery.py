"""Codes for who has lost a password, and what is left to do for accounts that were deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("accounts", sa.Column("recovery_hash", sa.String, nullable=True))
    op.add_column("players", sa.Column("erasing", sa.Boolean, nullable=False, server_default=sa.false()))
