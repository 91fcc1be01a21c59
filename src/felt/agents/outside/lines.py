"""Lines to and from somebody who need not be well: nothing here waits longer, or keeps more, than it is told."""

import os
from contextlib import suppress
from select import POLLIN, POLLOUT, poll

from felt.agents.api import AgentFault
from felt.errors import printable

MOST_LINE = 64 * 1024
"""Bytes of a line that is read."""
MOST_WAITING = 16 * 1024 * 1024
"""Bytes that wait to be read by the other side."""
MOST_TAIL = 4000
"""Bytes that are kept of what a program says on its standard error: the last ones."""
CHUNK, SMALL = 256 * 1024, 4096
LOOKS = 100
"""How often we look for an answer before we sleep until it comes, some tenths of a millisecond in all: to be woken
takes longer than most programs need to answer."""

give_way = getattr(os, "sched_yield", lambda: None)
"""Between two looks, let whoever has to answer run on this core."""


class Lines:
    """Two streams of lines, and one of complaints."""

    def __init__(self, reads: int, writes: int, complains: int | None = None) -> None:
        """File descriptors that belong to this object from now on."""
        self.closed = False
        """Whether nothing more will come."""
        self._reads, self._writes, self._complains = reads, writes, complains
        self._in, self._out, self._sent, self._tail = b"", bytearray(), 0, b""
        self._wrong: AgentFault | None = None
        """That a line was too long: told after the lines before it; what comes then is dropped."""
        self._poll, self._writing, self._open = poll(), False, True
        for descriptor in (reads, writes, complains):
            if descriptor is not None:
                os.set_blocking(descriptor, False)
                if descriptor != writes:
                    self._poll.register(descriptor, POLLIN)

    @property
    def waiting(self) -> bool:
        """Whether something has still to be written."""
        return bool(self._out)

    @property
    def tail(self) -> str:
        """The last of what was said on the standard error, as it was said."""
        return self._tail.decode(errors="replace").strip()

    def put(self, text: bytes) -> None:
        """Have lines written as soon as they are read at the other end."""
        if self._sent > len(self._out) // 2:  # not at each call: much may wait
            del self._out[: self._sent]
            self._sent = 0
        self._out += text
        if len(self._out) - self._sent > MOST_WAITING:
            raise AgentFault("timeouts", f"it does not read: {len(self._out) - self._sent:,} bytes wait for it")
        if not self._writing:
            self._write()

    def pump(self, seconds: float) -> list[bytes]:
        """Write and read what can be, and wait so long for something to do; the lines that have come."""
        lines: list[bytes] = []
        for descriptor, _ in self._poll.poll(max(0, seconds) * 1000):
            if descriptor == self._reads:
                lines = self._read()
            elif descriptor == self._writes:
                self._write()
            else:
                self._hear()
        if self._wrong is not None and not lines:
            raise self._wrong
        return lines

    def look(self) -> list[bytes]:
        """The lines that come at once, if any do."""
        for _ in range(LOOKS):
            lines = self._read(SMALL)
            if lines or self.closed or self._wrong is not None:
                return lines
            give_way()
        return []

    def close(self) -> None:
        """Let go of everything; what has been said on the standard error is heard once more."""
        self.hang_up()
        if self._complains is not None:
            self._hear()
        for descriptor in {self._reads, self._complains} - {None}:
            with suppress(OSError):
                os.close(descriptor)  # type: ignore[arg-type]  # None is not among them
        self._reads, self._complains, self.closed = -1, None, True

    def hang_up(self) -> None:
        """Say nothing more: the other side reads the end of the file."""
        if self._open:
            self._stop_writing()
            self._open = False
            os.close(self._writes)

    def _write(self) -> None:
        if not self._open:
            return
        try:
            with memoryview(self._out) as out:
                while self._sent < len(out):
                    self._sent += os.write(self._writes, out[self._sent : self._sent + CHUNK])
        except BlockingIOError:
            if not self._writing:
                self._poll.register(self._writes, POLLOUT)
                self._writing = True
            return
        except OSError:  # nobody reads any more: whether somebody still speaks shows when we read
            pass
        self._out, self._sent = bytearray(), 0
        self._stop_writing()

    def _stop_writing(self) -> None:
        if self._writing:
            self._poll.unregister(self._writes)
            self._writing = False

    def _read(self, most: int = CHUNK) -> list[bytes]:
        try:
            chunk = os.read(self._reads, most)
        except BlockingIOError:
            return []
        except OSError:
            chunk = b""
        if not chunk:
            self.closed = True
            self._poll.unregister(self._reads)
            return []
        if self._wrong is not None:
            return []
        received = self._in + chunk
        *lines, self._in = received.split(b"\n")
        if len(received) > MOST_LINE:
            for place, line in enumerate([*lines, self._in]):
                if len(line) > MOST_LINE:
                    message = f"it said a line of more than {MOST_LINE:,} bytes, {shown_line(line)}"
                    self._wrong, self._in = AgentFault("illegal", message), b""
                    return lines[:place]
        return lines

    def _hear(self) -> None:
        assert self._complains is not None
        try:
            chunk = os.read(self._complains, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if chunk:
            self._tail = (self._tail + chunk)[-MOST_TAIL:]
        else:
            with suppress(KeyError):
                self._poll.unregister(self._complains)


def shown_line(line: bytes) -> str:
    """A line as it is told in a message: quoted, and not too long."""
    text = " ".join(line[:400].decode(errors="replace").split())
    return repr(text if len(text) <= 100 else f"{text[:100]}…")


def plain(text: str) -> str:
    """Text as it may be shown in a terminal: what is neither a letter nor the end of a line is written out."""
    return printable(text, keep="\n\t")
