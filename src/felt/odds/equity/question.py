"""A question about equity, read and checked: who holds what, what is on the board, what is gone.

This is the one place where the input of every equity calculation is judged, so all ways to an answer
refuse the same things in the same words.
"""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from felt._pool import Progress
from felt.cards.card import format_cards, is_joker, parse_cards
from felt.cards.combos import COMBO_CARDS
from felt.cards.ranges.range import Range
from felt.cards.ranking.hashing import CARD_MASKS
from felt.errors import OddsError

MAX_PLAYERS = 10
MAX_OPPONENTS = MAX_PLAYERS - 1
BOARD_SIZE = 5

MASKS: NDArray[np.uint64] = np.array(CARD_MASKS, dtype=np.uint64)
"""Each card as a set, in the kernels' form."""


@dataclass(frozen=True)
class Effort:
    """How to find an answer: count or sample deals, how precisely, with which seed, on how many threads.

    Values that contradict each other are refused.
    """

    exact: bool | None = None
    samples: int | None = None
    stderr: float | None = None
    seed: int = 0
    threads: int | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        for name, value in (("samples", self.samples), ("seed", self.seed), ("threads", self.threads)):
            if value is None and name != "seed":
                continue
            try:
                operator.index(value)  # type: ignore[arg-type]  # anything else raises
            except TypeError:
                raise OddsError(f"{name}={value!r}: give a whole number, like 100000") from None
        if self.samples is not None and self.samples <= 0:
            raise OddsError(f"samples={self.samples}: the number of deals must be 1 or more")
        if self.stderr is not None and not 0 < self.stderr < 1:
            raise OddsError(f"stderr={self.stderr}: a standard error is between 0 and 1, like 0.001")
        if self.seed < 0:
            raise OddsError(f"seed={self.seed}: a seed is 0 or more")
        if self.threads is not None and self.threads <= 0:
            raise OddsError(f"threads={self.threads}: use 1 or more, or leave it out for all cores")
        if sum((bool(self.exact), self.samples is not None, self.stderr is not None)) > 1:
            raise OddsError("choose one of exact, samples and stderr: they are three ways to the same answer")


ALL_CORES = Effort()
"""The default."""


@dataclass(frozen=True)
class Question:
    """Ranges against each other in a game with two hole cards and a board of five."""

    names: tuple[str, ...]
    ranges: tuple[Range, ...]
    """As given: weights of combos that touch the board or dead cards do not count."""
    board: tuple[int, ...]
    dead: tuple[int, ...]
    lowest_rank: int = 0
    """2 (0) in the full deck, 6 (4) in the short one."""
    kind: str = "high"
    final: bool = False
    """Whether hands are compared on the present board, with no more cards to come."""

    @property
    def known(self) -> tuple[int, ...]:
        """The cards that nobody can hold."""
        return self.board + self.dead

    @property
    def missing(self) -> int:
        """How many board cards are still to come."""
        return 0 if self.final else BOARD_SIZE - len(self.board)

    def strangers(self) -> list[bool]:
        """Which players hold any two cards with equal chance."""
        return [bool((r.weights[self._possible] == 1.0).all()) for r in self.ranges]

    @property
    def left(self) -> int:
        """How many cards may still be dealt."""
        return 52 - 4 * self.lowest_rank - len(self.known)

    @cached_property
    def deck(self) -> NDArray[np.int64]:
        """The cards that may still be dealt."""
        known = self.known
        return np.array([c for c in range(4 * self.lowest_rank, 52) if c not in known], dtype=np.int64)

    @cached_property
    def _possible(self) -> NDArray[np.bool_]:
        in_deck = np.zeros(52, dtype=np.bool_)
        in_deck[self.deck] = True
        return in_deck[COMBO_CARDS[:, 0]] & in_deck[COMBO_CARDS[:, 1]]

    @cached_property
    def weights(self) -> list[NDArray[np.float64]]:
        """Each player's weights with impossible combos at 0."""
        if self.left == 52:
            return [r.weights for r in self.ranges]
        return [np.where(self._possible, r.weights, 0.0) for r in self.ranges]


def ask(
    hands: Sequence[str | Range], *, board: str = "", dead: str = "", lowest_rank: int = 0, kind: str = "high"
) -> Question:
    """Read and check a question; OddsError, CardError or RangeError say what is wrong with it."""
    if not 2 <= len(hands) <= MAX_PLAYERS:
        shown = ", ".join(repr(str(hand)) for hand in hands) or "no hand was given"
        raise OddsError(f"equity is for 2 to {MAX_PLAYERS} players, not {len(hands)}: {shown}")
    board_cards, dead_cards = parse_cards(board), parse_cards(dead)
    if len(board_cards) > BOARD_SIZE:
        raise OddsError(f"the board {board!r} has {len(board_cards)} cards: give at most {BOARD_SIZE}")
    check_known(board_cards, dead_cards, lowest_rank)
    hands = [hand if isinstance(hand, str | Range) else format_cards(hand) for hand in hands]
    ranges = tuple(hand if isinstance(hand, Range) else Range.parse(hand) for hand in hands)
    names = tuple(str(hand) if isinstance(hand, Range) else hand.strip() for hand in hands)
    question = Question(names, ranges, board_cards, dead_cards, lowest_rank, kind)
    for name, weights in zip(names, question.weights, strict=True):
        if not weights.any():
            gone = format_cards(question.known)
            why = f"every combo of it needs one of {gone}" if gone else "no combo of it is in this deck"
            raise OddsError(f"nothing is left of {name!r}: {why}; change the range, the board or the dead cards")
    need = 2 * len(hands) + question.missing
    if need > question.left:
        raise OddsError(f"{need} cards are needed and the deck has {question.left} left: fewer players, please")
    return question


def check_known(board: tuple[int, ...], dead: tuple[int, ...], lowest_rank: int = 0) -> None:
    """Board and dead cards must be different cards of the deck."""
    both = sorted(set(board) & set(dead))
    if both:
        raise OddsError(
            f"{format_cards(both)} is on the board {format_cards(board)!r} and among the dead cards"
            f" {format_cards(dead)!r}: name each card once"
        )
    foreign = [card for card in board + dead if is_joker(card) or card < 4 * lowest_rank]
    if foreign:
        raise OddsError(f"{format_cards(foreign[:1])} is not in this game's deck: take it off the board or dead cards")


def check_apart(hand: str, board: str) -> None:
    """A card cannot be in a hand and on the board."""
    both = set(parse_cards(hand)) & set(parse_cards(board))
    if both:
        raise OddsError(f"{format_cards(both)} is in the hand {hand!r} and on the board {board!r}: use a card once")
