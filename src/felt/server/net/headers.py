"""What browsers are told with every answer: to load nothing from elsewhere, and to show it in no other site's page."""

from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from felt.server.net.hosts import bare

POLICY = "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"
SAFE: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # the link to a private table has its invitation in it
}


HSTS = "max-age=15552000"
"""For half a year, to ask this host over HTTPS only."""


class SafeHeaders:
    """Adds these headers to answers, also to refusals of WebSockets."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                headers.update(SAFE)
                if scope.get("scheme") in ("https", "wss") and not _is_own_machine(scope):
                    headers["Strict-Transport-Security"] = HSTS
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _is_own_machine(scope: Scope) -> bool:
    """Whether the host is the name by which whatever runs on this machine is asked, often over plain HTTP."""
    hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    return bool(hosts) and bare(hosts[0]) == "localhost"
