"""Fixtures for tests that run on both databases."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import postgres


class Place(NamedTuple):
    """Where a store is: its folder, and its URL if it is not in that folder."""

    folder: Path
    url: str | None


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[postgres.Server]:
    """A running PostgreSQL."""
    if reason := postgres.missing():
        pytest.skip(f"no tests on PostgreSQL: {reason}")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base  # that of all workers
    with postgres.shared_server(shared / "postgres") as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty place for a store, of each kind."""
    if request.param == "sqlite":
        return Place(tmp_path, None)
    return Place(tmp_path, request.getfixturevalue("postgres_server").database())
