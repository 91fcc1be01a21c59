"""Brings a database to what this program needs, before anything else is asked of it."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from felt.store.database import migrations
from felt.store.database.engine import Database
from felt.store.database.values import StoreError

FIRST = "0001"
"""The revision of databases that were made before revisions were counted."""


def upgrade(database: Database) -> None:
    """Make the tables that are missing, in one transaction; the caller holds the lock.

    Nothing is done to a database that is up to date. A database of a newer program is refused.
    """
    if up_to_date(database):
        return
    with database.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # Python's driver begins none before it makes tables
        _run(connection, database.shown)
        connection.commit()


def up_to_date(database: Database) -> bool:
    """Whether the database is as this program needs it."""
    if not database.there:
        return False
    with database.engine.connect() as connection:
        return _revision(connection) == migrations.HEAD


def upgrade_alone(database: Database) -> None:
    """As `upgrade`, for who holds no lock: it is taken for as long as there is something to do."""
    if up_to_date(database):
        return
    lock = database.lock()
    try:
        with database.engine.connect() as connection:
            lock.hold(connection)
            connection.commit()
            upgrade(database)
            connection.invalidate()  # else the connection would be put back with its lock
    finally:
        lock.close()


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(migrations.VERSION_TABLE):
        return None
    revision = connection.scalar(text(f"SELECT version_num FROM {migrations.VERSION_TABLE}"))
    return None if revision is None else str(revision)


def _run(connection: Connection, shown: str) -> None:
    from alembic import command  # takes a while to load, and is needed after an update only
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(migrations.__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    revision = _revision(connection)
    if revision is not None and revision not in known:
        raise StoreError(
            f"the database {shown!r} was made by a newer Felt (its revision is {revision}): update this one"
        )
    if revision is None and inspect(connection).has_table("hands"):
        command.stamp(config, FIRST)
    command.upgrade(config, "head")
