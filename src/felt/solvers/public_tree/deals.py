"""What can be dealt in a public tree: hands, boards, which boards stand for which, and the chances of all that."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import DECK_SIZE, JOKERS
from felt.games.views.keys import information
from felt.solvers.trees.betting import PlainGame
from felt.solvers.trees.dealt import NONE, Deals, Renamings, all_deals, count_deals, encode, smallest
from felt.solvers.trees.numbering import Numbering, number_infosets
from felt.solvers.trees.tree import Array

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PublicDeals:
    """A hand for each of two players, and the board that is still to come. Hands and boards are classes of cards."""

    game: PlainGame
    board: tuple[int, ...] = ()  # the cards that lie already
    chosen: NDArray[np.int64] | None = None
    """The hands that somebody may hold, by `coded`, where ranges leave others out."""

    @property
    def hole(self) -> int:
        """Cards of a hand."""
        return self.game.rules.rounds[0].down

    @cached_property
    def cards(self) -> list[int]:
        """The cards that may still come."""
        return [card for card in self.game.rules.deck.cards if card not in self.board]

    @cached_property
    def groups(self) -> list[list[int]]:
        """Cards of the board that are still to come, by round."""
        groups, lying = [], len(self.board)
        for part in self.game.rules.rounds:
            groups.append([part.board] if part.board and lying <= 0 else [])
            lying -= part.board
        return groups

    @cached_property
    def hands(self) -> NDArray[np.uint8]:
        """``[hands, cards]``: all that a player may hold, in order."""
        hands = all_deals(self.cards, [[self.hole]], suits=self.game.suits)[0].classes.astype(np.uint8)
        return hands if self.chosen is None else hands[np.isin(coded(hands), self.chosen)]

    @cached_property
    def deals(self) -> list[Deals]:
        """The boards by round, as cards after those that lie; of boards that differ by names of suits, the smallest."""
        return all_deals(self.cards, self.groups, suits=self.game.suits, renamings=self.game.renamings)

    def counts(self) -> tuple[int, list[int]]:
        """How many hands there are, and how many boards in each round, without listing them."""
        every = count_deals(self.cards, [[self.hole]], suits=self.game.suits)[0]
        hands = every if self.chosen is None else len(self.hands)
        return hands, count_deals(self.cards, self.groups, suits=self.game.suits, renamings=self.game.renamings)

    @cached_property
    def first(self) -> Ints:
        """Where the boards of each round begin, all rounds one after the other."""
        return np.cumsum([0, *(len(dealt.chance) for dealt in self.deals)])

    @cached_property
    def simple(self) -> bool:
        """Whether hands are one or two cards, and one kind of hand takes the pot: then no pair is looked at."""
        return self.game.suits and self.hole in (1, 2) and len(self.game.rules.showdown.kinds) == 1

    @cached_property
    def _classes(self) -> tuple[Array, Array]:
        """The classes of cards, and how many cards each has."""
        return np.unique([card if self.game.suits else card >> 2 for card in self.cards], return_counts=True)

    def counted(self, rows: Array) -> Array:
        """``[rows, classes]``: how many cards of each class are in each row."""
        classes = self._classes[0]
        counts = np.zeros((len(rows), len(classes)), dtype=np.int64)
        for column in rows.T:
            counts[np.arange(len(rows)), np.searchsorted(classes, column)] += 1
        return counts

    @cached_property
    def alive(self) -> NDArray[np.uint8]:
        """``[boards, hands]``: whether a hand is possible beside a board."""
        held, left = self.counted(self.hands), self._classes[1]
        boards = (board for dealt in self.deals for board in self.counted(dealt.classes))
        return np.array([(held + board <= left).all(axis=1) for board in boards], dtype=np.uint8)

    @cached_property
    def codes(self) -> Ints:
        """The hands as numbers, in order."""
        return coded(self.hands)

    @cached_property
    def moves(self) -> NDArray[np.int32]:
        """``[renamings, hands]``: which hand each renaming makes of each hand."""
        known = self.game.renamings
        if len(known) == 1:
            return np.arange(len(self.hands), dtype=np.int32)[None]
        renamed = np.sort(known[:, self.hands], axis=2)
        return np.array([np.searchsorted(self.codes, coded(row)) for row in renamed], dtype=np.int32)

    @cached_property
    def images(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """For each board, those that it stands for: where they begin, and the renaming that leads back from each."""
        first, renamings, sizes = [0], list[int](), list[int]()
        back = inverses(self.game.renamings)
        for dealt, groups in zip(self.deals, self.groups, strict=True):
            before, sizes = sum(sizes), [*sizes, *groups]
            for row in _renamed(dealt.classes, sizes, self.game.renamings):
                same = np.flatnonzero((row[:, :before] == row[0, :before]).all(axis=1))
                at = np.unique(coded(row[same, before:]), return_index=True)[1]
                renamings += back[same[at]].tolist()
                first.append(len(renamings))
        return np.array(first, dtype=np.int32), np.array(renamings, dtype=np.int32)

    def find_boards(self, street: int, rows: Array) -> tuple[Ints, NDArray[np.intp]]:
        """Which board of a round each row of cards is, and the renaming that makes it that one."""
        sizes = [size for groups in self.groups[: street + 1] for size in groups]
        least, renaming = smallest(rows, sizes, self.game.renamings)
        return self.first[street] + np.searchsorted(coded(self.deals[street].classes), coded(least)), renaming

    @cached_property
    def weights(self) -> Floats:
        """By round: the chance of each board that may lie by then, for any two hands that leave it possible."""
        left, weights, chance = len(self.cards) - 2 * self.hole, [], 1.0
        for groups in self.groups:
            for size in groups:
                chance /= comb(left, size)
                left -= size
            weights.append(chance)
        return np.array(weights)

    def against(self, reach: Floats) -> Floats:
        """For each hand, the sum of what the opponent's hands weigh that can be dealt beside it."""
        if not self.simple:
            return np.asarray(self.pairs @ reach)
        by_card = np.zeros(DECK_SIZE + JOKERS)
        for column in self.hands.T:
            np.add.at(by_card, column, reach)
        twice = reach if self.hole == 2 else 0.0
        return np.asarray(reach.sum() - by_card[self.hands].sum(axis=1) + twice)

    @cached_property
    def pairs(self) -> Floats:
        """``[hands, hands]``: the chance that these two are dealt."""
        held, (_, left) = self.counted(self.hands), self._classes
        second = np.prod(_choose((left - held)[:, None], held[None]), axis=2)
        ways = np.prod(_choose(left, held), axis=1)[:, None] * second
        return np.asarray(ways / ways.sum())

    @cached_property
    def ways(self) -> Floats:
        """``[boards, hands, hands]``: the chance of two hands and a board, without those that it stands for."""
        held, (_, left) = self.counted(self.hands), self._classes
        free = left - held[:, None] - held[None]
        parts, sizes = [], list[int]()
        for dealt, groups, weight in zip(self.deals, self.groups, self.weights, strict=True):
            sizes = [*sizes, *groups]
            for row in dealt.classes:
                chance, rest, at = self.pairs * weight, free, 0
                for size in sizes:
                    taken = self.counted(row[None, at : at + size])[0]
                    chance, rest, at = chance * np.prod(_choose(rest, taken), axis=2), rest - taken, at + size
                parts.append(chance)
        return np.array(parts)


def coded(rows: Array) -> Ints:
    """Rows of cards as numbers, in the same order."""
    return encode(rows, 64)


def inverses(known: Renamings) -> NDArray[np.intp]:
    """Which renaming undoes each."""
    undone = np.argsort(known, axis=1)
    return np.array([np.flatnonzero((known == inverse).all(axis=1))[0] for inverse in undone])


def _renamed(rows: Array, sizes: Sequence[int], known: Renamings) -> Array:
    """``[rows, renamings, cards]``: what each renaming makes of each row, each group in order."""
    if len(known) == 1:  # cards may be ranks
        return rows[:, None]
    parts = np.split(known[:, rows], np.cumsum(sizes)[:-1], axis=2) if sizes else [known[:, rows]]
    return np.concatenate([np.sort(part, axis=2) for part in parts], axis=2).transpose(1, 0, 2)


def _choose(left: Array, taken: Array) -> Floats:
    """In how many ways so many cards of each class can be taken of what is left; 0 where there are not enough."""
    most = int(max(left.max(), 0))
    table = np.array([[comb(n, k) for k in range(int(taken.max(initial=0)) + 1)] for n in range(most + 1)], dtype=float)
    return np.asarray(np.where(left < 0, 0.0, table[np.maximum(left, 0), taken]))


@dataclass(frozen=True, eq=False)
class VectorInfosets:
    """Information sets, and the way from ``[rows, hands]`` to their sequences."""

    numbering: Numbering
    places: Ints  # [sequences]: where each stands in the flat [rows, hands]
    sizes: list[list[int]]  # cards that a player sees dealt together, by round
    members: Floats  # [sequences]: how many hands and boards the set stands for that differ by the names of suits

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
    past = None  # what happened before, as each seat knows it, without its own cards
    if from_hand:
        past = [information(game.hand, seat, suits=game.suits).partition(" ")[2] for seat in range(2)]
    numbering = number_infosets(game, deals, board=table.board, past=past)
    street = np.array([node.street for node in nodes], dtype=np.int64)
    order = np.array([i for seat in range(2) for i, node in enumerate(nodes) if node.player == seat], dtype=int)
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
