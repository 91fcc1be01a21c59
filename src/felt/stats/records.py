"""Statistics of hands from anywhere, played again and counted: an iterator of `HandRecord`s, or a single `Hand`."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.engine import fields as f
from felt.games.hand import Hand
from felt.games.history import Event, HandRecord
from felt.games.moves import CALL, FOLD, RAISE, SHOWS, EventKind, Move, encode_move
from felt.games.replay import ReplayError, folded_all_in, replay_moves
from felt.games.rules import GameRules
from felt.games.views.facts import Facts, trace
from felt.games.views.facts_layout import AMOUNT, LEAST, MOST, MOVE, STREET
from felt.stats.definitions import DENOMINATOR, INDICATORS, POSITIONS, VPIP_D
from felt.stats.indicators import NOT_COUNTED, count, count_chunks, position_codes, positions
from felt.stats.means import Counted
from felt.stats.table import Table, merged_streets

AT_ONCE = 4096
"""Hands that are kept before they are counted together."""

MOST_REASONS = 10


class Recorded(NamedTuple):
    """Counts, and what could not be counted."""

    names: tuple[str, ...]
    """The players, in the order in which they appeared."""
    table: Table
    hands: int
    """Hands that were counted."""
    skipped: int
    """Hands that the rules do not allow, or that break off."""
    reasons: tuple[str, ...]
    """Why the first few of those were left out."""


def from_records(records: Iterable[HandRecord], *, only: Collection[str] | None = None) -> Recorded:
    """Count what players did in recorded hands, of any games, mixed as they come.

    Players go by their names, without names by "seat 0", "seat 1" …; `only` counts some of them, which saves memory
    where there are thousands. Hands that do not replay are left out, and their number is told. Where the record knows
    the stacks at the end, these say who won, since cards that nobody saw cannot.
    """
    counting = _Counting(only)
    for record in records:
        counting.add(record)
    counting.count()
    table = counting.table
    return Recorded(table.players, table, counting.hands, counting.skipped, tuple(counting.reasons))


class _Hand(NamedTuple):
    """A hand that waits to be counted."""

    dealt: Hand
    moves: list[int]
    raises: dict[int, int]
    """Moves that were raises, and the engine took as calls."""
    won: tuple[int, ...]
    players: list[int]
    positions: tuple[str, ...]
    idle: frozenset[int]
    """Seats that were dealt in and decided nothing, since nobody sat there: the room acted for them."""
    folded: frozenset[int]
    """Seats that folded while they were all in, so that they came to no showdown."""


@dataclass
class _Counting:
    only: Collection[str] | None
    numbers: dict[str, int] = field(default_factory=dict)
    """Players by name."""
    waiting: dict[tuple[GameRules, int], list[_Hand]] = field(default_factory=dict)
    table: Table = field(default_factory=lambda: Table.empty((), ()))
    hands: int = 0
    skipped: int = 0
    reasons: list[str] = field(default_factory=list)

    def add(self, record: HandRecord) -> None:
        try:
            again = replay_moves(record)
            hand = again.hand
            if not hand.over:
                raise ReplayError(f"it breaks off when it is the turn of seat {hand.turn}")
        except FeltError as error:
            self.skipped += 1
            if len(self.reasons) < MOST_REASONS:
                self.reasons.append(f"hand {record.hand_id}: {error}" if record.hand_id else str(error))
            return
        folded = folded_all_in(record, hand)
        counted_hand = _Hand(
            dealt=again.dealt,
            moves=again.moves,
            raises=again.raises,
            won=_won(record, hand, folded),
            players=[self._id(name) for name in record.seat_names],
            positions=_positions(record),
            idle=frozenset(folded.union(record.sitting_out)),
            folded=frozenset(folded),
        )
        self.waiting.setdefault((record.rules, record.players), []).append(counted_hand)
        self.hands += 1
        if self.hands % AT_ONCE == 0:
            self.count()

    def _id(self, name: str) -> int:
        if self.only is not None and name not in self.only:
            return NOT_COUNTED
        return self.numbers.setdefault(name, len(self.numbers))

    def count(self) -> None:
        for (rules, _), hands in self.waiting.items():
            ids = np.array([hand.players for hand in hands])
            here = np.unique(ids[ids != NOT_COUNTED])  # few of all the players there are
            own = np.where(ids == NOT_COUNTED, NOT_COUNTED, np.searchsorted(here, ids))
            part = _counted(rules, hands, own, [str(number) for number in here])
            _count_idle(hands, own, part)
            self._grow(part.streets)
            self.table.counts[here, :, :, : len(part.streets)] += part.counts
        self.waiting.clear()

    def _grow(self, streets: tuple[str, ...]) -> None:
        """Make room for new players and longer games."""
        before, names = self.table, tuple(self.numbers)
        streets = merged_streets(before.streets, streets)
        if (names, streets) != (before.players, before.streets):
            self.table = Table.empty(names, streets)
            self.table.counts[: len(before.players), :, :, : len(before.streets)] = before.counts


def _counted(rules: GameRules, hands: list[_Hand], players: NDArray[np.int64], names: list[str]) -> Table:
    numbers, cards = (np.stack(part) for part in zip(*(hand.dealt.arrays for hand in hands), strict=True))
    stacks = np.array([hand.dealt.starting_stacks for hand in hands], dtype=np.int32)
    moves = np.array([move for hand in hands for move in hand.moves], dtype=np.int64)
    facts = trace(rules, numbers, cards, stacks, moves, np.array([len(hand.moves) for hand in hands]))
    facts.numbers[:, f.WON : f.WON + facts.players] = [hand.won for hand in hands]
    for number, hand in enumerate(hands):
        _tell_raises(facts, number, hand.raises)
        _tell_folds(facts, number, hand.folded)
    codes = np.stack([position_codes(hand.positions) for hand in hands])
    idle = np.array([[seat in hand.idle for seat in range(facts.players)] for hand in hands])
    return count(facts, np.where(idle, NOT_COUNTED, players), names, positions=codes)


def _tell_raises(facts: Facts, number: int, raises: Mapping[int, int]) -> None:
    """Calls of a hand that were raises, since a room let them be made: so they could be made, too."""
    for place, total in raises.items():
        action = facts.first[number] + place
        facts.columns[[MOVE, AMOUNT, LEAST, MOST], action] = int(Move.RAISE), total, total, total


def _tell_folds(facts: Facts, number: int, folded: Collection[int]) -> None:
    """Who folded while all in was at no showdown; where one player is left, there was none, and no further street."""
    if not folded:
        return
    numbers = facts.numbers[number]
    numbers[f.SHOWN] &= ~sum(1 << seat for seat in folded)
    if int(numbers[f.SHOWN]).bit_count() < 2:
        first, end = facts.first[number : number + 2]
        numbers[f.SHOWN] = 0
        numbers[f.STREET] = facts.columns[STREET, end - 1] if end > first else 0


def _count_idle(hands: list[_Hand], players: NDArray[np.int64], table: Table) -> None:
    """Hands of players who were not there: dealt, and nothing else."""
    for hand, ids in zip(hands, players, strict=True):
        for seat in hand.idle:
            if ids[seat] != NOT_COUNTED:
                position = POSITIONS.index(hand.positions[seat])
                table.counts[ids[seat], VPIP_D, position, 0, 0, DENOMINATOR] += 1


def _won(record: HandRecord, hand: Hand, folded: Collection[int]) -> tuple[int, ...]:
    """Chips from the pot, by seat: as the source has them, else without those who mucked or folded all in."""
    if record.finishing is not None:
        ends = zip(record.finishing, hand.stacks, hand.won, strict=True)
        return tuple(max(end - (stack - won), 0) for end, stack, won in ends)
    last = {event.seat: event.kind for event in record.events if event.kind in SHOWS}
    left = [seat for seat in hand.showdown if last.get(seat) != EventKind.MUCK and seat not in folded]
    return hand.winnings(left) if 0 < len(left) < len(hand.showdown) else hand.won


def _positions(record: HandRecord) -> tuple[str, ...]:
    """What the seats are called, from seat 0 on."""
    players, after = record.players, (record.button + 1) % record.players
    first, second = (record.posts[(after + step) % players] for step in range(2))
    blinds = record.rules.blinds
    dead = players > 2 and len(blinds) > 1 and first >= record.rules.big_blind and second == 0
    names = positions(record.rules, players, dead_small_blind=dead)
    return tuple(names[(seat - after) % players] for seat in range(players))


Did = dict[str, list[int]]
"""By indicator: how often it was done, and how often it could have been; indicators without a chance are left out."""


def count_hand(hand: Hand) -> list[Did]:
    """What each seat did in a hand that is over.

    >>> from felt.games import load
    >>> hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    >>> hand.raise_to(6); hand.fold()
    >>> seat, button = count_hand(hand)
    >>> button["vpip"], button["pfr"], seat["vpip"], seat["fold_to_bet"]
    ([1, 1], [1, 1], [0, 1], [1, 1])
    """
    dealt, moves = _again(hand)
    h, k = dealt.arrays
    stacks = np.array([hand.starting_stacks], dtype=np.int32)
    facts = trace(hand.rules, h[None], k[None], stacks, np.array(moves, dtype=np.int64), np.array([len(moves)]))
    seats = np.arange(hand.players)
    # By stretches of a match, of which this hand is one: a table of all positions takes longer to sum than to count.
    _, counts = count_chunks(facts, seats[None], [str(seat) for seat in seats], np.zeros(1, dtype=np.int64), 1)
    return [
        {name: pair for name, pair in zip(INDICATORS, seat, strict=True) if pair[0] or pair[1]}
        for seat in counts[0].tolist()
    ]


def _again(hand: Hand) -> tuple[Hand, list[int]]:
    """The hand as it was dealt, and its moves as `trace` takes them."""
    if hand.rules.has_draws:  # which cards were thrown away is for the replay to find out
        again = replay_moves(hand.record())
        return again.dealt, again.moves
    (numbers, cards), stakes = hand.arrays, hand.stakes
    dealt = Hand.new(
        hand.rules,
        stakes.stacks,
        deck=cards[f.DECK : f.DECK + numbers[f.DECK_COUNT]].tolist(),
        button=hand.button,
        antes=stakes.antes,
        posts=stakes.posts,
        dead_antes=stakes.dead_antes,
    )
    codes = (_code(event) for event in hand.events)
    return dealt, [code for code in codes if code >= 0]


def _code(event: Event) -> int:
    kind = event.kind  # compared one by one: to hash a member takes Python 3.11 longer
    if kind is EventKind.CALL:
        return CALL
    if kind is EventKind.RAISE:
        return encode_move(RAISE, event.amount)
    return FOLD if kind is EventKind.FOLD else -1


def added(total: Did, more: Mapping[str, Iterable[int]]) -> None:
    """Add the counts of a hand to a total."""
    for name, (num, den) in more.items():
        pair = total.setdefault(name, [0, 0])
        pair[0] += num
        pair[1] += den


def counted_of(total: Did, indicator: str) -> Counted:
    """One figure of a total."""
    num, den = total.get(indicator, (0, 0))
    return Counted(num, den, INDICATORS[indicator].ratio)
