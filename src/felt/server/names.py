"""Which names people use at the moment: nobody else may be called the same."""

from collections import OrderedDict
from time import monotonic

from felt.store.kept import Player
from felt.store.players import folded

MOST_NAMES = 20_000


class NamesInUse:
    """Names by who was last seen with them.

    >>> names, ada = NamesInUse(120.0), Player("1", "Ada", True)
    >>> names.seen(ada, now=0.0)
    >>> names.user("ADA", now=100.0), names.user("ADA", now=200.0), names.user("Bo", now=0.0)
    ('1', None, None)
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._seen: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def seen(self, player: Player, now: float | None = None) -> None:
        """A player is there."""
        name = folded(player.name)
        self._seen[name] = (player.id, monotonic() if now is None else now)
        self._seen.move_to_end(name)
        if len(self._seen) > MOST_NAMES:
            self._seen.popitem(last=False)

    def forget(self, player: Player) -> None:
        """A player has gone."""
        name = folded(player.name)
        if self._seen.get(name, ("", 0.0))[0] == player.id:
            del self._seen[name]

    def user(self, name: str, now: float | None = None) -> str | None:
        """The id of who uses the name; None where nobody does."""
        player, then = self._seen.get(folded(name), ("", 0.0))
        return player if player and (monotonic() if now is None else now) - then < self.seconds else None
