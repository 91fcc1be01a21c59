"""A service that ends at any moment comes back with every table, stack and hand as they were."""

import shutil

import pytest

from felt.errors import FeltError
from felt.games import names
from felt.interop.phh import read_phh
from felt.server.live_table import LiveTable
from felt.store.db import Store
from tests.server.live_helpers import Guest, plain_move, service
from tests.server.test_service import until

VOLATILE = ("deadline_ms", "log")


def same(state):
    seats = [seat and {**seat, "connected": None} for seat in state["seats"]]
    return {**{name: value for name, value in state.items() if name not in VOLATILE}, "seats": seats}


@pytest.mark.parametrize("game", ["nlhe", "badugi"])
def test_killed_in_mid_hand(tmp_path, game):
    first, second = tmp_path / "first", tmp_path / "second"
    with service(first) as client:
        ada, bo = Guest(client, "Ada"), Guest(client, "Bo")
        table = ada.table(game=game, agents=["call"], seats=3, time_limit=600, stack=500)
        bo.post(f"/tables/{table}/sit", seat=2)
        people = {0: ada, 2: bo}
        for _ in range(5):
            state = until(lambda: ada.state(table), lambda told: told["turn"] in people)
            who = people[state["turn"]]
            who.post(f"/tables/{table}/act", **plain_move(who.state(table)))
        until(lambda: ada.state(table), lambda told: told["turn"] in people)
        before = [who.state(table) for who in (ada, bo)]
        shutil.copytree(first, second)  # what a process that is killed now leaves
    with service(second) as client:
        ada.client = bo.client = client
        after = [who.state(table) for who in (ada, bo)]
        assert [same(state) for state in after] == [same(state) for state in before]
        assert [state["log"] for state in after] == [state["log"] for state in before]
        assert ada.get("/me").json()["name"] == "Ada"
        state = after[0]
        who = people[state["turn"]]
        assert who.post(f"/tables/{table}/act", **plain_move(who.state(table))).status_code == 200
        with ada.live(table, since=state["seq"]) as socket:
            assert socket.receive_json()["seq"] == state["seq"] + 1


def test_hands_are_kept_with_their_results(tmp_path):
    results = []
    with service(tmp_path) as client:
        ada = Guest(client)
        table = ada.table(agents=["random", "ehs"], sit=False)
        with ada.live(table) as socket:
            while len(results) < 20:
                message = socket.receive_json()
                if message["event"]["kind"] == "result":
                    results.append(message["state"])
    store = Store(tmp_path)
    hands = store.hands_of(table)
    store.close()
    assert len(hands) >= 20 and [hand.number for hand in hands] == list(range(1, len(hands) + 1))
    for state, hand in zip(results, hands, strict=False):
        assert state["result"] == hand.result and state["deal"] == hand.deal
        deal = LiveTable.restored(hand.saved).deal
        assert deal is not None and deal.commitment == hand.deal["commitment"]
        assert [seat.payoff for seat in hand.seats] == hand.result["payoffs"]
        (record,) = read_phh(hand.phh).hands
        assert sorted(record.names) == ["Bo", "Cem"]
        moves = [event for event in record.events if event.kind in ("fold", "call", "raise")]
        assert [(move.move, move.amount) for move in hand.actions] == [(move.kind, move.amount) for move in moves]
        streets = [move.street for move in hand.actions]
        assert streets == sorted(streets) and streets[0] == 0


def test_one_folder_is_for_one_service(tmp_path):
    store = Store(tmp_path)
    with pytest.raises(FeltError, match="another Felt serves from"):
        Store(tmp_path)
    store.close()
    Store(tmp_path).close()
    (tmp_path / "file").write_text("")
    with pytest.raises(FeltError, match="cannot be used"):
        Store(tmp_path / "file")
    (tmp_path / "felt.db").write_bytes(b"something else" * 100)
    with pytest.raises(FeltError, match="cannot be used"):
        Store(tmp_path)


def test_every_game_is_played_by_agents(tmp_path):
    with service(tmp_path) as client:
        ada = Guest(client)
        tables = [ada.table(game=game, agents=["random", "random"], sit=False, stack=0) for game in names()]
        for table in tables:
            until(lambda table=table: ada.state(table), lambda told: told["hand"] > 1)
