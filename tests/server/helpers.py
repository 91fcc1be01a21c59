"""A server on a thread, clients for it, and measures whose values a test can foretell."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from felt.server.rank.commands import Desk
from felt.server.rank.connection import Limits
from felt.server.rank.measures import AnswerStore, Cards, Measures
from felt.server.rank.server import RankServer

PATIENCE = 20.0
"""Seconds after which a test that waits has failed."""

HAND = "AsAd7s4d2c"
OTHER = "KsKd7s4d2c"


@dataclass
class Fakes:
    """Measures that answer at once, except `hs`, which counts its calls and waits for `gate`."""

    gate: threading.Event = field(default_factory=threading.Event)
    slow_calls: list[Cards] = field(default_factory=list)
    started: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def hs(self, cards: Cards, opponents: int) -> float:
        self.slow_calls.append(cards)
        self.started.release()
        if not self.gate.wait(PATIENCE):
            raise TimeoutError("nobody opened the gate")
        return opponents / 100

    def measures(self) -> Measures:
        return Measures(
            rank=sum,
            chen=lambda cards: abs(cards[0] - cards[1]) / 2,
            ars=lambda cards, opponents: opponents / 10,
            hs=self.hs,
            hp=lambda cards, opponents: (opponents / 4, opponents / 8),
            ehs=lambda cards, opponents: opponents / 16,
        )


class Client:
    """A plain blocking client."""

    def __init__(self, port: int, *, host: str = "127.0.0.1", receive_buffer: int = 0) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        try:
            self.socket.connect((host, port))
        except OSError:
            self.socket.close()
            raise
        self._reader = self.socket.makefile("rb")

    def send(self, *lines: str) -> None:
        self.socket.sendall("".join(line + "\n" for line in lines).encode())

    def read(self) -> str:
        """The next line, without its newline; empty at the end of the stream."""
        line = self._reader.readline()
        assert line.endswith(b"\n") or not line, f"half a line: {line!r}"
        return line.decode().rstrip("\n")

    def ask(self, line: str) -> str:
        self.send(line)
        return self.read()

    def read_to_end(self) -> list[str]:
        return self._reader.read().decode().splitlines()

    def close(self) -> None:
        self._reader.close()
        self.socket.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass
class Running:
    """A server that runs on a thread of its own."""

    server: RankServer
    port: int
    stop: asyncio.Event
    loop: asyncio.AbstractEventLoop
    thread: threading.Thread

    def client(self, **options: int) -> Client:
        return Client(self.port, **options)

    def begin_stop(self) -> None:
        with suppress(RuntimeError):  # its loop is closed: it has stopped already
            self.loop.call_soon_threadsafe(self.stop.set)

    def finish_stop(self) -> None:
        self.begin_stop()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), "the server does not stop"


@contextmanager
def running(
    measures: Measures | None = None, *, limits: Limits | None = None, answers: AnswerStore | None = None
) -> Iterator[Running]:
    """A server with these measures; it is stopped at the end, whatever the test did."""
    desk = Desk(measures or Fakes().measures(), answers)
    limits = limits or Limits(grace_seconds=2, linger_seconds=0.2)
    started: list[Running] = []
    ready = threading.Event()

    async def serve() -> None:
        server = RankServer(desk, limits=limits)
        addresses = await server.start()
        stop = asyncio.Event()
        started.append(Running(server, addresses[0][1], stop, asyncio.get_running_loop(), thread))
        ready.set()
        await stop.wait()
        await server.stop()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(PATIENCE)
    try:
        yield started[0]
    finally:
        if thread.is_alive():
            started[0].finish_stop()
