"""Who asks, when a proxy asks for them; and how often who may ask."""

import logging
from dataclasses import replace

import pytest

from felt.cli.app import run
from felt.errors import FeltError
from felt.server.net.limits import Limits
from felt.server.net.proxies import MOST_HOPS, Proxies, _hops
from felt.server.web import serving
from tests.server.live_helpers import BASE, MANY, Guest, refused, service
from tests.server.test_clients import coming_from

PROXY = "192.0.2.1"
ASKED = {"agent": "call", "state": {"stacks": [200, 200], "cards": "AsKd"}}


def seen(client, headers):
    """As who, and over what, a request from the proxy is taken."""
    scopes = []

    async def look(scope, receive, send):
        scopes.append(scope)
        await right(scope, receive, send)

    outermost = client.app.middleware_stack.app  # after the one that answers for faults
    while type(outermost).__name__ != "ForwardedFor":
        outermost = outermost.app
    right, outermost._app = outermost._app, look
    try:
        with coming_from(client, PROXY):
            assert client.get(f"{BASE}/health", headers=headers).status_code == 200
    finally:
        outermost._app = right
    return scopes[0]["client"][0], scopes[0]["scheme"]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with service(tmp_path_factory.mktemp("data"), proxies=Proxies([PROXY, "10.0.0.0/8"])) as running:
        yield running


@pytest.mark.parametrize(
    ("headers", "host", "scheme"),
    [
        ({}, PROXY, "http"),
        ({"X-Forwarded-For": "198.51.100.7"}, "198.51.100.7", "http"),
        (
            {"X-Forwarded-For": "203.0.113.5, 198.51.100.7"},
            "198.51.100.7",
            "http",
        ),  # the first is the client's own word
        ({"X-Forwarded-For": "198.51.100.7, 10.1.1.1"}, "198.51.100.7", "http"),
        ({"X-Forwarded-For": "10.2.2.2, 10.1.1.1"}, "10.2.2.2", "http"),
        ({"X-Forwarded-For": "198.51.100.7:4711", "X-Forwarded-Proto": "https"}, "198.51.100.7", "https"),
        ({"X-Forwarded-For": "2001:db8::7"}, "2001:db8::7", "http"),
        ({"Forwarded": 'for="[2001:db8::7]:4711";proto=https'}, "2001:db8::7", "https"),
        ({"Forwarded": "for=203.0.113.5, For=198.51.100.7;by=203.0.113.60"}, "198.51.100.7", "http"),
        ({"Forwarded": "for=198.51.100.7", "X-Forwarded-For": "198.51.100.7"}, "198.51.100.7", "http"),
        ({"Forwarded": "for=203.0.113.5", "X-Forwarded-For": "198.51.100.7"}, PROXY, "http"),  # one is forged
        ({"Forwarded": "for=unknown"}, PROXY, "http"),
        ({"Forwarded": ";;=,"}, PROXY, "http"),
        ({"X-Forwarded-For": "198.51.100.7, nonsense"}, PROXY, "http"),
        ({"X-Forwarded-For": ""}, PROXY, "http"),
    ],
)
def test_a_trusted_proxy_says_for_whom_it_asks(client, headers, host, scheme):
    assert seen(client, headers) == (host, scheme)


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded"])
def test_of_thousands_of_forged_proxies_only_the_last_are_read(monkeypatch, name):
    """They are read before anybody is counted: 60 kB of commas would keep the service busy for a tenth of a second."""
    read = []
    monkeypatch.setattr("felt.server.net.proxies._host", lambda text: read.append(text) or text)
    last = "198.51.100.7" if name == "X-Forwarded-For" else "for=198.51.100.7"
    scope = {"headers": [(name.lower().encode(), f"{',' * 30_000}{last}".encode())] * 2}
    assert any(hops and hops[-1].host == "198.51.100.7" for hops in _hops(scope))
    assert len(read) <= MOST_HOPS


def test_limits_count_whom_a_trusted_proxy_asks_for(tmp_path):
    limits = replace(MANY, decisions=0.001, decisions_at_once=1)
    with service(tmp_path, limits=limits, proxies=Proxies([PROXY])) as client, coming_from(client, PROXY):
        for number in range(1, 4):
            headers = {"X-Forwarded-For": f"198.51.100.{number}"}
            assert client.post(f"{BASE}/decide", json=ASKED, headers=headers).status_code == 200
            answer = client.post(f"{BASE}/decide", json=ASKED, headers=headers)
            refused(answer, 429, "too_fast")
            assert 900 < int(answer.headers["retry-after"]) <= 1000
        with coming_from(client, "192.0.2.9"):
            for host in ("198.51.100.7", "198.51.100.8"):  # whatever they say: they are not the proxy
                answer = client.post(f"{BASE}/decide", json=ASKED, headers={"X-Forwarded-For": host})
            refused(answer, 429, "too_fast")


def test_decide_has_no_rate_limit_on_ones_own_machine(tmp_path):
    own = Limits().for_own_machine()
    with service(tmp_path, limits=replace(own, decisions_at_once=2)) as client:
        for _ in range(5):
            assert client.post(f"{BASE}/decide", json=ASKED).status_code == 200
        through = {"X-Forwarded-For": "198.51.100.7"}
        answers = [client.post(f"{BASE}/decide", json=ASKED, headers=through) for _ in range(4)]
        refused(answers[-1], 429, "too_fast")


@pytest.mark.parametrize(
    ("host", "proxies", "rate", "decisions", "requests"),
    [
        ("127.0.0.1", [], None, None, None),
        ("::1", [], None, None, None),
        ("localhost", [], None, None, None),
        ("127.0.0.1", [], 2.0, 2.0, None),
        ("127.0.0.1", ["127.0.0.1"], None, 5.0, 100.0),
        ("0.0.0.0", [], None, 5.0, 100.0),
        ("192.0.2.7", [], 0.0, None, 100.0),
    ],
)
def test_how_often_agents_may_be_asked(host, proxies, rate, decisions, requests):
    limits = serving._usual_limits(host, Proxies(proxies), rate)
    assert (limits.decisions, limits.requests) == (decisions, requests)


def test_a_proxy_that_is_not_trusted_is_spoken_of_once(tmp_path, caplog):
    with service(tmp_path) as client, caplog.at_level(logging.WARNING), coming_from(client, "127.0.0.1"):
        for _ in range(3):
            client.get(f"{BASE}/health", headers={"Forwarded": "for=198.51.100.7"})
    assert caplog.text.count("--trusted-proxy 127.0.0.1") == 1


def test_one_address_cannot_ask_for_everything(tmp_path, monkeypatch):
    monkeypatch.setattr("felt.server.net.middleware.HOLD_SECONDS", 0.0)
    with service(tmp_path, limits=replace(MANY, requests=0.5, requests_at_once=6)) as client:
        ada = Guest(client)
        answers = [ada.get("/tables") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]
        refused(answers[-1], 429, "too_fast")
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 2
        with pytest.raises(Exception) as denied, ada.live("none"):
            pass
        assert denied.value.status_code == 429
        with coming_from(client, "192.0.2.9"):
            assert Guest(client, "Bo").get("/tables").status_code == 200


@pytest.mark.parametrize("text", ["nonsense", "10.0.0.1/8", ""])
def test_what_is_no_address_of_a_proxy(tmp_path, text, capsys):
    with pytest.raises(FeltError):
        Proxies([text])
    assert run(["serve", "--no-open", "--data", str(tmp_path), "--trusted-proxy", text]) == 2
    told = capsys.readouterr().err
    assert f"--trusted-proxy {text!r}: give the address" in told and told.count("\n") == 1


@pytest.mark.parametrize("rate", ["nan", "inf", "-1"])
def test_what_is_no_rate(tmp_path, rate, capsys):
    assert run(["serve", "--no-open", "--data", str(tmp_path), "--decide-rate", rate]) == 2
    told = capsys.readouterr().err
    assert "--decide-rate" in told and told.count("\n") == 1
