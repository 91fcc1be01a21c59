"""The service in a process of its own."""

import asyncio
import gc
import logging
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from felt.agents.naming import Entrant
from felt.errors import FeltError
from felt.server.app import create_app
from felt.server.hosts import allowed_hosts
from felt.server.limits import Limits
from felt.server.pace import Pace
from felt.server.thinking import still_at_work
from felt.server.tls import Certificate
from felt.store.db import Store

GRACE_SECONDS = 3
"""How long connections have to end when the service is stopped."""


LAST_SECONDS = 1.0
"""How long agents have to come to an end after that."""


class _Server(uvicorn.Server):
    """Says when clients can connect."""

    app: FastAPI
    announce: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's, then the announcement."""
        await super().startup(sockets=sockets)
        if self.started:
            self.app.state.warming.add_done_callback(_freeze)
            await asyncio.to_thread(self.announce)


def _freeze(warming: "asyncio.Task[None]") -> None:
    """Let Python's collector leave alone all that was loaded: to look through it would stop every table for a while."""
    if not warming.cancelled() and (error := warming.exception()) is not None:
        logging.getLogger("uvicorn.error").warning("felt: first moves will be slow: %s", error)
    gc.collect()
    gc.freeze()


def run_service(
    data: Path,
    *,
    host: str,
    port: int,
    announce: Callable[[str], None],
    database: str | None = None,
    allow_hosts: Sequence[str] = (),
    tls: Certificate | None = None,
    limits: Limits | None = None,
    pace: Pace | None = None,
    guests: Mapping[str, Entrant] | None = None,
) -> bool:
    """Serve until told to stop; `announce` is called with the address when clients can connect.

    Returns whether all agents have come to an end: of one that never answers, the thread is still there.
    """
    limits = limits or Limits()
    listener = listen(host, port)
    try:
        _try_store(data, database)
        hosts = allowed_hosts(host, allow_hosts)
        app = create_app(data, limits=limits, pace=pace, database=database, hosts=hosts, guests=guests)
        config = uvicorn.Config(
            app,
            log_level="warning",
            proxy_headers=False,  # whoever connects could say that they are somebody else
            ws_max_size=4 * limits.message,
            ws_per_message_deflate=False,  # messages are small: packing them would cost more than sending them
            timeout_graceful_shutdown=GRACE_SECONDS,
            ssl_certfile=tls.certificate if tls else None,
            ssl_keyfile=tls.key if tls else None,
        )
        server = _Server(config)
        server.app = app
        shown = f"[{host}]" if ":" in host else host
        server.announce = lambda: announce(f"{'https' if tls else 'http'}://{shown}:{listener.getsockname()[1]}/")
        with suppress(KeyboardInterrupt):  # uvicorn raises the signal again that has stopped it
            server.run(sockets=[listener])
        return not still_at_work(LAST_SECONDS)
    finally:
        listener.close()


def listen(host: str, port: int) -> socket.socket:
    """A socket that clients can connect to, or one line that says why not."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small messages at once only on sockets that say that they are TCP's: else each waits 40 ms
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError, UnicodeError) as error:
        listener.close()
        number = error.errno if isinstance(error, OSError) else None
        reason = os.strerror(number).lower() if number and number > 0 else str(error)
        raise FeltError(
            f"cannot listen on host {host!r}, port {port} ({reason}): choose another host, or another port"
        ) from None
    return listener


def _try_store(data: Path, database: str | None) -> None:
    """Refuse a folder or database that cannot be used while that can still be said in one line."""
    Store(data, database).close()
