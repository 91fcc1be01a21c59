"""The numbers and names of information sets, for games whose betting does not depend on cards.

Information sets are numbered by player, then by node of the betting, then by what the player holds and sees. Trees of
histories, public trees and the betting alone all have these numbers, so a strategy of one is a strategy of all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import RANKS, format_cards
from felt.games.actions import Action
from felt.games.rules import GameRules
from felt.solvers.trees.betting import BettingNode, PlainGame, children_of
from felt.solvers.trees.dealt import Deals
from felt.solvers.trees.tree import Array, Infosets

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Numbering:
    """Information sets, and how to find one."""

    infosets: Infosets
    base: Ints
    """The first information set of each node of the betting, those of all cards follow; -1 where nobody decides."""
    deals: list[Deals]  # by round: what a player may hold and see, in order


def number_infosets(
    game: PlainGame, deals: list[Deals], *, board: Sequence[int] = (), past: Sequence[str] | None = None
) -> Numbering:
    """Number what players can tell apart; `deals` are what one player may hold and see, by round.

    Where the betting begins in a hand, `board` lies already, and `past` is what each seat knows of the moves before.
    """
    nodes, players = game.nodes, game.hand.players
    player, street = np.array([(node.player, node.street) for node in nodes], dtype=np.int64).T.copy()
    order = np.concatenate([np.flatnonzero(player == seat) for seat in range(players)])
    counts = np.zeros(len(game.rules.rounds), dtype=np.int64)
    counts[: len(deals)] = [len(dealt.chance) for dealt in deals]
    counts = counts[street]
    base = np.full(len(nodes), -1, dtype=np.int64)
    base[order] = np.cumsum(counts[order]) - counts[order]
    children, begins = children_of(nodes)
    first = np.zeros(1 + int(counts[order].sum()), dtype=np.int32)
    np.cumsum(np.repeat(np.diff(begins)[order], counts[order]), out=first[1:])
    of_node = np.repeat(order.astype(np.int32), counts[order])
    lying = [card if game.suits else card >> 2 for card in board]
    infosets = Infosets(
        players=players,
        of_player=np.cumsum([0, *(counts[player == seat].sum() for seat in range(players))]).astype(np.int32),
        first=first,
        parent=_parents(order, _last_moves(player, begins, children, players), base, street, player, first, deals),
        labels=Labels(game, deals, of_node, base, lying, past),
        actions=Moves(nodes, of_node, first),
    )
    return Numbering(infosets, base, deals)


def _last_moves(player: Ints, first: Ints, children: Ints, players: int) -> Ints:
    """For each node and player: where they acted last before it, and what they chose; -1 if they did not."""
    above = np.full((len(player), players, 2), -1, dtype=np.int64)
    for node, seat in enumerate(player):
        for choice, child in enumerate(children[first[node] : first[node + 1]]):
            above[child] = above[node]
            if seat >= 0:
                above[child, seat] = node, choice
    return above


def _parents(
    order: Ints, above: Ints, base: Ints, street: Ints, player: Ints, sequences: NDArray[np.int32], deals: list[Deals]
) -> NDArray[np.int32]:
    """The sequence that each information set's player has played last."""
    parts = [np.zeros(0, dtype=np.int64)]  # nobody may have a choice
    for node in order:
        last, choice = above[node, player[node]]
        rows = np.arange(len(deals[street[node]].chance))
        if last < 0:
            parts.append(np.full(len(rows), sequences[-1] + player[node]))
            continue
        for number in range(street[node], street[last], -1):
            rows = deals[number].parent[rows]
        parts.append(sequences[base[last] + rows] + choice)
    return np.concatenate(parts).astype(np.int32)


@dataclass(frozen=True)
class Labels(Sequence[str]):
    """Names of information sets, written when they are asked for."""

    game: PlainGame
    deals: list[Deals]
    of_node: NDArray[np.int32]  # the node of the betting of each information set
    base: Ints
    board: Sequence[int]
    past: Sequence[str] | None

    def __len__(self) -> int:
        return len(self.of_node)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        number = range(len(self))[number]
        game, node, hole = self.game, self.of_node[number], self.game.rules.rounds[0].down
        bet_node = game.nodes[node]
        row = self.deals[bet_node.street].classes[number - self.base[node]].tolist()
        past = None if self.past is None else self.past[bet_node.player]
        return infoset_label(game.rules, bet_node, [*row[:hole], *self.board, *row[hole:]], suits=game.suits, past=past)


def infoset_label(
    rules: GameRules, node: BettingNode, row: Sequence[int], *, suits: bool, past: str | None = None
) -> str:
    """What the player at a place of the betting knows, as `felt.games.views.keys.information` has it.

    `row` is the player's cards and the board, `past` what happened before the betting began here.
    """
    hole = rules.rounds[0].down
    before = _shared(rules, row, 0, suits) if past is None else past
    after = node.text
    for street in range(1, node.street + 1):
        after = after.replace(f"[{street}]", _shared(rules, row, street, suits), 1)
    return " ".join(filter(None, [_text(row[:hole], suits), before, after]))


def _shared(rules: GameRules, row: Sequence[int], street: int, suits: bool) -> str:
    """The cards that a round brings to the board."""
    at = rules.rounds[0].down + sum(part.board for part in rules.rounds[:street])
    cards = row[at : at + rules.rounds[street].board]
    return f"[{_text(cards, suits)}]" if cards else ""


def _text(cards: Sequence[int], suits: bool) -> str:
    ordered = sorted(cards, reverse=True)
    return format_cards(ordered) if suits else "".join(RANKS[rank] for rank in ordered)


@dataclass(frozen=True)
class Moves(Sequence[Action]):
    """The action of each sequence."""

    nodes: Sequence[BettingNode]
    bet_node: Array
    first: Array

    def __len__(self) -> int:
        return int(self.first[-1])

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        infoset = int(np.searchsorted(self.first, number, side="right")) - 1
        return self.nodes[self.bet_node[infoset]].actions[number - self.first[infoset]]
