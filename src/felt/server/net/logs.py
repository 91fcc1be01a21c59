"""Lines for the log: such as a terminal may show, whatever names and exceptions are in them; and not without end."""

import logging

from felt.errors import printable

CAUSED_BY_STRANGERS = (
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "ASGI callable returned without completing handshake.",  # a table that is not there, for one
    "Invalid UTF-8 sequence received from client.",
)
"""What uvicorn says whenever somebody sends it nonsense."""


class SaidOnce(logging.Filter):
    """Lets through once what any stranger can cause, as often as they like: else they could fill the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        words = record.msg.strip() if isinstance(record.msg, str) else ""
        if words not in CAUSED_BY_STRANGERS:
            return True
        new = words not in self._said
        self._said.add(words)
        record.exc_info = None  # what is wrong is theirs
        return new


class PlainFormatter(logging.Formatter):
    """Another formatter's lines, with what a terminal would obey written out."""

    def __init__(self, inner: logging.Formatter | None = None) -> None:
        super().__init__()
        self._inner = inner or logging.Formatter()

    def format(self, record: logging.LogRecord) -> str:
        return printable(self._inner.format(record), keep="\n\t")


def plain_logs(logger: str = "") -> None:
    """Let a logger's handlers, or what Python writes without any, send nothing to a terminal that it would obey."""
    handlers = logging.getLogger(logger).handlers if logger else [logging.lastResort]
    for handler in handlers:
        if handler is not None and not isinstance(handler.formatter, PlainFormatter):
            handler.setFormatter(PlainFormatter(handler.formatter))
