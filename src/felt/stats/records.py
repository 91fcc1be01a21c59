"""Statistics of hands from anywhere: an iterator of `HandRecord`s, played again and counted."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.engine import fields as f
from felt.games.hand import Hand
from felt.games.history import HandRecord
from felt.games.moves import SHOWS, EventKind, Move
from felt.games.replay import ReplayError, folded_all_in, replay_moves
from felt.games.rules import GameRules
from felt.games.views.facts import Facts, trace
from felt.games.views.facts_layout import AMOUNT, LEAST, MOST, MOVE, STREET
from felt.stats.indicators import NOT_COUNTED, count
from felt.stats.layout import DENOMINATOR, POSITIONS, VPIP_D
from felt.stats.positions import position_codes, positions
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
    return counting.result()


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
            players=self._ids(record),
            positions=_positions(record),
            idle=frozenset(folded.union(record.sitting_out)),
            folded=frozenset(folded),
        )
        self.waiting.setdefault((record.rules, record.players), []).append(counted_hand)
        self.hands += 1
        if self.hands % AT_ONCE == 0:
            self._count()

    def result(self) -> Recorded:
        self._count()
        return Recorded(self.table.players, self.table, self.hands, self.skipped, tuple(self.reasons))

    def _ids(self, record: HandRecord) -> list[int]:
        names = record.seat_names
        counted = names if self.only is None else tuple(name if name in self.only else None for name in names)
        return [NOT_COUNTED if n is None else self.numbers.setdefault(n, len(self.numbers)) for n in counted]

    def _count(self) -> None:
        for (rules, _), hands in self.waiting.items():
            ids = np.array([hand.players for hand in hands])
            here = np.unique(ids[ids != NOT_COUNTED])  # few of all the players there are
            own = np.where(ids == NOT_COUNTED, NOT_COUNTED, np.searchsorted(here, ids))
            part = _counted(rules, hands, own, [str(number) for number in here])
            part.counts[:] += _idle_hands(hands, own, part)
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


def _idle_hands(hands: list[_Hand], players: NDArray[np.int64], table: Table) -> NDArray[np.int64]:
    """Hands of players who were not there: dealt, and nothing else."""
    counts = np.zeros_like(table.counts)
    for hand, ids in zip(hands, players, strict=True):
        for seat in hand.idle:
            if ids[seat] != NOT_COUNTED:
                position = POSITIONS.index(hand.positions[seat])
                counts[ids[seat], VPIP_D, position, 0, 0, DENOMINATOR] += 1
    return counts


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
