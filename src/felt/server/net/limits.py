"""How much one client may ask for: each by itself, and all at one address together."""

import math
from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from time import monotonic
from typing import NamedTuple

from starlette.requests import HTTPConnection

from felt.server.tables.settings import TableError
from felt.store.database.db import Player

MOST_CLIENTS = 20_000
OWN_DECISIONS_WAITING = 64
DECISIONS = 5.0  # questions to agents that a client may ask a second
ADDRESS_FACTOR = 10  # how much more than one client a whole address may ask for: a class room is behind one
HOUSEHOLD_BITS = 64  # what one customer has of IPv6, and can take addresses from as they like


@dataclass(frozen=True)
class Patience:
    """Seconds after which a connection is cut."""

    handshake: float = 10.0  # until TLS is agreed on
    header: float = 10.0  # until the header of the next request is here, however slowly it comes
    body: float = 20.0  # from the header until the whole request is here
    upgrade: float = 10.0  # until a WebSocket is open
    idle: int = 5  # between an answer and the first byte of the next request
    drain: float = 20.0  # in which somebody reads nothing of what they are sent, or of the last words before the end


@dataclass(frozen=True)
class Limits:
    """Requests of one client a second, and how many at once; bytes. What counts addresses is ten times as generous."""

    requests: float | None = 100.0  # of an address, of any kind; None for no limit
    requests_at_once: int = 600
    changes: float = 20.0
    changes_at_once: int = 60
    tables: float = 0.2  # new tables; each stays in the database
    tables_at_once: int = 30
    sessions: float = 0.5  # new guests from one address
    sessions_at_once: int = 20
    logins: float = 0.1  # attempts to log in at one name from one address; ten times as many at one of the two
    logins_at_once: int = 10
    renames: float = 1 / 3600  # changes of an account's name: whose it was is not to be confused
    renames_at_once: int = 5
    name_seconds: float = 120.0  # how long a name stays a player's own when they are gone; 0 lets guests share names
    studies: float = 10.0  # questions about past hands and statistics, of the cheapest kind
    studies_at_once: int = 60
    studies_waiting: int = 8  # such questions that are not answered yet
    decisions: float | None = DECISIONS  # questions to agents; None: no limit, except through proxies not trusted
    decisions_at_once: int = 30
    decisions_waiting: int = 2  # such questions that are not answered yet
    sockets: int = 50  # connections to tables that are open, and requests that wait for events
    connections: int = 600  # of any kind that one address may hold open; half of all that there can be, if that is less
    patience: Patience = Patience()
    body: int = 64 * 1024
    message: int = 4096  # letters of one message over a WebSocket

    def for_own_machine(self) -> "Limits":
        """The same where nobody but this machine can ask: its own programs may ask as often as they like."""
        return replace(
            self,
            requests=None,
            decisions=None,
            decisions_waiting=OWN_DECISIONS_WAITING,
            tables=self.changes,
            tables_at_once=10 * self.tables_at_once,
        )


class Allowance:
    """A bucket of tokens for each client that fills up again at a rate. For one thread: the event loop's.

    >>> allowance = Allowance(rate=1.0, at_once=2)
    >>> [allowance.take("Ada", now=0.0) for _ in range(3)], allowance.take("Ada", now=1.0)
    ([True, True, False], True)
    """

    def __init__(self, *, rate: float, at_once: int) -> None:
        self._rate, self._most = rate, float(at_once)
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, client: Hashable, cost: float = 1.0, *, now: float | None = None) -> bool:
        """Whether the client may ask for one thing more; what costs more than there ever is costs all of it."""
        now = monotonic() if now is None else now
        left, then = self._left.pop(client, (self._most, now))
        left, cost = min(self._most, left + (now - then) * self._rate), min(cost, self._most)
        enough = left >= max(cost, 1.0)
        self._left[client] = (left - cost if enough else left, now)
        if len(self._left) > MOST_CLIENTS:
            self._left.popitem(last=False)
        return enough

    def check(self, client: Hashable, cost: float = 1.0) -> None:
        if not self.take(client, cost):
            left, _ = self._left.get(client, (self._most, 0.0))
            missing = max(min(cost, self._most), 1.0) - left
            wait = missing / self._rate if self._rate > 0 else math.inf
            raise TableError("too_fast", "too many requests: wait a moment and try again", retry_after=wait)


class Client(NamedTuple):
    """Somebody, and where they are."""

    name: Hashable
    address: str


def client_of(connection: HTTPConnection, player: Player | None) -> Client:
    """Who is asking; those without a session are one client for each address."""
    address = address_of(connection)
    return Client(("player", player.id) if player else ("address", address), address)


def address_of(connection: HTTPConnection) -> str:
    return household(connection.client.host if connection.client else "")


def household(host: str) -> str:
    """The address that limits are for.

    >>> household("192.0.2.7"), household("2001:db8::1:2:3:4"), household("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    address = parse_address(host)
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), HOUSEHOLD_BITS), strict=False))
    return str(address or host)


def parse_address(host: str) -> IPv4Address | IPv6Address | None:
    """An IP address without its zone, as IPv4 where it is one in IPv6's dress; None for what is none."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address


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

    def take(self, name: Hashable, address: str | None) -> bool:
        """Whether somebody may ask for one thing more; None for an address that is not counted."""
        return self._each.take(name) and (address is None or self._address.take(address))


class UnderWay:
    """What goes on at a time for each client, and for all at one address; more is refused in these words."""

    def __init__(self, each: int, code: str, words: str) -> None:
        self._each, self._refusal = each, (code, words)
        self._clients: Counter[Hashable] = Counter()
        self._addresses: Counter[Hashable] = Counter()

    @contextmanager
    def one_more(self, client: Client) -> Iterator[None]:
        counts = (self._clients, client.name), (self._addresses, client.address)
        if self._clients[client.name] >= self._each or self._addresses[client.address] >= ADDRESS_FACTOR * self._each:
            raise TableError(*self._refusal)
        for counter, key in counts:
            counter[key] += 1
        try:
            yield
        finally:
            for counter, key in counts:
                counter[key] -= 1
                if not counter[key]:
                    del counter[key]
