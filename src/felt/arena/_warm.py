"""Questions that compile the kernels of this room: see `felt._warm`."""

from collections.abc import Callable

from felt.arena.match import play
from felt.arena.spec import Match
from felt.games import load


def steps() -> dict[str, Callable[[], object]]:
    """What to ask, by a name to show."""
    return {"a match": lambda: play(Match.of([_Wrong, "call"], load("kuhn")), hands=4, workers=1)}


class _Wrong:
    """An agent whose moves have to be replaced."""

    def act_batch(self, tables: object) -> object:
        return [9] * len(tables), [0] * len(tables)  # type: ignore[arg-type]
