"""Lines over a socket, for the ACPC protocol: bounded in time and in length, written together where nobody waits."""

import select
import socket
import struct
import time
from collections.abc import Callable

from felt.agents.outside.lines import LOOKS, give_way
from felt.interop.acpc.hand import AcpcError

MOST_IN_A_LINE = 4096
"""Bytes of the longest line that is read; the competition's dealer has the same limit."""
SOON = 0.01
"""Seconds that a player who answers at once has, while others wait for their news."""
MOST_DIGITS, MOST_SHOWN = 5, 80
_AT_ONCE = 2 * MOST_IN_A_LINE
_SOON = struct.pack("@ll", 0, int(SOON * 1e6))


class GoneError(Exception):
    """The other side does not go on; the message says why."""


class TooLongError(GoneError):
    """The other side has sent a line that is too long."""


class SilentError(GoneError):
    """The other side did not answer in time, or did not read what was sent to it."""


class Wire:
    """One connection, read and written line by line. What is `put` is sent with the next `flush`."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):  # in the system: half as many calls as with poll
            connection.setsockopt(socket.SOL_SOCKET, option, _SOON)
        self._socket = connection
        self.looks = LOOKS
        """How often an answer is looked for before we sleep until it comes."""
        self._unread = b""
        self._unsent: list[str] = []
        self.put: Callable[[str], None] = self._unsent.append
        """Takes a line to send, without its end."""

    def flush(self, seconds: float) -> None:
        """Send what was put; at most so many seconds."""
        if not self._unsent:
            return
        data = ("\r\n".join(self._unsent) + "\r\n").encode()
        self._unsent.clear()
        try:
            sent = self._socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            raise GoneError(_why(error)) from None
        if sent == len(data):
            return
        self._socket.settimeout(max(seconds, 0.001))
        try:
            self._socket.sendall(data[sent:])
        except TimeoutError:
            raise SilentError("it does not read what it is sent") from None
        except OSError as error:
            raise GoneError(_why(error)) from None
        finally:
            self._socket.settimeout(None)

    def line_soon(self) -> str | None:
        """The next line, without its end, if it is there now or within `SOON`; every byte is a letter of it."""
        if not self._unread and self._receive():
            data = self._unread
            if data.find(b"\n") == len(data) - 1 < MOST_IN_A_LINE:  # one line and no more, as nearly always
                self._unread = b""
                return data.decode("latin-1").rstrip("\r\n")
        elif b"\n" not in self._unread and not self._receive():
            return None
        line, end, self._unread = self._unread.partition(b"\n")
        if len(line) > MOST_IN_A_LINE:
            raise TooLongError(f"a line of over {MOST_IN_A_LINE:,} bytes")
        if not end:
            self._unread = line
            return None
        return line.decode("latin-1").rstrip("\r")

    def line(self, seconds: float) -> str:
        """The next line, without its end; waits for it at most so many seconds."""
        until = time.monotonic() + seconds
        while (line := self.line_soon()) is None:
            left = until - time.monotonic()
            if left <= 0:
                raise SilentError("no answer in time")
            select.select([self._socket], [], [], left)
        return line

    def _receive(self) -> bool:
        """Read what has come, or comes soon."""
        receive, looks = self._socket.recv, self.looks
        while True:
            try:
                more = receive(_AT_ONCE, socket.MSG_DONTWAIT if looks else 0)
                break
            except BlockingIOError:
                if not looks:
                    return False
                looks -= 1
                give_way()
            except OSError as error:
                raise GoneError(_why(error)) from None
        if not more:
            raise GoneError("it has closed the connection")
        self._unread += more
        return True

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


def _why(error: OSError) -> str:
    return f"the connection broke: {error.strerror or error}"


def listen(host: str, port: int = 0) -> socket.socket:
    """A socket that one player connects to; its port is chosen by the system unless it is given."""
    try:
        return socket.create_server((host, port), backlog=4)
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise AcpcError(f"cannot listen at {host}:{port}: {why}; choose another port or address") from None


def accept(door: socket.socket, seconds: float) -> Wire | None:
    """The player who connects, and the door is closed behind it; None if nobody does within so many seconds."""
    door.settimeout(max(seconds, 0.001))
    try:
        connection, _ = door.accept()
    except TimeoutError:
        return None
    door.close()
    return Wire(connection)


def connect(host: str, port: int, seconds: float) -> Wire:
    """A connection to a dealer; a dealer that does not listen yet is waited for."""
    until = time.monotonic() + seconds
    while True:
        try:
            return Wire(socket.create_connection((host, port), timeout=max(until - time.monotonic(), 0.1)))
        except ConnectionRefusedError:
            if time.monotonic() >= until:
                raise AcpcError(f"no dealer listens at {host}:{port}: begin it first, then join") from None
            time.sleep(0.05)
        except (OSError, OverflowError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or error
            raise AcpcError(f"cannot connect to {host}:{port}: {why}; give the address of the dealer") from None


def address(text: str) -> tuple[str, int]:
    """A host and a port, written ``HOST:PORT``.

    >>> address("127.0.0.1:5000")
    ('127.0.0.1', 5000)
    """
    host, colon, port = text.rpartition(":")
    number = port_number(port)
    if not colon or not host or not number:
        raise AcpcError(f"{text[:MOST_SHOWN]!r} is no address: write HOST:PORT, like 127.0.0.1:5000")
    return host.strip("[]"), number


def port_number(text: str) -> int | None:
    """A port, 0 to 65535; None if the text is none.

    >>> port_number("5000"), port_number("99999"), port_number("5k")
    (5000, None, None)
    """
    if not (text.isascii() and text.isdigit()) or len(text) > MOST_DIGITS:
        return None
    return number if (number := int(text)) < 65536 else None
