"""Connections that hold a place and do nothing with it: they are counted by address, and cut."""

import asyncio
import ssl
from dataclasses import replace

import h11
import pytest

from felt.server.net import tls
from felt.server.net.connections import Connections
from felt.server.net.limits import Limits, Patience
from tests.server import attacks
from tests.server.attacks import ATTACKER, Target, frame, read_answer, request, under_attack, upgrade, watched_table
from tests.server.serving_helpers import WITHIN, eventually, serving_at, until_cut

SHORT = Patience(handshake=0.5, header=0.5, body=0.5, upgrade=0.5, idle=1, drain=0.5)
QUICK = Limits(connections=20, patience=SHORT)
HALVES = {
    "nothing": b"",
    "half a header": request("/health")[:-2],
    "half a body": request("/session", {"name": "Ada"})[:-1],
    "half an upgrade": upgrade("none")[:-2],
    "a header after an answer": request("/health") + request("/health")[:-2],
}


async def ends(target: Target, sent: bytes) -> bytes:
    """What is answered until the connection is cut."""
    reader, writer = await target.connect()
    try:
        writer.write(sent)
        return await until_cut(reader)
    finally:
        writer.close()


async def asked(target: Target) -> int:
    return (await target.ask("/health"))[0]


@pytest.mark.parametrize("secure", [False, True], ids=["http", "https"])
def test_idle_and_half_open_connections_are_cut(tmp_path, secure):
    made = tls.self_made(tmp_path, "127.0.0.1") if secure else None
    with serving_at(tmp_path, limits=QUICK, tls=made) as running:
        target = running.target
        if made:
            target = replace(target, tls=ssl.create_default_context(cafile=made.certificate))

        async def scenario():
            waiting = [ends(target, sent) for sent in HALVES.values()]
            if secure:  # and somebody who never begins to speak TLS
                waiting.append(ends(replace(target, tls=None), b""))
            answers = await asyncio.gather(*waiting)
            assert [answer.count(b" 200 ") for answer in answers] == [0, 0, 0, 0, 1, *[0] * secure]
            assert await asked(target) == 200
            await eventually(lambda: not len(running.server.counts))  # every place is free again

        asyncio.run(scenario())


def test_one_address_cannot_keep_others_out(tmp_path):
    with serving_at(tmp_path, limits=replace(QUICK, patience=Patience())) as running:

        async def scenario():
            target, attacker = running.target, replace(running.target, source=ATTACKER)
            held = [await attacker.connect() for _ in range(40)]
            ended = await asyncio.gather(*(closed(reader) for reader, _ in held))
            assert ended.count(False) == 20, "the others were not let in"
            assert await asked(target) == 200
            with pytest.raises((OSError, EOFError)):
                await asked(attacker)
            for _, writer in held:
                writer.close()
            await eventually(lambda: not len(running.server.counts))
            assert await asked(attacker) == 200

        asyncio.run(scenario())


async def closed(reader: asyncio.StreamReader) -> bool:
    try:
        return not await asyncio.wait_for(reader.read(1), 1.0)
    except TimeoutError:
        return False
    except OSError:
        return True


@pytest.mark.long
@pytest.mark.parametrize("name", ["idle", "half-header", "half-body", "half-upgrade"])
def test_1100_connections_of_one_address_keep_nobody_out(tmp_path, name):
    with serving_at(tmp_path) as running:
        told, harm = asyncio.run(under_attack(running.target, attacks.ATTACKS[name], 1100, seconds=3))
        assert told.seconds and not told.failed and harm["opened"] > 600 and harm["cut"]


class Idle:
    """A connection that is not in use."""

    busy = False

    def __init__(self, cut):
        self.transport, self.cut = self, cut

    def abort(self):
        self.cut.append(self)

    def overdue(self, now, patience):
        return False


def test_who_has_most_makes_room_when_all_places_are_taken():
    connections, cut = Connections(Limits(connections=4), most=8), []
    for host in ["192.0.2.1"] * 4 + ["192.0.2.2"] * 2 + ["192.0.2.3"] * 2:
        held = connections.admit(host)
        held.protocol = Idle(cut)
    assert connections.admit("192.0.2.1") is None and not cut, "it has its share"
    for count in (1, 2):
        assert connections.admit("192.0.2.4") and len(cut) == count and len(connections) == 8
    assert connections.admit("192.0.2.4") is None, "nobody has more than it would have"
    assert connections.admit("2001:db8::1") and connections.admit("2001:db8::2") is None, "one household"


def test_a_proxy_is_not_one_address():
    connections = Connections(Limits(connections=1), most=8, proxies={"192.0.2.1"})
    assert all(connections.admit("192.0.2.1") for _ in range(8))


LONG_HEAD = request("/health")[:-2] + b"a:b\r\n" * 10_000 + b"\r\n"


def test_a_header_that_is_too_long_is_not_taken_apart(tmp_path, monkeypatch):
    """Of 60 kB, with ten thousand lines, by itself or behind another request: that took 45 ms of everybody's time."""
    lengths, normalize = [], h11._events.normalize_and_validate

    def counted(headers, **options):
        lengths.append(len(headers))
        return normalize(headers, **options)

    monkeypatch.setattr(h11._events, "normalize_and_validate", counted)
    with serving_at(tmp_path, limits=QUICK) as running:

        async def scenario():
            answers = [await ends(running.target, sent) for sent in (LONG_HEAD, request("/health") + LONG_HEAD)]
            assert answers[0].startswith(b"HTTP/1.1 400 ") and answers[1].count(b" 200 ") <= 1
            body = {"name": "Ada", "more": "x" * 60_000}
            answer = await ends(running.target, request("/session", body))
            assert answer.startswith(b"HTTP/1.1 422 "), "a long body is read as ever"
            assert await asked(running.target) == 200

        asyncio.run(scenario())
    assert max(lengths) < 100


def test_nonsense_does_not_fill_the_log(tmp_path, capsys):
    plain = upgrade("none").replace(b"websocket", b"h2c")
    with serving_at(tmp_path, limits=QUICK) as running:

        async def scenario():
            for sent in (b"nonsense\r\n\r\n", upgrade("none"), plain):
                await asyncio.gather(*(ends(running.target, sent) for _ in range(3)))

        asyncio.run(scenario())
    lines = capsys.readouterr().err.splitlines()
    assert sum("Invalid HTTP request" in line for line in lines) == 1 and len(lines) == len(set(lines)), lines


FLOODS = {
    "messages": frame(1, b'{"type":"ping"}'),
    "pings": frame(9, b"x"),
    "pongs": frame(10, b"x"),
    "empty parts": frame(0, b"", last=False),
}


def test_a_websocket_flood_is_cut(tmp_path):
    limits = Limits(changes=1.0, changes_at_once=10)  # so 20 frames
    with serving_at(tmp_path, limits=limits) as running:

        async def flood(table, kind):
            reader, writer = await running.target.connect()
            writer.write(upgrade(table))
            assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
            if kind == "empty parts":
                writer.write(frame(1, b"", last=False))
            writer.write(FLOODS[kind] * 15)
            await asyncio.sleep(0.3)
            assert not reader.at_eof()
            writer.write(FLOODS[kind] * 200)
            told = await until_cut(reader)
            assert told.endswith(b"\x88\x13\x03\xf0too many messages"), (kind, "it is told why")
            writer.close()

        async def scenario():
            table, _ = await watched_table(running.target, "Ada", pace=None)
            await asyncio.gather(*(flood(table, kind) for kind in FLOODS))
            assert await asked(running.target) == 200

        asyncio.run(scenario())


@pytest.mark.long
def test_who_reads_nothing_is_cut(tmp_path):
    """A follower of a busy table, and somebody who asks for much, read nothing of it."""
    with serving_at(tmp_path, limits=QUICK) as running:

        async def scenario():
            table, _ = await watched_table(running.target, "Ada")
            writers = []
            for sent in (upgrade(table), request("/openapi.json") * 40):
                _, writer = await running.target.connect(receive_buffer=4096)
                writer.transport.pause_reading()
                writer.write(sent)
                writers.append(writer)
            await eventually(lambda: len(running.server.counts) == 2)
            await eventually(lambda: not len(running.server.counts) and not running.server.server_state.tasks)
            for writer in writers:
                writer.transport.abort()

        asyncio.run(scenario())


def test_a_large_answer_is_read_whole(tmp_path):
    """Whoever reads, however late, is not taken for somebody who never does."""
    with serving_at(tmp_path) as running:

        async def scenario():
            reader, writer = await running.target.connect(receive_buffer=4096)
            writer.write(request("/openapi.json"))
            await asyncio.sleep(1.5)
            status, headers, body = await asyncio.wait_for(read_answer(reader), WITHIN)
            assert status == 200 and len(body) == int(headers["content-length"]) > 10_000
            writer.close()

        asyncio.run(scenario())
