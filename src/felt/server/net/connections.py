"""Connections: counted by address, and cut when they stay idle or half open, read nothing, or flood.

Whoever connects is counted from the moment the system hands us the socket (`acceptor`), before TLS and before a byte is
read. The two protocols of uvicorn are watched here: a sweep each second asks every connection whether it is overdue.
"""

import resource
from asyncio import AbstractEventLoop, Transport
from collections.abc import Container, Hashable
from contextlib import suppress
from typing import Any, Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from felt.server.net.bodies import MOST_HEAD
from felt.server.net.clients import ADDRESS_FACTOR, household
from felt.server.net.limits import Allowance, Limits, Patience

FLOOD = 1008
"""WebSocket's word for a breach of the rules."""
FRAMES_PER_CHANGE = 2
"""Frames that a WebSocket may send for each change that its player may make: pings and pongs are frames too."""
PIECE = 4096
"""Bytes that are read of a request at a time."""
MOST_FILES = 16_384
RESERVED_FILES = 256
"""Files that stay free for the database, programs and tables while all connections are taken."""


class Timed(Protocol):
    """What the sweep asks of a connection."""

    transport: Transport

    @property
    def busy(self) -> bool:
        """Whether somebody is being served over it."""

    def overdue(self, now: float, patience: Patience) -> bool:
        """Whether it has had all the time that it may have."""


class Held:
    """One connection that is counted; `release` when it is gone."""

    def __init__(self, connections: "Connections", address: str, *, counted: bool) -> None:
        self.address, self.counted = address, counted
        self.protocol: Timed | None = None
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
    >>> [one is not None for one in held]
    [True, True, False, True]
    """

    def __init__(self, limits: Limits, *, most: int, proxies: Container[str] = ()) -> None:
        """`proxies` are addresses that many people share, and that are trusted to count them."""
        self._most, self._each = most, max(1, min(limits.connections, most // 2 or 1))
        self._patience, self._proxies = limits.patience, proxies
        self._by_address: dict[str, dict[Held, None]] = {}
        self._count = 0
        rate, at_once = FRAMES_PER_CHANGE * limits.changes, FRAMES_PER_CHANGE * limits.changes_at_once
        self._frames = Allowance(rate=rate, at_once=at_once)
        self._frames_of_address = Allowance(rate=ADDRESS_FACTOR * rate, at_once=ADDRESS_FACTOR * at_once)

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
        """Count a connection no longer."""
        own = self._by_address.get(held.address, {})
        if held in own:
            del own[held]
            self._count -= 1
            if not own:
                del self._by_address[held.address]

    def sweep(self, now: float) -> None:
        """Cut all that are overdue."""
        for held in [held for own in self._by_address.values() for held in own]:
            if held.protocol is not None and held.protocol.overdue(now, self._patience):
                held.cut()

    def frame(self, held: Held | None, connection: Hashable) -> bool:
        """Whether a WebSocket may send one frame more; those behind a proxy are counted one by one only."""
        if not self._frames.take(connection):
            return False
        return held is None or not held.counted or self._frames_of_address.take(held.address)

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


class GuardedHttp(H11Protocol):
    """HTTP as uvicorn speaks it, with a time for each part of a request and of its answer."""

    held: Held

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._since = self.loop.time()
        """When the request that is under way began, or the wait for the next."""
        self._stalled = Stalled(self.loop)

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for a header."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self.held.protocol = self

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone, however it ended."""
        super().connection_lost(exc)
        self.held.release()

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

    def pause_writing(self) -> None:
        """The other side does not read."""
        super().pause_writing()
        self._stalled.begin()

    def resume_writing(self) -> None:
        """The other side has read."""
        super().resume_writing()
        self._stalled.end()

    @property
    def busy(self) -> bool:
        """Whether a request is here as a whole and not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body

    def overdue(self, now: float, patience: Patience) -> bool:
        """Whether a header, a body, or somebody who shall read is too late."""
        if self._stalled.longer_than(patience.drain, now, closing=self.transport.is_closing()):
            return True
        if self.cycle is None or self.cycle.response_complete:
            return now - self._since > patience.header
        return self.cycle.more_body and now - self._since > patience.body


class GuardedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket as uvicorn speaks it, that is cut when it floods, or when the other side does not read."""

    held: Held | None = None
    counts: Connections

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._since = self.loop.time()
        self._stalled = Stalled(self.loop)
        self._key = object()
        """What its frames are counted under: unlike an `id`, no later connection has it."""
        self._flooding = False

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone, however it ended."""
        super().connection_lost(exc)
        if self.held is not None:
            self.held.release()

    def pause_writing(self) -> None:
        """The other side does not read."""
        super().pause_writing()
        self._stalled.begin()

    def resume_writing(self) -> None:
        """The other side has read."""
        super().resume_writing()
        self._stalled.end()

    def handle_text(self, event: Frame) -> None:
        """A message, or its first part."""
        if self._allowed():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """A message, or its first part."""
        if self._allowed():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """A further part, which may be empty: such parts would never reach the limit of a message's size."""
        if self._allowed():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """A ping, that is answered whether the other side reads answers or not."""
        if self._allowed():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """A pong, that we may have asked for."""
        if self._allowed():
            super().handle_pong(event)

    def _allowed(self) -> bool:
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

    def overdue(self, now: float, patience: Patience) -> bool:
        """Whether the upgrade, or somebody who shall read, is too late."""
        if self._stalled.longer_than(patience.drain, now, closing=self.transport.is_closing()):
            return True
        return not self.handshake_complete and now - self._since > patience.upgrade


class Stalled:
    """Since when the other side has not read what it was sent."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._since: float | None = None

    def begin(self) -> None:
        """From now on nothing more can be sent."""
        if self._since is None:
            self._since = self._loop.time()

    def end(self) -> None:
        """Enough has been read."""
        self._since = None

    def longer_than(self, seconds: float, now: float, *, closing: bool) -> bool:
        """Whether that lasts longer; who is `closing` waits for the last bytes to be read."""
        if closing:
            self.begin()
        return self._since is not None and now - self._since > seconds


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
