"""Takes connections from a listening socket, and goes on when the system has no more files for them."""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from functools import partial

from felt.server.net.connections import Connections, GuardedHttp, Held

log = logging.getLogger(__name__)
AT_ONCE = 64
"""Connections that are taken before the tables have their turn again."""
REST_SECONDS = 0.25
"""How long nobody is let in when the system is out of files or memory."""


class Acceptor:
    """Lets in who may come. Stands in for asyncio's server, as uvicorn closes it."""

    def __init__(
        self,
        listener: socket.socket,
        connections: Connections,
        protocol: Callable[[Held], GuardedHttp],
        *,
        context: ssl.SSLContext | None,
        handshake_seconds: float,
    ) -> None:
        self._listener, self._connections, self._protocol = listener, connections, protocol
        seconds = handshake_seconds if context else None  # not to be given without TLS
        self._tls = {"ssl": context, "ssl_handshake_timeout": seconds, "ssl_shutdown_timeout": seconds}
        self._loop = asyncio.get_running_loop()
        self._begun: set[asyncio.Task[None]] = set()
        self._closed = self._resting = False

    def start(self, backlog: int) -> None:
        """Let clients connect."""
        self._listener.setblocking(False)
        self._listener.listen(backlog)
        self._loop.add_reader(self._listener, self._accept)

    def close(self) -> None:
        """Let nobody in any more."""
        if not self._closed:
            self._closed = True
            self._loop.remove_reader(self._listener)
            if self._tls["ssl"]:  # a handshake may take seconds; without TLS they are in at once, and are sent away
                for task in self._begun:
                    task.cancel()

    async def wait_closed(self) -> None:
        """Until those are gone who were about to come in."""
        await asyncio.gather(*self._begun, return_exceptions=True)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                client, where = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                break
            except (OSError, MemoryError) as error:
                self._rest(error)
                return
            self._let_in(client, str(where[0]))
        if self._resting:
            self._resting = False
            log.warning("clients are let in again")

    def _let_in(self, client: socket.socket, host: str) -> None:
        held = self._connections.admit(host)
        if held is None:
            client.close()
            return
        task = self._loop.create_task(self._begin(client, held))
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)

    async def _begin(self, client: socket.socket, held: Held) -> None:
        try:
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # small messages go at once
            protocol = partial(self._protocol, held)
            _, guarded = await self._loop.connect_accepted_socket(protocol, client, **self._tls)  # type: ignore[arg-type]
            if self._closed:  # uvicorn has told those only that were in before: it would wait for this connection
                guarded.shutdown()
        except (OSError, MemoryError, asyncio.CancelledError) as error:  # also TLS that fails
            held.release()
            client.close()
            if not isinstance(error, OSError):
                raise

    def _rest(self, error: BaseException) -> None:
        """Wait until some file is free: who knocks waits outside, and the tables go on."""
        if not self._resting:
            self._resting = True
            log.warning("nobody can be let in for a moment: %s", error)
        self._loop.remove_reader(self._listener)
        self._loop.call_later(REST_SECONDS, self._resume)

    def _resume(self) -> None:
        if not self._closed:
            self._loop.add_reader(self._listener, self._accept)
