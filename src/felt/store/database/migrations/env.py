"""How Alembic is run here: over the connection that it is handed, as part of its transaction."""

from alembic import context

from felt.store.database.migrations import VERSION_TABLE
from felt.store.database.models import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, version_table=VERSION_TABLE
)
with context.begin_transaction():
    context.run_migrations()
