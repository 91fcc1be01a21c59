"""What chips are worth in a tournament with prizes: the independent chip model of Malmuth and Harville.

The chance to come first is one's share of the chips; the chance to come second is one's share of the chips of those who
did not come first, and so on (Harville 1973 for horses, Malmuth 1987 for poker). Exact, over all sets of finishers.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite

from felt.errors import FeltError

MOST_PLAYERS = 15
"""The sets of finishers double with each player."""

LEAST, MOST = 1e-9, 1e15
"""Stacks and prizes: beyond them sums lose the digits that shares are made of."""


class IcmError(FeltError):
    """Stacks or prizes that make no tournament."""


def icm(stacks: Sequence[float], payouts: Sequence[float]) -> tuple[float, ...]:
    """Each player's expected prize. Who has no chips shares the prizes of the last places.

    >>> [round(prize, 3) for prize in icm([5000, 3000, 2000], [50, 30, 20])]
    [38.393, 32.75, 28.857]
    """
    _check(stacks, payouts)
    prizes = [*payouts, *[0.0] * len(stacks)][: len(stacks)]
    alive = [seat for seat, stack in enumerate(stacks) if stack > 0]
    gone = prizes[len(alive) :]
    expected = [0.0 if stack > 0 else sum(gone) / len(gone) for stack in stacks]
    chances = {0: 1.0}  # by the set of players that were paid
    for prize in prizes[: len(alive)]:
        after: dict[int, float] = {}
        for paid, chance in chances.items():
            waiting = [seat for seat in alive if not paid >> seat & 1]
            chips = sum(stacks[seat] for seat in waiting)
            for seat in waiting:
                now = chance * stacks[seat] / chips
                expected[seat] += now * prize
                after[paid | 1 << seat] = after.get(paid | 1 << seat, 0.0) + now
        chances = after
    return tuple(expected)


def won_prizes(before: Sequence[float], won: Sequence[float], payouts: Sequence[float]) -> tuple[float, ...]:
    """Chips won and lost as prizes won and lost, in chips still: as if all chips had bought all prizes.

    >>> [round(change, 6) for change in won_prizes([10, 10], [5, -5], [100])]
    [5.0, -5.0]
    """
    total = sum(before)
    after = [stack + change for stack, change in zip(before, won, strict=True)]
    after = [0.0 if chips < 1e-9 * total else chips for chips in after]  # rounding leaves no chips
    old, new = icm(before, payouts), icm(after, payouts)
    return tuple(total / sum(payouts) * (b - a) for a, b in zip(old, new, strict=True))


def _check(stacks: Sequence[float], payouts: Sequence[float]) -> None:
    if not 1 <= len(stacks) <= MOST_PLAYERS:
        raise IcmError(f"{len(stacks)} stacks: ICM is for 1 to {MOST_PLAYERS} players")
    for stack in stacks:
        if not (isfinite(stack) and (stack == 0 or LEAST <= stack <= MOST)):
            raise IcmError(f"stack {stack:g}: give 0, or a number from {LEAST:g} to {MOST:g}")
    if not any(stacks):
        raise IcmError("nobody has chips: give a stack above 0")
    check_payouts(payouts, len(stacks))


def check_payouts(payouts: Sequence[float], players: int) -> None:
    """Refuse prizes that are no prizes, or rise with the place."""
    text = ",".join(f"{prize:g}" for prize in payouts)
    if not payouts or len(payouts) > players:
        raise IcmError(f"payouts {text!r}: give 1 to {players} prizes, one for each place that is paid")
    if not all(isfinite(prize) and prize >= 0 for prize in payouts) or not any(payouts):
        raise IcmError(f"payouts {text!r}: prizes are numbers, 0 or more")
    if not all(prize == 0 or LEAST <= prize <= MOST for prize in payouts):
        raise IcmError(f"payouts {text!r}: give prizes from {LEAST:g} to {MOST:g}")
    if any(first < second for first, second in pairwise(payouts)):
        raise IcmError(f"payouts {text!r}: the first place is paid most: write them in order, like 50,30,20")
