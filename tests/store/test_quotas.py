"""Nobody's tables fill the disk: of each owner, and of hands that were only watched, so many are kept."""

from contextlib import closing

import pytest
import sqlalchemy as sa

from felt.store.database import quotas
from felt.store.database.db import Store, StoredHand, StoredSeat, StoredTable
from felt.store.database.models import ActionRow, HandRow, HandSeatRow, TableRow
from felt.store.database.quotas import HandQuotas
from felt.store.database.values import Player
from tests.server.live_helpers import service
from tests.server.test_accounts import Person
from tests.server.test_service import until

AGENTS = [StoredSeat(0, None, "Bo", "call", 1), StoredSeat(1, None, "Cem", "call", -1)]
WITH_ADA = [StoredSeat(0, "a", "Ada", None, 1), StoredSeat(1, None, "Cem", "call", -1)]
FEW = HandQuotas(watched=6, all_watched=10, owned=8)


def table(name, owner):
    return StoredTable(name, {}, {"owner": owner, "private": False})


def hand(number, seats):
    return StoredHand(number, "nlhe", {"seats": []}, {"text": ""}, {}, seats)


@pytest.fixture
def store(place, monkeypatch):
    monkeypatch.setattr(quotas, "SLACK", 0)
    with closing(Store(place.folder, place.url, quotas=FEW)) as opened:
        opened.players.add(Player("a", "Ada", True), "hash").result()
        yield opened


def numbers(store, name):
    with store.reading() as session:
        asked = sa.select(HandRow.number).where(HandRow.table_id == name).order_by(HandRow.number)
        return session.scalars(asked).all()


def test_of_watched_hands_the_oldest_go_first(store):
    for number in range(1, 21):
        store.keep_table(table("t", "a"), hand(number, AGENTS)).result()
        assert len(numbers(store, "t")) <= FEW.watched
    assert numbers(store, "t") == [*range(15, 21)]
    with store.reading() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(HandSeatRow)) == 2 * FEW.watched


def test_each_owner_has_a_quota_and_all_together_have_one(store):
    for number in range(1, 6):
        for owner in "abc":
            store.keep_table(table(f"t{owner}", owner), hand(number, AGENTS)).result()
    counts = [len(numbers(store, f"t{owner}")) for owner in "abc"]
    assert sum(counts) == FEW.all_watched and min(counts) >= 3


def test_hands_with_people_stay_when_watched_ones_go(store):
    for number in range(1, 7):
        store.keep_table(table("mine", "a"), hand(number, WITH_ADA)).result()
    for number in range(1, 31):
        store.keep_table(table("watched", "a"), hand(number, AGENTS)).result()
    assert numbers(store, "mine") == [*range(1, 7)] and numbers(store, "watched") == [29, 30]
    for number in range(7, 31):
        store.keep_table(table("mine", "a"), hand(number, WITH_ADA)).result()
    assert numbers(store, "watched") == [] and numbers(store, "mine") == [*range(23, 31)]


def test_a_hand_that_is_told_again_counts_once(store):
    for _ in range(20):
        store.keep_table(table("t", "a"), hand(1, AGENTS)).result()
    assert numbers(store, "t") == [1]


def test_closed_tables_without_hands_are_not_kept(store):
    store.keep_table(table("empty", "a")).result()
    store.keep_table(table("empty", "a"), closed=True).result()
    store.keep_table(table("one", "a"), hand(1, AGENTS)).result()
    store.keep_table(table("one", "a"), closed=True).result()
    with store.reading() as session:
        assert session.scalars(sa.select(TableRow.id)).all() == ["one"]
    for number in range(1, 10):
        store.keep_table(table("next", "a"), hand(number, AGENTS)).result()
    with store.reading() as session:
        assert session.scalars(sa.select(TableRow.id)).all() == ["next"]


def test_agents_at_pace_0_cannot_fill_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(quotas.HandQuotas.__init__, "__defaults__", (6, 10, 8))
    monkeypatch.setattr(quotas, "SLACK", 2)
    with service(tmp_path) as client:
        ada = Person(client, "Ada")
        tables = [
            ada.table(sit=False, agents=["call", "call"], pace={"move_seconds": 0, "hand_seconds": 0}) for _ in range(2)
        ]
        until(lambda: [ada.state(name)["hand"] for name in tables], lambda hands: min(hands) > 15, 60.0)
        with client.app.state.sessions._store.reading() as session:
            for row, most in ((HandRow, 8), (HandSeatRow, 16), (ActionRow, 8 * 12)):
                assert 0 < session.scalar(sa.select(sa.func.count()).select_from(row)) <= most
        newest = ada.get(f"/hands?table={tables[0]}").json()["hands"]
        assert newest and newest[0]["number"] > 8
