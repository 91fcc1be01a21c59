"""Lines for the log that a terminal may show, whatever names and exceptions are in them."""

import logging

from felt.errors import printable


class PlainFormatter(logging.Formatter):
    """Another formatter's lines, with what a terminal would obey written out."""

    def __init__(self, inner: logging.Formatter | None = None) -> None:
        super().__init__()
        self._inner = inner or logging.Formatter()

    def format(self, record: logging.LogRecord) -> str:
        """The line, or the lines of a traceback."""
        return printable(self._inner.format(record), keep="\n\t")


def plain_logs(logger: str = "") -> None:
    """Let a logger's handlers, or what Python writes without any, send nothing to a terminal that it would obey."""
    handlers = logging.getLogger(logger).handlers if logger else [logging.lastResort]
    for handler in handlers:
        if handler is not None and not isinstance(handler.formatter, PlainFormatter):
            handler.setFormatter(PlainFormatter(handler.formatter))
