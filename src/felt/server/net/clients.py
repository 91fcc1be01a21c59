"""Clients as limits count them: each by itself, and all at one address together."""

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, NamedTuple

from starlette.requests import HTTPConnection

from felt.server.net.limits import Allowance
from felt.server.tables.settings import TableError
from felt.store.database.db import Player

ADDRESS_FACTOR = 10
"""How much more than one client a whole address may ask for: a class room is behind one."""
HOUSEHOLD_BITS = 64
"""What one customer has of IPv6, and can take addresses from as they like."""


class Client(NamedTuple):
    """Somebody, and where they are."""

    name: Hashable
    address: str


def client_of(connection: HTTPConnection, player: Player | None) -> Client:
    """Who is asking; those without a session are one client for each address."""
    address = address_of(connection)
    return Client(("player", player.id) if player else ("address", address), address)


def address_of(connection: HTTPConnection) -> str:
    """Where a request comes from."""
    return household(connection.client.host if connection.client else "")


def household(host: str) -> str:
    """The address that limits are for.

    >>> household("192.0.2.7"), household("2001:db8::1:2:3:4"), household("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((int(address), HOUSEHOLD_BITS), strict=False))


class SharedAllowance:
    """An allowance for each client, and ten times as much for all at one address: whoever has many names has not more.

    >>> allowance = SharedAllowance(rate=0.0, at_once=1)
    >>> allowance.check(Client("Ada", "192.0.2.7"))
    >>> allowance.check(Client("Ada", "192.0.2.7"))
    Traceback (most recent call last):
      ...
    felt.server.tables.settings.TableError: too many requests: wait a moment and try again
    """

    def __init__(self, *, rate: float, at_once: int) -> None:
        self._each = Allowance(rate=rate, at_once=at_once)
        self._address = Allowance(rate=ADDRESS_FACTOR * rate, at_once=ADDRESS_FACTOR * at_once)

    def check(self, client: Client, cost: float = 1.0) -> None:
        """Refuse a client who asks too often; what it is refused does not count for the others at its address."""
        self._each.check(client.name, cost)
        self._address.check(client.address, cost)


class UnderWay:
    """What goes on at a time for each client, and for all at one address; more is refused in these words."""

    def __init__(self, each: int, code: str, words: str) -> None:
        self._each, self._refusal = each, (code, words)
        self._clients: Counter[Hashable] = Counter()
        self._addresses: Counter[str] = Counter()

    @contextmanager
    def one_more(self, client: Client) -> Iterator[None]:
        """Something that goes on while the context is open."""
        if self._clients[client.name] >= self._each or self._addresses[client.address] >= ADDRESS_FACTOR * self._each:
            raise TableError(*self._refusal)
        self._clients[client.name] += 1
        self._addresses[client.address] += 1
        try:
            yield
        finally:
            _one_less(self._clients, client.name)
            _one_less(self._addresses, client.address)


def _one_less(counter: "Counter[Any]", key: Hashable) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


def open_connections(each: int) -> UnderWay:
    """WebSockets, and requests that wait for events."""
    return UnderWay(each, "too_many_connections", "too many connections to tables are open: close some of them first")
