"""The information sets of a public tree: those of the history tree, and where each stands in a vector of hands."""

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.games.views.keys import information
from felt.solvers.public_tree.deals import PublicDeals, coded
from felt.solvers.trees.betting import PlainGame
from felt.solvers.trees.dealt import Deals, all_deals
from felt.solvers.trees.numbering import Numbering, number_infosets
from felt.solvers.trees.orbits import NONE, smallest
from felt.solvers.trees.tree import Infosets

Array = NDArray[Any]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class VectorInfosets:
    """Information sets, and the way from ``[rows, hands]`` to their sequences."""

    numbering: Numbering
    places: Ints
    """``[sequences]``: where each stands in the flat ``[rows, hands]``."""
    sizes: list[list[int]]
    """Cards that a player sees dealt together, by round."""
    members: Floats
    """``[sequences]``: how many hands and boards the set stands for that differ by the names of suits."""

    @property
    def infosets(self) -> Infosets:
        """As the history tree numbers them."""
        return self.numbering.infosets

    def of_hands(self, table: PublicDeals, node: int, board: int, *, from_hand: bool) -> Ints:
        """The information set of each hand at a place of the betting, beside a board; -1 where it is impossible."""
        street = table.game.nodes[node].street
        possible = np.flatnonzero(table.alive[board])
        lying = np.tile(table.deals[street].classes[board - table.first[street]], (len(possible), 1))
        rows: Array = np.hstack([table.hands[possible], lying])
        if not from_hand and len(table.game.renamings) > 1:
            sizes = [size for groups in self.sizes[: street + 1] for size in groups]
            rows = smallest(rows, sizes, table.game.renamings)[0]
        infosets = np.full(len(table.hands), -1, dtype=np.int64)
        infosets[possible] = self.numbering.base[node] + self.numbering.deals[street].find(rows)
        return infosets


def vector_infosets(
    table: PublicDeals, bet_node: Array, board: Array, row: Array, *, from_hand: bool
) -> VectorInfosets:
    """Number what players can tell apart as `felt.solvers.trees.build.build_tree` does: by player, place and cards.

    From rules, sets that differ by the names of suits are one. From a state of a hand, every hand is told.
    """
    game, nodes = table.game, table.game.nodes
    groups = [[table.hole, *table.groups[0]], *table.groups[1:]]
    deals = all_deals(table.cards, groups, suits=game.suits, renamings=NONE if from_hand else game.renamings)
    if table.chosen is not None:
        deals = _held(table, deals)
    numbering = number_infosets(game, deals, board=table.board, past=_past(game) if from_hand else None)
    street = np.array([node.street for node in nodes], dtype=np.int64)
    order = np.concatenate([[i for i, node in enumerate(nodes) if node.player == seat] for seat in range(2)]).astype(
        int
    )
    first = numbering.infosets.first
    begin = _places(table, deals, bet_node, board, row, order, street)
    steps = np.arange(first[-1]) - np.repeat(first[:-1], np.diff(first))
    places = np.repeat(begin, np.diff(first)) + steps * len(table.hands)
    by_street = _members(table, deals, groups)
    members = np.concatenate([np.zeros(0), *(by_street[street[node]] for node in order)])
    return VectorInfosets(numbering, places, groups, np.repeat(members, np.diff(first)))


def _held(table: PublicDeals, deals: list[Deals]) -> list[Deals]:
    """The deals of hands that somebody may hold."""
    held, before = list[Deals](), np.zeros(1, dtype=np.int64)
    for dealt in deals:
        is_held = np.isin(coded(dealt.classes[:, : table.hole]), table.codes)
        parent = before[dealt.parent[is_held]]
        held.append(Deals(dealt.classes[is_held], dealt.chance[is_held], parent, dealt.first))
        before = np.cumsum(is_held) - 1
    return held


def _members(table: PublicDeals, deals: list[Deals], groups: list[list[int]]) -> list[Floats]:
    """By round, how many deals of cards each deal stands for; 1 where suits are left out, not renamed."""
    chance, ways, left, members = np.ones(1), 1, len(table.cards), []
    for dealt, sizes in zip(deals, groups, strict=True):
        chance = chance[dealt.parent] * dealt.chance
        for size in sizes:
            ways, left = ways * comb(left, size), left - size
        members.append(np.round(chance * ways) if table.game.suits else np.ones(len(chance)))
    return members


def _places(
    table: PublicDeals, deals: list[Deals], bet_node: Array, board: Array, row: Array, order: Array, street: Array
) -> Ints:
    """Where the first action of each information set stands."""
    boards = int(table.first[-1])
    row_of = np.full(len(table.game.nodes) * boards, -1, dtype=np.int64)
    deciding = np.flatnonzero(row >= 0)
    row_of[bet_node[deciding].astype(np.int64) * boards + board[deciding]] = row[deciding]
    seen = []
    for number, dealt in enumerate(deals):
        boards_seen, renaming = table.find_boards(number, dealt.classes[:, table.hole :])
        hand = np.searchsorted(table.codes, coded(dealt.classes[:, : table.hole]))
        seen.append((boards_seen, table.moves[renaming, hand]))
    parts = [row_of[node * boards + seen[street[node]][0]] * len(table.hands) + seen[street[node]][1] for node in order]
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def _past(game: PlainGame) -> list[str]:
    """What happened before, as each seat knows it, without its own cards."""
    texts = [information(game.hand, seat, suits=game.suits).split(" ", 1) for seat in range(2)]
    return [text[1] if len(text) > 1 else "" for text in texts]
