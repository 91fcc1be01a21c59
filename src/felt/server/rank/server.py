"""The hand-rank server: one line in, one line out, over TCP.

Agents that run in processes of their own, in any language, ask it for ranks and strengths instead of loading tables
themselves. `RankServer` listens and counts; `connection` keeps the promises made to each client; `commands` knows what
the lines mean.
"""

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from felt._pool import default_threads
from felt.errors import FeltError
from felt.server.net.logs import plain_logs
from felt.server.net.slow_requests import SlowRequests
from felt.server.rank.commands import Desk
from felt.server.rank.connection import Connection, Limits
from felt.server.rank.measures import AnswerStore, Measures, felt_measures, warm

REFUSALS = 64  # refused clients that get the time to read why; those beyond are closed outright

Addresses = list[tuple[str, int]]


class RankServer:
    """Listens on one host and holds what its connections share; lives in one event loop."""

    def __init__(self, desk: Desk, *, host: str = "127.0.0.1", port: int = 0, limits: Limits | None = None) -> None:
        self.desk, self.limits = desk, limits or Limits()
        self.answered = 0  # requests answered so far
        self._host, self._port = host, port
        self._clients: set[Connection] = set()
        self._refused: set[Connection] = set()
        self._empty = asyncio.Event()
        self._stopping = False

    async def start(self, prepare: Callable[[], object] | None = None) -> Addresses:
        """Start to listen; the hosts and ports on which it does, with the port chosen for port 0.

        `prepare` is called once the address is sure to be ours and before the first client is let in.
        """
        self.loop = asyncio.get_running_loop()
        try:
            self._listener = await self.loop.create_server(
                lambda: Connection(self), self._host, self._port, start_serving=False
            )
        except (OSError, OverflowError, UnicodeError) as error:
            raise FeltError(
                f"cannot listen on host {self._host!r}, port {self._port} ({_reason(error)}): "
                f"choose another host, or another port (0 takes a free one)"
            ) from None
        self.lane: SlowRequests[bytes] = SlowRequests(self.loop, self.limits.workers or default_threads())
        self._idle_watch = self.loop.call_soon(self._watch_idle)
        if prepare is not None:
            prepare()
        await self._listener.start_serving()
        return [socket.getsockname()[:2] for socket in self._listener.sockets]

    async def stop(self) -> None:
        """Stop listening, finish what is in flight within the grace period, and close every connection."""
        self._stopping = True
        await self._stop_listening()
        self._idle_watch.cancel()
        for client in list(self._clients):
            client.leave()
        await self._wait_until_empty(self.limits.grace_seconds)
        for client in list(self._clients):
            client.give_up()
        await self._wait_until_empty(self.limits.linger_seconds)
        self.abort()
        await self._wait_until_empty(1.0)
        self.lane.close()

    async def _stop_listening(self) -> None:
        """Close the door, but not on the foot of a client that has just been let in.

        asyncio forgets, unanswered and unclosed, a connection that it has accepted but not yet set up when
        the listener is closed; so it stops accepting first and gets a turn to finish setting up.
        """
        for socket in self._listener.sockets:
            self.loop.remove_reader(socket.fileno())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self._listener.close()

    def abort(self) -> None:
        for client in [*self._clients, *self._refused]:
            client.abort()

    def admit(self, client: Connection) -> str:
        """Count a new client in, or say why not."""
        if not self._stopping and len(self._clients) < self.limits.clients:
            self._clients.add(client)
            self._empty.clear()
            return ""
        self._refused.add(client)
        if self._stopping:
            return "the server is shutting down: come again when it is back"
        return f"too many clients (limit {self.limits.clients}): try again when one has left"

    @property
    def crowded(self) -> bool:
        """Whether so many refused clients linger that the next is closed outright."""
        return len(self._refused) > REFUSALS

    def gone(self, client: Connection) -> None:
        self._clients.discard(client)
        self._refused.discard(client)
        self.lane.forget(client)
        if not self._clients:
            self._empty.set()

    async def _wait_until_empty(self, seconds: float) -> None:
        if self._clients:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._empty.wait(), seconds)

    def _watch_idle(self) -> None:
        idle = self.limits.idle_seconds
        if not idle:
            return
        for client in list(self._clients):
            client.check_idle(self.loop.time() - idle)
        self._idle_watch = self.loop.call_later(min(idle / 4, 5.0), self._watch_idle)


def _reason(error: Exception) -> str:
    """Why an address cannot be had, without asyncio's own wording round it."""
    number = error.errno if isinstance(error, OSError) else None
    return os.strerror(number).lower() if number and number > 0 else str(error).removeprefix("bind(): ").rstrip(".")


async def serve_until_signalled(
    server: RankServer, announce: Callable[[Addresses], None], prepare: Callable[[], object] | None = None
) -> None:
    """Serve until SIGINT or SIGTERM, then stop in an orderly way; a second signal hurries that up."""
    addresses = await server.start(prepare)
    signalled = asyncio.Event()

    def on_signal() -> None:
        if signalled.is_set():
            server.abort()
        signalled.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        server.loop.add_signal_handler(number, on_signal)
    announce(addresses)
    await signalled.wait()
    await server.stop()


def run_rank_server(
    announce: Callable[[Addresses], None],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    limits: Limits | None = None,
    answers: Path | None = None,
    measures: Measures | None = None,
) -> int:
    """Serve until told to stop; the number of requests answered.

    `announce` is called once, when clients can connect. Slow answers are kept in the file `answers`, if it is given.
    Kernels are loaded (and compiled, the first time ever) before the first client is let in.
    """
    plain_logs()
    store = AnswerStore(answers) if answers is not None else None
    try:
        questions = measures or felt_measures()
        server = RankServer(Desk(questions, store), host=host, port=port, limits=limits)
        asyncio.run(serve_until_signalled(server, announce, prepare=lambda: warm(questions)))
        return server.answered
    finally:
        if store is not None:
            store.close()
