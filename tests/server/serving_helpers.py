"""The real service on a port of this machine, in a thread, for tests that need its connections."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from felt.server.net.limits import Limits
from felt.server.tables.settings import Pace
from felt.server.web import serving
from tests.server.attacks import Target

WITHIN = 30.0
"""Seconds after which a test that waits has failed."""


async def eventually(true: Callable[[], object]) -> None:
    """Wait for something that will be so."""
    async with asyncio.timeout(WITHIN):
        while not true():
            await asyncio.sleep(0.01)


async def until_cut(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the connection ends: cleanly, or by a reset, which the kernel sends when a connection is
    closed before everything in it was read."""
    received = b""
    async with asyncio.timeout(WITHIN):
        with suppress(ConnectionResetError):
            while piece := await reader.read(2**16):
                received += piece
    return received


@dataclass
class Serving:
    """A service that runs on a thread of its own."""

    target: Target
    server: serving.FeltServer
    thread: threading.Thread

    def stop(self) -> None:
        """Stop as a signal would, and wait for the end."""
        self.server.should_exit = True
        self.thread.join(WITHIN)
        assert not self.thread.is_alive(), "the service does not stop"


@contextmanager
def serving_at(data: Path, *, limits: Limits | None = None, **options: Any) -> Iterator[Serving]:
    """The service over a folder, with whatever `run_service` takes; it is stopped at the end."""
    servers: list[serving.FeltServer] = []
    ready, addresses = threading.Event(), list[str]()

    class Seen(serving.FeltServer):
        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named)
            servers.append(self)

    def announce(address: str) -> None:
        addresses.append(address)
        ready.set()

    def serve() -> None:
        try:
            pace = options.pop("pace", Pace(after_hand=0.0, agent=0.0))
            serving.run_service(data, host="127.0.0.1", port=0, announce=announce, limits=limits, pace=pace, **options)
        finally:
            ready.set()

    with patch.object(serving, "FeltServer", Seen), patch.object(serving, "freeze", lambda _: None):
        thread = threading.Thread(target=serve)
        thread.start()
        assert ready.wait(WITHIN) and addresses, "the service does not start"
        running = Serving(Target(int(addresses[0].rstrip("/").rpartition(":")[2])), servers[0], thread)
        try:
            yield running
        finally:
            running.stop()
