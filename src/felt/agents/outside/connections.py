"""Where programs outside are found: started as a process, or connected to."""

import os
import shlex
import shutil
import signal
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import IO

from felt.agents.api import AgentFault
from felt.agents.outside.lines import Lines
from felt.errors import FeltError

GO_WITHIN = 1.0
"""Seconds in which a program may end by itself when there is nothing more to do."""
MOST_LAST = 1000
"""Lines that are kept of what it says meanwhile."""
CONNECT_WITHIN = 5.0
GUARD = 'read -r group && { read -r _; kill -s KILL -- "-$group"; }'
"""What ends a program when Felt cannot: it is told of the program's group, and waits for the end of a pipe that only
Felt holds."""
Stream = int | IO[bytes] | None
PIPE = 1024 * 1024
"""Bytes of a pipe, where the system allows so many: fewer turns for the same lines."""


class Group:
    """A program with all that it starts, and its guard."""

    def __init__(self, process: "subprocess.Popen[bytes]", guard: "subprocess.Popen[bytes]") -> None:
        self.process, self.guard = process, guard

    @classmethod
    def start(
        cls, words: Sequence[str], *, stdin: Stream = None, stdout: Stream = None, stderr: Stream = None
    ) -> "Group":
        """Start a program, in a session of its own: a terminal's interrupt is for Felt, which ends it.

        Raises `OSError` where it cannot be started.
        """
        guard = subprocess.Popen(
            ["/bin/sh", "-c", GUARD], bufsize=0, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            process = subprocess.Popen(
                words, stdin=stdin, stdout=stdout, stderr=stderr, bufsize=0, start_new_session=True
            )
        except BaseException:
            _end_guard(guard)
            raise
        assert guard.stdin is not None
        guard.stdin.write(f"{process.pid}\n".encode())
        return cls(process, guard)

    def end(self, seconds: float = 0.0) -> None:
        """Give the program so many seconds to end by itself; then end all of its group."""
        if seconds > 0:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        _end_guard(self.guard)


def _end_guard(guard: "subprocess.Popen[bytes]") -> None:
    """There is nothing more to guard."""
    guard.kill()
    guard.wait()
    assert guard.stdin is not None
    guard.stdin.close()


class Visit:
    """Somebody on the other side of a door."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.last: list[bytes] = []
        """What it said while it was let go kindly."""

    def ended(self, seconds: float = 0.0) -> str | None:
        """How it ended, in words, if it has, or does so soon; None if it is there."""
        return "it closed the connection" if self.lines.closed else None

    def leave(self, *, kindly: bool = False) -> None:
        """End it: after what was said has been read, or at once."""
        try:
            if kindly:
                self._wait_until_read(monotonic() + GO_WITHIN)
        finally:
            self.lines.close()

    def _wait_until_read(self, until: float) -> None:
        while self.lines.waiting and not self.lines.closed and monotonic() < until:
            self._hear(until - monotonic())

    def _hear(self, seconds: float) -> bool:
        """Whether it said something."""
        lines: list[bytes] = []
        with suppress(AgentFault):  # whatever it says now
            lines = self.lines.pump(seconds)
        self.last += lines[: MOST_LAST - len(self.last)]
        return bool(lines)


class Running(Visit):
    """A process, in a group of its own that ends with it."""

    def __init__(self, group: Group, lines: Lines) -> None:
        super().__init__(lines)
        self._group, self._process = group, group.process

    def ended(self, seconds: float = 0.0) -> str | None:
        """How the process ended."""
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(seconds) if seconds else self._process.poll()
            if code is not None:
                return f"its process was ended by {_signal(-code)}" if code < 0 else f"it exited with code {code}"
        return None

    def leave(self, *, kindly: bool = False) -> None:
        """Close its input and give it a moment to go; then end all of its group."""
        try:
            if kindly:
                self._let_go(monotonic() + GO_WITHIN)
        finally:  # also when we are interrupted meanwhile
            self._group.end()
            self.lines.close()

    def _let_go(self, until: float) -> None:
        self._wait_until_read(until)
        self.lines.hang_up()
        while self._process.poll() is None and monotonic() < until:
            if self.lines.closed:
                self.ended(until - monotonic())
            else:
                self._hear(min(0.02, until - monotonic()))
        while self._hear(0) and monotonic() < until:  # what it had still said
            pass


@dataclass(frozen=True)
class Program:
    """A program that is started, with its arguments."""

    words: tuple[str, ...]

    @classmethod
    def named(cls, text: str) -> "Program":
        """What was typed behind ``cmd:``, such that it is found from any folder."""
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise FeltError(f"{text!r} is no command: {str(error).lower()}") from None
        if not words:
            raise FeltError("name a program, like cmd:./my-bot")
        program = shutil.which(words[0])
        if program is None:
            there = _is_file(words[0])
            if "/" in words[0] and there:
                raise FeltError(f"{words[0]!r} cannot be executed: give it leave to (chmod +x {shlex.quote(words[0])})")
            hint = f"; did you mean ./{words[0]}?" if there else ""
            raise FeltError(f"there is no program {words[0]!r} here{hint}")
        # also the script in `python bot.py`: so a worker in another folder finds it
        rest = [str(Path(word).absolute()) if _is_file(word) else word for word in words[1:]]
        return cls((str(Path(program).absolute()) if "/" in words[0] else words[0], *rest))

    @property
    def place(self) -> str:
        """As it is typed in any folder."""
        return f"cmd:{shlex.join(self.words)}"

    @property
    def files(self) -> tuple[Path, ...]:
        """Where its code is: the program, unless it is one of the system, and all files that it is given."""
        return tuple(Path(word) for word in self.words if "/" in word and _is_file(word))

    def open(self) -> Visit:
        """Start it, in a session of its own: a terminal's interrupt is for Felt, which ends it."""
        pipes = subprocess.PIPE
        try:
            group = Group.start(self.words, stdin=pipes, stdout=pipes, stderr=pipes)
        except OSError as error:
            raise AgentFault("errors", f"it cannot be started: {(error.strerror or 'error').lower()}") from None
        process = group.process
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        ends = [os.dup(pipe.fileno()) for pipe in (process.stdout, process.stdin, process.stderr)]
        for pipe in (process.stdout, process.stdin, process.stderr):
            pipe.close()
        for end in ends[:2]:
            _widen(end)
        return Running(group, Lines(*ends))


@dataclass(frozen=True)
class Address:
    """A program that waits for connections: a new one is a new copy of it."""

    host: str
    port: int

    @classmethod
    def named(cls, text: str) -> "Address":
        """What was typed behind ``tcp:``."""
        host, colon, port = text.rpartition(":")
        number = int(port) if port.isdecimal() and len(port) < 10 else 0
        if not colon or not _is_host(host.strip("[]")) or not 0 < number < 65536:
            raise FeltError(f"{text!r} is no address: write tcp:HOST:PORT, like tcp:localhost:7000")
        return cls(host.strip("[]"), number)

    @property
    def place(self) -> str:
        """As it is typed."""
        return f"tcp:[{self.host}]:{self.port}" if ":" in self.host else f"tcp:{self.host}:{self.port}"

    @property
    def files(self) -> tuple[Path, ...]:
        """Its code is not known."""
        return ()

    def open(self) -> Visit:
        """Connect."""
        try:
            connection = socket.create_connection((self.host, self.port), CONNECT_WITHIN)
        except TimeoutError:
            raise AgentFault("errors", f"nobody answers at {self.host}:{self.port}") from None
        except OSError as error:
            why = (error.strerror or "error").lower()
            raise AgentFault("errors", f"{self.host}:{self.port} cannot be reached: {why}") from None
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reads = connection.detach()
        return Visit(Lines(reads, os.dup(reads)))


Door = Program | Address


def door(place: str) -> Door:
    """The door of an agent by its name."""
    kind, _, rest = place.partition(":")
    return Address.named(rest) if kind == "tcp" else Program.named(rest)


def _is_file(word: str) -> bool:
    with suppress(OSError, ValueError):
        return Path(word).is_file()
    return False


def _is_host(name: str) -> bool:
    with suppress(UnicodeError):
        return bool(name.encode("idna")) and "\0" not in name
    return False


def _signal(number: int) -> str:
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


def _widen(pipe: int) -> None:
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE)
