"""The information sets of a public tree: those of the history tree, and where each stands in a vector of hands."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.games.keys import information
from felt.solvers.build_plain import PlainGame, children_of
from felt.solvers.dealt import Deals, all_deals
from felt.solvers.labels import Moves, set_label
from felt.solvers.orbits import NONE, smallest
from felt.solvers.public import last_moves, parents_of
from felt.solvers.tree import Infosets
from felt.solvers.vector_table import Table, coded

Array = NDArray[Any]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class VectorSets:
    """Information sets, and the way from ``[rows, hands]`` to their sequences."""

    infosets: Infosets
    places: Ints
    """``[sequences]``: where each stands in the flat ``[rows, hands]``."""
    base: Ints
    """The first information set of each place of the betting; those of all cards follow."""
    deals: list[Deals]
    """By round, what a player may hold and see."""
    sizes: list[list[int]]
    """Cards that a player sees dealt together, by round."""
    members: Floats
    """``[sequences]``: how many hands and boards the set stands for that differ by the names of suits."""

    def of_hands(self, table: Table, spot: int, board: int, *, from_hand: bool) -> Ints:
        """The information set of each hand at a place of the betting, beside a board; -1 where it is impossible."""
        street = table.game.spots[spot].street
        possible = np.flatnonzero(table.alive[board])
        lying = np.tile(table.deals[street].classes[board - table.first[street]], (len(possible), 1))
        rows: Array = np.hstack([table.hands[possible], lying])
        if not from_hand and len(table.game.renamings) > 1:
            sizes = [size for groups in self.sizes[: street + 1] for size in groups]
            rows = smallest(rows, sizes, table.game.renamings)[0]
        found = np.full(len(table.hands), -1, dtype=np.int64)
        found[possible] = self.base[spot] + np.searchsorted(coded(self.deals[street].classes), coded(rows))
        return found


def vector_sets(table: Table, spot: Array, board: Array, row: Array, *, from_hand: bool) -> VectorSets:
    """Number what players can tell apart as `felt.solvers.build.build_tree` does: by player, place and cards.

    From rules, sets that differ by the names of suits are one. From a state of a hand, every hand is told.
    """
    game, spots = table.game, table.game.spots
    groups = [[table.hole, *table.groups[0]], *table.groups[1:]]
    deals = all_deals(table.cards, groups, suits=game.suits, renamings=NONE if from_hand else game.renamings)
    if table.chosen is not None:
        deals = _held(table, deals)
    player = np.array([one.player for one in spots], dtype=np.int64)
    street = np.array([one.street for one in spots], dtype=np.int64)
    order = np.concatenate([np.flatnonzero(player == seat) for seat in range(2)])
    counts = np.array([len(dealt.chance) for dealt in deals])[street]
    base = np.full(len(spots), -1, dtype=np.int64)
    base[order] = np.cumsum(counts[order]) - counts[order]
    children, begins = children_of(spots)
    of_spot = np.repeat(order, counts[order])
    of_deal = np.arange(len(of_spot)) - base[of_spot]
    first = np.cumsum([0, *np.diff(begins)[of_spot]]).astype(np.int32)
    infosets = Infosets(
        players=2,
        of_player=np.cumsum([0, *(counts[player == seat].sum() for seat in range(2))]).astype(np.int32),
        first=first,
        parent=parents_of(order, last_moves(player, begins, children, 2), base, street, player, first, deals),
        labels=SeenLabels(table, deals, of_spot, of_deal, _told(game) if from_hand else None),
        actions=Moves(spots, of_spot, first),
    )
    begin = _places(table, deals, spot, board, row, order, street)
    steps = np.arange(first[-1]) - np.repeat(first[:-1], np.diff(first))
    places = np.repeat(begin, np.diff(first)) + steps * len(table.hands)
    by_street = _members(table, deals, groups)
    members = np.concatenate([np.zeros(0), *(by_street[street[one]] for one in order)])
    return VectorSets(infosets, places, base, deals, groups, np.repeat(members, np.diff(first)))


def _held(table: Table, deals: list[Deals]) -> list[Deals]:
    """The deals of hands that somebody may hold."""
    found, before = list[Deals](), np.zeros(1, dtype=np.int64)
    for dealt in deals:
        kept = np.isin(coded(dealt.classes[:, : table.hole]), table.codes)
        parent = before[dealt.parent[kept]]
        found.append(Deals(dealt.classes[kept], dealt.chance[kept], parent, dealt.first))
        before = np.cumsum(kept) - 1
    return found


def _members(table: Table, deals: list[Deals], groups: list[list[int]]) -> list[Floats]:
    """By round, how many deals of cards each deal stands for; 1 where suits are left out, not renamed."""
    chance, ways, left, found = np.ones(1), 1, len(table.cards), []
    for dealt, sizes in zip(deals, groups, strict=True):
        chance = chance[dealt.parent] * dealt.chance
        for size in sizes:
            ways, left = ways * comb(left, size), left - size
        found.append(np.round(chance * ways) if table.game.suits else np.ones(len(chance)))
    return found


def _places(
    table: Table, deals: list[Deals], spot: Array, board: Array, row: Array, order: Array, street: Array
) -> Ints:
    """Where the first action of each information set stands."""
    boards = int(table.first[-1])
    row_of = np.full(len(table.game.spots) * boards, -1, dtype=np.int64)
    deciding = np.flatnonzero(row >= 0)
    row_of[spot[deciding].astype(np.int64) * boards + board[deciding]] = row[deciding]
    seen = []
    for number, dealt in enumerate(deals):
        found, which = table.find_boards(number, dealt.classes[:, table.hole :])
        hand = np.searchsorted(table.codes, coded(dealt.classes[:, : table.hole]))
        seen.append((found, table.moves[which, hand]))
    parts = [row_of[one * boards + seen[street[one]][0]] * len(table.hands) + seen[street[one]][1] for one in order]
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def _told(game: PlainGame) -> tuple[str, str]:
    """What happened before, as each seat knows it, without its own cards."""
    texts = [information(game.hand, seat, suits=game.suits).split(" ", 1) for seat in range(2)]
    first, second = (text[1] if len(text) > 1 else "" for text in texts)
    return first, second


@dataclass(frozen=True)
class SeenLabels(Sequence[str]):
    """Names of information sets, written when they are asked for."""

    table: Table
    deals: list[Deals]
    spot: Array
    deal: Array
    told: tuple[str, str] | None

    def __len__(self) -> int:
        return len(self.spot)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        game, hole = self.table.game, self.table.hole
        spot = game.spots[self.spot[number]]
        row = self.deals[spot.street].classes[self.deal[number]].tolist()
        lying = [card if game.suits else card >> 2 for card in self.table.board]
        told = None if self.told is None else self.told[spot.player]
        return set_label(game.rules, spot, [*row[:hole], *lying, *row[hole:]], suits=game.suits, told=told)
