"""The rules of betting and of dividing pots, slow and plain, to compare the compiled engine with.

Written from the rule books, one rule at a time: the Tournament Directors Association's rules of 2024 (TDA), and
Robert's Rules of Poker (RRP) where those are silent, as on short raises in limit games. Nothing here is shared with
`felt.games` but the words for what may be bet.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

import numpy as np

from felt.cards import rank, rank_batch
from felt.games.rules import Betting, Showdown, Structure


@dataclass
class SlowTable:
    """The chips of one hand. Cards are the caller's business: who opens a street is told, and who has won."""

    stacks: list[int]
    antes: Sequence[int]
    posts: Sequence[int]
    dead_antes: bool = False
    cap: int = 0
    folded: set[int] = field(default_factory=set)
    put: list[int] = field(default_factory=list)
    bets: list[int] = field(default_factory=list)
    dead: int = 0
    turn: int | None = None

    def __post_init__(self) -> None:
        self.seats = range(len(self.stacks))
        self.aside = [max(0, stack - self.cap) if self.cap else 0 for stack in self.stacks]
        self.stacks = [stack - aside for stack, aside in zip(self.stacks, self.aside, strict=True)]
        self.put, self.bets = [0 for _ in self.seats], [0 for _ in self.seats]
        for seat in self.seats:
            if self.dead_antes:  # TDA RP-11: a big blind's ante for all comes after the blind
                self._post(seat)
                ante = min(self.antes[seat], self.stacks[seat])
                self.dead += ante
            else:
                ante = min(self.antes[seat], self.stacks[seat])
                self.put[seat] += ante
            self.stacks[seat] -= ante
            if not self.dead_antes:
                self._post(seat)
        self.high = max(self.posts)  # a short big blind is still a whole one to call
        self.missing = sum(self.posts) - sum(self.bets)

    def _post(self, seat: int) -> None:
        self._put_in(seat, min(self.posts[seat], self.stacks[seat]))

    @property
    def live(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.folded]

    @property
    def pot(self) -> int:
        return sum(self.put) + self.dead

    def open(self, betting: Betting, opener: int, *, clockwise: bool = True, bring_in: int = 0) -> None:
        """Begin the betting of a street, in which `opener` is first in turn; blinds are out already on the first."""
        self.betting = betting
        self.limit = betting.structure == Structure.LIMIT
        self.order = [(opener + (i if clockwise else -i)) % len(self.stacks) for i in self.seats]
        self.acted: dict[int, int] = {}  # what the bet was when a player acted, since the last whole bet or raise
        self.counted = 1 if self.high else 0  # a blind is the first bet
        self.full_size = betting.bet if self.limit else max(betting.bet, self.high)
        self.full_level = self.high  # the bet when it was last a whole one
        self.bring_in = bring_in
        self.only_bring_in = bring_in > 0
        self._next(self.order)

    def close(self) -> None:
        """End the betting of a street."""
        self.bets = [0 for _ in self.seats]
        self.high = self.missing = 0

    def _put_in(self, seat: int, chips: int) -> None:
        self.stacks[seat] -= chips
        self.bets[seat] += chips
        self.put[seat] += chips

    def _next(self, order: Iterable[int]) -> None:
        self.turn = next((seat for seat in order if self._must_act(seat)), None)

    def _must_act(self, seat: int) -> bool:
        others = [other for other in self.live if other != seat]
        if seat in self.folded or not others or self.stacks[seat] == 0:
            return False
        if all(self.stacks[other] == 0 for other in others) and self.bets[seat] >= max(self.bets[o] for o in others):
            return False  # nobody is left to bet against, and nobody's bet is unmatched
        return seat not in self.acted or self.bets[seat] < self.high

    # What may be done

    @property
    def may_fold(self) -> bool:
        return not self.bring_in or self.turn != self.order[0]  # owed by the lowest card, not by the next (TDA RP-10-E)

    @property
    def to_call(self) -> int:
        """Chips that a call takes; 0 is a check."""
        assert self.turn is not None
        return min(self.bring_in or self.high - self.bets[self.turn], self.stacks[self.turn])

    @property
    def raise_to(self) -> tuple[int, int] | None:
        """Least and most that the player may raise the bet to; None when no raise is allowed."""
        seat = self.turn
        assert seat is not None
        all_in = self.stacks[seat] + self.bets[seat]
        able = any(self.stacks[other] + self.bets[other] > self.high for other in self.live if other != seat)
        capped = 0 < self.betting.max_raises <= self.counted  # TDA 48
        forced = 0 < self.full_size <= self.bring_in
        if forced or not able or capped or all_in <= max(self.high, self.bring_in) or not self._open_to(seat):
            return None
        if self.limit:
            least = self.full_level + self.full_size
        else:
            least = self.full_size if self.only_bring_in else self.high + self.full_size  # TDA 43
        most = {
            Structure.LIMIT: least,
            Structure.NO_LIMIT: all_in,
            Structure.SPREAD: self.high + self.betting.most,
            Structure.POT_LIMIT: self.high + self.pot + self.missing + self.high - self.bets[seat],  # TDA 54-B
        }[self.betting.structure]
        return min(least, all_in), min(max(least, most), all_in)

    def _open_to(self, seat: int) -> bool:
        """TDA 47: whoever has acted may raise again when facing a whole raise; in limit games, half of one."""
        if seat not in self.acted:
            return True
        facing = self.high - self.acted[seat]
        return 2 * facing >= self.betting.bet if self.limit else facing >= self.full_size

    # Doing it

    def fold(self) -> None:
        assert self.turn is not None
        self.folded.add(self.turn)
        self._done(self.turn)

    def call(self) -> None:
        seat = self.turn
        assert seat is not None
        chips = self.to_call
        if self.bring_in:
            if self.bring_in >= self.full_size:  # a forced bet, whole from the start
                self.counted, self.full_level, self.only_bring_in = 1, self.bring_in, False
            self.high, self.bring_in = self.bring_in, 0
        self._put_in(seat, chips)
        self._done(seat)

    def raise_by_total(self, total: int) -> None:
        """Bet or raise to `total` for the street."""
        seat = self.turn
        assert seat is not None
        step = total - self.high
        whole = self.full_size - (self.high if self.only_bring_in else 0)
        self._put_in(seat, total - self.bets[seat])
        self.high, self.bring_in = total, 0
        if self.limit:
            self._limit_raise()
        else:
            self.counted += 1
            self.only_bring_in = False
            if step >= whole:
                self.acted = {}
                self.full_size = max(step, self.betting.bet)
        self._done(seat)

    def _limit_raise(self) -> None:
        """RRP, on all-in wagers: half a bet or more counts as a whole one; less may be completed by the next player."""
        above = self.high - self.full_level
        if above >= self.betting.bet:
            self.acted = {}
        if 2 * above >= self.betting.bet:
            self.counted += 1
            self.full_level = self.high

    def _done(self, seat: int) -> None:
        self.acted[seat] = self.high
        place = self.order.index(seat)
        self._next(self.order[place + 1 :] + self.order[: place + 1])


def opening_seat(first: str, up: Sequence[Sequence[int]], live: Sequence[int]) -> int:
    """Who opens a street of stud by the cards up; suits break ties, spades highest (TDA RP-10-D)."""
    return max(live, key=lambda seat: (up_rank(first, up[seat]), highest_card(first, up[seat])))


def up_rank(first: str, cards: Sequence[int]) -> list[int]:
    """How cards up speak for opening a street, suits apart."""
    if first == "lowest-up":
        return [-min(card // 4 for card in cards)]
    if first == "highest-up":
        return [max(ace_low(card) for card in cards)]
    if first == "best-up":
        return _flat(by_multiplicity([card // 4 for card in cards]))
    return [-x for x in _flat(by_multiplicity([ace_low(card) for card in cards]))]


def highest_card(first: str, cards: Sequence[int]) -> tuple[int, int]:
    """What breaks ties: the suit of the highest card, or of the lowest where that opens."""
    if first == "lowest-up":
        return 0, -(min(cards) % 4)
    return max((card // 4 if first == "best-up" else ace_low(card), card % 4) for card in cards)


def ace_low(card: int) -> int:
    return (card // 4 + 1) % 13


def by_multiplicity(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of how often a rank stands and which it is, the most important first: orders up to four cards."""
    return sorted(((list(ranks).count(rank), rank) for rank in set(ranks)), reverse=True)


def _flat(pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Counts before ranks, so that any unpaired hand comes before any pair."""
    found = list(pairs)
    return [count for count, _ in found] + [rank for _, rank in found]


def hand_values(shown: Showdown, hole: Sequence[int], board: Sequence[int]) -> list[int]:
    """What a player's cards are worth, for each kind that shares the pot: the best of every choice that is allowed."""
    if shown.scoring:
        return [brag_value(hole)]
    found = []
    for kind in shown.kinds:
        if kind == "badugi":
            found.append(rank(hole, kind))
            continue
        choices = [
            (*own, *shared)
            for count in ([shown.hole_exactly] if shown.hole_exactly else range(shown.size + 1))
            for own in combinations(hole, count)
            for shared in combinations(board, shown.size - count)
        ]
        found.append(int(rank_batch(np.array(choices), kind).max()))
    return found


def brag_value(cards: Sequence[int]) -> int:
    """Three-card brag, the one game with a scoring of its own: three threes are the best prial, A-2-3 the best run."""
    low, middle, high = sorted(card // 4 for card in cards)
    suited = len({card % 4 for card in cards}) == 1
    wheel = (low, middle, high) == (0, 1, 12)
    run = 13 if wheel else high if (low + 1, middle + 1) == (middle, high) else 0
    if low == high:
        return 50_000 + (13 if low == 1 else low)
    if run:
        return (40_000 if suited else 30_000) + run
    if not suited and middle in (low, high):
        return 10_000 + 13 * middle + (high if middle == low else low)
    return (20_000 if suited else 1) + 169 * high + 13 * middle + low


@dataclass(frozen=True)
class SlowPot:
    """Chips, and who may win them."""

    chips: int
    players: tuple[int, ...]


def uncalled(put: Sequence[int], live: Sequence[int]) -> tuple[int, int]:
    """The seat that bet more than anybody matched, and by how much; it takes that back before anything else."""
    order = sorted(range(len(put)), key=lambda seat: put[seat], reverse=True)
    most, next_most = order[0], order[1]
    return (most, put[most] - put[next_most]) if most in live else (most, 0)


def pots(put: Sequence[int], live: Sequence[int], dead: int) -> list[SlowPot]:
    """Main pot and side pots: the n-th chip of every player makes a layer, and layers with the same players still in
    are one pot. Uncalled chips have been taken back."""
    found = [SlowPot(dead, tuple(live))] if dead else []
    for below, above in pairwise(sorted({0, *put})):  # from one amount to the next all layers are alike
        chips = (above - below) * sum(chips > below for chips in put)
        players = tuple(seat for seat in live if put[seat] > below)
        if not players:  # folded chips above what anybody else has put in
            players = found[-1].players if found else tuple(live)
        if found and found[-1].players == players:
            found[-1] = SlowPot(found[-1].chips + chips, players)
        else:
            found.append(SlowPot(chips, players))
    return found


def pay(
    put: Sequence[int],
    live: Sequence[int],
    values: Sequence[Sequence[int]],
    *,
    dead: int = 0,
    button: int = -1,
    rake: float = 0.0,
    rake_cap: int = 0,
) -> tuple[list[int], int]:
    """What each seat takes, and what the house does. `values` by kind and seat: 0 is no hand, more is better."""
    won, taken, contributed = [0 for _ in put], 0, list(put)
    seat, back = uncalled(put, live)
    won[seat] += back
    contributed[seat] -= back
    for pot in pots(contributed, live, dead):
        drop = int(pot.chips * round(rake * 1_000_000) // 1_000_000)
        if rake_cap:
            drop = min(drop, rake_cap - taken)
        taken += drop
        for chips, winners in _shares(pot.chips - drop, pot.players, values):
            for winner, share in _even(chips, winners, len(put), button):
                won[winner] += share
    return won, taken


def _shares(chips: int, players: Sequence[int], values: Sequence[Sequence[int]]) -> list[tuple[int, list[int]]]:
    """A pot by kind of hand: TDA 20-C, the odd chip of a split pot goes to the high hand."""
    made = [kind for kind in values if len(players) > 1 and any(kind[seat] > 0 for seat in players)]
    if not made:
        return [(chips, list(players))]
    parts = [chips // len(made) + (chips % len(made) if i == 0 else 0) for i in range(len(made))]
    best = [[seat for seat in players if kind[seat] == max(kind[p] for p in players)] for kind in made]
    return list(zip(parts, best, strict=True))


def _even(chips: int, winners: Sequence[int], count: int, button: int) -> list[tuple[int, int]]:
    """Equal shares: TDA 20-A, odd chips go one by one from the left of the button."""
    order = sorted(winners, key=lambda seat: (seat - button - 1) % count)
    return [(seat, chips // len(order) + (i < chips % len(order))) for i, seat in enumerate(order)]
