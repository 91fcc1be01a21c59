"""Main pot and side pots of a finished hand, and who collected what from which."""

from collections.abc import Sequence
from typing import NamedTuple

from felt.interop.rooms.ledger import Ledger


class RoomPot(NamedTuple):
    """One pot: what was paid out of it, by seat."""

    collected: dict[int, int]

    @property
    def total(self) -> int:
        """Chips that left the pot towards players."""
        return sum(self.collected.values())


def pots_of(ledger: Ledger, collected: Sequence[int]) -> list[RoomPot]:
    """The pots, main pot first, of a hand that is over and in which the seats collected so much, uncalled bets apart.

    Which chips of a winner came from which pot follows from who had a part in it; the rake is left in the main pot.
    """
    levels = _levels(ledger)
    left = list(collected)
    pots: list[RoomPot] = []
    for size, seats in reversed(levels[1:]):
        winners = [seat for seat in seats if left[seat] > 0]
        share = _shared(size, {seat: left[seat] for seat in winners})
        for seat, chips in share.items():
            left[seat] -= chips
        if share:
            pots.append(RoomPot(share))
    pots.append(RoomPot({seat: chips for seat, chips in enumerate(left) if chips > 0}))
    return [pot for pot in reversed(pots) if pot.collected]


def _levels(ledger: Ledger) -> list[tuple[int, list[int]]]:
    """The size of each pot before rake and the seats that can win it, main pot first."""
    seat, over = ledger.uncalled()
    put = [chips - (over if i == seat else 0) for i, chips in enumerate(ledger.put)]
    live = ledger.live
    levels: list[tuple[int, list[int]]] = []
    floor = 0
    for level in sorted({put[seat] for seat in live if put[seat]}):
        size = sum(max(0, min(chips, level) - floor) for chips in put)
        levels.append((size, [seat for seat in live if put[seat] >= level]))
        floor = level
    return levels or [(0, live)]


def _shared(size: int, left: dict[int, int]) -> dict[int, int]:
    """A pot among its winners, nobody more than is left to them."""
    share: dict[int, int] = {}
    for count, (seat, most) in enumerate(sorted(left.items(), key=lambda item: item[1])):
        part = min(most, size // (len(left) - count))
        share[seat] = part
        size -= part
    return {seat: chips for seat, chips in share.items() if chips}
