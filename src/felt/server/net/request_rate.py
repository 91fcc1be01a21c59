"""How often one address may ask for anything at all: who only looks is counted here."""

import asyncio

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from felt.server.net.clients import address_of
from felt.server.net.limits import Allowance, Limits
from felt.server.tables.settings import TableError
from felt.server.web.errors import response, told_of

HOLD_SECONDS = 0.5
"""How long who asks too often waits for being told so: else the refusals would be as much work as the answers."""


class RequestRate:
    """Refuses requests and WebSockets of an address that asks too often."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._allowance: Allowance | None = None
        if limits.requests is not None:
            self._allowance = Allowance(rate=limits.requests, at_once=limits.requests_at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or hold it for a moment and refuse it."""
        if self._allowance is not None and scope["type"] in ("http", "websocket"):
            try:
                self._allowance.check(address_of(HTTPConnection(scope)))
            except TableError as error:
                await asyncio.sleep(HOLD_SECONDS)
                await response(*told_of(error))(scope, receive, send)
                return
        await self._app(scope, receive, send)
