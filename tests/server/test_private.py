"""Private tables are for who sits there, who has set them up and who is invited; and how many anybody may have."""

import pytest
from starlette.testclient import WebSocketDenialResponse

from felt.server.tables.registry import MOST_OWNED, MOST_SEATS_EACH
from felt.server.tables.viewer_state import info
from tests.server.live_helpers import BASE, Guest, refused, service

AGENTS = {"agents": ["call", "call"], "sit": False, "private": True}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with service(tmp_path_factory.mktemp("private")) as client:
        yield client


def test_a_private_table_is_seen_with_its_invitation(client):
    ada, bo = Guest(client, "Ada"), Guest(client, "Bo")
    table = ada.table(agents=[], private=True)
    invite = ada.state(table)["table"]["invite"]
    for path in ("", "/events", "/statistics"):
        assert ada.get(f"/tables/{table}{path}").status_code == 200
        for question in ("", "?invite=wrong", "?invite=%C3%A9"):
            refused(bo.get(f"/tables/{table}{path}{question}"), 403, "no_invitation")
            refused(client.get(f"{BASE}/tables/{table}{path}{question}"), 403, "no_invitation")
        assert bo.get(f"/tables/{table}{path}?invite={invite}").status_code == 200
    for question in ("", "?invite=wrong"):
        with pytest.raises(WebSocketDenialResponse) as denied:
            bo.client.websocket_connect(f"{BASE}/tables/{table}/live{question}", headers=bo.headers).__enter__()
        refused(denied.value, 403, "no_invitation")
    with bo.client.websocket_connect(f"{BASE}/tables/{table}/live?invite={invite}", headers=bo.headers) as socket:
        assert socket.receive_json()["state"]["you"] == -1
    with ada.live(table) as socket:
        assert socket.receive_json()["state"]["you"] == 0


def test_who_has_set_up_a_private_table_of_agents_sees_it_and_its_hands(client):
    ada, bo = Guest(client, "Ada"), Guest(client, "Bo")
    table = ada.table(**AGENTS, pace={"move_seconds": 0, "hand_seconds": 0})
    assert table in [one["id"] for one in ada.get("/tables").json()]
    assert table not in [one["id"] for one in bo.get("/tables").json()]
    with ada.live(table) as socket:
        while socket.receive_json()["state"]["hand"] < 3:
            pass
    found = [hand["id"] for hand in ada.get(f"/hands?table={table}").json()["hands"]]
    assert f"{table}-1" in found and f"{table}-2" in found
    assert ada.get(f"/hands/{table}-1?cards=all").status_code == 200
    assert bo.get(f"/hands?table={table}").json()["hands"] == []
    refused(bo.get(f"/hands/{table}-1"), 404, "no_such_hand")
    assert f"{table}-1" not in [hand["id"] for hand in ada.get("/hands").json()["hands"]]


def test_tables_per_player(client):
    ada, bo = Guest(client, "Ada"), Guest(client, "Bo")
    mine = [ada.table(agents=[], seats=2) for _ in range(MOST_SEATS_EACH)]
    refused(ada.post("/tables", agents=["call"]), 429, "too_many_tables")
    other = bo.table(agents=[], seats=2)
    refused(ada.post(f"/tables/{other}/sit", seat=1), 429, "too_many_tables")
    more = [ada.table(**AGENTS, pace={"paused": True}) for _ in range(MOST_OWNED - MOST_SEATS_EACH)]
    refused(ada.post("/tables", **AGENTS), 429, "too_many_tables")
    assert ada.post(f"/tables/{mine[0]}/leave").status_code == 200
    assert ada.post(f"/tables/{other}/sit", seat=1).status_code == 200
    assert ada.post(f"/tables/{more[0]}/close").status_code == 200
    assert ada.post("/tables", **AGENTS).status_code == 201


def test_a_table_that_cannot_be_told_of_hides_no_other(client, monkeypatch):
    ada = Guest(client, "Ada")
    broken, whole = ada.table(), ada.table()

    def breaks(room, viewer):
        if room.id == broken:
            room.state.settings.rules(99)  # no such stakes
        return info(room, viewer)

    monkeypatch.setattr("felt.server.tables.registry.info", breaks)
    found = [one["id"] for one in ada.get("/tables").json()]
    assert whole in found and broken not in found


@pytest.mark.parametrize(("game", "big_blind"), [("nlhe", 2), ("stud", None), ("kuhn", 1), ("leduc", None)])
def test_tables_say_what_a_big_blind_is(client, game, big_blind):
    told = Guest(client, "Ada").post("/tables", game=game, agents=["random"]).json()["table"]
    assert told["big_blind"] == (big_blind or told["big_blind"]) >= 1
