"""Proxies in front of the service: only those that are trusted may say for whom they ask."""

import logging
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from felt.errors import FeltError
from felt.server.net.limits import parse_address
from felt.server.net.middleware import Middleware

log = logging.getLogger(__name__)
FORWARDED = "felt.forwarded"
"""In a scope: whether it was passed on by somebody who is not trusted, so that nobody knows who asks."""
MOST_HOPS = 32  # proxies in a row that are read of; who wrote more of them wants us to be busy reading
_SECURE = {"http": "https", "ws": "wss"}


class Proxies:
    """Addresses of proxies that are trusted.

    >>> proxies = Proxies(["127.0.0.1", "10.0.0.0/8"])
    >>> "10.1.2.3" in proxies, "192.0.2.7" in proxies, bool(Proxies([]))
    (True, False, False)
    """

    def __init__(self, addresses: Iterable[str]) -> None:
        self._networks: list[IPv4Network | IPv6Network] = []
        for text in addresses:
            try:
                self._networks.append(ip_network(text.strip()))
            except ValueError:
                example = "like 127.0.0.1, or a network, like 10.0.0.0/8"
                raise FeltError(f"--trusted-proxy {text!r}: give the address of a proxy, {example}") from None

    def __bool__(self) -> bool:
        return bool(self._networks)

    def __contains__(self, host: object) -> bool:
        address = parse_address(str(host))
        return address is not None and any(address in network for network in self._networks)


class Hop(NamedTuple):
    """What a proxy says of whom it asks for."""

    host: str
    scheme: str = ""


class ForwardedFor(Middleware):
    """Lets limits count whom a trusted proxy asks for, and cookies know whether they came over HTTPS."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        super().__init__(app)
        self._proxies, self._warned = proxies, False

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        peer = scope["client"][0] if scope.get("client") else ""
        hops, forwarded = _hops(scope)
        if peer in self._proxies:
            scope = {**scope, **self._sender(scope, hops, forwarded)}
        elif hops or forwarded:
            scope = {**scope, FORWARDED: True}
            self._warn(peer)
        await self._app(scope, receive, send)

    def _sender(self, scope: Scope, forwarded_for: Sequence[Hop], forwarded: Sequence[Hop]) -> dict[str, object]:
        """The client and the scheme; where two headers name two clients, one is forged, and neither is believed."""
        senders = {hop for hops in (forwarded_for, forwarded) if (hop := self._last_stranger(hops))}
        if len({hop.host for hop in senders}) != 1:
            return {}
        host = next(iter(senders)).host
        secure = any(hop.scheme == "https" for hop in senders)
        scheme = _SECURE.get(scope["scheme"], scope["scheme"]) if secure else scope["scheme"]
        return {"client": (host, 0), "scheme": scheme}

    def _last_stranger(self, hops: Sequence[Hop]) -> Hop | None:
        """Whom the last proxy of ours was asked by; what stands before that anybody may have written."""
        for hop in reversed(hops):
            if parse_address(hop.host) is None:
                return None
            if hop.host not in self._proxies:
                return hop
        return hops[0] if hops else None

    def _warn(self, peer: str) -> None:
        if not self._warned:
            self._warned = True
            log.warning(
                "a request came through a proxy that is not trusted: if it is yours, serve with --trusted-proxy %s, "
                "so that its clients are counted by their own addresses",
                parse_address(peer) or "ADDRESS",
            )


def _hops(scope: Scope) -> tuple[list[Hop], list[Hop]]:
    """What X-Forwarded-For and Forwarded say (RFC 7239) of the last proxies, first to last."""
    values: dict[bytes, list[str]] = {b"x-forwarded-for": [], b"x-forwarded-proto": [], b"forwarded": []}
    for name, value in scope["headers"]:
        if name in values:
            last = value.decode("latin-1").rsplit(",", MOST_HOPS)[-MOST_HOPS:]
            values[name] = [*values[name], *(part.strip() for part in last)][-MOST_HOPS:]
    scheme = (values[b"x-forwarded-proto"] or [""])[-1].lower()
    hops = [Hop(_host(text), scheme) for text in values[b"x-forwarded-for"]]
    return hops, [_element(text) for text in values[b"forwarded"]]


def _element(text: str) -> Hop:
    pairs = dict(part.strip().lower().partition("=")[::2] for part in text.split(";", MOST_HOPS))
    return Hop(_host(pairs.get("for", "").strip('"')), pairs.get("proto", "").strip('"'))


def _host(text: str) -> str:
    """An address without the port that may stand after it."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
