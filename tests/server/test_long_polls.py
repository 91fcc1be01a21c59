"""Requests that wait for events: they end with the session, with the table, and with the service."""

import asyncio
import json
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from felt.server.net.connections import Acceptor
from felt.server.web import serving
from tests.server.attacks import Target, request, watched_table
from tests.server.live_helpers import BASE, Guest, refused, service
from tests.server.serving_helpers import WITHIN, eventually, serving_at, until_cut
from tests.server.test_accounts import PASSWORD, Person
from tests.server.test_service import until
from tests.server.test_serving import Served


def waiting(client, count=1):
    until(lambda: sum(len(room.audience._polls) for room in client.app.state.tables.all()), lambda now: now == count)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with service(tmp_path_factory.mktemp("data")) as running:
        yield running


def test_a_waiting_long_poll_ends_with_its_session(client):
    ada, bo = Guest(client, "Ada"), Guest(client, "Bo")
    table = bo.table(agents=[])
    seq = bo.state(table)["seq"]
    with ThreadPoolExecutor(2) as threads:
        gone = threads.submit(ada.get, f"/tables/{table}/events?since={seq}&wait=30")
        stays = threads.submit(bo.get, f"/tables/{table}/events?since={seq}&wait=30")
        waiting(client, 2)
        ada.client.post(f"{BASE}/account/logout", headers=ada.headers)
        refused(gone.result(WITHIN), 401, "no_session")
        assert not stays.done(), "others wait on"
        bo.post(f"/tables/{table}/leave")
        told = stays.result(WITHIN).json()["messages"]
        assert [message["event"]["text"] for message in told] == ["Bo leaves"]


def test_a_changed_password_ends_long_polls_of_other_browsers(client):
    first, second = Person(client), Person(client)
    first.enter("/account/register", name="Cem", password=PASSWORD)
    second.enter("/account/login", name="Cem", password=PASSWORD)
    table = first.post("/tables", agents=[], private=True).json()["table"]["id"]
    seq = first.get(f"/tables/{table}").json()["seq"]
    with ThreadPoolExecutor(1) as threads:
        gone = threads.submit(second.get, f"/tables/{table}/events?since={seq}&wait=30")
        waiting(client)
        first.enter("/account/password", old=PASSWORD, new="correct horse battery")
        refused(gone.result(WITHIN), 401, "no_session")


def test_who_has_left_a_private_table_is_told_no_more_of_it(client):
    ada, bo = Guest(client, "Ada"), Guest(client, "Bo")
    table = ada.table(agents=[], private=True, sit=False)
    invite = ada.state(table)["table"]["invite"]
    seq = bo.post(f"/tables/{table}/sit", seat=1, invite=invite).json()["seq"]
    with ThreadPoolExecutor(1) as threads:
        gone = threads.submit(bo.get, f"/tables/{table}/events?since={seq}&wait=30")
        waiting(client)
        bo.post(f"/tables/{table}/leave")
        refused(gone.result(WITHIN), 403, "no_invitation")


def half_sent(running):
    """Whether the service has begun to read a request and waits for the rest of it."""
    cycles = [connection.cycle for connection in list(running.server.server_state.connections)]
    return any(cycle is not None and cycle.more_body for cycle in cycles)


def test_a_stop_ends_long_polls_and_half_requests_cleanly(tmp_path, capsys):
    with serving_at(tmp_path) as running:

        async def scenario():
            table, _ = await watched_table(running.target, "Ada", agents=["call"], seats=3, pace=None, sit=True)
            state = {"turn": None}
            async with asyncio.timeout(WITHIN):
                while state["turn"] != 0:  # from then on nothing happens until Ada moves
                    status, _, body = await running.target.ask(f"/tables/{table}")
                    assert status == 200
                    state = json.loads(body)
            seq = state["seq"]
            waiting = asyncio.create_task(running.target.ask(f"/tables/{table}/events?since={seq + 50}&wait=30"))
            polls = [
                asyncio.create_task(running.target.ask(f"/tables/{table}/events?since={seq}&wait=30")) for _ in range(3)
            ]
            assert (await waiting)[0] == 200
            reader, writer = await running.target.connect()
            writer.write(request("/session", {"name": "Bo"})[:-3])
            await eventually(lambda: len(running.server.server_state.tasks) == 4 and half_sent(running))
            running.server.should_exit = True
            assert [(await poll)[0] for poll in polls] == [200] * 3
            assert await until_cut(reader) == b""
            writer.close()

        asyncio.run(scenario())
        running.stop()
    assert "ERROR" not in (told := capsys.readouterr().err) and "Traceback" not in told, told


def test_a_stop_does_not_wait_for_who_was_about_to_come_in(tmp_path, capsys, monkeypatch):
    let_in = Acceptor._let_in

    def let_in_and_close(acceptor, *client):
        let_in(acceptor, *client)
        acceptor._loop.call_soon(acceptor.close)  # after the socket became a connection, before that is in use

    monkeypatch.setattr(Acceptor, "_let_in", let_in_and_close)
    with serving_at(tmp_path) as running:

        async def scenario():
            reader, writer = await running.target.connect()
            writer.write(request("/session", {"name": "Bo"})[:-3])
            assert await until_cut(reader) == b""
            writer.close()
            await eventually(lambda: not running.server.server_state.connections and not len(running.server.counts))

        asyncio.run(scenario())
        running.stop()
    assert "ERROR" not in (told := capsys.readouterr().err), told


def test_a_decision_that_cannot_be_waited_for_is_answered_when_the_service_stops(tmp_path, capsys, monkeypatch):
    gate, inside = threading.Event(), threading.Event()
    monkeypatch.setattr(serving, "GRACE_SECONDS", 0.2)
    monkeypatch.setattr("felt.server.web.routes.decide.think", lambda *_: inside.set() or gate.wait(WITHIN))
    with serving_at(tmp_path) as running:

        async def scenario():
            asked = {"agent": "call", "state": {"stacks": [200, 200], "cards": "AsKd"}, "time_limit": 15}
            asking = asyncio.create_task(running.target.ask("/decide", asked))
            assert await asyncio.to_thread(inside.wait, WITHIN)
            running.server.should_exit = True
            status, headers, body = await asyncio.wait_for(asking, WITHIN)
            assert status == 503 and b'"stopping"' in body and int(headers["retry-after"])

        try:
            asyncio.run(scenario())
        finally:
            gate.set()
        running.stop()
    assert "Cancel 1 running" in (told := capsys.readouterr().err) and "Traceback" not in told, told


@pytest.mark.long
def test_sigterm_ends_long_polls_cleanly(tmp_path, capfd):
    served = Served(tmp_path)
    target = Target(int(served.address.rstrip("/").rpartition(":")[2]))

    async def scenario():
        headers = await target.enter("Ada")
        _, _, body = await target.ask("/tables", {"agents": []}, headers)
        table = body.partition(b'"id":"')[2].partition(b'"')[0].decode()
        _, _, body = await target.ask(f"/tables/{table}", headers=headers)
        seq = int(body.partition(b'"seq":')[2].partition(b",")[0])
        polls = [
            asyncio.create_task(target.ask(f"/tables/{table}/events?since={seq}&wait=30", headers=headers))
            for _ in range(5)
        ]
        await asyncio.sleep(2.0)  # until all of them wait: another process cannot be asked
        assert not any(poll.done() for poll in polls)
        served.process.send_signal(signal.SIGTERM)
        assert [await asyncio.wait_for(poll, WITHIN) for poll in polls]
        assert {(await poll)[0] for poll in polls} == {200}
        assert {(await poll)[2] for poll in polls} == {b'{"messages":[]}'}

    asyncio.run(scenario())
    served.end(signal.SIGTERM)
    assert "Traceback" not in (told := capfd.readouterr().err) and "Cancel" not in told, told
