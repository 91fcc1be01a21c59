"""Standard streams that are closed, full or read by nobody: what a command does where it cannot write.

A closed stream is opened again on the null device before anything else is, so that no file gets its number and is
written to by mistake. Standard output is opened for reading there: writing to it fails, and that is told. Messages
that nobody can read are lost; the exit code says what happened.
"""

import contextlib
import errno
import os
import re
import sys
from types import TracebackType
from typing import TextIO

from felt.errors import printable

_WRITE_ERRORS = frozenset({errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EROFS})
_ENDLESS = re.compile(r"\S{300,}")
"""Longer than any word or path of a message that somebody means to read."""
MODES = ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY))


def open_closed_streams() -> None:
    """Give every standard stream that is closed a file to stand on; at the start of a process."""
    for number, mode in MODES:
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, mode)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it stays open as long as the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def is_write_error(error: OSError) -> bool:
    """Whether something that was open could not be written; what could not be opened has a name."""
    return error.filename is None and error.errno in _WRITE_ERRORS


def let_the_rest_go(stream: TextIO | None = None) -> None:
    """Nobody takes what is still to be written (to stdout): leave Python nothing to complain about at exit."""
    stream = stream or sys.stdout
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        stream.flush()


def complain(message: str) -> None:
    """One line on standard error, which may be lost where that cannot be written either."""
    try:
        line = printable(" ".join(message.split()))
        print("felt:", _ENDLESS.sub(_shortened, line), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        let_the_rest_go(sys.stderr)


def _shortened(word: re.Match[str]) -> str:
    """A word without end, such as a number of thousands of digits, with its middle left out."""
    return f"{word[0][:50]}…{word[0][-30:]}"


def show_traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A fault of ours on standard error; what was read may be in its message."""
    import traceback

    text = "".join(traceback.format_exception(kind, error, trace))
    with contextlib.suppress(OSError, ValueError):
        print(printable(text, keep="\n\t"), end="", file=sys.stderr, flush=True)
