"""How many branches a game has: counted without growing them, each betting state once.

What the public sees of a hand is its betting, how many cards are exchanged and which cards lie open. Subtrees of
states in which the betting can go on in the same ways are equal, so a game whose tree nobody could hold is counted in
seconds. With the number of hands that a player can hold, the same counts give the size of the whole game (as Johanson
2013 measures it).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import mul

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.engine import fields as f
from felt.games.engine.compiled import Compiled, compile_rules
from felt.games.hand import Hand
from felt.games.moves import DEALS, Move, Phase
from felt.games.rules import GameRules
from felt.games.trees.tree import FEW, SIZES, Sizes, count_ways, menu_amounts
from felt.games.views.keys import betting_key

LIMIT = 200_000
"""Different betting states that are looked at unless told otherwise."""

Record = tuple[NDArray[np.int32], NDArray[np.uint8]]


@dataclass(frozen=True)
class BettingCounts:
    """The size of a game's public tree. Lists are by round."""

    decisions: tuple[int, ...]
    """Betting sequences after which a player decides."""
    choices: tuple[int, ...]
    """Actions there, all together."""
    folds: tuple[int, ...]
    """Sequences that end because all but one have folded."""
    showdowns: int
    """Sequences that end with a showdown."""
    states: int
    """Betting states that had to be told apart to count them."""
    deals: tuple[int, ...] | None
    """Ways in which a player's own cards and the board may lie; None where players see more of each other's cards,
    or exchange them."""
    players: int

    @property
    def terminals(self) -> int:
        """Sequences that end the hand."""
        return sum(self.folds) + self.showdowns

    @property
    def infosets(self) -> int | None:
        """Information sets of all players together."""
        return None if self.deals is None else sum(map(mul, self.decisions, self.deals))

    @property
    def sequences(self) -> int | None:
        """Actions at all information sets and one for each player who has not acted: the sequence form's size."""
        return None if self.deals is None else sum(map(mul, self.choices, self.deals)) + self.players


def count_betting(hand: Hand, *, sizes: Sizes = SIZES, depth: int | None = None, limit: int = LIMIT) -> BettingCounts:
    """Count the betting that may follow a state, at most `depth` moves of it.

    Folding where checking is free is left out; exchanges count by the number of cards. In games where cards decide
    who acts first, the counts are those of this deal.

    >>> from felt.games import load
    >>> counts = count_betting(Hand.new(load("leduc")))
    >>> counts.decisions, counts.infosets, counts.sequences
    ((6, 30), 936, 2186)
    """
    counter = _Counter(hand.rules, sizes, limit)
    h, k = hand.arrays
    totals = counter.count((h.copy(), k.copy()), depth)
    rounds = len(hand.rules.rounds)
    moved = hand.street > 0 or any(event.kind not in DEALS for event in hand.events)
    return BettingCounts(
        decisions=totals[:rounds],
        choices=totals[rounds : 2 * rounds],
        folds=totals[2 * rounds : 3 * rounds],
        showdowns=totals[3 * rounds],
        states=len(counter.known),
        deals=None if moved else _deals(hand.rules),
        players=hand.players,
    )


class _Counter:
    """Counts from every state that it meets, and remembers them."""

    def __init__(self, rules: GameRules, sizes: Sizes, limit: int) -> None:
        from felt.games.engine.kernels import apply, legal

        self.known: dict[tuple[bytes, int], tuple[int, ...]] = {}
        self._rules = rules
        self._rounds = len(rules.rounds)
        self._compiled: Compiled = compile_rules(rules)
        self._sizes = sizes
        self._limit = limit
        self._apply, self._legal = apply, legal

    def count(self, record: Record, depth: int | None) -> tuple[int, ...]:
        """Decisions, choices and folds by round, and showdowns."""
        start = self._key(record, depth)
        waiting = [(start, record, depth)]
        below: dict[tuple[bytes, int], list[tuple[bytes, int]]] = {}
        while waiting:  # as deep as the game: a stack of our own, not Python's
            key, state, left = waiting[-1]
            if key in self.known:
                waiting.pop()
            elif key in below:
                waiting.pop()
                self.known[key] = self._sum(state, below.pop(key))
            elif state[0][f.PHASE] >= Phase.SHOWDOWN or left == 0:
                waiting.pop()
                self.known[key] = self._leaf(state)
            else:
                if len(self.known) + len(below) >= self._limit:
                    raise FeltError(
                        f"{self._rules.name} has more than {self._limit:,} betting states: give a depth, fewer sizes "
                        "of raises, smaller stacks, or a higher limit"
                    )
                less = None if left is None else left - 1
                children = [(self._key(child, less), child, less) for child in self._children(state)]
                below[key] = [child for child, _, _ in children]
                waiting += [item for item in children if item[0] not in self.known]
        return self.known[start]

    def _key(self, record: Record, left: int | None) -> tuple[bytes, int]:
        return betting_key(*record, self._rules), -1 if left is None else left

    def _sum(self, state: Record, below: list[tuple[bytes, int]]) -> tuple[int, ...]:
        total = [0] * (3 * self._rounds + 1)
        for key in below:
            total = [a + b for a, b in zip(total, self.known[key], strict=True)]
        total[state[0][f.STREET]] += 1
        total[self._rounds + state[0][f.STREET]] += len(below)
        return tuple(total)

    def _leaf(self, state: Record) -> tuple[int, ...]:
        total, h = [0] * (3 * self._rounds + 1), state[0]
        if h[f.PHASE] >= Phase.SHOWDOWN:
            alone = h[f.LIVE] & (h[f.LIVE] - 1) == 0
            total[2 * self._rounds + h[f.STREET] if alone else 3 * self._rounds] = 1
        return tuple(total)

    def _children(self, state: Record) -> Iterator[Record]:
        for move, amount in self._actions(state):
            h, k = state[0].copy(), state[1].copy()
            self._apply(h, k, self._compiled.game, int(move), amount, self._compiled.shown)
            yield h, k

    def _actions(self, state: Record) -> Iterator[tuple[Move, int]]:
        """As `felt.games.trees.tree.actions` has them, exchanges by number."""
        h, k = state
        out = np.zeros(6, dtype=np.int64)
        self._legal(h, k, self._compiled.game, out)
        _, call, least, most, fewest, many = out.tolist()
        if fewest >= 0:
            held = int(k[f.COUNT + h[f.TURN]])
            yield from ((Move.EXCHANGE, (1 << count) - 1) for count in range(fewest, min(many, held) + 1))
            return
        if call > 0 and out[f.MAY_FOLD]:
            yield Move.FOLD, 0
        yield Move.CALL, 0
        if least > 0:
            yield from ((Move.RAISE, amount) for amount in self._raises(h, call, least, most))

    def _raises(self, h: NDArray[np.int32], call: int, least: int, most: int) -> list[int] | range:
        if self._sizes is None or most - least < FEW:
            return range(least, most + 1)
        pot = int(h[f.DEAD] + h[f.PUT : f.PUT + h[f.PLAYERS]].sum()) + call
        return menu_amounts(self._sizes, least, most, high=int(h[f.BETS + h[f.TURN]]) + call, pot=pot)


def _deals(rules: GameRules) -> tuple[int, ...] | None:
    """Ways for a player's cards and the board to lie in each round, the order within a deal apart."""
    if rules.has_draws or any(part.up for part in rules.rounds):
        return None
    groups = [count for part in rules.rounds for count in (part.down, part.board)]
    return tuple(count_ways(len(rules.deck), groups[:end]) for end in range(2, len(groups) + 1, 2))
