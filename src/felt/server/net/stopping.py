"""Whoever is being served when the service stops, and cannot be waited for, is told so."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from felt.server.web.errors import error_told, response

WORDS = "the service is being stopped: try again when it is back"


class Stopping:
    """Answers requests that are cancelled: uvicorn does that only to those that it cannot wait for any longer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except asyncio.CancelledError:
            if begun or scope["type"] != "http":
                raise
            await response(503, error_told("stopping", WORDS))(scope, receive, send)
