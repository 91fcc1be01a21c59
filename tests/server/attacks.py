"""Hostile clients, and what others notice of them: for the tests, the soak and the table in docs/service/hardening.md.

Every attack is a coroutine that attacks a target until an event is set, and returns what came of it. Attackers come
from one address of the loopback network and others from another, so that nothing leaves the machine.

Usage: python -m tests.server.attacks NAME PORT [SECONDS] [CLIENTS] attacks a service on this machine and prints what
others noticed, before and meanwhile.
"""

import asyncio
import json
import os
import socket
import ssl
import struct
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

BASE = "/api/v1"
ATTACKER, OTHER = "127.0.0.66", "127.0.0.2"
PATIENCE = 20.0
"""Seconds after which somebody who asks has been kept out."""
BROKEN = (OSError, EOFError, TimeoutError, ValueError)
BOMB = ".".join("a" * 9_990) + "=1"
"""A key of nearly 10,000 parts, in what `/decide` takes of a hand: 20 kB."""


@dataclass(frozen=True)
class Target:
    """A service, and the address from which it is asked."""

    port: int
    source: str = OTHER
    tls: ssl.SSLContext | None = None

    async def connect(self, *, receive_buffer: int = 0) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A new connection; with a small buffer, whoever sends notices soon that nothing is read."""
        mine = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if receive_buffer:
                mine.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            mine.bind((self.source, 0))
            mine.setblocking(False)
            await asyncio.wait_for(asyncio.get_running_loop().sock_connect(mine, ("127.0.0.1", self.port)), PATIENCE)
            options: dict[str, Any] = {"ssl": self.tls, "server_hostname": "127.0.0.1"} if self.tls else {}
            return await asyncio.wait_for(asyncio.open_connection(sock=mine, limit=2**16, **options), PATIENCE)
        except BaseException:
            mine.close()
            raise

    async def ask(
        self, path: str, body: object = None, headers: Sequence[str] = ()
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of one answer, over a connection of its own."""
        reader, writer = await self.connect()
        try:
            writer.write(request(path, body, (*headers, "Connection: close")))
            return await asyncio.wait_for(read_answer(reader), PATIENCE)
        finally:
            writer.close()

    async def enter(self, name: str) -> list[str]:
        """A guest's headers."""
        status, headers, body = await self.ask("/session", {"name": name})
        if status != 200:
            raise ValueError(f"no session: {status}")
        cookie = headers["set-cookie"].partition(";")[0]
        return [f"Cookie: {cookie}", f"X-Felt-Token: {json.loads(body)['token']}"]


def request(path: str, body: object = None, headers: Sequence[str] = ()) -> bytes:
    """A whole request."""
    text = b"" if body is None else json.dumps(body).encode()
    lines = [f"{'POST' if body is not None else 'GET'} {BASE}{path} HTTP/1.1", "Host: 127.0.0.1", *headers]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(text)}"]
    return "\r\n".join([*lines, "", ""]).encode() + text


async def read_answer(reader: asyncio.StreamReader) -> tuple[int, dict[str, str], bytes]:
    """The next answer on a connection."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:]) if name}
    return int(head[0].split()[1]), headers, await reader.readexactly(int(headers.get("content-length", 0)))


def upgrade(table: str) -> bytes:
    """The request for a WebSocket."""
    key = b64encode(os.urandom(16)).decode()
    wanted = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
    return request(f"/tables/{table}/live", headers=wanted)


def frame(opcode: int, data: bytes, *, last: bool = True) -> bytes:
    """A frame of a client, of up to 125 bytes; its mask is all zeros, which leaves the data as they are."""
    return struct.pack("!BB4x", opcode | (0x80 if last else 0), 0x80 | len(data)) + data


# What others notice


@dataclass
class Latencies:
    """How long others waited for answers, in seconds; who got none waited for the whole patience."""

    seconds: list[float] = field(default_factory=list)
    failed: int = 0

    def add(self, others: "Latencies") -> None:
        """Count others' waits too."""
        self.seconds += others.seconds
        self.failed += others.failed

    def quantile(self, share: float) -> float:
        """The wait that this share of all did not exceed."""
        ordered = sorted(self.seconds) or [0.0]
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def __str__(self) -> str:
        return (
            f"median {1000 * self.quantile(0.5):.1f} ms, p99 {1000 * self.quantile(0.99):.1f} ms, "
            f"n {len(self.seconds)}, kept out {self.failed}"
        )


async def measure(target: Target, stop: asyncio.Event, *, path: str = "/health", pause: float = 0.02) -> Latencies:
    """Ask again and again, each time over a new connection, as somebody who has just come."""
    told = Latencies()
    while not stop.is_set():
        began = perf_counter()
        try:
            async with asyncio.timeout(PATIENCE):
                status, _, _ = await target.ask(path)
            told.failed += status != 200
        except BROKEN:
            told.failed += 1
        told.seconds.append(perf_counter() - began)
        await asyncio.sleep(pause)
    return told


# Attacks

Attack = Callable[[Target, asyncio.Event, int], Awaitable["Counter[str]"]]


async def _hold(target: Target, stop: asyncio.Event, clients: int, sent: bytes, drip: bytes = b"") -> "Counter[str]":
    """Hold connections on which no more than this is sent, and come back when they are cut."""
    told: Counter[str] = Counter()

    async def client() -> None:
        while not stop.is_set():
            with suppress(*BROKEN):
                reader, writer = await target.connect()
                told["opened"] += 1
                try:
                    writer.write(sent)
                    while not (stop.is_set() or reader.at_eof()):
                        writer.write(drip)
                        with suppress(TimeoutError):
                            await asyncio.wait_for(reader.read(1000), 0.5)
                    told["cut"] += reader.at_eof()
                finally:
                    writer.close()
            await asyncio.sleep(0.5)

    await asyncio.gather(*(client() for _ in range(clients)))
    return told


async def idle(target: Target, stop: asyncio.Event, clients: int = 1100) -> "Counter[str]":
    """Connections on which nothing is ever sent."""
    return await _hold(target, stop, clients, b"")


async def half_header(target: Target, stop: asyncio.Event, clients: int = 1100) -> "Counter[str]":
    """Headers that come byte by byte and never end."""
    return await _hold(target, stop, clients, request("/health")[:-4] + b"\r\nX-Slow: ", b"x")


async def half_body(target: Target, stop: asyncio.Event, clients: int = 1100) -> "Counter[str]":
    """Requests whose body never comes."""
    return await _hold(target, stop, clients, request("/session", {"name": "Somebody"})[:-5])


async def half_upgrade(target: Target, stop: asyncio.Event, clients: int = 1100) -> "Counter[str]":
    """WebSockets that are asked for, but never as a whole."""
    return await _hold(target, stop, clients, upgrade("none")[:-2])


async def watched_table(target: Target, name: str, **options: object) -> tuple[str, list[str]]:
    """A table of agents that never rests, and the headers of whose it is."""
    headers = await target.enter(name)
    pace = {"move_seconds": 0, "hand_seconds": 0}
    asked = {"agents": ["call", "call"], "sit": False, "pace": pace, **options}
    status, _, body = await target.ask("/tables", asked, headers)
    if status != 201:
        raise ValueError(f"no table: {status}")
    return json.loads(body)["table"]["id"], headers


async def websocket_flood(target: Target, stop: asyncio.Event, clients: int = 20) -> "Counter[str]":
    """Messages, pings and empty parts of messages, as fast as they can be sent."""
    told: Counter[str] = Counter()
    table, _ = await watched_table(target, "Flood", pace=None)
    kinds = [frame(1, b'{"type":"ping"}') * 100, frame(9, b"x" * 100) * 100, frame(1, b"", last=False) * 100]
    kinds[2] += frame(0, b"", last=False) * 100

    async def client(number: int) -> None:
        while not stop.is_set():
            with suppress(*BROKEN):
                reader, writer = await target.connect()
                try:
                    writer.write(upgrade(table))
                    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
                    told["opened" if b" 101 " in head else "refused"] += 1
                    while not (stop.is_set() or reader.at_eof()):
                        writer.write(kinds[number % len(kinds)])
                        await asyncio.wait_for(writer.drain(), 1)
                        told["frames"] += 100
                        with suppress(TimeoutError):
                            await asyncio.wait_for(reader.read(2**16), 0.001)
                    told["cut"] += reader.at_eof()
                finally:
                    writer.close()
            await asyncio.sleep(0.05)

    await asyncio.gather(*map(client, range(clients)))
    return told


async def slow_readers(target: Target, stop: asyncio.Event, clients: int = 20) -> "Counter[str]":
    """Followers of a table that never rests, who read nothing of it."""
    told: Counter[str] = Counter()
    table, _ = await watched_table(target, "Slow")

    async def client() -> None:
        while not stop.is_set():
            with suppress(*BROKEN):
                reader, writer = await target.connect(receive_buffer=4096)
                writer.transport.pause_reading()
                told["opened"] += 1
                try:
                    writer.write(upgrade(table))
                    while not (stop.is_set() or writer.transport.is_closing()):
                        await asyncio.sleep(0.5)
                        writer.write(frame(10, b""))  # an answer to no ping: it shows when the connection is gone
                    told["cut"] += writer.transport.is_closing()
                finally:
                    writer.transport.abort()
                    del reader
            await asyncio.sleep(0.05)

    await asyncio.gather(*(client() for _ in range(clients)))
    return told


async def table_maker(target: Target, stop: asyncio.Event, clients: int = 4) -> "Counter[str]":
    """Guests without number, each of whom makes as many tables as they can."""
    told: Counter[str] = Counter()

    async def client(number: int) -> None:
        while not stop.is_set():
            with suppress(*BROKEN):
                headers = await target.enter(f"Maker {number} {told['guests']}")
                told["guests"] += 1
                status = 201
                while status == 201 and not stop.is_set():
                    status, _, _ = await target.ask("/tables", {"agents": ["call", "call"], "sit": False}, headers)
                    told["tables" if status == 201 else "refused"] += 1
            await asyncio.sleep(0.1)

    await asyncio.gather(*map(client, range(clients)))
    return told


async def _repeat(target: Target, stop: asyncio.Event, clients: int, sent: bytes) -> "Counter[str]":
    """The same request again and again, over connections that are kept."""
    told: Counter[str] = Counter()

    async def client() -> None:
        while not stop.is_set():
            with suppress(*BROKEN):
                reader, writer = await target.connect()
                try:
                    while not stop.is_set():
                        writer.write(sent)
                        status, _, _ = await asyncio.wait_for(read_answer(reader), PATIENCE)
                        told[f"status {status}"] += 1
                finally:
                    writer.close()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(client() for _ in range(clients)))
    return told


async def list_flood(target: Target, stop: asyncio.Event, clients: int = 16) -> "Counter[str]":
    """The list of tables, asked for without a pause."""
    return await _repeat(target, stop, clients, request("/tables"))


async def phh_bomb(target: Target, stop: asyncio.Event, clients: int = 8) -> "Counter[str]":
    """A hand of 20 kB that takes seconds and gigabytes to read."""
    return await _repeat(target, stop, clients, request("/decide", {"agent": "call", "state": {"phh": BOMB}}))


ATTACKS: dict[str, Attack] = {
    "idle": idle,
    "half-header": half_header,
    "half-body": half_body,
    "half-upgrade": half_upgrade,
    "websocket-flood": websocket_flood,
    "slow-readers": slow_readers,
    "table-maker": table_maker,
    "list-flood": list_flood,
    "phh-bomb": phh_bomb,
}


async def under_attack(
    target: Target, attack: Attack, clients: int, *, seconds: float, path: str = "/health"
) -> tuple[Latencies, "Counter[str]"]:
    """What others notice while an attack runs, and what came of it."""
    stop = asyncio.Event()
    attacking = asyncio.create_task(_run(attack, replace(target, source=ATTACKER), stop, clients))
    await asyncio.sleep(min(2.0, seconds / 4))  # until it is under way
    measuring = asyncio.create_task(measure(target, stop, path=path))
    await asyncio.sleep(seconds)
    stop.set()
    return await measuring, await attacking


async def _run(attack: Attack, target: Target, stop: asyncio.Event, clients: int) -> "Counter[str]":
    return await attack(target, stop, clients)


async def _attack_process(name: str, port: int, seconds: float, clients: int) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, stop.set)
    print(dict(await ATTACKS[name](Target(port, ATTACKER), stop, clients)), flush=True)


async def _main(name: str, port: int, seconds: float = 10.0, clients: int = 0) -> None:
    """Others are measured in this process and attackers have one of their own, or others would wait for them here."""
    if name == "attack-only":
        raise SystemExit("give the name of an attack")
    count = clients or (1100 if name in ("idle", "half-header", "half-body", "half-upgrade") else 16)
    path = "/tables" if name in ("table-maker", "list-flood") else "/health"
    target, stop = Target(port), asyncio.Event()
    asyncio.get_running_loop().call_later(seconds / 2, stop.set)
    print(f"{name}: quiet: {await measure(target, stop, path=path)}", flush=True)
    arguments = [sys.executable, "-m", __spec__.name, f"-{name}", str(port), str(seconds + 4), str(count)]
    attackers = await asyncio.create_subprocess_exec(*arguments, stdout=asyncio.subprocess.PIPE)
    await asyncio.sleep(2)
    stop = asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, stop.set)
    print(f"{name}: attacked: {await measure(target, stop, path=path)}", flush=True)
    told, _ = await attackers.communicate()
    print(f"{name}: {count} attackers: {told.decode().strip()}", flush=True)


if __name__ == "__main__":
    attacker, where, numbers = sys.argv[1], int(sys.argv[2]), [float(text) for text in sys.argv[3:]]
    if attacker.startswith("-"):
        asyncio.run(_attack_process(attacker[1:], where, numbers[0], int(numbers[1])))
    else:
        asyncio.run(_main(attacker, where, *numbers[:1], *map(int, numbers[1:2])))
