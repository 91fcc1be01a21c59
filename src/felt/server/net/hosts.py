"""Which names the service answers to, so that no other site's name can be made to lead to it (DNS rebinding)."""

from collections.abc import Iterable
from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from felt.server.web.errors import STATUS, error_told, response

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


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


class HostCheck:
    """Refuses requests and WebSockets whose Host is not one of the service's names."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is meant for us."""
        if self._hosts is None or scope["type"] not in ("http", "websocket") or self._knows(scope):
            await self._app(scope, receive, send)
            return
        words = "this service does not answer to that host name; felt serve --allow-host NAME lets it"
        await response(STATUS["wrong_host"], error_told("wrong_host", words))(scope, receive, send)

    def _knows(self, scope: Scope) -> bool:
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        return len(hosts) == 1 and bare(hosts[0]) in (self._hosts or ())


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
