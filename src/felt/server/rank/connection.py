"""One client of the hand-rank server, and how much it may hold.

The promises: untagged requests are answered in order, tagged ones as soon as they are ready; a slow request holds up
neither other clients nor tagged requests of the same one; no line, however odd, costs a client its connection; and no
client can make the server hold more than its limits allow.
"""

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from felt.errors import FeltError
from felt.server.rank.commands import Slow, error_line

if TYPE_CHECKING:
    from felt.server.rank.server import RankServer

TURN = 64  # lines taken from one connection before the others get their turn: some tenths of a millisecond

_HASH = ord("#")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How much one server, and one client of it, may hold."""

    clients: int = 256
    line_bytes: int = 512
    queued: int = 1024  # requests of one client that wait for an answer; beyond that its socket is not read
    idle_seconds: float = 600.0  # a client that sends no line for so long is closed; 0 means never
    grace_seconds: float = 5.0  # what is in flight when the server stops gets so long to finish
    linger_seconds: float = 1.0
    """How long a connection that we end waits for the client to end it too, so that no answer is lost."""
    workers: int = 0  # threads for slow requests; 0 means one for each core

    def __post_init__(self) -> None:
        least = {"clients": 1, "line_bytes": 64, "queued": 1, "workers": 0}
        least |= {"idle_seconds": 0, "grace_seconds": 0, "linger_seconds": 0}
        for name, smallest in least.items():
            value = getattr(self, name)
            if not value >= smallest:
                raise FeltError(f"limit {name.replace('_', ' ')} cannot be {value}: give {smallest} or more")


class Connection(asyncio.Protocol):
    """Reads lines, takes them in turns of `TURN`, and keeps the order of the answers.

    While lines wait, or too many answers are owed, or the client does not read its answers, its socket is not read:
    that is the back-pressure.
    """

    def __init__(self, server: "RankServer") -> None:
        self._server, self._limits, self._desk = server, server.limits, server.desk
        self._tail = b""  # the start of a line whose end has not come
        self._skipping = False  # inside a line that was too long
        self._lines: deque[bytes] = deque()
        self._owed: deque[list[bytes]] = deque()  # untagged answers in order; an empty list is not ready
        self._tagged: set[Slow] = set()  # tagged requests that are being computed
        self._turn_due = False
        self._choked = False  # the client does not read its answers
        self._farewell: bytes | None = None  # no more lines are read; this is written last
        self._client_done = False  # the client has closed its half
        self._ended = False
        self._active_at = server.loop.time()

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        refusal = self._server.admit(self)
        if refusal:
            self._client_done = self._server.crowded
            self.leave(error_line(FeltError(refusal)))

    def data_received(self, data: bytes) -> None:
        if self._farewell is not None:
            return
        if self._skipping:
            end = data.find(b"\n")
            if end < 0:
                return
            data = data[end + 1 :]
            self._skipping = False
        lines = (self._tail + data).split(b"\n")
        self._tail = lines.pop()
        most = self._limits.line_bytes
        if len(self._tail) > most:
            lines.append(self._tail[: most + 1])
            self._tail, self._skipping = b"", True
        if lines:
            self._lines.extend(lines)
            self._active_at = self._server.loop.time()
            if not self._turn_due:
                self._take_turn()

    def eof_received(self) -> bool:
        """The client has said all it will: answer what it asked (a last line without newline too), then close."""
        self._client_done = True
        if self._ended:
            return False
        if self._tail and self._farewell is None:
            self._lines.append(self._tail)
        self.leave()
        return True

    def pause_writing(self) -> None:
        self._choked = True

    def resume_writing(self) -> None:
        self._choked = False
        self._active_at = self._server.loop.time()
        if self._ended:
            self._linger()
        else:
            self._steer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = True
        self._lines.clear()
        self._server.gone(self)

    # What the server calls.

    def leave(self, farewell: bytes = b"") -> None:
        """Read no more from the client, answer what it has sent, say `farewell` and close."""
        if self._farewell is None:
            self._farewell = farewell
            self._tail = b""
            self._steer()

    def give_up(self) -> None:
        """Tell the client that what it is still owed will not come, and close."""
        if self._ended:
            return
        sorry = error_line(FeltError("the server is shutting down: ask again when it is back"))
        answers = [slot[0] if slot else sorry for slot in self._owed]
        answers += [slow.tag + sorry for slow in self._tagged]
        self._transport.write(b"".join(answers))
        self._end()

    def abort(self) -> None:
        self._transport.abort()

    def check_idle(self, since: float) -> None:
        """Close if no line has come, and no answer gone, after the time `since`."""
        if self._active_at > since:
            return
        if self._choked:
            self.abort()
        elif not (self._owed or self._tagged or self._lines):
            idle = self._limits.idle_seconds
            self.leave(error_line(FeltError(f"no request for {idle:g} seconds, closing: connect again to go on")))

    # The work.

    def _take_turn(self) -> None:
        self._turn_due = False
        ready: list[bytes] = []
        most = self._limits.line_bytes
        for _ in range(min(TURN, len(self._lines))):
            if self._full():
                break
            line = self._lines.popleft()
            outcome = self._desk.take(line) if len(line) <= most else self._desk.too_long(line, most)
            if isinstance(outcome, bytes):
                if not self._owed or outcome[0] == _HASH:
                    ready.append(outcome)
                else:
                    self._owed.append([outcome])
            elif isinstance(outcome, Slow):
                self._start(outcome)
            else:
                self._lines.clear()
                self._tail, self._farewell = b"", outcome.answer
                break
        self._write(ready)
        self._steer()

    def _full(self) -> bool:
        return self._choked or len(self._owed) + len(self._tagged) >= self._limits.queued

    def _start(self, slow: Slow) -> None:
        slot: list[bytes] = []
        if slow.tag:
            self._tagged.add(slow)
        else:
            self._owed.append(slot)
        self._server.lane.submit(self, slow.answer, partial(self._done, slow, slot))

    def _done(self, slow: Slow, slot: list[bytes], answer: bytes) -> None:
        ready = [answer]
        if slow.tag:
            self._tagged.discard(slow)
        else:
            slot.append(answer)
            ready = []
            while self._owed and self._owed[0]:
                ready.append(self._owed.popleft()[0])
        self._write(ready)
        self._steer()

    def _write(self, answers: list[bytes]) -> None:
        if answers and not self._ended:
            self._server.answered += len(answers)
            self._active_at = self._server.loop.time()
            self._transport.write(b"".join(answers))

    def _steer(self) -> None:
        """Decide what comes next: another turn, more reading, waiting, or the end."""
        if self._ended:
            return
        full = self._full()
        if self._lines and not full and not self._turn_due:
            self._turn_due = True
            self._server.loop.call_soon(self._take_turn)
        if self._farewell is not None and not (self._lines or self._owed or self._tagged):
            self._write([self._farewell] if self._farewell else [])
            self._end()
        elif full or self._lines:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _end(self) -> None:
        """No more answers will be written: close when the client has what was written."""
        self._ended = True
        self._lines.clear()
        self._server.lane.forget(self)
        self._transport.set_write_buffer_limits(high=0)  # resume_writing now means that all is sent
        if not self._choked:
            self._linger()

    def _linger(self) -> None:
        """Close our half and wait a little for the client's.

        To close outright while the client still sends would make the kernel throw away answers that the
        client has not read yet.
        """
        if self._client_done:
            self._transport.close()
            return
        with suppress(OSError):  # the client may be gone already
            self._transport.write_eof()
        self._transport.resume_reading()
        self._server.loop.call_later(self._limits.linger_seconds, self._transport.abort)
