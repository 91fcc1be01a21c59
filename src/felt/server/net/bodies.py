"""No request is read that is larger, or has more in it, than any of ours would have."""

import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from felt.server.web.errors import error_told, response

MOST_HEAD = 16 * 1024
"""Bytes of an address and of all headers together."""
MOST_ENTRIES = 400
"""Values in a body: each of them may be wrong, and to say so takes longer than to read it."""


class BodyLimit:
    """Refuses larger requests, whether they say their size or not; the service sees those only that are here whole."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its whole body."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
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
    delivered = False

    async def read() -> Message:
        nonlocal delivered
        if delivered:
            return await receive()
        delivered = True
        return {"type": "http.request", "body": body, "more_body": False}

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
