"""Errors are in the user's words: no name of a class of ours and no phrase of a library is in any answer."""

import re
from pathlib import Path

import pytest

from felt.server.web.app import create_app
from tests.server.live_helpers import BASE, Guest, service

FOREIGN = re.compile(
    r"[A-Z]\w*(Asked|Told|Message|In)\b|Input should|Field required|Extra inputs|Value error"
    r"|valid (string|integer|dict)|permitted|unable to parse|union|pydantic|\bbody\b"
    r"|model_|_type|\bint\b|\bfloat\b|\bstr\b"
)
WRONG = [None, True, -1, 1.5, 10**30, "", "x" * 3000, [], [[]], {}, {"\x1b[2J": 1}, [1] * 300]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with service(tmp_path_factory.mktemp("data")) as running:
        yield running


def bodies():
    """Every address that takes a body, with the names of its fields."""
    described = create_app(Path("never started")).openapi()
    for path, methods in sorted(described["paths"].items()):
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content:
                name = content["schema"]["$ref"].rpartition("/")[2]
                yield path, method, tuple(described["components"]["schemas"][name]["properties"])


ROUTES = list(bodies())


def in_our_words(answer):
    if answer.status_code < 400:
        return
    message = answer.json()["error"]["message"]
    assert not FOREIGN.search(message), message
    assert "\x1b" not in message and "\n" not in message


@pytest.mark.parametrize(("path", "method", "fields"), ROUTES, ids=[path for path, _, _ in ROUTES])
def test_errors_are_in_the_users_words(client, path, method, fields):
    guest = Guest(client)
    address = re.sub(r"\{\w+\}", "x", path)

    def ask(**sent):
        in_our_words(client.request(method, address, headers=guest.headers, **sent))

    for wrong in (*WRONG, dict.fromkeys(fields)):
        ask(json=wrong)
    for field in fields:
        for wrong in WRONG:
            ask(json={field: wrong})
    ask(content=b"{")
    ask(content=b"agent=ehs")
    ask(content=b"\xff\xfe", params={"since": "x", "wait": "soon"})


@pytest.mark.parametrize(
    ("state", "field", "message"),
    [
        ({"stacks": [200, 200]}, "state.cards", "state.cards: it is missing: give it"),
        ({"stacks": [200, 200], "cards": 5}, "state.cards", "state.cards: 5 is no text: put it in quotes"),
        ({"stacks": [200], "cards": "AsKd"}, "state.stacks", "state.stacks: it has 1 entries: give at least 2"),
        ({"stacks": [0, 9], "cards": "AsKd"}, "state.stacks.0", "state.stacks.0: 0 is too small: give at least 1"),
        ({"stacks": [9, "x"], "cards": "AsKd"}, "state.stacks.1", 'state.stacks.1: "x" is no whole number'),
        ({"stacks": [9, 9], "cards": "AsKd", "card": 1}, "state.card", "state.card: this is not known here: check"),
        ({"stacks": [9, 9], "cards": "AsKd", "parameters": {"ante": "x"}}, "state.parameters.ante", "is no number"),
        ({"stacks": [9, 9], "cards": "AsKd", "moves": [7]}, "state.moves.0", "state.moves.0: 7 is no text"),
        (
            {"stacks": [9, 9], "cards": "AsKd", "moves": [{"move": "show"}]},
            "state.moves.0.move",
            "\"show\" is not one of 'fold', 'call', 'raise' or 'exchange'",
        ),
        ({"phh": 5}, "state.phh", "state.phh: 5 is no text"),
        ("AsKd", "state", 'state: "AsKd" is no object: give one'),
    ],
)
def test_decide_says_which_field_is_wrong_and_why(client, state, field, message):
    error = client.post(f"{BASE}/decide", json={"agent": "call", "state": state}).json()["error"]
    assert error["code"] == "invalid" and error["field"] == field
    assert message in error["message"]


def test_what_is_no_json_is_told_how_to_send_it(client):
    for content in (b"", b"agent=call", b"{"):
        answer = client.post(f"{BASE}/decide", content=content)
        assert answer.status_code == 422 and "'Content-Type: application/json'" in answer.json()["error"]["message"]


def test_a_socket_is_answered_in_the_same_words(client):
    guest = Guest(client)
    with guest.live(guest.table()) as socket:
        socket.receive_json()
        told = {}
        for amount in ("many", -5, 12.5, 10**12, None):
            socket.send_json({"type": "act", "hand": 1, "step": 0, "move": "raise", "amount": amount})
            while (message := socket.receive_json()).get("type") != "refused":
                pass
            told[amount] = message["error"]["message"]
    assert told == {
        "many": 'amount: "many" is no whole number',
        -5: "amount: -5 is too small: give at least 0",
        12.5: "amount: 12.5 is no whole number",
        10**12: "amount: 1000000000000 is too large: give at most 2,000,000,000",
        None: "amount: null is no whole number",
    }


def test_passwords_are_not_repeated(client):
    answer = client.post(f"{BASE}/account/register", json={"name": "Ada", "password": "short"})
    assert answer.json()["error"]["message"] == "password: this has 5 characters: give at least 8"


def test_names_are_refused_in_a_sentence(client):
    error = client.post(f"{BASE}/session", json={"name": "Ada: the first"}).json()["error"]
    assert (error["field"], error["message"]) == ("name", "give a name without ':'")


def test_addresses_that_are_not_there(client):
    assert "nothing at this address" in client.get(f"{BASE}/nothing").json()["error"]["message"]
    assert "not asked in this way" in client.post("/icon.svg").json()["error"]["message"]
