"""Programs that Felt starts: each in a group of its own that ends with Felt, however Felt ends."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

GUARD = 'read -r group && { read -r _; kill -s KILL -- "-$group"; }'
"""What ends a program when Felt cannot: it is told of the program's group, and waits for the end of a pipe that only
Felt holds."""

Stream = int | IO[bytes] | None


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
