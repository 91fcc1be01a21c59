"""What every request passes on its way in: sizes, host names, rates, safe headers, and the end of the service."""

import asyncio
import json
from collections.abc import Iterable
from ipaddress import ip_address

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from felt.server.net.limits import Allowance, Limits, address_of
from felt.server.tables.settings import TableError
from felt.server.web.errors import STATUS, error_told, response, told_of

MOST_HEAD = 16 * 1024  # bytes of an address and of all headers together
MOST_ENTRIES = 400  # values in a body: each of them may be wrong, and to say so takes longer than to read it
HOLD_SECONDS = 0.5
"""How long who asks too often waits for being told so: else the refusals would be as much work as the answers."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
SAFE = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # the link to a private table has its invitation in it
}
"""What browsers are told with every answer: to load nothing from elsewhere, and to show it in no other site's page."""
HSTS = "max-age=15552000"  # for half a year, to ask this host over HTTPS only


class Middleware:
    """Handles requests and WebSockets before the rest of the service does, and passes all else on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handle = self.handle if scope["type"] in ("http", "websocket") else self._app
        await handle(scope, receive, send)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        raise NotImplementedError


class BodyLimit(Middleware):
    """Refuses larger requests, whether they say their size or not; the service sees those only that are here whole."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        super().__init__(app)
        self._most = most

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        size = sum(len(name) + len(value) for name, value in scope["headers"])
        if size + len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_HEAD:
            refused = error_told("too_large", f"an address and headers of more than {MOST_HEAD} bytes are not read")
            await response(431, refused)(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        body, problem = await self._read(scope, receive)
        if problem:
            await response(413, error_told("too_large", problem))(scope, receive, send)
        elif body is not None:
            await self._app(scope, _again(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> tuple[bytes | None, str]:
        """The whole body, None if the client has gone meanwhile; or why it is refused."""
        too_large = f"a request of more than {self._most} bytes is not read"
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if length.isdigit() and int(length[:20]) > self._most:
            return None, too_large
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None, ""
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._most:
                return None, too_large
        if _has_too_much(body):
            return None, f"a request with more than {MOST_ENTRIES} values in it is not read"
        return bytes(body), ""


def _again(body: bytes, receive: Receive) -> Receive:
    """Give what was read once more; then whatever comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def read() -> Message:
        return messages.pop() if messages else await receive()

    return read


def _has_too_much(body: bytes | bytearray) -> bool:
    """Whether JSON has too many values in it; between two of them there is a comma."""
    if body.count(b",") < MOST_ENTRIES:
        return False
    try:
        waiting = [json.loads(body)]
    except (ValueError, RecursionError):
        return False  # that it is no JSON is said by who reads it
    count = 0
    while waiting and count <= MOST_ENTRIES:
        value = waiting.pop()
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        count += len(inner)
        waiting += list(inner)[: MOST_ENTRIES + 1]
    return count > MOST_ENTRIES


class RequestRate(Middleware):
    """Refuses requests and WebSockets of an address that asks too often: who only looks is counted here."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        super().__init__(app)
        self._allowance: Allowance | None = None
        if limits.requests is not None:
            self._allowance = Allowance(rate=limits.requests, at_once=limits.requests_at_once)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if self._allowance is not None:
                self._allowance.check(address_of(HTTPConnection(scope)))
        except TableError as error:
            await asyncio.sleep(HOLD_SECONDS)
            await response(*told_of(error))(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class Stopping(Middleware):
    """Answers requests that are cancelled: uvicorn does that only to those that it cannot wait for any longer."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
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
            words = "the service is being stopped: try again when it is back"
            await response(503, error_told("stopping", words))(scope, receive, send)


class SafeHeaders(Middleware):
    """Adds safe headers to answers, also to refusals of WebSockets."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                headers.update(SAFE)
                # by the name localhost whatever runs on this machine is asked, often over plain HTTP
                if scope.get("scheme") in ("https", "wss") and _hosts(scope)[:1] != ["localhost"]:
                    headers["Strict-Transport-Security"] = HSTS
            await send(message)

        await self._app(scope, receive, send_with_headers)


class HostCheck(Middleware):
    """Refuses requests and WebSockets whose Host is not one of the service's names (DNS rebinding)."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None) -> None:
        super().__init__(app)
        self._known = hosts

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        hosts = _hosts(scope)
        if self._known is None or (len(hosts) == 1 and hosts[0] in self._known):
            await self._app(scope, receive, send)
            return
        words = "this service does not answer to that host name; felt serve --allow-host NAME lets it"
        await response(STATUS["wrong_host"], error_told("wrong_host", words))(scope, receive, send)


def allowed_hosts(bound: str, more: Iterable[str] = ()) -> frozenset[str] | None:
    """The hosts to answer to when bound to an address; None for all.

    Who serves to their own machine only is asked by its own names; who serves to others and says by which names, by
    those too; and who does not say is asked by any.

    >>> sorted(allowed_hosts("127.0.0.1", ["poker.lan"]))
    ['127.0.0.1', '[::1]', 'localhost', 'poker.lan']
    >>> allowed_hosts("0.0.0.0") is None
    True
    """
    allowed = {bare(name) for name in more}
    if not (is_loopback(bound) or allowed):
        return None
    return frozenset({*LOOPBACK, bare(f"[{bound}]" if ":" in bound else bound), *allowed})


def _hosts(scope: Scope) -> list[str]:
    return [bare(value.decode("latin-1")) for name, value in scope["headers"] if name == b"host"]


def bare(host: str) -> str:
    """A host without its port, in small letters."""
    name, colon, port = host.strip().lower().rpartition(":")
    return (name if colon and port.isdigit() else host.strip().lower()).removesuffix(".")


def is_loopback(host: str) -> bool:
    """Whether only this machine itself can connect to this address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
