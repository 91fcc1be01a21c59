"""Leaving a table and coming back, and closing a table in the middle of a hand."""

import pytest

from felt.server.tables import table as rooms_file
from felt.store.database.hands import hands_before
from tests.server.live_helpers import BASE, plain_move, refused, service
from tests.server.test_accounts import Person
from tests.server.test_own_account import moved
from tests.server.test_service import until


def stacks(person, table):
    return [None if seat is None else seat["stack"] for seat in person.state(table)["seats"]]


def lose_a_bet(loser, winner, table):
    """The first hand, in which somebody calls 20, and folds to the next bet."""

    def act():
        for person in (winner, loser):
            state = person.state(table)
            if state["hand"] == 1 and state["turn"] == state["you"] >= 0:
                meant = {"hand": state["hand"], "step": state["step"]}
                if person is winner and state["legal"]["raise_to"] and state["seats"][winner_seat]["bet"] < 20:
                    person.post(f"/tables/{table}/act", **meant, move="raise", amount=20)
                elif person is loser and state["street"] and state["legal"]["call"]:
                    person.post(f"/tables/{table}/act", **meant, move="fold")
                else:
                    person.post(f"/tables/{table}/act", **plain_move(state))
        return loser.state(table)

    winner_seat = winner.state(table)["you"]
    until(act, lambda state: state["hand"] > 1, 60.0)


@pytest.fixture
def three(place):
    """Ada and Bo at a table for three."""
    with service(place.folder, database=place.url) as client:
        ada, bo = Person(client, "Ada"), Person(client, "Bo")
        table = bo.table(agents=[], seats=3, time_limit=600)
        ada.post(f"/tables/{table}/sit", seat=1)
        yield ada, bo, table


@pytest.mark.parametrize("wins", [False, True])
def test_leaving_and_sitting_down_again_does_not_refill_a_stack(three, wins):
    ada, bo, table = three
    lose_a_bet(*((bo, ada) if wins else (ada, bo)), table)
    ada.post(f"/tables/{table}/leave")  # in the next hand, when it is over
    until(lambda: moved([bo], table), lambda state: state["seats"][1] is None)
    left = 400 - stacks(bo, table)[0]
    assert (left > 200) == wins and left != 200
    refused(ada.post(f"/tables/{table}/sit", seat=0), 409, "seat_taken")
    assert ada.post(f"/tables/{table}/sit", seat=2).status_code == 200
    state = until(lambda: ada.state(table), lambda told: told["playing"])
    assert state["seats"][2]["stack"] + state["seats"][2]["bet"] == left


def test_who_lost_all_and_comes_back_has_nothing_and_may_buy(tmp_path):
    with service(tmp_path) as client:
        ada, bo = Person(client, "Ada"), Person(client, "Bo")
        table = ada.table(agents=[], time_limit=600)
        room = client.app.state.tables.get(table)
        room._left[bo.me["id"]] = (0, rooms_file.time())
        bo.post(f"/tables/{table}/sit", seat=1)
        assert stacks(bo, table) == [200, 0]
        assert bo.post(f"/tables/{table}/rebuy").status_code == 200
        until(lambda: bo.state(table), lambda told: told["playing"])


def test_after_an_hour_it_is_a_new_game(tmp_path, monkeypatch):
    with service(tmp_path) as client:
        ada, bo = Person(client, "Ada"), Person(client, "Bo")
        table = ada.table(agents=[], time_limit=600)
        room = client.app.state.tables.get(table)
        room._left[bo.me["id"]] = (7, rooms_file.time() - rooms_file.RETURN_SECONDS - 1)
        bo.post(f"/tables/{table}/sit", seat=1)
        assert sum(seat["stack"] + seat["bet"] for seat in bo.state(table)["seats"]) == 400


def test_what_was_left_with_survives_a_restart(place):
    with service(place.folder, database=place.url) as client:
        ada, bo = Person(client, "Ada"), Person(client, "Bo")
        table = ada.table(agents=[], time_limit=600)
        bo.post(f"/tables/{table}/sit", seat=1)
        lose_a_bet(bo, ada, table)
        bo.post(f"/tables/{table}/leave")
        until(lambda: moved([ada], table), lambda state: state["seats"][1] is None)
        left = 400 - stacks(ada, table)[0]
    with service(place.folder, database=place.url) as client:
        bo.client = client
        bo.post(f"/tables/{table}/sit", seat=1)
        state = until(lambda: bo.state(table), lambda told: told["playing"])
        assert state["seats"][1]["stack"] + state["seats"][1]["bet"] == left != 200


def test_no_table_remembers_more_players_than_a_hundred(tmp_path):
    with service(tmp_path) as client:
        ada = Person(client, "Ada")
        table = ada.table(agents=[], time_limit=600)
        room = client.app.state.tables.get(table)
        room._left = {str(number): (1, rooms_file.time()) for number in range(500)}
        ada.post(f"/tables/{table}/away")
        assert len(room._left) == rooms_file.MOST_LEFT and "499" in room._left


def kept_hands(client, table):
    store = client.app.state.sessions._store
    return hands_before(store, None, table=table)


@pytest.mark.parametrize("game", ["nlhe", "five-card-draw", "stud"])
def test_closing_a_table_ends_its_hand_by_the_rules_and_keeps_it(place, game):
    with service(place.folder, database=place.url) as client:
        ada = Person(client, "Ada")
        table = ada.table(game=game, stack=0, time_limit=600)
        state = until(lambda: ada.state(table), lambda told: told["turn"] == 0)
        with ada.live(table) as socket:
            socket.receive_json()
            assert ada.post(f"/tables/{table}/close").status_code == 200
            texts = []
            while not texts or texts[-1]["kind"] != "result":
                texts.append(socket.receive_json()["event"])
        assert texts[0]["text"] == "The table is closed: whoever has to act checks or folds"
        refused(ada.get(f"/tables/{table}"), 404, "no_table")
        hands = kept_hands(client, table)
        assert [hand.hand.number for hand in hands] == [state["hand"]]
        assert sum(seat.payoff for seat in hands[0].hand.seats) == 0
        assert ada.get(f"/hands/{table}-{state['hand']}").json()["hand"]["text"]
        assert ada.get(f"/hands/{table}-{state['hand']}/deal").status_code == 200


def test_a_hand_that_is_over_when_a_table_is_closed_is_kept_once(tmp_path):
    with service(tmp_path) as client:
        ada = Person(client, "Ada")
        table = ada.table(sit=False, agents=["call", "call"], pace={"paused": False, "move_seconds": 0})
        until(lambda: ada.state(table), lambda told: told["result"] is not None)
        ada.post(f"/tables/{table}/close")
        assert [hand.hand.number for hand in kept_hands(client, table)] == [1]


def test_a_paused_table_of_agents_is_closed_with_its_hand(tmp_path):
    with service(tmp_path) as client:
        ada = Person(client, "Ada")
        table = ada.table(sit=False, agents=["call", "call"], pace={"paused": True})
        until(lambda: ada.state(table), lambda told: told["playing"])
        ada.post(f"/tables/{table}/close")
        assert [hand.hand.number for hand in kept_hands(client, table)] == [1]
        assert client.get(f"{BASE}/hands/{table}-1").status_code == 200
