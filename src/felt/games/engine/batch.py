"""Many hands at once: the same kernels over arrays, on all cores.

`HandBatch` steps thousands of tables in lockstep, for agents that decide in batches; `play_random` deals and plays
whole hands without coming up for air, for tests and for measuring.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt._chance import block_seeds, seeds_of
from felt._pool import map_ordered
from felt.errors import FeltError
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.engine.record import VERSION
from felt.games.engine.stakes import Asked, Stakes, set_up
from felt.games.hand import STREAM, Hand
from felt.games.moves import Phase
from felt.games.rules import GameRules

Ints = NDArray[np.int64]

BLOCK = 4096
"""Hands dealt from one stream: blocks do not depend on the number of threads."""


@dataclass(frozen=True)
class Played:
    """What came of many hands."""

    payoffs: NDArray[np.int32]
    """``int32[hands, players]``: chips won or lost."""
    moves: int


def play_random(
    rules: GameRules,
    hands: int,
    *,
    players: int = 2,
    stack: int | None = None,
    seed: int = 0,
    always_call: bool = False,
    threads: int | None = None,
) -> Played:
    """Deal and play `hands` by uniformly random legal moves, or by calling every bet.

    >>> from felt.games import load
    >>> int(play_random(load("nlhe"), 100, seed=1).payoffs.sum())
    0
    """
    from felt._chance_kernels import wrapping
    from felt.games.engine.batch_kernels import ALWAYS_CALL, UNIFORM, play_many

    _check_count("hands", hands)
    first = Hand.new(rules, stack, players=players)
    stakes, compiled = first.stakes, compile_rules(rules)
    amounts = np.array(stakes[:3], dtype=np.int64)
    seeds = block_seeds(seed, 0, -(-hands // BLOCK), STREAM)

    def play(block: int) -> tuple[NDArray[np.int32], int]:
        count = min(BLOCK, hands - block * BLOCK)
        numbers, cards = np.zeros((count, f.NUMBERS), dtype=np.int32), np.zeros((count, f.BYTES), dtype=np.uint8)
        with wrapping():
            moves = play_many(
                numbers, cards, players, first.button, compiled.game, compiled.deck,
                _most_dealt(rules, players), amounts, stakes.dead_antes, rules.cap,
                ALWAYS_CALL if always_call else UNIFORM, seeds[block], compiled.tables, compiled.extra, compiled.shown,
            )  # fmt: skip
        return numbers[:, f.STACKS : f.STACKS + players] - amounts[0].astype(np.int32), int(moves)

    parts = list(map_ordered(play, range(len(seeds)), threads))
    return Played(np.concatenate([payoffs for payoffs, _ in parts]), sum(moves for _, moves in parts))


def _check_count(name: str, count: int) -> None:
    if not isinstance(count, int | np.integer) or count < 1:
        raise FeltError(f"{name}={count!r}: use a whole number, 1 or more")


def _most_dealt(rules: GameRules, players: int) -> int:
    """The most cards of the deck that a hand can come to need."""
    if any(part.draw_most for part in rules.rounds):
        return len(rules.deck)
    return players * rules.hole_cards + rules.board_cards


class HandBatch:
    """Hands of one game that are played in lockstep: every table takes a step when `step` is called.

    A batch deals hand after hand from one seed: table i starts with hand number `first` + i, or with ``deals[i]``.

    >>> from felt.games import load
    >>> batch = HandBatch(load("leduc"), 3, seed=5)
    >>> while not batch.over.all():
    ...     batch.step(np.ones(3, dtype=np.int64))
    >>> int(batch.payoffs.sum())
    0
    """

    def __init__(
        self,
        rules: GameRules,
        tables: int,
        *,
        players: int | None = None,
        stack: int | None = None,
        seed: int = 0,
        first: int = 0,
        deals: Ints | None = None,
        threads: int | None = None,
    ) -> None:
        _check_count("tables", tables)
        self.rules = rules
        self._compiled = compile_rules(rules)
        self._threads = threads
        hand = Hand.new(rules, stack, players=players)
        self.players, self._stakes, self._button = hand.players, hand.stakes, hand.button
        self._numbers = np.zeros((tables, f.NUMBERS), dtype=np.int32)
        self._cards = np.zeros((tables, f.BYTES), dtype=np.uint8)
        self.legal: Ints = np.zeros((tables, len(f.LEGAL_FIELDS)), dtype=np.int64)
        """``[tables, 6]``: what the player to act may do, in the columns of `felt.games.engine.fields.LEGAL_FIELDS`."""
        self._seed, self._deals = seed, np.arange(first, first + tables) if deals is None else deals
        self._seeds = seeds_of(self._deals, seed, STREAM)
        list(map_ordered(self._begin, [slice(i, i + BLOCK) for i in range(0, tables, BLOCK)], threads))

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which hands have been paid out."""
        done: NDArray[np.bool_] = self._numbers[:, f.PHASE] == Phase.OVER
        return done

    @property
    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """The records as the kernels see them (`engine.fields`), numbers and bytes: the same memory, unchecked."""
        return self._numbers, self._cards

    @property
    def stakes(self) -> Stakes:
        """Stacks, antes and blinds before the first card, the same at every table."""
        return self._stakes

    @property
    def stacks(self) -> NDArray[np.int32]:
        """``[tables, players]``: chips before antes and blinds."""
        return np.tile(np.array(self._stakes.stacks, dtype=np.int32), (len(self), 1))

    @property
    def turn(self) -> NDArray[np.int32]:
        """The seat to act at each table; -1 where the hand is over."""
        return self._numbers[:, f.TURN]

    @property
    def chips(self) -> NDArray[np.int32]:
        """``[tables, players]``: chips behind."""
        behind = self._numbers[:, f.STACKS : f.STACKS + self.players]
        chips: NDArray[np.int32] = behind + self._numbers[:, f.ASIDE : f.ASIDE + self.players]
        return chips

    @property
    def payoffs(self) -> NDArray[np.int32]:
        """``[tables, players]``: chips won or lost; before the end, chips put in so far count as lost."""
        return self.chips - self.stacks

    def step(self, moves: Ints, amounts: Ints | None = None, rows: NDArray[np.intp] | None = None) -> None:
        """Make a move (`Move`) at every table that waits for one; `amounts` as `Action` has them, sets as bits.

        With `rows` only at those tables, and moves and amounts are theirs: where most hands are over, that is quicker.
        Moves are not checked: they must be legal by `legal`.
        """
        from felt.games.engine.batch_kernels import step_many

        where = np.arange(len(self)) if rows is None else rows
        amount = np.zeros(len(where), dtype=np.int64) if amounts is None else amounts

        def work(begin: int) -> None:
            part = slice(begin, begin + BLOCK)
            records = self._numbers, self._cards, self.legal, self._compiled.game
            step_many(*records, where[part], moves[part], amount[part], *self._tables())

        list(map_ordered(work, range(0, len(where), BLOCK), self._threads))

    def hand(self, table: int) -> Hand:
        """A copy of one table's hand, without its events."""
        record = np.concatenate([self._numbers[table].view(np.uint8), self._cards[table]])
        return Hand.over_record(self.rules, self._stakes_at(table), record)

    def dealt(self, table: int) -> Hand:
        """One table's hand as it was dealt, before the first move."""
        stacks, button = self._stakes_at(table).stacks, int(self._numbers[table, f.BUTTON])
        return Hand.new(self.rules, stacks, self._seed, number=int(self._deals[table]), button=button)

    def _stakes_at(self, table: int) -> Stakes:
        return self._stakes

    def _tables(self) -> tuple[Any, ...]:
        return self._compiled.shown, self._compiled.tables, self._compiled.extra

    def _begin(self, part: slice) -> None:
        from felt._chance_kernels import wrapping
        from felt.games.engine.batch_kernels import begin_many

        needed, tables = _most_dealt(self.rules, self.players), self._tables()
        with wrapping():
            for alike, button, amounts in self._beginnings(part):
                begin_many(
                    self._numbers[alike], self._cards[alike], self.legal[alike], self._compiled.game,
                    self._seeds[alike], self.players, button, VERSION, self._compiled.deck, needed, amounts,
                    self._stakes.dead_antes, self.rules.cap, *tables,
                )  # fmt: skip

    def _beginnings(self, part: slice) -> Iterator[tuple[slice, int, Ints]]:
        """Tables that begin alike, with their button, and their stacks, antes and blinds."""
        yield part, self._button, np.array(self._stakes[:3], dtype=np.int64)


class VariedBatch(HandBatch):
    """Hands of one game for one number of players, each with stacks and a button of its own: table i has ``stacks[i]``
    and ``buttons[i]``. They are the hands that `Hand.new` deals, and are trusted to be possible.

    >>> from felt.games import load
    >>> batch = VariedBatch(load("nlhe"), [(200, 200), (3, 397)], buttons=[0, 1], seed=5, deals=np.array([0, 1]))
    >>> [batch.dealt(table).starting_stacks for table in (0, 1)]
    [(200, 200), (3, 397)]
    """

    def __init__(
        self, rules: GameRules, stacks: Sequence[Sequence[int]], buttons: Sequence[int], *, seed: int, deals: Ints
    ) -> None:
        self._buttons, self._starts = buttons, np.array(stacks, dtype=np.int64)
        super().__init__(rules, len(buttons), players=len(stacks[0]), seed=seed, deals=deals, threads=1)

    @property
    def stacks(self) -> NDArray[np.int32]:
        """``[tables, players]``: chips before antes and blinds."""
        return self._starts.astype(np.int32)

    def _stakes_at(self, table: int) -> Stakes:
        return self._by_button(self._buttons[table])._replace(stacks=tuple(self._starts[table].tolist()))

    def _beginnings(self, part: slice) -> Iterator[tuple[slice, int, Ints]]:
        for table in range(*part.indices(len(self))):
            button = self._buttons[table]
            amounts = np.array(self._by_button(button)[:3], dtype=np.int64)
            amounts[0] = self._starts[table]
            yield slice(table, table + 1), button, amounts

    def _by_button(self, button: int) -> Stakes:
        """Antes and blinds; stacks are another matter."""
        return set_up(self._compiled, Asked(None, self.players, button, None, None, None)).stakes
