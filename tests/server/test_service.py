"""The service: hands over WebSocket and over plain HTTP, and everything that is refused."""

import time

import pytest

from felt.server.net.limits import Limits
from felt.server.tables.settings import Pace
from tests.server.live_helpers import BASE, Guest, plain_move, read, refused, service

NASTY = "<b>'; DROP TABLE hands--"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with service(tmp_path_factory.mktemp("data")) as running:
        yield running


def until(ask, what, seconds=10.0):
    """Ask until something holds."""
    end = time.monotonic() + seconds
    while not what(found := ask()):
        assert time.monotonic() < end, found
        time.sleep(0.005)
    return found


def test_hands_over_a_websocket(client):
    ada = Guest(client)
    table = ada.table()
    results, last = [], None
    with ada.live(table) as socket:
        while len(results) < 5:
            message = read(socket)
            assert last is None or message["seq"] == last + 1 or message["event"]["kind"] == "snapshot"
            last, state = message["seq"], message["state"]
            assert state["seq"] == last and state["you"] == 0
            if message["event"]["kind"] == "result":
                results.append(state)
            if state["turn"] == 0 and message["seq"] >= ada.state(table)["seq"]:
                socket.send_json({"type": "act", **plain_move(state)})
    for state in results:
        assert sum(state["result"]["payoffs"]) == 0 and "wins" in state["result"]["text"]
        assert len(state["deal"]["commitment"]) == 64
        assert len(state["board"]) == 5 and any("shows" in line for line in state["log"])


@pytest.mark.parametrize("game", ["nlhe", "five-card-draw", "stud", "anaconda", "roll-your-own", "omaha8", "kuhn"])
def test_hands_over_plain_http(client, game):
    ada = Guest(client, NASTY)
    table = ada.table(game=game, agents=["ehs" if game == "nlhe" else "random"], stack=0)
    played = 0
    while played < 3:
        state = until(lambda: ada.state(table), lambda told: told["turn"] == 0 or told["seats"][0]["stack"] == 0)
        if state["turn"] != 0:
            if not state["playing"]:
                ada.post(f"/tables/{table}/rebuy")
            continue
        played = state["hand"]
        assert ada.post(f"/tables/{table}/act", **plain_move(state)).status_code in (200, 409)
    assert state["seats"][0]["name"] == NASTY


def test_long_polling_tells_what_happened(client):
    ada = Guest(client)
    table = ada.table(agents=[], seats=2)
    first = ada.get(f"/tables/{table}/events").json()["messages"]
    assert [message["event"]["kind"] for message in first] == ["snapshot"]
    seq = first[0]["seq"]
    assert ada.get(f"/tables/{table}/events?since={seq}&wait=0.01").json() == {"messages": []}
    bo = Guest(client, "Bo")
    assert bo.post(f"/tables/{table}/sit", seat=1).status_code == 200
    told = until(lambda: ada.get(f"/tables/{table}/events?since={seq}&wait=1").json()["messages"], len)
    assert told[0]["event"] == {"kind": "seat", "seat": 1, "text": "Bo sits down"} and told[0]["seq"] == seq + 1
    assert ada.get(f"/tables/{table}/events?since=999999").json()["messages"][0]["event"]["kind"] == "snapshot"


def test_two_people_at_one_table(client):
    ada, bo = Guest(client, "Ada"), Guest(client, "Ada")
    table = ada.table(agents=[], private=True)
    invite = ada.state(table)["table"]["invite"]
    assert table not in [one["id"] for one in bo.get("/tables").json()]
    refused(bo.post(f"/tables/{table}/sit", seat=1), 403, "no_invitation")
    refused(bo.post(f"/tables/{table}/sit", seat=1, invite="é"), 403, "no_invitation")
    state = bo.post(f"/tables/{table}/sit", seat=1, invite=invite).json()
    assert state["you"] == 1 and state["seats"][1]["name"] == "Ada 2"
    refused(bo.post(f"/tables/{table}/sit", seat=0, invite=invite), 409, "seated")
    state = until(lambda: ada.state(table), lambda told: told["playing"])
    actor, other = (ada, bo) if state["turn"] == 0 else (bo, ada)
    move = {"hand": 1, "step": 0, "move": "call"}
    refused(other.post(f"/tables/{table}/act", **move), 409, "not_your_turn")
    assert actor.state(table)["legal"]["call"] == 1 and other.state(table)["legal"] is None
    assert [len(seat["cards"]) for seat in ada.state(table)["seats"]] == [2, 0]
    watched = Guest(client).get(f"/tables/{table}?invite={invite}").json()
    assert [len(seat["cards"]) for seat in watched["seats"]] == [0, 0] and watched["table"]["invite"] is None
    assert actor.post(f"/tables/{table}/act", **move).status_code == 200
    refused(actor.post(f"/tables/{table}/act", **move), 409, "stale")
    refused(actor.post(f"/tables/{table}/act", **{**move, "hand": 9}), 409, "stale")
    assert [seat["table"] for seat in ada.get("/me").json()["seats"]] == [table]
    state = ada.post(f"/tables/{table}/leave").json()
    assert state["seats"][0]["leaving"]  # and folds or checks at once when it is her turn
    while bo.state(table)["playing"]:
        if (state := bo.state(table))["turn"] == 1:
            bo.post(f"/tables/{table}/act", **plain_move(state))
    until(lambda: ada.state(table), lambda told: told["seats"][0] is None)


def test_presets_and_words(client):
    ada = Guest(client)
    table = ada.table(agents=["call"])
    state = until(lambda: ada.state(table), lambda told: told["turn"] == 0)
    while state["street"] == 0:
        ada.post(f"/tables/{table}/act", **plain_move(state))
        state = until(lambda: ada.state(table), lambda told: told["turn"] == 0)
    assert state["pot"] == 4 and len(state["board"]) == 3 and state["hold"]
    assert [preset["label"] for preset in state["presets"]] == ["½ pot", "⅔ pot", "pot", "all-in"]
    assert [preset["amount"] for preset in state["presets"]] == [2, 3, 4, 198]
    assert 0 < state["deadline_ms"] <= 15000
    refused(
        ada.post(f"/tables/{table}/act", hand=state["hand"], step=state["step"], move="raise", amount=1), 400, "illegal"
    )
    assert (
        ada.post(f"/tables/{table}/act", hand=state["hand"], step=state["step"], move="raise", amount=4).status_code
        == 200
    )
    state = ada.state(table)
    assert any("Ada bets 4" in line for line in state["log"]) or state["hand"] > 1


def test_time_is_up_and_an_absent_player_sits_out(tmp_path):
    with service(tmp_path, pace=Pace(after_hand=0.0, agent=0.0, present=0.5)) as client:
        ada = Guest(client)
        table = ada.table(time_limit=0.2, time_bank=0)
        seen = []
        with ada.live(table) as socket:
            while "expired" not in seen:
                seen.append(read(socket)["event"]["kind"])
        state = until(lambda: Guest(client).state(table), lambda told: told["seats"][0]["away"])
        assert not state["playing"] or state["seats"][0]["leaving"] is False
        assert ada.post(f"/tables/{table}/away", away=False).json()["seats"][0]["away"] is False


def test_reconnect_with_since(client):
    ada = Guest(client)
    table = ada.table(agents=["call"], time_limit=60)
    state = until(lambda: ada.state(table), lambda told: told["turn"] == 0)
    with ada.live(table) as socket:
        seq = read(socket)["seq"]
    ada.post(f"/tables/{table}/act", **plain_move(state))
    with ada.live(table, since=seq) as socket:
        first = read(socket)
        assert first["seq"] == seq + 1 and first["event"]["kind"] == "move" and first["event"]["seat"] == 0
    with ada.live(table, since=10**9) as socket:
        assert read(socket)["event"]["kind"] == "snapshot"


def test_what_is_refused_over_a_websocket(client):
    ada = Guest(client)
    table = ada.table(time_limit=60)
    until(lambda: ada.state(table), lambda told: told["turn"] == 0)

    def answers(*texts, who=ada):
        with who.live(table, since=10**9) as socket:
            read(socket)
            for text in texts:
                socket.send_text(text)
                yield socket.receive_json()

    wrong = ["{", "[1]", "[" * 4000, "x" * 5000, '{"type": "dance"}', '{"type":"act","hand":1,"step":0,"move":"bow"}']
    wrong += ['{"type":"act","hand":1,"step":0,"move":"raise","amount":' + "9" * 4000 + "}", '{"type":"act","hand":-1}']
    wrong += ['{"type":"act","hand":77,"step":0,"move":"call"}', '{"type":"act","hand":1e3,"step":0,"move":"\\ud800"}']
    codes = []
    for answer in answers(*wrong):
        assert answer["type"] == "refused" and set(answer["error"]) == {"code", "message", "field"}
        codes.append(answer["error"]["code"])
    assert codes == ["malformed"] * 3 + ["too_large"] + ["invalid"] * 4 + ["stale", "invalid"]
    (pong,) = answers('{"type":"ping"}')
    assert pong == {"type": "pong"}
    stranger = Guest(client, "Eve")
    (answer,) = answers('{"type":"act","hand":1,"step":0,"move":"call"}', who=stranger)
    assert answer["error"]["code"] == "not_seated" and answer["hand"] == 1
    stranger.key = "nobody"
    (answer,) = answers('{"type":"act","hand":1,"step":0,"move":"call"}', who=stranger)
    assert answer["error"]["code"] == "no_session"


def test_what_is_refused_over_http(client):
    ada, eve = Guest(client), Guest(client, "Eve")
    table = ada.table(time_limit=60)
    until(lambda: ada.state(table), lambda told: told["turn"] == 0)
    act = f"{BASE}/tables/{table}/act"
    move = {"hand": 1, "step": 0, "move": "call"}
    refused(client.post(act, json=move), 401, "no_session")
    refused(client.post(act, json=move, headers={**ada.headers, "X-Felt-Token": b"\xe9"}), 403, "wrong_token")
    refused(client.post(act, json=move, headers={**ada.headers, "X-Felt-Token": eve.me["token"]}), 403, "wrong_token")
    refused(client.post(act, json=move, headers={**ada.headers, "Origin": "https://evil.org"}), 403, "foreign_origin")
    refused(client.post(act, json=move, headers={**ada.headers, "Origin": "null"}), 403, "foreign_origin")
    refused(eve.post(f"/tables/{table}/act", **move), 403, "not_seated")
    refused(client.post(act, content="{", headers=ada.headers), 422, "invalid")
    refused(client.post(act, content=b"x" * 70000, headers=ada.headers), 413, "too_large")
    refused(client.post(act, content=(b"x" * 10000 for _ in range(8)), headers=ada.headers), 413, "too_large")
    refused(ada.post(f"/tables/{table}/act", **{**move, "amount": 10**30}), 422, "invalid")
    refused(ada.post(f"/tables/{table}/act", **{**move, "cards": "\ud800"}), 422, "invalid")
    refused(ada.post(f"/tables/{table}/act", **move, extra=1), 422, "invalid")
    refused(ada.get("/tables/none"), 404, "no_table")
    refused(ada.get(f"/tables/{table}/events?since=x"), 422, "invalid")
    refused(client.get(f"{BASE}/nothing"), 404, "not_found")
    refused(client.delete(f"{BASE}/me"), 405, "not_allowed")
    refused(client.post(f"{BASE}/session", json={"name": "  "}), 422, "invalid")
    refused(client.post(f"{BASE}/session", content=rb'{"name": "\ud800"}'), 422, "invalid")
    refused(client.post(f"{BASE}/session", json={"name": "Ada"}, headers={"Origin": "http://x"}), 403, "foreign_origin")


@pytest.mark.parametrize(
    ("options", "status", "code"),
    [
        ({"game": "whist"}, 400, "invalid"),
        ({"game": "\ud800"}, 422, "invalid"),
        ({"seats": 1}, 422, "invalid"),
        ({"game": "stud", "seats": 9}, 400, "seats"),
        ({"agents": ["./bot.py:Bot"]}, 400, "no_agent"),
        ({"agents": ["strategy"]}, 400, "no_agent"),
        ({"agents": ["chen"], "game": "stud"}, 400, "no_agent"),
        ({"agents": ["call"] * 3}, 400, "seats"),
        ({"parameters": {"name": 1}}, 400, "parameters"),
        ({"parameters": {"\ud800": 1}}, 422, "invalid"),
        ({"parameters": {"big_blind": 1e300}}, 400, "invalid"),
        ({"parameters": {"big_blind": -1}}, 400, "invalid"),
        ({"parameters": {"big_blind": [1]}}, 422, "invalid"),
        ({"stack": 10**12}, 422, "invalid"),
        ({"time_limit": 0}, 422, "invalid"),
    ],
)
def test_tables_that_are_refused(client, options, status, code):
    refused(Guest(client).post("/tables", **{"agents": ["call"], **options}), status, code)


def test_too_many_requests_are_refused(tmp_path):
    with service(tmp_path, limits=Limits(changes=0.0, changes_at_once=3, sessions=0.0, sessions_at_once=2)) as client:
        ada = Guest(client)
        table = ada.table(agents=[])
        for _ in range(2):
            assert ada.post(f"/tables/{table}/away").status_code == 200
        refused(ada.post(f"/tables/{table}/away"), 429, "too_fast")
        Guest(client, "Bo")
        refused(client.post(f"{BASE}/session", json={"name": "Ada"}), 429, "too_fast")


def test_catalogue_and_page(client):
    assert client.get(f"{BASE}/health").json()["ok"]
    games = {game["name"]: game for game in client.get(f"{BASE}/variants").json()}
    assert games["nlhe"]["blinds"] == [1, 2] and games["nlhe"]["structure"] == "no-limit"
    agents = {agent["name"]: agent for agent in client.get(f"{BASE}/agents").json()}
    assert agents["ehs"]["games"] is None and "strategy" not in agents
    assert "Felt" in client.get("/").text
    paths = client.get(f"{BASE}/openapi.json").json()["paths"]
    assert "/api/v1/tables/{table}/act" in paths


def test_agents_only_are_watched(client):
    ada = Guest(client)
    table = ada.table(agents=["random", "call", "ehs"], seats=3, sit=False)
    with ada.live(table) as socket:
        kinds = [read(socket)["event"]["kind"] for _ in range(60)]
    assert kinds.count("deal") >= 2 and "result" in kinds


def test_a_tournament_has_a_winner(client):
    ada = Guest(client)
    table = ada.table(agents=["allin", "allin"], sit=False, tournament=True, hands_per_level=1, stack=20)
    state = until(lambda: ada.state(table), lambda told: told["winner"] is not None)
    assert state["seats"][state["winner"]]["stack"] == 40
