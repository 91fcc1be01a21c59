"""Requests that are small to send and large to read: bounded before they are, and read beside the event loop."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from felt.server.net.middleware import MOST_ENTRIES
from felt.server.study.study import THREADS
from felt.server.web.routes import decide
from felt.server.web.schemas.decide import NLHE
from tests.server.attacks import BOMB
from tests.server.live_helpers import BASE, Guest, refused, service
from tests.server.test_service import until

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with service(tmp_path_factory.mktemp("data")) as running:
        yield running


def test_decide_with_a_phh_of_nested_keys_is_refused_before_it_is_parsed(client, monkeypatch):
    def parsed(text):
        raise AssertionError("this was parsed")

    monkeypatch.setattr("tomllib.loads", parsed)
    answer = client.post(f"{BASE}/decide", json={"agent": "call", "state": {"phh": BOMB}})
    refused(answer, 422, "bad_state")
    assert "a key of more than" in answer.json()["error"]["message"]


def test_hands_are_read_beside_the_event_loop_and_few_at_a_time(client, monkeypatch):
    right, threads, gate = decide._hand, [], threading.Event()

    def watched(*args):
        threads.append(threading.current_thread())
        assert gate.wait(20)
        return right(*args)

    monkeypatch.setattr(decide, "_hand", watched)
    with ThreadPoolExecutor(8) as asking:
        answers = [asking.submit(client.post, f"{BASE}/decide", json=NLHE) for _ in range(8)]
        until(lambda: len(threads), lambda count: count == THREADS)
        assert client.get(f"{BASE}/health").status_code == 200, "nobody else waits"
        assert len(threads) == THREADS
        gate.set()
        assert {answer.result().status_code for answer in answers} == {200}
    assert len(set(threads)) <= THREADS and all(thread.name.startswith("felt-slow") for thread in threads)


@pytest.mark.parametrize(
    "body",
    [
        {"agent": "call", "state": {f"k{number}": 1 for number in range(MOST_ENTRIES)}},
        {"agent": "call", "state": {"stacks": [1, 1], "cards": "AsKd", "moves": [1] * MOST_ENTRIES}},
        {"agent": "call", "state": [[1] * 300, [[1]] * 100]},
        [1] * 30_000,
    ],
    ids=["names", "moves", "lists in lists", "numbers"],
)
def test_a_request_with_thousands_of_mistakes_is_not_read(client, monkeypatch, body):
    """Each mistake would be put into words, on the event loop."""
    monkeypatch.setattr("felt.server.web.errors.validation_told", lambda *_: pytest.fail("this was read"))
    refused(client.post(f"{BASE}/decide", content=json.dumps(body), headers=JSON), 413, "too_large")


def test_what_is_long_but_one_value_is_read(client):
    phh = "# " + ",".join("x" * 5000) + "\n"
    answer = client.post(f"{BASE}/decide", json={"agent": "call", "state": {"phh": phh}})
    refused(answer, 422, "bad_state")
    answer = client.post(f"{BASE}/decide", content=b"," * 5000, headers=JSON)
    assert answer.status_code == 422, "it is no JSON, which is said by who reads it"


def test_a_long_address_and_long_headers_are_not_read(client):
    query = "&".join(f"a{number}=1" for number in range(3000))
    assert client.get(f"{BASE}/hands?{query}").status_code == 431
    cookies = "; ".join(f"a{number}=1" for number in range(3000))
    refused(client.get(f"{BASE}/me", headers={"Cookie": cookies}), 431, "too_large")
    ada = Guest(client)
    with pytest.raises(Exception) as denied, client.websocket_connect(f"{BASE}/tables/x/live?{query}"):
        pass
    assert denied.value.status_code == 431 and ada.get("/me").status_code == 200
