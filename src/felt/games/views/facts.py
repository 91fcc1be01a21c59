"""What happened at many tables, as arrays: every action with the public state in which it was taken.

Hands are kept as their deal and their moves; the engine tells the rest, as often as somebody asks. So a log, a
statistic and a result cannot disagree with the rules, and play is not slowed down by being watched.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from felt._pool import map_ordered
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.rules import GameRules
from felt.games.views.facts_layout import CLOSED_CARDS, COLUMNS, FACT_COLUMNS

BLOCK = 1024
"""Hands told at a time by one thread."""


@dataclass(frozen=True, eq=False)
class Facts:
    """Hands of one game and one number of players: arrays over actions, and arrays over hands.

    Actions of hand i are rows ``first[i]`` to ``first[i + 1]``. State is what was before the action.
    """

    rules: GameRules
    players: int
    first: NDArray[np.int64]
    """``[hands + 1]``: where the actions of each hand begin."""
    columns: NDArray[np.int32]
    """``[11 + 2 * players, actions]``: the rows of `facts_layout`, then stacks and bets by seat."""
    board: NDArray[np.int64]
    """``[actions]``: the board, packed."""
    up: NDArray[np.int64]
    """``[players or 0, actions]``: cards face up, packed; no rows where the game has none."""
    counts: NDArray[np.int8]
    """``[players or 0, actions]``: how many cards each player holds; no rows where that never changes unseen."""
    holes: NDArray[np.int64]
    """``[actions]``: the cards of the player who acts, packed."""
    held: NDArray[np.int64]
    """``[hands, players]``: the cards that each player held last, packed."""
    closed: NDArray[np.int8]
    """``[hands, 2 + players]``: street of the last decision (-1: it was about cards), cards that lay on the board and
    before each player then."""
    numbers: NDArray[np.int32]
    """``[hands, NUMBERS]``: the records at the end (`felt.games.engine.fields`)."""
    cards: NDArray[np.uint8]
    """``[hands, BYTES]``."""
    stacks: NDArray[np.int32]
    """``[hands, players]``: chips before antes and blinds."""

    @property
    def hands(self) -> int:
        """How many hands."""
        return len(self.numbers)

    @property
    def actions(self) -> int:
        """How many actions."""
        return len(self.board)

    def column(self, name: str) -> NDArray[np.int32]:
        """One number of every action, by its name in `facts_layout`."""
        numbers: NDArray[np.int32] = self.columns[FACT_COLUMNS.index(name)]
        return numbers

    @property
    def stack(self) -> NDArray[np.int32]:
        """``[players, actions]``: chips behind, by seat."""
        return self.columns[COLUMNS : COLUMNS + self.players]

    @property
    def bet(self) -> NDArray[np.int32]:
        """``[players, actions]``: chips bet on the street, by seat."""
        return self.columns[COLUMNS + self.players :]

    @property
    def hand(self) -> NDArray[np.int64]:
        """``[actions]``: which hand each action belongs to."""
        return np.repeat(np.arange(self.hands), np.diff(self.first))

    @property
    def payoffs(self) -> NDArray[np.int32]:
        """``[hands, players]``: chips won or lost."""
        behind = self.numbers[:, f.STACKS : f.STACKS + self.players]
        aside = self.numbers[:, f.ASIDE : f.ASIDE + self.players]
        net: NDArray[np.int32] = behind + aside - self.stacks
        return net

    @property
    def shown(self) -> NDArray[np.int32]:
        """``[hands]``: bits of the seats that were still in when cards were compared; 0 without a showdown."""
        return self.numbers[:, f.SHOWN]

    @property
    def button(self) -> NDArray[np.int32]:
        """``[hands]``: the seat of the button."""
        return self.numbers[:, f.BUTTON]


def trace(
    rules: GameRules,
    numbers: NDArray[np.int32],
    cards: NDArray[np.uint8],
    stacks: NDArray[np.int32],
    moves: NDArray[np.int64],
    counts: NDArray[np.int64],
    *,
    actions: bool = True,
    threads: int | None = 1,
) -> Facts:
    """Play dealt hands (records as the engine leaves them after the deal) on by their moves, and tell of each.

    `moves` are codes (`felt.games.moves.encode_move`), those of one hand after those of another; `counts` how many each
    hand has. They are not checked. The records are played on in place. ``actions=False`` tells of hands only.
    """
    from felt.games.views.trace_kernels import trace_many

    compiled, players = compile_rules(rules), stacks.shape[1]
    first = np.zeros(len(numbers) + 1, dtype=np.int64)
    np.cumsum(counts, out=first[1:])
    rows = int(first[-1]) if actions else 0
    shows, exchanges = rules.shows_cards, rules.has_draws
    facts = Facts(
        rules=rules,
        players=players,
        first=first,
        columns=np.zeros((COLUMNS + 2 * players, rows), dtype=np.int32),
        board=np.zeros(rows, dtype=np.int64),
        up=np.zeros((players if shows else 0, rows), dtype=np.int64),
        counts=np.zeros((players if shows or exchanges else 0, rows), dtype=np.int8),
        holes=np.zeros(rows, dtype=np.int64),
        held=np.zeros((len(numbers), players), dtype=np.int64),
        closed=np.zeros((len(numbers), CLOSED_CARDS + players), dtype=np.int8),
        numbers=numbers,
        cards=cards,
        stacks=stacks,
    )

    def work(begin: int) -> None:
        part = slice(begin, begin + BLOCK)
        trace_many(
            numbers[part], cards[part], compiled.game, first[begin : begin + BLOCK + 1], moves, compiled.shown,
            compiled.tables, compiled.extra, facts.columns, facts.board, facts.up, facts.counts, facts.holes,
            facts.held[part], facts.closed[part],
        )  # fmt: skip

    list(map_ordered(work, range(0, len(numbers), BLOCK), threads))
    return facts
