"""The service in a process of its own."""

import asyncio
import gc
import logging
import math
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from felt.agents.naming import Entrant
from felt.errors import FeltError
from felt.server.agents.thinking import still_at_work
from felt.server.net.connections import Acceptor, Connections, GuardedHttp, GuardedWebSocket, most_connections
from felt.server.net.limits import Limits
from felt.server.net.logs import SaidOnce, plain_logs
from felt.server.net.middleware import MOST_HEAD, allowed_hosts, is_loopback
from felt.server.net.proxies import Proxies
from felt.server.net.tls import Certificate
from felt.server.tables.settings import Pace
from felt.server.web.app import create_app
from felt.store.database.db import Store

GRACE_SECONDS = 3  # how long connections have to end when the service is stopped
DECIDE_BURST_SECONDS = 6  # what a client may ask of agents at once is as much as in so many seconds
LAST_SECONDS = 1.0  # how long agents have to come to an end after that


class FeltServer(uvicorn.Server):
    """Counts connections, and says when clients can connect."""

    app: FastAPI
    announce: Callable[[], None]
    counts: Connections

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's, with an own way to let clients in; then the announcement."""
        await super().startup(sockets=[])
        if self.started:
            state = {"server_state": self.server_state, "app_state": self.lifespan.state}
            protocol = partial(GuardedHttp, config=self.config, **state)
            for listener in sockets or ():
                acceptor = Acceptor(listener, self.counts, protocol, self.config.ssl)
                acceptor.start(self.config.backlog)
                self.servers.append(acceptor)  # type: ignore[arg-type]  # it can be closed, which is all that is asked
            self.app.state.warming.add_done_callback(freeze)
            await asyncio.to_thread(self.announce)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's, after those are let go who wait for events: else it would wait for them, and cut them off."""
        for server in self.servers:
            server.close()
        self.app.state.tables.hang_up()
        await super().shutdown(sockets=sockets)

    async def on_tick(self, counter: int) -> bool:
        """As uvicorn's, ten times a second; once a second connections are cut that are overdue."""
        if counter % 10 == 0:
            self.counts.sweep(asyncio.get_running_loop().time())
        return await super().on_tick(counter)


def freeze(warming: "asyncio.Task[None]") -> None:
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
    proxies: Proxies | None = None,
    decide_rate: float | None = None,
) -> bool:
    """Serve until told to stop; `announce` is called with the address when clients can connect.

    Returns whether all agents have come to an end: of one that never answers, the thread is still there.
    """
    proxies = proxies or Proxies([])
    limits = limits or _usual_limits(host, proxies, decide_rate)
    listener = listen(host, port)
    try:
        _try_store(data, database)
        hosts = allowed_hosts(host, allow_hosts)
        app = create_app(data, limits=limits, pace=pace, database=database, hosts=hosts, guests=guests, proxies=proxies)
        counts = Connections(limits, most=most_connections(), proxies=proxies)
        config = uvicorn.Config(
            app,
            log_level="warning",
            use_colors=False,  # so that nothing in the log is for a terminal to obey
            proxy_headers=False,  # whoever connects could say that they are somebody else
            http=GuardedHttp,
            h11_max_incomplete_event_size=MOST_HEAD,
            ws=type("Counted", (GuardedWebSocket,), {"counts": counts}),
            ws_max_size=4 * limits.message,
            ws_per_message_deflate=False,  # messages are small: packing them would cost more than sending them
            timeout_keep_alive=limits.patience.idle,
            timeout_graceful_shutdown=GRACE_SECONDS,
            ssl_certfile=tls.certificate if tls else None,
            ssl_keyfile=tls.key if tls else None,
        )
        plain_logs()
        plain_logs("uvicorn")
        # instead of that of a service before in this process
        logging.getLogger("uvicorn.error").filters = [SaidOnce()]
        server = FeltServer(config)
        server.app, server.counts = app, counts
        shown = f"[{host}]" if ":" in host else host
        server.announce = lambda: announce(f"{'https' if tls else 'http'}://{shown}:{listener.getsockname()[1]}/")
        with suppress(KeyboardInterrupt):  # uvicorn raises the signal again that has stopped it
            server.run(sockets=[listener])
        return not still_at_work(LAST_SECONDS)
    finally:
        listener.close()


def _usual_limits(host: str, proxies: Proxies, decide_rate: float | None) -> Limits:
    """Fewer where only this machine can ask, unless it asks for others."""
    limits = Limits()
    if is_loopback(host) and not proxies:
        limits = limits.for_own_machine()
    if decide_rate is None:
        return limits
    at_once = max(1, math.ceil(DECIDE_BURST_SECONDS * decide_rate))
    return replace(limits, decisions=decide_rate or None, decisions_at_once=at_once)


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
        place = f"host {host!r}, port {port} ({reason})"
        raise FeltError(f"cannot listen on {place}: choose another host, or another port") from None
    return listener


def _try_store(data: Path, database: str | None) -> None:
    """Refuse a folder or database that cannot be used while that can still be said in one line."""
    with closing(Store(data, database)) as store:
        store.check()
