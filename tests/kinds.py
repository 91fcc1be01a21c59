"""Games for tests that take each of them: one of each kind in `make test`, all in `make test-long`."""

from collections.abc import Iterable
from typing import Any

import pytest

EACH_KIND = {
    "nlhe",
    "limit-holdem",
    "kuhn",
    "leduc",
    "plo8",
    "stud",
    "razz",
    "badugi",
    "five-card-draw",
    "anaconda",
    "roll-your-own",
    "brag",
}


def each_kind(games: Iterable[str]) -> list[Any]:
    """The games as parameters of a test; those that are much like another only where long tests run."""
    return [game if game in EACH_KIND else pytest.param(game, marks=pytest.mark.long) for game in games]
