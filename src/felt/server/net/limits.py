"""How much one client may ask for."""

import math
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, replace
from time import monotonic

from felt.server.tables.settings import TableError

MOST_CLIENTS = 20_000
OWN_DECISIONS_WAITING = 64
DECISIONS = 5.0
"""Questions to agents that a client may ask a second."""


@dataclass(frozen=True)
class Patience:
    """Seconds after which a connection is cut."""

    handshake: float = 10.0
    """Until TLS is agreed on."""
    header: float = 10.0
    """Until the header of the next request is here, however slowly it comes."""
    body: float = 20.0
    """From the header until the whole request is here."""
    upgrade: float = 10.0
    """Until a WebSocket is open."""
    idle: int = 5
    """Between an answer and the first byte of the next request."""
    drain: float = 20.0
    """In which somebody reads nothing of what they are sent, or of the last words before the end."""


@dataclass(frozen=True)
class Limits:
    """Requests of one client a second, and how many at once; bytes. What counts addresses is ten times as generous."""

    requests: float | None = 100.0
    """Of an address, of any kind; None for no limit."""
    requests_at_once: int = 600
    changes: float = 20.0
    changes_at_once: int = 60
    tables: float = 0.2
    """New tables; each stays in the database."""
    tables_at_once: int = 30
    sessions: float = 0.5
    """New guests from one address."""
    sessions_at_once: int = 20
    logins: float = 0.1
    """Attempts to log in at one name from one address; ten times as many at a name, and from an address."""
    logins_at_once: int = 10
    renames: float = 1 / 3600
    """Changes of an account's name: whose it was is not to be confused."""
    renames_at_once: int = 5
    name_seconds: float = 120.0
    """How long after they were last seen a name is a player's own; 0 lets guests share names."""
    studies: float = 10.0
    """Questions about past hands and statistics, of the cheapest kind."""
    studies_at_once: int = 60
    studies_waiting: int = 8
    """Such questions that are not answered yet."""
    decisions: float | None = DECISIONS
    """Questions to agents (`/decide`); None for no limit, except to what comes through a proxy that is not trusted."""
    decisions_at_once: int = 30
    decisions_waiting: int = 2
    """Such questions that are not answered yet."""
    sockets: int = 50
    """Connections to tables that are open, and requests that wait for events."""
    connections: int = 600
    """Connections of any kind that one address may hold open; half of all that there can be, if that is less."""
    patience: Patience = Patience()
    body: int = 64 * 1024
    message: int = 4096
    """Letters of one message over a WebSocket."""

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
        """Refuse a client who asks too often."""
        if not self.take(client, cost):
            wait = self.wait(client, cost)
            raise TableError("too_fast", "too many requests: wait a moment and try again", retry_after=wait)

    def wait(self, client: Hashable, cost: float = 1.0) -> float:
        """Seconds until a client who was refused may ask again."""
        left, _ = self._left.get(client, (self._most, 0.0))
        missing = max(min(cost, self._most), 1.0) - left
        return missing / self._rate if self._rate > 0 else math.inf
