"""The betting of a game without its cards: who may do what after which moves."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.engine import fields as f
from felt.games.engine.exact_payoffs import pay_deals
from felt.games.hand import Hand
from felt.games.moves import MOVE_LETTERS, Move
from felt.games.rules import GameRules
from felt.games.trees.tree import SIZES, Sizes, actions
from felt.solvers.memory import MEMORY, PLACE, check_memory
from felt.solvers.trees.dealt import NONE, Deals, Renamings, all_deals, count_deals, dealing_bytes
from felt.solvers.trees.tree import CHANCE, TERMINAL, Array

LIMIT = 5_000_000
"""States of the betting that are looked at before a game is called too large."""


@dataclass(slots=True)
class BettingNode:
    """A place in the betting."""

    player: int  # who acts, `CHANCE` where cards fall, `TERMINAL` where the hand is over
    street: int  # the round whose cards have been dealt
    text: str  # the moves so far, as `games.views.keys.information` writes them; [1] where the board of round 1 falls
    hand: Hand | None  # where the hand is over, with some cards or other
    actions: tuple[Action, ...] = ()
    children: list[int] = field(default_factory=list)


def betting_tree(
    hand: Hand, *, sizes: Sizes = SIZES, limit: int = LIMIT, dealt: int | None = None, memory: float = MEMORY
) -> list[BettingNode]:
    """All that may be bet from a state on, level by level.

    Games whose cards are dealt face down first and to the board later: the betting is the same for all cards. `dealt`
    is the round whose cards lie before anything else happens, if not that of the hand: where antes leave nobody a
    choice, the hand has all its cards at once, and those of later rounds fall at places of their own. Betting that
    would take more than `memory` bytes is refused.
    """
    nodes = list[BettingNode]()
    _add(nodes, hand.street if dealt is None else dealt, "", hand.copy())
    for node in nodes:  # it grows on the way
        if node.hand is None or node.player == TERMINAL:  # where cards fall, what comes then is in the list already
            continue
        node.actions = tuple(actions(node.hand, sizes=sizes))
        for action in node.actions:
            child = node.hand.copy()
            child.act(action)
            text = " ".join(filter(None, [node.text, move_text(action)]))
            node.children.append(_add(nodes, node.street, text, child))
            if len(nodes) > limit:
                raise FeltError(
                    f"{hand.rules.name} has more than {limit:,} places in its betting: give smaller stacks or fewer "
                    "sizes of raises"
                )
        if len(nodes) * PLACE > memory:
            check_memory(
                f"the betting of {hand.rules.name}, {len(nodes):,} places so far,", len(nodes) * PLACE, memory,
                "give smaller stacks, fewer sizes of raises", least=True,
            )  # fmt: skip
        node.hand = None
    return nodes


def _add(nodes: list[BettingNode], dealt: int, text: str, hand: Hand) -> int:
    """Add a state, and before it the deals after the round that was dealt; the number of the first of them."""
    first = len(nodes)
    last = hand.street if not hand.over else dealt_street(hand)
    for street in range(dealt, last):
        nodes.append(BettingNode(CHANCE, street, text, None, children=[len(nodes) + 1]))
        if hand.rules.rounds[street + 1].board:
            text = f"{text} [{street + 1}]".lstrip()
    nodes.append(BettingNode(TERMINAL if hand.over else hand.turn, last, text, hand))
    return first


def dealt_street(hand: Hand) -> int:
    """The last round whose cards lie."""
    lying = int(hand.arrays[0][f.BOARD_COUNT])
    boards = accumulate(part.board for part in hand.rules.rounds[: hand.street + 1])
    return max((street for street, board in enumerate(boards) if board <= lying), default=0)


def move_text(action: Action) -> str:
    """A move as information sets have it."""
    return MOVE_LETTERS[action.move] + (str(action.amount) if action.move == Move.RAISE else "")


def children_of(nodes: Sequence[BettingNode]) -> tuple[Array, Array]:
    """What follows each place of the betting, one after the other, and where that of each begins."""
    children = np.array([child for node in nodes for child in node.children], dtype=np.int64)
    return children, np.cumsum([0, *(len(node.children) for node in nodes)])


@dataclass(frozen=True)
class PlainGame:
    """The betting of a game, and what is dealt when."""

    hand: Hand
    nodes: list[BettingNode]
    suits: bool
    renamings: Renamings = field(default_factory=lambda: NONE)  # of suits, under which deals are one

    @property
    def rules(self) -> GameRules:
        """The rules of the game."""
        return self.hand.rules

    @cached_property
    def groups(self) -> list[list[int]]:
        """Cards dealt together, by round: those of each seat, then the board."""
        return self._dealt_to(self.hand.players)

    @cached_property
    def seen(self) -> list[list[int]]:
        """Cards that one player sees dealt together, by round: their own, then the board."""
        return self._dealt_to(1)

    def _dealt_to(self, players: int) -> list[list[int]]:
        first, *later = ([part.board] if part.board else [] for part in self.rules.rounds)
        hole = self.rules.rounds[0].down
        return [[*[hole] * (players if hole else 0), *first], *later]

    def list_seen(self) -> list[Deals]:
        """What one player may hold and see, by round, up to the last in which somebody decides: nobody asks later."""
        return all_deals(self.rules.deck.cards, self.decided, suits=self.suits, renamings=self.renamings)

    @cached_property
    def decided(self) -> list[list[int]]:
        """`seen` up to the last round in which somebody decides."""
        return self.seen[: 1 + max((node.street for node in self.nodes if node.player >= 0), default=0)]

    def pay(self, number: int, cards: NDArray[np.uint8]) -> NDArray[np.float64]:
        """What an end of the betting pays for many deals: hole cards by seat, then the board."""
        hand = self.nodes[number].hand
        assert hand is not None
        return pay_deals(hand, cards)

    @property
    def dealing(self) -> float:
        """Memory while all deals are listed."""
        return dealing_bytes(self.rules.deck.cards, self.groups, suits=self.suits, renamings=self.renamings)

    def counts(self) -> tuple[int, int, int]:
        """Nodes, information sets and sequences of the tree."""
        cards = self.rules.deck.cards
        deals = count_deals(cards, self.groups, suits=self.suits, renamings=self.renamings)
        nodes = 1 + sum(deals[node.street] for node in self.nodes)
        seen = count_deals(cards, self.seen, suits=self.suits, renamings=self.renamings)
        deciding = [node for node in self.nodes if node.player >= 0]
        infosets = sum(seen[node.street] for node in deciding)
        return nodes, infosets, sum(seen[node.street] * len(node.actions) for node in deciding)


class OfPlainGame:
    """What trees over the betting of a `PlainGame` say of it."""

    game: PlainGame

    @property
    def rules(self) -> GameRules:
        """The rules of the game."""
        return self.game.rules

    @property
    def stacks(self) -> tuple[int, ...]:
        """Of all players, before the first card."""
        return self.game.hand.starting_stacks

    @property
    def suits(self) -> bool:
        """Whether suits were told apart; else cards of one rank are the same."""
        return self.game.suits
