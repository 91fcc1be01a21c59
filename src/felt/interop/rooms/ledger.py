"""Who has put in what: the arithmetic that text histories leave to the reader; in the end, main pot and side pots.

Readers use it to turn "calls $3" and action letters into totals and to see that a text adds up; writers use it to
turn totals into "calls $3". It knows nothing of whose turn it is or of who wins: that is the engine's business.
"""

from collections.abc import Sequence

from felt.games.history import Event, HandRecord
from felt.games.moves import DEALS, EXCHANGES, EventKind

CARD_EVENTS = frozenset({*DEALS, *EXCHANGES, EventKind.ROLLED})


class Ledger:
    """The chips of a hand as it goes on, by seat."""

    def __init__(self, stacks: Sequence[int], *, cap: int = 0, bring_in: int = 0) -> None:
        self.stacks = list(stacks)
        """What is left behind."""
        self.bets = [0] * len(self.stacks)
        """Put in on this street."""
        self.put = [0] * len(self.stacks)
        """Put in during the hand, dead chips not counted."""
        self.dead = [0] * len(self.stacks)
        self.layered = False
        """Whether antes are matched as bets are: where all pay the same, one all-in for less wins only as much."""
        self.high = 0
        """The bet to match."""
        self.street = 0
        self.folded: set[int] = set()
        self._aside = [max(0, stack - cap) if cap else 0 for stack in self.stacks]
        self._bring_in = bring_in
        self._acted = False

    @classmethod
    def of(cls, record: HandRecord, *, played: bool = False) -> "Ledger":
        """The ledger of a hand after its antes and blinds, or at its end."""
        made = cls(record.stacks, cap=record.rules.cap, bring_in=record.rules.bring_in)
        made.layered = not record.dead_antes
        for seat, (ante, post) in enumerate(zip(record.antes, record.posts, strict=True)):
            made.ante(seat, ante)
            made.post(seat, post)
        for event in record.events if played else ():
            made.apply(event)
        return made

    @property
    def pot(self) -> int:
        """All chips in the middle."""
        return sum(self.put) + sum(self.dead)

    @property
    def live(self) -> list[int]:
        """Seats that have not folded."""
        return [seat for seat in range(len(self.stacks)) if seat not in self.folded]

    def playable(self, seat: int) -> int:
        """What the seat may still put in."""
        return max(0, self.stacks[seat] - self._aside[seat])

    def ante(self, seat: int, chips: int) -> int:
        """Dead chips, as far as the stack goes; returns how many."""
        chips = min(chips, self.playable(seat))
        self.stacks[seat] -= chips
        self.dead[seat] += chips
        return chips

    def post(self, seat: int, chips: int, *, full: int = 0) -> int:
        """A blind; `full` is what it would be if the stack covered it, and what others have to call."""
        self.high = max(self.high, chips, full)
        return self._put_in(seat, chips)

    def to_call(self, seat: int) -> int:
        """Chips that a check or call takes; the bring-in where that is due."""
        if self._bring_in and not self.street and not self.high:
            return min(self._bring_in, self.playable(seat))
        return min(self.high - self.bets[seat], self.playable(seat))

    def call(self, seat: int) -> int:
        """Check, call or bring in; returns the chips that it took."""
        chips = self.to_call(seat)
        if self._bring_in and not self.street and not self.high:
            self.high = self._bring_in
        self._acted = True
        return self._put_in(seat, chips)

    def raise_to(self, seat: int, total: int) -> int:
        """Bet or raise to a total for the street; returns the chips that it took."""
        self._acted = True
        chips = self._put_in(seat, total - self.bets[seat])
        self.high = max(self.high, self.bets[seat])
        return chips

    def matched(self, seat: int) -> int:
        """Chips that a call takes which goes no higher than what others have bet: a short blind is less to match."""
        others = [bet for other, bet in enumerate(self.bets) if other != seat and other not in self.folded]
        return max(0, min(max(others, default=0) - self.bets[seat], self.playable(seat)))

    def can_be_called(self, seat: int) -> bool:
        """Whether anybody has the chips to call a raise of this seat, be it for less; so too where it is the first bet.

        Rooms let a player raise over an all-in whatever the others have left.
        """
        if self.high <= self.bets[seat]:
            return True
        return any(self.bets[other] + self.playable(other) > self.high for other in self.live if other != seat)

    def fold(self, seat: int) -> None:
        """The seat is out of the hand."""
        self._acted = True
        self.folded.add(seat)

    def deal(self) -> None:
        """New cards: the bets go to the middle if there has been betting since the last."""
        if self._acted:
            self.next_street()

    def next_street(self) -> None:
        """The bets go to the middle."""
        self.bets = [0] * len(self.stacks)
        self.high = 0
        self.street += 1
        self._acted = False

    def apply(self, event: Event) -> int:
        """Follow one event of a record; returns the chips that it put in."""
        if event.kind in CARD_EVENTS:
            self.deal()
        elif event.kind == EventKind.CALL:
            return self.call(event.seat)
        elif event.kind == EventKind.RAISE:
            return self.raise_to(event.seat, event.amount)
        elif event.kind == EventKind.FOLD:
            self.fold(event.seat)
        return 0

    def uncalled(self) -> tuple[int, int]:
        """The seat whose last bet nobody matched, and the chips that go back to it; (-1, 0) if there is none."""
        totals = [put + dead * self.layered for put, dead in zip(self.put, self.dead, strict=True)]
        first, second = sorted(range(len(totals)), key=lambda seat: -totals[seat])[:2]
        over = totals[first] - totals[second]
        return (first, over) if over > 0 and first not in self.folded else (-1, 0)

    def settled(self, collected: Sequence[int]) -> tuple[int, ...]:
        """The stacks after the hand when every seat has collected so many chips, uncalled bets apart."""
        seat, over = self.uncalled()
        return tuple(
            stack + won + (over if i == seat else 0)
            for i, (stack, won) in enumerate(zip(self.stacks, collected, strict=True))
        )

    def _put_in(self, seat: int, chips: int) -> int:
        chips = max(0, min(chips, self.playable(seat)))
        self.stacks[seat] -= chips
        self.bets[seat] += chips
        self.put[seat] += chips
        return chips


def pots_of(ledger: Ledger, collected: Sequence[int]) -> list[dict[int, int]]:
    """Chips from each pot by seat, main pot first, where the seats of a hand that is over collected so much in all.

    Uncalled bets are left out. Which chips of a winner came from which pot follows from who had a part in it; the rake
    is left in the main pot.
    """
    left = list(collected)
    pots: list[dict[int, int]] = []
    for size, seats in reversed(_levels(ledger)[1:]):
        pots.append(_shared(size, {seat: left[seat] for seat in seats if left[seat] > 0}))
        for seat, chips in pots[-1].items():
            left[seat] -= chips
    pots.append({seat: chips for seat, chips in enumerate(left) if chips > 0})
    return [pot for pot in reversed(pots) if pot]


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
