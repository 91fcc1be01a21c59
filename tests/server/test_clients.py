"""How much clients may ask for: each of them, all at one address, and whatever takes long."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest

from felt.server.net.limits import Allowance, Limits, household
from felt.server.study.study import Cost
from tests.server.live_helpers import BASE, MANY, Guest, read, refused, service
from tests.server.test_accounts import PASSWORD, Person
from tests.server.test_service import until


@contextmanager
def coming_from(client, host):
    """The client's requests come from another address."""
    transport = client._transport
    transport.client, before = (host, 50000), transport.client
    yield
    transport.client = before


def test_addresses_are_counted_by_household():
    assert household("2001:db8:0:1::7") == household("2001:db8:0:1:ffff::1") != household("2001:db8:0:2::7")
    assert household("fe80::1%eth0") == "fe80::/64" and household("somewhere") == "somewhere"
    assert household("::ffff:10.0.0.1") == household("10.0.0.1") != household("10.0.0.2")


def test_what_costs_more_takes_more():
    allowance = Allowance(rate=1.0, at_once=10)
    assert [allowance.take("Ada", 4.0, now=0.0) for _ in range(3)] == [True, True, False]
    assert allowance.take("Ada", 2.0, now=0.0) and not allowance.take("Ada", 100.0, now=9.0)
    assert allowance.take("Ada", 100.0, now=10.0), "what costs more than there ever is costs all of it"


def test_many_names_at_one_address_are_charged_together(tmp_path):
    limits = replace(MANY, changes=0.0, changes_at_once=1, studies=0.0, studies_at_once=1)
    with service(tmp_path, limits=limits) as client:
        guests = [Guest(client, f"G{number}") for number in range(12)]
        for asked in (lambda guest: guest.get("/hands"), lambda guest: guest.post("/tables", agents=[])):
            answers = [asked(guest) for guest in guests]
            assert [answer.status_code < 300 for answer in answers] == [True] * 10 + [False] * 2
            refused(answers[-1], 429, "too_fast")
            with coming_from(client, "192.0.2.7"):
                assert asked(guests[-1]).status_code == 429, "their own"
                assert asked(Guest(client, "Somebody else")).status_code < 300


def test_dear_questions(tmp_path):
    with service(tmp_path, limits=replace(MANY, studies=0.0, studies_at_once=int(Cost.ALL_HANDS + 1))) as client:
        ada = Guest(client)
        assert ada.get("/hands.phhs").status_code == 200
        refused(ada.get("/hands.phhs"), 429, "too_fast")
        assert ada.get("/hands").status_code == 200
        refused(ada.get("/hands"), 429, "too_fast")


def test_who_waits_for_much_waits_alone(tmp_path, monkeypatch):
    """One client fills neither the threads of the others nor the queue, and everything else goes on."""
    gate, inside = threading.Event(), threading.Semaphore(0)

    def slow(*_, **__):
        inside.release()
        assert gate.wait(20)
        return []

    monkeypatch.setattr("felt.server.web.routes.hands.hands_before", slow)
    with service(tmp_path) as client, ThreadPoolExecutor(MANY.studies_waiting + 2) as threads:
        ada, bo = Guest(client, "Ada"), Guest(client, "Bo")
        waiting = [threads.submit(ada.get, "/hands.phhs") for _ in range(MANY.studies_waiting)]
        for _ in range(2):
            assert inside.acquire(timeout=20)
        until(lambda: client.app.state.study._asked._clients.total(), lambda count: count == MANY.studies_waiting)
        refused(ada.get("/hands"), 429, "too_fast")
        table = bo.table(agents=[])
        assert bo.state(table)["you"] == 0, "tables go on"
        others = threads.submit(bo.get, "/hands")
        until(lambda: client.app.state.study._asked._clients.total(), lambda count: count > MANY.studies_waiting)
        gate.set()
        assert [one.result().status_code for one in (*waiting, others)] == [200] * (MANY.studies_waiting + 1)
        assert not client.app.state.study._asked._clients and not client.app.state.study._asked._addresses


def test_agents_think_for_everybody_in_turn(tmp_path, monkeypatch):
    gate, inside = threading.Event(), threading.Event()
    monkeypatch.setattr("felt.server.web.routes.decide.think", lambda *_: inside.set() or (gate.wait(20) and 1 / 0))
    asked = {"agent": "call", "state": {"stacks": [200, 200], "cards": "AsKd"}, "time_limit": 15}
    with service(tmp_path, limits=replace(MANY, decisions_waiting=2)) as client, ThreadPoolExecutor(4) as threads:
        ada = Guest(client)
        waiting = [threads.submit(ada.post, "/decide", **asked) for _ in range(2)]
        assert inside.wait(20)
        until(lambda: client.app.state.study._deciding._clients.total(), lambda count: count == 2)
        refused(ada.post("/decide", **asked), 429, "too_fast")
        others = threads.submit(client.post, f"{BASE}/decide", json=asked)
        until(lambda: client.app.state.study._deciding._clients.total(), lambda count: count == 3)
        gate.set()
        assert [one.result().json()["fallback"][:6] for one in (*waiting, others)] == ["failed"] * 3


def test_what_fails_in_a_thread_is_answered(tmp_path, monkeypatch):
    monkeypatch.setattr("felt.server.web.routes.hands.hands_before", lambda *_, **__: 1 / 0)
    with service(tmp_path) as client:
        refused(Guest(client).get("/hands"), 500, "internal")


@pytest.mark.parametrize("when", ["0001-01-01T00:00:00%2B01:00", "9999-12-31T23:59:59-01:00"])
def test_times_beyond_all_years(tmp_path, when):
    with service(tmp_path) as client:
        refused(Guest(client).get(f"/hands?before={when}"), 422, "before")


def test_somebody_elses_attempts_do_not_lock_out(tmp_path):
    with service(tmp_path, limits=Limits(logins=0.0, logins_at_once=3)) as client:
        ada = Person(client)
        ada.enter("/account/register", name="Ada", password=PASSWORD)
        for attempt in range(8):
            answer = Person(client).post("/account/login", name="Ada", password="guess")
            refused(answer, *((401, "wrong_password") if attempt < 3 else (429, "too_fast")))
        with coming_from(client, "192.0.2.7"):
            Person(client).enter("/account/login", name="Ada", password=PASSWORD)
        for number in range(2, 11):
            with coming_from(client, f"192.0.2.1{number}"):
                for _ in range(3):
                    Person(client).post("/account/login", name="Ada", password="guess")
        with coming_from(client, "192.0.2.8"):
            refused(Person(client).post("/account/login", name="Ada", password=PASSWORD), 429, "too_fast")


def test_sockets_and_waiting_requests_are_counted(tmp_path):
    with service(tmp_path, limits=replace(MANY, sockets=1)) as client:
        ada, bo = Guest(client, "Ada"), Guest(client, "Bo")
        table = ada.table(agents=[])
        with ada.live(table) as socket:
            seq = read(socket)["seq"]
            with pytest.raises(Exception) as denied, ada.live(table):
                pass
            refused(denied.value, 429, "too_many_connections")
            refused(ada.get(f"/tables/{table}/events?since={seq}&wait=1"), 429, "too_many_connections")
            assert ada.get(f"/tables/{table}/events?since={seq}").status_code == 200, "who does not wait holds nothing"
            with bo.live(table) as other:
                assert read(other)["seq"] == seq
        until(lambda: client.app.state.open._clients.total(), lambda count: count == 0)
        with ada.live(table) as socket:
            assert read(socket)["seq"] >= seq
        with client.websocket_connect(f"{BASE}/tables/{table}/live") as socket:
            assert read(socket)["state"]["you"] == -1
