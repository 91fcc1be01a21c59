"""How strong a hand is now, what may become of it, and what that is worth on average.

All measures are against hands that an opponent may hold with equal chance (or by the weights of a range), and
exact. Billings et al. 1998 is where hand strength and potential come from; Johanson 2007 has E[HS²].

Against several opponents two different things are in use, so they have different names: *power* measures
raise the strength against one opponent to the number of opponents, as the literature does, which would be
right if the opponents' hands were independent; *n-way* measures are the real thing.
"""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import format_cards, parse_cards
from felt.cards.combos import COMBO_CARDS, COMBO_MASKS, class_index
from felt.cards.isomorphism import symmetries
from felt.cards.ranges.range import Range
from felt.cards.ranking.evaluator import tables
from felt.errors import OddsError, counted
from felt.odds.equity.calculate import settle
from felt.odds.equity.question import MASKS, MAX_OPPONENTS, Effort, Question, ask, check_apart
from felt.odds.equity.result import Equity
from felt.odds.strength.lookup import Cards, checked_rows, expected_hs_batch, from_table


@dataclass(frozen=True)
class Strength:
    """The measures of one hand. Those of the present and of its change need a flop, and are None before it."""

    hand: str
    board: str
    opponents: int
    hs: float | None
    """HS: chance to hold the better of two hands now, ties half."""
    ppot: float | None
    """Positive potential: chance to end ahead when behind now, ties half."""
    npot: float | None
    """Negative potential: chance to end behind when ahead now, ties half."""
    ehs: float | None
    """Effective hand strength, HS + (1 − HS) · PPot: best now, or about to be."""
    expected_hs: float
    """E[HS]: mean strength over all runouts; equity against one opponent."""
    expected_hs2: float
    """E[HS²]: mean of the squared strength, which prefers hands that become very good or very bad."""
    hs_power: float | None
    """HS to the power of the number of opponents."""
    ehs_power: float | None
    """Effective hand strength with `hs_power` in place of HS."""
    expected_hs_power: float | None
    """Mean over runouts of HS to the power of the number of opponents."""
    hs_nway: float | None
    """True chance to hold the best hand now against that many opponents, ties by their share."""
    equity_nway: float
    """True equity against that many random hands."""
    nway_stderr: float
    """Largest standard error of the two n-way measures; 0 where they are exact."""


def strength(
    hand: str,
    board: str = "",
    *,
    opponents: int = 1,
    opponent: str | Range = "random",
    seed: int = 0,
    threads: int | None = None,
) -> Strength:
    """Every measure of a hold'em hand on a board of zero or three to five cards.

    `opponent` is what each opponent may hold. With more than one, n-way measures are exact where that is quick
    and else sampled.

    >>> found = strength("5h4h", "Kh6s3h")
    >>> round(found.hs, 4), round(found.expected_hs, 4)
    (0.0264, 0.6092)
    """
    effort = Effort(seed=seed, threads=threads)
    question = _ask(hand, board, opponents, opponent)
    hole = parse_cards(hand)
    measures = _on_board(question, hole, opponents) if question.board else _before_flop(question, hole)
    now, equity = _n_way(question, measures, opponents, effort)
    hs = measures.hs
    hs_power = None if hs is None else hs**opponents
    return Strength(
        hand=format_cards(hole),
        board=format_cards(question.board),
        opponents=opponents,
        hs=hs,
        ppot=measures.ppot,
        npot=measures.npot,
        ehs=_effective(hs, measures.ppot),
        expected_hs=measures.expected,
        expected_hs2=measures.expected_square,
        hs_power=hs_power,
        ehs_power=_effective(hs_power, measures.ppot),
        expected_hs_power=measures.expected_power if hs is not None or opponents == 1 else None,
        hs_nway=None if hs is None else now[0],
        equity_nway=equity[0],
        nway_stderr=max(now[1], equity[1]),
    )


def _effective(hs: float | None, ppot: float | None) -> float | None:
    return None if hs is None or ppot is None else hs + (1 - hs) * ppot


def _ask(hand: str, board: str, opponents: int, opponent: str | Range) -> Question:
    hole = parse_cards(hand)
    if len(hole) != 2:
        raise OddsError(f"{hand!r} has {counted(len(hole), 'card')}: strength is of two hole cards, like 'AsKd'")
    if not 1 <= opponents <= MAX_OPPONENTS:
        raise OddsError(f"opponents={opponents}: give 1 to {MAX_OPPONENTS}")
    cards = parse_cards(board)
    if len(cards) in (1, 2):
        raise OddsError(f"the board {board!r} has {counted(len(cards), 'card')}: give none, or 3 to 5 cards")
    check_apart(hand, board)
    return ask([format_cards(hole), *[opponent] * opponents], board=board)


@dataclass(frozen=True)
class _Measures:
    hs: float | None
    ppot: float | None
    npot: float | None
    expected: float
    expected_square: float
    expected_power: float


def _on_board(question: Question, hole: tuple[int, ...], opponents: int) -> _Measures:
    from felt.odds.equity.exact_kernels import list_boards
    from felt.odds.strength.kernels import runout_strength

    hero, board = _mask(hole), _mask(question.board)
    hands, weights, ends, hs = _by_standing(question, hero, board)
    deck = np.array([card for card in question.deck if card not in hole], dtype=np.int64)
    bound = comb(len(deck), question.missing)
    boards, orbits = np.empty(bound, dtype=np.uint64), np.empty(bound, dtype=np.uint8)
    list_boards(deck, question.missing, board, symmetries()[:1], boards, orbits)
    matrix, sums = np.zeros((3, 3)), np.zeros(4)
    runout_strength(hero, boards, 5, hands, ends, weights, float(opponents), tables(), matrix, sums)
    ppot, npot = potentials(matrix)
    return _Measures(hs, ppot, npot, *(float(s / sums[0]) for s in sums[1:]))


def potentials(matrix: NDArray[np.float64]) -> tuple[float, float]:
    """Positive and negative potential from weights by standing now (row) and at the end (column).

    Rows and columns are ahead, level, behind. A level hand counts half; where hero is never behind (ahead), there
    is nothing to gain (lose), and the potential is 0.
    """
    ahead, level, behind = matrix
    losing, leading = behind.sum() + level.sum() / 2, ahead.sum() + level.sum() / 2
    gained = behind[0] + behind[1] / 2 + level[0] / 2
    lost = ahead[2] + ahead[1] / 2 + level[2] / 2
    return float(gained / losing) if losing else 0.0, float(lost / leading) if leading else 0.0


def _by_standing(
    question: Question, hero: np.uint64, board: np.uint64
) -> tuple[NDArray[np.uint64], NDArray[np.float64], NDArray[np.int64], float]:
    """The opponent's hands that hero leads, levels and trails now, their weights, the ends of the groups; HS."""
    from felt.odds.strength.kernels import hand_values

    size = len(question.board)
    weight = question.weights[1]
    live = np.flatnonzero((weight > 0) & (COMBO_MASKS & hero == 0))
    if len(live) == 0:
        raise OddsError(f"{question.names[1]!r} has no hand left against {question.names[0]!r}: widen the range")
    masks = np.append(COMBO_MASKS[live], hero)
    values = np.empty(len(masks), dtype=np.int64)
    hand_values(board, size, masks, tables(), values)
    standing = np.sign(values[:-1] - values[-1]) + 1  # 0 hero is ahead, 1 level, 2 behind
    order = np.argsort(standing, kind="stable")
    weights = weight[live][order]
    ends = np.cumsum(np.bincount(standing, minlength=3))
    ahead, level = weights[: ends[0]].sum(), weights[ends[0] : ends[1]].sum()
    return masks[:-1][order], weights, ends, float((ahead + level / 2) / weights.sum())


def _before_flop(question: Question, hole: tuple[int, ...]) -> _Measures:
    if not question.strangers()[1]:
        raise OddsError(
            f"before the flop, strength is against random hands, not {question.names[1]!r}: for a range, ask for equity"
        )
    first, square = starting_strength(class_index(*hole))
    return _Measures(None, None, None, first, square, first)


def expected_hs2_batch(holes: Cards, boards: Cards) -> NDArray[np.float64]:
    """E[HS²], the mean over runouts of the squared hand strength, for many hands: see `expected_hs_batch`."""
    hole, board = checked_rows(holes, boards)
    strengths = from_table(hole, board, "squares")
    if strengths is not None:
        return strengths
    texts = zip(map(format_cards, hole), map(format_cards, board), strict=True)
    return np.array([strength(*cards).expected_hs2 for cards in texts], dtype=np.float64)


@cache
def starting_strength(hand_class: int) -> tuple[float, float]:
    """E[HS] and E[HS²] of a starting-hand class, over all boards: sums over the flops that it may see."""
    hole = COMBO_CARDS[next(i for i, cards in enumerate(COMBO_CARDS) if class_index(*map(int, cards)) == hand_class)]
    flops = np.array(list(combinations([c for c in range(52) if c not in hole], 3)), dtype=np.int8)
    holes = np.broadcast_to(hole, (len(flops), 2))
    return float(expected_hs_batch(holes, flops).mean()), float(expected_hs2_batch(holes, flops).mean())


Valued = tuple[float, float]


def _n_way(question: Question, measures: _Measures, opponents: int, effort: Effort) -> tuple[Valued, Valued]:
    """Hero's share now and at the end against all opponents, each with its standard error."""
    if opponents == 1:
        return (measures.hs or 0.0, 0.0), (measures.expected, 0.0)

    def share(situation: Question) -> Valued:
        result: Equity = settle(situation, effort)
        return result.players[0].equity, result.stderr

    now = share(replace(question, final=True)) if measures.hs is not None else (0.0, 0.0)
    return now, share(question)


def _mask(cards: tuple[int, ...]) -> np.uint64:
    return np.uint64(sum(int(MASKS[card]) for card in cards))


def sampled_expected_hs(hand: str, board: str = "", *, samples: int, seed: int = 0) -> float:
    """E[HS] from `samples` random runouts, all opposing hands counted on each: quick, and inexact.

    Programs used to estimate E[HS] in this way. It is here for comparison; see docs/study/strength.md for its error.
    """
    from felt.odds.strength.kernels import runout_strength

    Effort(samples=samples, seed=seed)  # refuses what cannot be done
    question = _ask(hand, board, 1, "random")
    hole = parse_cards(hand)
    hero, known = _mask(hole), _mask(question.board)
    deck = np.array([card for card in question.deck if card not in hole])
    rng = np.random.default_rng([seed, 0x73616D70])
    picks = rng.random((samples, len(deck))).argpartition(question.missing, axis=1)[:, : question.missing]
    boards = np.bitwise_or.reduce(MASKS[deck[picks]], axis=1, initial=0) | known
    live = np.flatnonzero(COMBO_MASKS & (hero | known) == 0)
    ends = np.array([len(live)] * 3)
    sums = np.zeros(4)
    runout_strength(hero, boards, 5, COMBO_MASKS[live], ends, np.ones(len(live)), 1.0, tables(), np.zeros((3, 3)), sums)
    return float(sums[1] / sums[0])
