"""What accounts' names look like; and whose tables hands were played at, so that nobody can fill the disk with them."""

import sqlalchemy as sa
from alembic import op

from felt.store.accounts.names import skeleton

revision = "0005"
down_revision = "0004"

accounts = sa.table("accounts", sa.column("player", sa.String), sa.column("skeleton", sa.String))
players = sa.table("players", sa.column("id", sa.String), sa.column("name", sa.String))
tables = sa.table("tables", sa.column("id", sa.String), sa.column("room", sa.JSON))
hands = sa.table(
    "hands",
    sa.column("id", sa.Integer),
    sa.column("table_id", sa.String),
    sa.column("owner", sa.String),
    sa.column("watched", sa.Boolean),
)
seats = sa.table("hand_seats", sa.column("hand", sa.Integer), sa.column("agent", sa.String))


def upgrade() -> None:
    """Add the columns, and fill them for what is there."""
    op.add_column("accounts", sa.Column("skeleton", sa.String, nullable=False, server_default=""))
    op.create_index("ix_accounts_skeleton", "accounts", ["skeleton"])
    op.add_column("hands", sa.Column("owner", sa.String, nullable=True))
    op.add_column("hands", sa.Column("watched", sa.Boolean, nullable=False, server_default=sa.false()))
    connection = op.get_bind()
    named = sa.select(accounts.c.player, players.c.name).join(players, players.c.id == accounts.c.player)
    for player, name in connection.execute(named).all():
        looks = sa.update(accounts).where(accounts.c.player == player).values(skeleton=skeleton(name))
        connection.execute(looks)
    owner = sa.select(tables.c.room["owner"].as_string()).where(tables.c.id == hands.c.table_id).scalar_subquery()
    people = sa.exists().where(seats.c.hand == hands.c.id, seats.c.agent.is_(None))
    connection.execute(sa.update(hands).values(owner=owner, watched=~people))
    op.create_index("ix_hands_owner_watched_id", "hands", ["owner", "watched", "id"])
    op.create_index("ix_hands_watched_id", "hands", ["watched", "id"])
