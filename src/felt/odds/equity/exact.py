"""Equity by counting every deal, in one of three ways.

Heads-up before the flop every matchup was counted once, and is looked up: ``matchup_wins`` and ``matchup_ties`` hold,
for the first combo of each of the 169 classes against all 1,326 combos, on how many of the 1,712,304 boards it wins and
ties; any other pair of hands is one of these with its suits renamed. Two players with few hands and a board are counted
with NumPy alone: to load the compiler takes half a second, and such a question a few hundredths, so where no kernel has
been needed yet it is answered without. Only whole deals are counted, so the answer is that of the kernels to the last
bit. Kernels count all else.
"""

import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt._pool import map_ordered
from felt.cards.combos import COMBO_CARDS, COMBO_CLASS, COMBO_MASKS
from felt.cards.isomorphism import COMBO_PERMUTATIONS, COMBO_TO_REPRESENTATIVE, symmetries
from felt.cards.ranking.evaluator import tables
from felt.cards.ranking.hashing import CARD_KEYS, ROW_BITS, START, SUIT_BITS
from felt.errors import OddsError
from felt.odds.equity.question import ALL_CORES, BOARD_SIZE, MASKS, Effort, Question
from felt.odds.equity.result import PlayerEquity

BOARDS = comb(48, 5)


def matchup_counts(first: NDArray[np.intp], second: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Boards that each of `first` wins, and ties, against each of `second`; 0 where they share a card.

    >>> wins, ties = matchup_counts(np.array([1325]), np.array([1127]))  # AsAh against KsKh
    >>> int(wins[0, 0]), int(ties[0, 0])
    (1410336, 9308)
    """
    renamed = COMBO_PERMUTATIONS[COMBO_TO_REPRESENTATIVE[first]].take(second, axis=1)
    places = COMBO_CLASS[first].astype(np.intp)[:, None] * len(COMBO_CLASS) + renamed
    wins, ties = (_tables.load(name).take(places) for name in ("matchup_wins", "matchup_ties"))
    return wins, ties


def is_in_table(question: Question) -> bool:
    """Whether a question is heads-up with nothing known, so that it is answered by the table of matchups."""
    return len(question.names) == 2 and not question.known and not question.final and question.kind == "high"


def from_table(question: Question) -> tuple[list[PlayerEquity], int]:
    """Both players' equity, and the number of deals, of a heads-up question with nothing known."""
    weights = [r.weights for r in question.ranges]
    live = [np.flatnonzero(w) for w in weights]
    first, second = (w[i] for w, i in zip(weights, live, strict=True))
    apart = (COMBO_MASKS[live[0]][:, None] & COMBO_MASKS[live[1]]) == 0
    deals = int(np.count_nonzero(apart)) * BOARDS
    if deals == 0:
        raise OddsError(f"these hands need the same cards: {', '.join(map(repr, question.names))} cannot be dealt")
    wins, ties = matchup_counts(*live)
    total, won, tied = (float(first @ (counts @ second)) for counts in (apart, wins, ties))
    total *= BOARDS
    return _two_answers(question, won, tied, total), deals


MOST = 2_000_000
"""Hands compared on a board in all, up to which this is quicker than loading the compiler."""

KEYS = np.array(CARD_KEYS, dtype=np.uint64)
LOW_HALF = np.uint64(0xFFFFFFFF)
_BLOCKED = -1


def is_few(question: Question, live: list[NDArray[np.intp]], runouts: int) -> bool:
    """Whether a question is answered here: two players whose hands have no weights, few of them, and no kernel yet."""
    if len(live) != 2 or question.final or question.missing > 2 or "felt.odds.equity.exact_kernels" in sys.modules:
        return False
    compared = len(live[0]) * len(live[1]) * runouts
    return compared <= MOST and all((r.weights[i] == 1.0).all() for r, i in zip(question.ranges, live, strict=True))


def count_few(question: Question, live: list[NDArray[np.intp]]) -> tuple[int, int, int]:
    """Pots that the first player wins alone and that are tied, and in how many ways the hands can be dealt."""
    runouts = combinations(question.deck.tolist(), question.missing)
    boards = np.array([(*question.board, *runout) for runout in runouts], dtype=np.intp)
    first, second = (_values(COMBO_CARDS[hands].astype(np.intp), boards, question.kind) for hands in live)
    sets = [np.bitwise_or.reduce(MASKS[COMBO_CARDS[hands]], axis=1) for hands in live]
    won = tied = deals = 0
    for own, mask in zip(first, sets[0], strict=True):
        apart = (sets[1] & mask) == 0
        others = second[apart]
        dealt = (own != _BLOCKED) & (others != _BLOCKED)
        won += int(np.count_nonzero((own > others) & dealt))
        tied += int(np.count_nonzero((own == others) & dealt))
        deals += int(np.count_nonzero(apart))
    return won, tied, deals


def _values(hands: NDArray[np.intp], boards: NDArray[np.intp], kind: str) -> NDArray[np.int32]:
    """``[hand, board]``: the value of each hand on each whole board, `_BLOCKED` where they share a card."""
    offsets, values, flushes = tables(kind)
    start = np.uint64(START[hands.shape[1] + BOARD_SIZE])
    keys = KEYS[hands].sum(axis=1)[:, None] + (KEYS[boards].sum(axis=1) + start)
    held, shared = (np.bitwise_or.reduce(MASKS[cards], axis=1) for cards in (hands, boards))
    low = keys & LOW_HALF
    made: NDArray[np.int32] = values[(low + offsets[low >> np.uint64(ROW_BITS)]) & LOW_HALF].astype(np.int32)
    for suit in range(4):
        hand, board = np.nonzero(keys & np.uint64(0x8 << SUIT_BITS + 4 * suit))  # it has five cards or more
        made[hand, board] = flushes[(held[hand] | shared[board]) >> np.uint64(16 * suit) & np.uint64(0x1FFF)]
    made[held[:, None] & shared != 0] = _BLOCKED
    return made


BLOCK = 512
"""Boards compared at once: a row of values is one kilobyte, and all rows of a range stay in the cache."""

PAIRS_PER_SECOND = 1e10
"""Hands compared on a board, roughly, by one thread; only used to say what is feasible."""

Floats = NDArray[np.float64]


def cost(question: Question) -> float:
    """About how many seconds an exact answer takes one thread."""
    sizes = [int(np.count_nonzero(w)) for w in question.weights]
    boards = float(comb(len(question.deck), question.missing))
    if question.missing > 2:
        boards /= len(_symmetries(question))
    compared = prod(sizes) * boards * (1 if len(sizes) == 2 else 4)
    return float(compared / PAIRS_PER_SECOND + sum(sizes) * boards * 4e-9 + prod(sizes) * 5e-9)


def exact_equity(question: Question, effort: Effort = ALL_CORES) -> tuple[list[PlayerEquity], int]:
    """Every player's equity, and the number of deals counted."""
    live = [np.flatnonzero(w) for w in question.weights]
    runouts = comb(len(question.deck) - 2 * len(live), question.missing)
    if is_few(question, live, runouts):
        won, tied, deals = count_few(question, live)
        if deals:
            return _two_answers(question, won, tied, deals * runouts), deals * runouts
    boards = list(_board_parts(question))
    work = _two(question, live) if len(live) == 2 else _many(question, live)
    counted = np.zeros((len(live), 3))
    for done, part in enumerate(map_ordered(work, boards, effort.threads), 1):
        counted += part.counts
        if effort.progress:
            effort.progress(done, len(boards))
    if part.deals == 0:
        raise OddsError(f"these hands need the same cards: {', '.join(map(repr, question.names))} cannot be dealt")
    total = part.weight * runouts
    if len(live) == 2:
        counted[part.other, 0] = total - counted[1 - part.other, :2].sum()
    answers = [
        PlayerEquity(name, float((won + shared) / total), float(won / total), float(tied / total))
        for name, (won, tied, shared) in zip(question.names, counted, strict=True)
    ]
    return answers, part.deals * runouts


def _two_answers(question: Question, won: float, tied: float, total: float) -> list[PlayerEquity]:
    """The equities of two players from the pots that the first wins and that are tied."""
    return [
        PlayerEquity(name, (alone + tied / 2) / total, alone / total, tied / total)
        for name, alone in zip(question.names, (won, total - won - tied), strict=True)
    ]


def _symmetries(question: Question) -> NDArray[np.uint8]:
    known = np.zeros(52)
    known[list(question.board)] = 1
    known[list(question.dead)] = 2
    return symmetries(known, *{r.weights.tobytes(): r.weights for r in question.ranges}.values())


def _board_parts(question: Question) -> "Iterator[Boards]":
    """Whole boards in parts of equal orbit size; how they are cut does not depend on the threads."""
    from felt.odds.equity.exact_kernels import list_boards

    deck = question.deck
    start = np.uint64(sum(int(MASKS[card]) for card in question.board))
    bound = comb(len(deck), question.missing)
    masks = np.empty(bound, dtype=np.uint64)
    orbits = np.empty(bound, dtype=np.uint8)
    count = list_boards(deck, question.missing, start, _symmetries(question), masks, orbits)
    size = BLOCK * max(1, count // (64 * BLOCK))
    for orbit in np.unique(orbits[:count]):
        alike = masks[:count][orbits[:count] == orbit]
        for begin in range(0, len(alike), size):
            yield int(orbit), alike[begin : begin + size]


class Part(NamedTuple):
    """What some boards add: pots won alone, tied, and shares of tied pots, for each player."""

    counts: Floats
    deals: int
    """Ways to deal the hands; the same on all boards."""
    weight: float
    """The same, weighted."""
    other: int = 0
    """Heads-up: the player whose wins were not counted; they are what is left."""


Boards = tuple[int, NDArray[np.uint64]]
Work = Callable[[Boards], Part]


def _two(question: Question, live: list[NDArray[np.intp]]) -> Work:
    from felt.odds.equity.exact_kernels import heads_up

    many, few = (0, 1) if len(live[0]) >= len(live[1]) else (1, 0)  # the few hands' rows stay in the cache
    hands = [COMBO_MASKS[i] for i in live]
    weights = [r.weights[i] for r, i in zip(question.ranges, live, strict=True)]
    ranking = tables(question.kind)

    def work(boards: Boards) -> Part:
        orbit, masks = boards
        out = np.zeros(2)
        deals, weight = heads_up(masks, hands[many], hands[few], weights[many], weights[few], ranking, BLOCK, out)
        won, not_lost = orbit * out
        counts = np.zeros((2, 3))
        counts[many] = won, not_lost - won, (not_lost - won) / 2
        counts[few] = 0, not_lost - won, (not_lost - won) / 2
        return Part(counts, deals, weight, other=few)

    return work


def _many(question: Question, live: list[NDArray[np.intp]]) -> Work:
    from felt.odds.equity.exact_kernels import multiway
    from felt.odds.equity.sample_kernels import SHARE_UNIT

    hands = np.concatenate([COMBO_MASKS[i] for i in live])
    weights = np.concatenate([r.weights[i] for r, i in zip(question.ranges, live, strict=True)])
    ends = np.cumsum([len(i) for i in live])
    ranking = tables(question.kind)

    def work(boards: Boards) -> Part:
        orbit, masks = boards
        out = np.zeros((len(live), 3))
        deals, weight = multiway(masks, hands, ends, weights, ranking, SHARE_UNIT, BLOCK, out)
        return Part(orbit * out / (1, 1, SHARE_UNIT), deals, weight)

    return work
