"""Connections: counted by address, and cut when they stay idle or half open, read nothing, or flood.

Whoever connects is counted from the moment the system hands us the socket (`Acceptor`), before TLS and before a byte is
read. The two protocols of uvicorn are watched here: a sweep each second asks every connection whether it is overdue.
"""

import asyncio
import logging
import resource
import socket
import ssl
from asyncio import Transport
from collections.abc import Callable, Container, Hashable
from contextlib import suppress
from functools import partial, wraps
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from felt.server.net.limits import Limits, Patience, SharedAllowance, household
from felt.server.net.middleware import MOST_HEAD

log = logging.getLogger(__name__)
FLOOD = 1008  # WebSocket's word for a breach of the rules
FRAMES_PER_CHANGE = 2
"""Frames that a WebSocket may send for each change that its player may make: pings and pongs are frames too."""
PIECE = 4096  # bytes that are read of a request at a time
MOST_FILES = 16_384
RESERVED_FILES = 256  # files that stay free for the database, programs and tables while all connections are taken
AT_ONCE = 64  # connections that are taken before the tables have their turn again
REST_SECONDS = 0.25  # how long nobody is let in when the system is out of files or memory


class Held:
    """One connection that is counted; `release` when it is gone."""

    def __init__(self, connections: "Connections", address: str, *, counted: bool) -> None:
        self.address, self.counted = address, counted
        self.protocol: Guarded | None = None
        self._connections = connections

    def release(self) -> None:
        """Count it no longer; more than once does no harm."""
        self._connections.drop(self)

    def cut(self) -> None:
        """End it now, whether the other side reads what was sent or not."""
        if self.protocol is not None:
            self.protocol.transport.abort()


class Connections:
    """All connections, oldest first for each address. For one thread: the event loop's.

    >>> connections = Connections(Limits(connections=2), most=4)
    >>> held = [connections.admit(host) for host in ("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")]
    >>> [place is not None for place in held]
    [True, True, False, True]
    """

    def __init__(self, limits: Limits, *, most: int, proxies: Container[str] = ()) -> None:
        """`proxies` are addresses that many people share, and that are trusted to count them."""
        self._most, self._each = most, max(1, min(limits.connections, most // 2 or 1))
        self.patience, self._proxies = limits.patience, proxies
        self._by_address: dict[str, dict[Held, None]] = {}
        self._count = 0
        rate, at_once = FRAMES_PER_CHANGE * limits.changes, FRAMES_PER_CHANGE * limits.changes_at_once
        self._frames = SharedAllowance(rate=rate, at_once=at_once)

    def __len__(self) -> int:
        return self._count

    def admit(self, host: str) -> Held | None:
        """Count a new connection; None for an address that has enough.

        When all places are taken, the address that has most of them gives up its oldest connection that is not in use.
        """
        address, counted = household(host), host not in self._proxies
        own = self._by_address.get(address, {})
        if counted and len(own) >= self._each:
            return None
        if self._count >= self._most and not self._make_room(len(own)):
            return None
        held = Held(self, address, counted=counted)
        self._by_address.setdefault(address, {})[held] = None
        self._count += 1
        return held

    def drop(self, held: Held) -> None:
        own = self._by_address.get(held.address, {})
        if held in own:
            del own[held]
            self._count -= 1
            if not own:
                del self._by_address[held.address]

    def sweep(self, now: float) -> None:
        for held in [held for own in self._by_address.values() for held in own]:
            if held.protocol is not None and held.protocol.overdue(now, self.patience):
                held.cut()

    def frame(self, held: Held | None, connection: Hashable) -> bool:
        """Whether a WebSocket may send one frame more; those behind a proxy are counted one by one only."""
        return self._frames.take(connection, held.address if held is not None and held.counted else None)

    def _make_room(self, newcomers: int) -> bool:
        most = max(self._by_address.values(), key=len)
        if len(most) <= newcomers + 1:
            return False
        idle = next((held for held in most if held.protocol is not None and not held.protocol.busy), None)
        if idle is None:
            return False
        idle.cut()
        idle.release()
        return True


class Guarded(asyncio.Protocol):
    """A protocol of uvicorn that can be asked whether it is overdue; it notes since when nobody reads what it sends."""

    held: Held | None
    loop: asyncio.AbstractEventLoop
    transport: Transport

    def __init__(self, *args: Any, held: Held | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.held = held
        self._since = self.loop.time()  # when the request that is under way began, or the wait for the next
        self._stalled: float | None = None  # since when the other side has not read what it was sent

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.held is not None:
            self.held.release()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self._stalled or self.loop.time()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stalled = None

    def overdue(self, now: float, patience: Patience) -> bool:
        """Whether it has had all the time that it may have; one that closes waits for the last bytes to be read."""
        if self.transport.is_closing():
            self._stalled = self._stalled or self.loop.time()
        return (self._stalled is not None and now - self._stalled > patience.drain) or self.late(now, patience)

    @property
    def busy(self) -> bool:
        """Whether somebody is being served over it."""
        raise NotImplementedError

    def late(self, now: float, patience: Patience) -> bool:
        """Whether something that the other side has begun to send is too late."""
        raise NotImplementedError


class GuardedHttp(Guarded, H11Protocol):
    """HTTP as uvicorn speaks it, with a time for each part of a request and of its answer."""

    held: Held

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._since = self.loop.time()
        self.held.protocol = self

    def data_received(self, data: bytes) -> None:
        """Read piece by piece: a header that is too long is noticed before it is here as a whole and is taken apart,
        which takes longer than to send it. Nor may one wait behind a request that is not answered yet."""
        for at in range(0, len(data), PIECE):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            piece = data[at : at + PIECE]
            if self.busy and len(self.conn.trailing_data[0]) + len(piece) > MOST_HEAD:
                self.transport.abort()
                return
            super().data_received(piece)

    def handle_events(self) -> None:
        """Note when a request begins: from then on its body has its time."""
        cycle = self.cycle
        super().handle_events()
        if self.cycle is not cycle:
            self._since = self.loop.time()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may be here already."""
        self._since = self.loop.time()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over, with its place in the count."""
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        if isinstance(protocol, GuardedWebSocket):
            self.held.protocol, protocol.held = protocol, self.held

    def shutdown(self) -> None:
        """The service stops: nobody waits for the rest of a request any more."""
        if self.cycle is not None and not self.cycle.response_complete and self.cycle.more_body:
            self.transport.abort()
        else:
            super().shutdown()

    @property
    def busy(self) -> bool:
        """Whether a request is here as a whole and not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body

    def late(self, now: float, patience: Patience) -> bool:
        if self.cycle is None or self.cycle.response_complete:
            return now - self._since > patience.header
        return self.cycle.more_body and now - self._since > patience.body


def _counted(handle: Callable[..., None]) -> Callable[..., None]:
    """Handle a frame only while the WebSocket does not flood."""

    @wraps(handle)
    def handle_counted(self: "GuardedWebSocket", *event: Any) -> None:
        if self.allowed():
            handle(self, *event)

    return handle_counted


class GuardedWebSocket(Guarded, WebSocketsSansIOProtocol):
    """A WebSocket as uvicorn speaks it, that is cut when it floods, or when the other side does not read."""

    counts: Connections

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._key = object()  # what its frames are counted under: unlike an `id`, no later connection has it
        self._flooding = False

    # Every kind counts: empty parts never reach the limit of a message's size, and pings are answered whether or not
    # the other side reads answers.
    handle_text = _counted(WebSocketsSansIOProtocol.handle_text)
    handle_bytes = _counted(WebSocketsSansIOProtocol.handle_bytes)
    handle_cont = _counted(WebSocketsSansIOProtocol.handle_cont)
    handle_ping = _counted(WebSocketsSansIOProtocol.handle_ping)
    handle_pong = _counted(WebSocketsSansIOProtocol.handle_pong)

    def allowed(self) -> bool:
        """Whether it may send one frame more; if not, it is told why, and closed."""
        if not self._flooding and not self.counts.frame(self.held, self._key):
            self._flooding = True
            self.conn.fail(FLOOD, "too many messages")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
        return not self._flooding

    @property
    def busy(self) -> bool:
        """Whether a table is followed over it."""
        return self.handshake_complete and not self.close_sent

    def late(self, now: float, patience: Patience) -> bool:
        return not self.handshake_complete and now - self._since > patience.upgrade


def most_connections() -> int:
    """How many connections there may be, after asking the system for as many files as it allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    infinite = resource.RLIM_INFINITY
    enough = MOST_FILES if hard == infinite else min(hard, MOST_FILES)
    if soft != infinite and soft < enough:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))
            soft = enough
    files = MOST_FILES if soft == infinite else soft
    return max(files - min(RESERVED_FILES, files // 2), 1)


class Acceptor:
    """Lets in who may come, and goes on when the system has no more files. Stands in for asyncio's server, as uvicorn
    closes it."""

    def __init__(
        self,
        listener: socket.socket,
        connections: Connections,
        protocol: Callable[..., GuardedHttp],
        context: ssl.SSLContext | None,
    ) -> None:
        self._listener, self._connections, self._protocol = listener, connections, protocol
        seconds = connections.patience.handshake if context else None  # not to be given without TLS
        self._tls = {"ssl": context, "ssl_handshake_timeout": seconds, "ssl_shutdown_timeout": seconds}
        self._loop = asyncio.get_running_loop()
        self._begun: set[asyncio.Task[None]] = set()
        self._closed = self._resting = False

    def start(self, backlog: int) -> None:
        self._listener.setblocking(False)
        self._listener.listen(backlog)
        self._loop.add_reader(self._listener, self._accept)

    def close(self) -> None:
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
            protocol = partial(self._protocol, held=held)
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
