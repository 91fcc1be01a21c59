"""Equity by counting every deal."""

from collections.abc import Callable, Iterator
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt._pool import map_ordered
from felt.cards.combos import COMBO_MASKS
from felt.cards.isomorphism import symmetries
from felt.cards.ranking.evaluator import tables
from felt.errors import OddsError
from felt.odds.equity.question import ALL_CORES, MASKS, Effort, Question
from felt.odds.equity.result import PlayerEquity
from felt.odds.equity.small_exact import count_few, is_few

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


def _two_answers(question: Question, won: int, tied: int, total: int) -> list[PlayerEquity]:
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
