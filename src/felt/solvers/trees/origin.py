"""What a tree was built from: enough to build it again from a file."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from felt.abstraction.abstraction import Abstraction
from felt.abstraction.functions import check_trust, imported, named
from felt.games.hand import Hand
from felt.games.history import Event, HandRecord
from felt.games.moves import EventKind
from felt.games.replay import replay
from felt.games.rules import GameRules
from felt.games.trees.tree import SIZES, Sizes

Key = Callable[[Hand, int], str]
"""What a seat remembers of a hand: histories with the same text are one information set."""


@dataclass(frozen=True, eq=False)
class Origin:
    """All but the rules and the stacks."""

    sizes: Sizes = SIZES
    start: Hand | None = None
    """The state that the tree begins at; None for the first deal."""
    abstraction: Abstraction | None = None
    key: Key | None = None

    def as_dict(self) -> dict[str, Any]:
        """For a file. A key of one's own is named by where it can be imported from, or refused."""
        return {
            "sizes": None if self.sizes is None else [str(size) for size in self.sizes],
            "start": None if self.start is None else start_as_dict(self.start),
            "abstraction": None if self.abstraction is None else self.abstraction.as_dict(),
            "key": None if self.key is None else named(self.key),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any], rules: GameRules, *, trust: bool = False) -> "Origin":
        """As a file has it; only if it is trusted, functions that it names are imported."""
        sizes, start, abstraction, key = (data.get(name) for name in ("sizes", "start", "abstraction", "key"))
        return cls(
            sizes=None if sizes is None else tuple(map(float, sizes)),
            start=None if start is None else start_from_dict(start, rules),
            abstraction=None if abstraction is None else Abstraction.from_dict(abstraction, trust=trust),
            key=None if key is None else imported(check_trust(str(key), ready=False, trust=trust), "key"),
        )


def start_as_dict(hand: Hand) -> dict[str, Any]:
    """A hand so far: stakes, cards and moves."""
    record = hand.record()
    return {
        "stacks": list(record.stacks),
        "antes": list(record.antes),
        "posts": list(record.posts),
        "dead_antes": record.dead_antes,
        "button": record.button,
        "events": [[str(event.kind), event.seat, event.amount, list(event.cards)] for event in record.events],
    }


def start_from_dict(data: dict[str, Any], rules: GameRules) -> Hand:
    """The hand, played again."""
    events = tuple(
        Event(EventKind(kind), seat, amount, tuple(cards)) for kind, seat, amount, cards in data["events"]
    )  # fmt: skip
    return replay(
        HandRecord(
            rules=rules,
            stacks=tuple(data["stacks"]),
            antes=tuple(data["antes"]),
            posts=tuple(data["posts"]),
            events=events,
            button=data["button"],
            dead_antes=data["dead_antes"],
        )
    )
