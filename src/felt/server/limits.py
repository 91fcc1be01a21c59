"""How much one client may ask for."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from time import monotonic

from felt.server.live_table import TableError

MOST_CLIENTS = 20_000


@dataclass(frozen=True)
class Limits:
    """Requests a second, and how many at once; bytes."""

    changes: float = 20.0
    changes_at_once: int = 60
    sessions: float = 0.5
    """New guests from one address."""
    sessions_at_once: int = 20
    logins: float = 0.1
    """Attempts to log in from one address, and at one name."""
    logins_at_once: int = 10
    name_seconds: float = 120.0
    """How long after they were last seen a name is a player's own; 0 lets guests share names."""
    studies: float = 10.0
    """Questions about past hands and statistics, and to agents."""
    studies_at_once: int = 60
    body: int = 64 * 1024
    message: int = 4096
    """Letters of one message over a WebSocket."""


class Allowance:
    """A bucket of tokens for each client that fills up again at a rate.

    >>> allowance = Allowance(rate=1.0, at_once=2)
    >>> [allowance.take("Ada", now=0.0) for _ in range(3)], allowance.take("Ada", now=1.0)
    ([True, True, False], True)
    """

    def __init__(self, *, rate: float, at_once: int) -> None:
        self._rate, self._most = rate, float(at_once)
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, client: Hashable, now: float | None = None) -> bool:
        """Whether the client may ask once more."""
        now = monotonic() if now is None else now
        left, then = self._left.pop(client, (self._most, now))
        left = min(self._most, left + (now - then) * self._rate)
        self._left[client] = (left - 1.0 if left >= 1.0 else left, now)
        if len(self._left) > MOST_CLIENTS:
            self._left.popitem(last=False)
        return left >= 1.0

    def check(self, client: Hashable) -> None:
        """Refuse a client who asks too often."""
        if not self.take(client):
            raise TableError("too_fast", "too many requests: wait a moment and try again")
