"""What is known at an information set, as text, and what may be done there: written when it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import RANKS, format_cards
from felt.games.actions import Action
from felt.games.rules import GameRules
from felt.solvers.betting import Spot

Array = NDArray[Any]


def set_label(rules: GameRules, spot: Spot, row: Sequence[int], *, suits: bool, told: str | None = None) -> str:
    """What the player at a place of the betting knows, as `felt.games.keys.information` has it.

    `row` is the player's cards and the board, `told` what happened before the betting began here.
    """
    hole = rules.rounds[0].down
    before = _shared(rules, row, 0, suits) if told is None else told
    after = spot.text
    for street in range(1, spot.street + 1):
        after = after.replace(f"[{street}]", _shared(rules, row, street, suits), 1)
    return " ".join(filter(None, [_text(row[:hole], suits), before, after]))


def _shared(rules: GameRules, row: Sequence[int], street: int, suits: bool) -> str:
    """The cards that a round brings to the board."""
    at = rules.rounds[0].down + sum(part.board for part in rules.rounds[:street])
    cards = row[at : at + rules.rounds[street].board]
    return f"[{_text(cards, suits)}]" if cards else ""


def _text(cards: Sequence[int], suits: bool) -> str:
    ordered = sorted(cards, reverse=True)
    return format_cards(ordered) if suits else "".join(RANKS[rank] for rank in ordered)


@dataclass(frozen=True)
class Moves(Sequence[Action]):
    """The action of each sequence."""

    spots: Sequence[Spot]
    spot: Array
    first: Array

    def __len__(self) -> int:
        return int(self.first[-1])

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        infoset = int(np.searchsorted(self.first, number, side="right")) - 1
        return self.spots[self.spot[infoset]].actions[number - self.first[infoset]]
