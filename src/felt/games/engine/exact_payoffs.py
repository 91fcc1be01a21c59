"""Pots divided exactly: what a hand pays when equal hands share every chip, as solvers and the literature have it.

At a table an odd chip goes to one of the winners, by the seats (TDA 20). In a game of a few chips that moves what the
seats are worth. So whoever works out expected values divides chips, and whoever plays hands moves whole ones.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.hand import Hand


def room_to_settle() -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Room for `games.engine.showdown_kernels.settle` to work in, with the row in which it divides pots exactly."""
    return np.empty((4, 10), dtype=np.int64), np.empty((2, 16), dtype=np.uint8)


def lost_before(hand: Hand) -> NDArray[np.int64]:
    """What everybody had won or lost when the pot of a hand that is over was divided: all that was put in is lost."""
    sums = zip(hand.stacks, hand.won, hand.starting_stacks, strict=True)
    return np.array([now - won - before for now, won, before in sums], dtype=np.int64)


def exact_payoffs(hand: Hand) -> tuple[float, ...]:
    """Chips won or lost, by seat, where equal hands share pots to the last part of a chip.

    >>> from felt.games import load
    >>> hand = Hand.new(load("leduc", players=3), deck="QsJsQhKsJhKhTsTh")
    >>> while not hand.over: hand.call()
    >>> hand.payoffs, exact_payoffs(hand)
    ((1, -1, 0), (0.5, -1.0, 0.5))
    """
    if not hand.showdown:
        return tuple(map(float, hand.payoffs))
    from felt.games.engine.showdown_kernels import SHARES, SHARES_A_CHIP, settle

    compiled, (numbers, cards) = compile_rules(hand.rules), hand.arrays
    record: tuple[Any, ...] = numbers.copy(), cards.copy()
    for field in (f.WON, f.STACKS):
        record[0][field : field + hand.players] = 0
    record[0][f.RAKE] = 0
    values, scratch = room_to_settle()
    settle(*record, compiled.game, compiled.tables, compiled.extra, values, scratch)
    shares = values[SHARES, : hand.players] / SHARES_A_CHIP
    return tuple((lost_before(hand) + shares).tolist())


def pay_deals(hand: Hand, cards: NDArray[np.uint8]) -> NDArray[np.float64]:
    """``[deals, players]``: what a hand that is over pays with other cards: hole cards by seat, then the board.

    For games whose hole cards are dealt in the first round alone. Equal hands share pots as in `exact_payoffs`.
    """
    payoffs = np.empty((len(cards), hand.players))
    if not hand.showdown:
        payoffs[:] = hand.payoffs
        return payoffs
    from felt.games.engine.showdown_kernels import settle_many

    compiled, (h, k) = compile_rules(hand.rules), hand.arrays
    settle_many(
        h.copy(), k.copy(), cards, hand.rules.rounds[0].down, lost_before(hand), compiled.game, compiled.tables,
        compiled.extra, *room_to_settle(), payoffs,
    )  # fmt: skip
    return payoffs
