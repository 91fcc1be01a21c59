"""What is said between Felt and programs, kept while it is said."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from felt.agents.outside.lines import Lines


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Lines as they go: ``→`` to a program and ``←`` from it."""
    said: list[str] = []
    put, read = Lines.put, Lines._read

    def keep_put(self: Lines, text: bytes) -> None:
        said.extend(f"→ {line}" for line in text.decode().splitlines())
        put(self, text)

    def keep_read(self: Lines, *most: int) -> list[bytes]:
        lines = read(self, *most)
        said.extend(f"← {line.decode()}" for line in lines)
        return lines

    with patch.object(Lines, "put", keep_put), patch.object(Lines, "_read", keep_read):
        yield said
