"""A service that ends at any moment comes back with every table, stack and hand as they were."""

import shutil

import pytest
from sqlalchemy.exc import OperationalError

from felt.errors import FeltError
from felt.games import names
from felt.interop.phh.reader import read_phh
from felt.server.study.replays import Replay, as_phh
from felt.server.tables.state import TableState
from felt.store.database.db import Store
from felt.store.database.hands import hands_before
from felt.store.database.writer import Writer
from tests.kept_hands import hands_of
from tests.server.live_helpers import Guest, plain_move, refused, service
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
    hands, past = hands_of(store, table), {one.hand.number: one for one in hands_before(store, None, table=table)}
    store.close()
    assert len(hands) >= 20 and [hand.number for hand in hands] == list(range(1, len(hands) + 1))
    for state, hand in zip(results, hands, strict=False):
        assert state["result"] == hand.result and state["deal"] == hand.deal
        deal = TableState.restored(hand.saved).deal
        assert deal is not None and deal.commitment == hand.deal["commitment"]
        assert [seat.payoff for seat in hand.seats] == hand.result["payoffs"]
        kept = past[hand.number]
        (record,) = read_phh(as_phh(kept, Replay(kept, None), everything=True)).hands
        assert sorted(record.names) == ["Bo", "Cem"]
        moves = [event for event in record.events if event.kind in ("fold", "call", "raise")]
        assert [(move.move, move.amount) for move in hand.actions] == [(move.kind, move.amount) for move in moves]
        streets = [move.street for move in hand.actions]
        assert streets == sorted(streets) and streets[:1] in ([], [0])  # none: all in by the blinds


def test_the_result_that_is_told_is_the_one_that_is_kept(tmp_path, monkeypatch):
    """Though the answer to a change that was made got lost, and the table went back and played on otherwise."""
    transact, lost = Writer._transact, []

    def losing(writer, session, changes, *, synced):
        transact(writer, session, changes, synced=synced)
        if synced and not lost:
            lost.append(True)
            raise OperationalError("COMMIT", {}, Exception("the server closed the connection"))

    with service(tmp_path) as client:
        ada = Guest(client)
        table = ada.table(time_limit=600)
        state = until(lambda: ada.state(table), lambda told: told["turn"] == 0)
        with ada.live(table) as socket:
            monkeypatch.setattr(Writer, "_transact", losing)
            meant = {"hand": state["hand"], "step": state["step"]}
            refused(ada.post(f"/tables/{table}/act", **meant, move="fold"), 503, "store")
            assert lost and same(ada.state(table)) == same(state)
            while (state := ada.state(table))["hand"] == 1:
                if state["turn"] == 0:
                    ada.post(f"/tables/{table}/act", **plain_move(state))
            while (message := socket.receive_json())["event"]["kind"] != "result":
                pass
        told = ada.get(f"/hands/{table}-1").json()
        assert told["hand"]["text"] == message["state"]["result"]["text"] and len(told["hand"]["board"]) == 5
    store = Store(tmp_path)
    first = hands_of(store, table)[0]
    store.close()
    assert first.result == message["state"]["result"]
    assert [seat.payoff for seat in first.seats] == first.result["payoffs"] and len(first.actions) == 8


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
    with pytest.raises(FeltError, match="is damaged"):
        Store(tmp_path)


@pytest.mark.parametrize("games", [names()[::5], pytest.param(names(), marks=pytest.mark.long)], ids=["some", "all"])
def test_games_are_played_by_agents(tmp_path, games):
    with service(tmp_path) as client:
        ada = Guest(client)
        tables = [Guest(client).table(game=game, agents=["random", "random"], sit=False, stack=0) for game in games]
        for table in tables:
            until(lambda table=table: ada.state(table), lambda told: told["hand"] > 1)
