"""Statistics over HTTP: what the service counts is what the records of the hands say."""

import time

import pytest

from felt.interop.phh.reader import read_phh
from felt.server.study.totals import SHOWN
from felt.stats import INDICATORS, from_records
from tests.server.live_helpers import BASE, Guest, plain_move, refused, service
from tests.server.test_hands import play


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with service(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="module")
def ada(client):
    guest = Guest(client, "<i>Ada'--")
    guest.here = guest.table(agents=["ehs", "call"], seats=4, stack=400)
    play(guest, guest.here, 12)
    guest.post(f"/tables/{guest.here}/away", away=True)
    while (state := guest.state(guest.here))["seats"][0]["in_hand"]:
        if state["turn"] == 0:
            guest.post(f"/tables/{guest.here}/act", **plain_move(state))
    return guest


def test_figures_are_those_of_the_records(client, ada):
    told = ada.get(f"/tables/{ada.here}/statistics").json()["seats"]
    records = read_phh(ada.get("/hands.phhs?cards=all").text).hands
    counted = from_records(records).table
    assert told[3] is None and [seat["agent"] for seat in told[:3]] == [None, "ehs", "call"]
    assert told[0]["hands"] == len(records) >= 1
    for figure in told[0]["stats"]:
        expected = counted.of(ada.me["name"], figure["key"])
        assert (figure["count"], figure["of"]) == (expected.num, expected.den), figure
        assert figure["value"] == (None if expected.share is None else round(expected.share, 6))
        assert figure["unit"] == ("ratio" if INDICATORS[figure["key"]].ratio else "%") and figure["help"]
    assert [figure["key"] for figure in told[0]["stats"]] == list(SHOWN)
    hands = ada.get("/hands").json()["hands"]
    assert told[0]["won"] == sum(hand["won"] for hand in hands)
    assert told[0]["mbb"] == pytest.approx(1000 * told[0]["won"] / 2 / len(hands), abs=0.01)
    assert told[0]["mbb_interval"] > 0
    assert client.get(f"{BASE}/tables/{ada.here}/statistics").json()["seats"][0] == told[0]


def test_own_totals_and_graph(client, ada):
    hands = ada.get("/hands?limit=200").json()["hands"]
    (game,) = ada.get("/statistics").json()["games"]
    assert game["game"] == "nlhe" and game["hands"] == len(hands) and game["title"] == hands[0]["title"]
    assert ada.get("/statistics?game=stud").json() == {"games": []}
    graph = ada.get(f"/statistics/graph?table={ada.here}").json()
    assert graph["n"] == len(graph["points"]) == len(hands) and graph["points"][0]["hand"] == f"{ada.here}-1"
    assert graph["points"][-1]["won"] == game["won"] == sum(hand["won"] for hand in hands)
    assert graph["points"][-1]["won_bb"] == game["won"] / 2
    assert ada.get("/statistics/graph?game=stud").json() == {"points": [], "n": 0}


def test_statistics_of_nobody(client):
    refused(client.get(f"{BASE}/statistics"), 401, "no_session")
    refused(client.get(f"{BASE}/statistics/graph"), 401, "no_session")
    refused(client.get(f"{BASE}/tables/x/statistics"), 404, "no_table")
    new = Guest(client, "New")
    assert new.get("/statistics").json() == {"games": []}
    table = new.table(agents=[])
    told = new.get(f"/tables/{table}/statistics").json()["seats"][0]
    assert told["hands"] == 0 and told["mbb"] is None and all(stat["value"] is None for stat in told["stats"])


def test_figures_of_a_table_are_quick_once_they_were_read(client, ada):
    ada.get(f"/tables/{ada.here}/statistics")
    began = time.perf_counter()
    for _ in range(5):
        ada.get(f"/tables/{ada.here}/statistics")
    assert time.perf_counter() - began < 1.0  # measured: 8 ms each
