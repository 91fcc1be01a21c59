"""No request is read that is larger than any of ours would be."""

from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from felt.server.errors import error_told, response


class _TooLarge(Exception):  # noqa: N818 - a way out, not an error
    pass


class BodyLimit:
    """Refuse larger bodies, whether they say their size or not."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        read, begun = 0, False

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most:
                raise _TooLarge
            return message

        async def sent(message: Message) -> None:
            nonlocal begun
            if read <= self._most or begun:  # else whatever the exception has been taken for
                begun = True
                await send(message)

        size = dict(scope["headers"]).get(b"content-length", b"0")
        too_large = size.isdigit() and int(size[:20]) > self._most
        if not too_large:
            with suppress(_TooLarge):
                await self._app(scope, counted, sent)
        if not begun and (too_large or read > self._most):
            refused = error_told("too_large", f"a request of more than {self._most} bytes is not read")
            await response(413, refused)(scope, receive, send)
