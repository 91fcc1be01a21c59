"""Equity of two players with few hands and a board, counted with NumPy alone.

To load the compiler takes half a second, and such a question a few hundredths: where no kernel has been needed yet it
is answered here. All that is counted are whole deals, so the answer is that of the kernels to the last bit.
"""

import sys
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from felt.cards.combos import COMBO_CARDS
from felt.cards.ranking.evaluator import tables
from felt.cards.ranking.hashing import CARD_KEYS, ROW_BITS, START, SUIT_BITS
from felt.odds.equity.question import BOARD_SIZE, MASKS, Question

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
