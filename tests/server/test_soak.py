"""Three minutes of `make soak`: many tables, hostile clients, kills; nothing is lost and nothing grows."""

import asyncio

import pytest

from tests.server.soak import soak


@pytest.mark.long
def test_three_minutes_of_soak(tmp_path):
    outcome = asyncio.run(soak(tmp_path, minutes=3, tables=30, kills=4))
    assert list(outcome.faults()) == [], outcome.table()
    assert outcome.hands > outcome.kills
