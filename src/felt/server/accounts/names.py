"""Which names people use at the moment: nobody else may be called the same, or look so."""

from collections import OrderedDict
from time import monotonic

from felt.store.accounts.names import keys
from felt.store.database.values import Player

MOST_NAMES = 20_000


class NamesInUse:
    """Names by who was last seen with them.

    >>> names, ada = NamesInUse(120.0), Player("1", "Ada", True)
    >>> names.seen(ada, now=0.0)
    >>> names.users("ADA", now=100.0), names.users("Аdа", now=100.0)  # of which one is Cyrillic
    ({'1'}, {'1'})
    >>> names.users("ADA", now=200.0), names.users("Bo", now=0.0)
    (set(), set())
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._seen: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def seen(self, player: Player, now: float | None = None) -> None:
        """A player is there."""
        for key in keys(player.name):
            self._seen[key] = (player.id, monotonic() if now is None else now)
            self._seen.move_to_end(key)
        while len(self._seen) > 2 * MOST_NAMES:
            self._seen.popitem(last=False)

    def forget(self, player: Player) -> None:
        """A player has gone."""
        for key in keys(player.name):
            if self._seen.get(key, ("", 0.0))[0] == player.id:
                del self._seen[key]

    def users(self, name: str, now: float | None = None) -> set[str]:
        """The ids of those who use the name, or one that looks like it."""
        last = [self._seen.get(key, ("", 0.0)) for key in keys(name)]
        now = monotonic() if now is None else now
        return {player for player, then in last if player and now - then < self.seconds}
