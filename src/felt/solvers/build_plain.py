"""Trees of games whose betting does not depend on cards: the betting and the deals, each listed once, multiplied.

Nodes of one level are made together, as pairs of a place in the betting and a deal.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.games.compiled import compile_rules
from felt.games.hand import Hand
from felt.games.rules import GameRules
from felt.games.shares import lost_before, room_to_settle
from felt.solvers.betting import Spot, counts_by_street
from felt.solvers.dealt import Deals, all_deals, count_deals, dealing_bytes
from felt.solvers.labels import Moves, set_label
from felt.solvers.orbits import NONE, Renamings, smallest
from felt.solvers.tree import CHANCE, TERMINAL, GameTree, Infosets

Array = NDArray[Any]


@dataclass(frozen=True)
class PlainGame:
    """The betting of a game, and what is dealt when."""

    hand: Hand
    spots: list[Spot]
    suits: bool
    renamings: Renamings = field(default_factory=lambda: NONE)
    """Of suits, under which deals are one."""

    @property
    def rules(self) -> GameRules:
        """The rules of the game."""
        return self.hand.rules

    @cached_property
    def groups(self) -> list[list[int]]:
        """Cards dealt together, by round: those of each seat, then the board."""
        rounds = self.rules.rounds
        found = [[part.board] if part.board else [] for part in rounds]
        found[0] = [rounds[0].down] * self.hand.players * bool(rounds[0].down) + found[0]
        return found

    @cached_property
    def seen(self) -> list[list[int]]:
        """Cards that one player sees dealt together, by round: their own, then the board."""
        found = [[part.board] if part.board else [] for part in self.rules.rounds]
        own = self.rules.rounds[0].down
        return [[own, *found[0]] if own else found[0], *found[1:]]

    @property
    def dealing(self) -> float:
        """Memory while all deals are listed."""
        return dealing_bytes(self.rules.deck.cards, self.groups, suits=self.suits, renamings=self.renamings)

    def counts(self) -> tuple[int, int, int]:
        """Nodes, information sets and sequences of the tree."""
        cards, streets = self.rules.deck.cards, len(self.rules.rounds)
        deals = count_deals(cards, self.groups, suits=self.suits, renamings=self.renamings)
        nodes = 1 + sum(a * b for a, b in zip(counts_by_street(self.spots, streets), deals, strict=True))
        seen = count_deals(cards, self.seen, suits=self.suits, renamings=self.renamings)
        deciding = [spot for spot in self.spots if spot.player >= 0]
        infosets = sum(seen[spot.street] for spot in deciding)
        return nodes, infosets, sum(seen[spot.street] * len(spot.actions) for spot in deciding)


def plain_tree(game: PlainGame) -> GameTree:
    """Multiply betting and deals, level by level."""
    deals = all_deals(game.rules.deck.cards, game.groups, suits=game.suits, renamings=game.renamings)
    levels = levels_of(game.spots, deals)
    spot, deal, parent, chance, choice = (np.concatenate(columns) for columns in zip(*levels, strict=True))
    player = np.array([CHANCE, *(one.player for one in game.spots)], dtype=np.int8)[spot + 1]
    count = np.bincount(parent[1:], minlength=len(parent)).astype(np.int32)
    infosets, infoset = _infosets(game, deals, spot, deal, player, parent, choice)
    sequence = np.full(len(parent), -1, dtype=np.int32)
    below = np.flatnonzero(infoset[parent] >= 0)
    below = below[below > 0]
    sequence[below] = infosets.first[infoset[parent[below]]] + choice[below]
    return GameTree(
        rules=game.rules,
        stacks=game.hand.starting_stacks,
        parent=parent.astype(np.int32),
        first_child=np.where(count > 0, 1 + np.cumsum(count) - count, -1).astype(np.int32),
        children=count,
        player=player,
        sequence=sequence,
        chance=chance,
        infoset=infoset,
        payoffs=_payoffs(game, deals, spot[player == TERMINAL], deal[player == TERMINAL]),
        levels=np.cumsum([0, *(len(level[0]) for level in levels)]).astype(np.int32),
        infosets=infosets,
        suits=game.suits,
        isomorphic=len(game.renamings) > 1,
    )


def levels_of(spots: Sequence[Spot], deals: list[Deals]) -> list[tuple[Array, ...]]:
    """For each level: places in the betting (-1 at the root), deals, parents, chances, and which action led there."""
    children, first = children_of(spots)
    falls = np.array([spot.player == CHANCE for spot in spots])
    street = np.array([spot.street for spot in spots])
    root = np.array([-1]), np.array([0]), np.array([-1]), np.array([1.0]), np.array([0])
    start = len(deals[0].chance)
    none = np.zeros(start, dtype=np.int64)
    found: list[tuple[Array, ...]] = [root, (none, np.arange(start), none, deals[0].chance, none)]
    begin = 1
    while True:
        spot, deal = found[-1][:2]
        counts = first[spot + 1] - first[spot]
        fallen = falls[spot]
        for number, dealt in enumerate(deals[1:]):
            here = fallen & (street[spot] == number)
            counts[here] = dealt.first[deal[here] + 1] - dealt.first[deal[here]]
        if not counts.sum():
            return found
        row = np.repeat(np.arange(len(spot)), counts)
        choice = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
        after, below, chance = deal[row].copy(), spot[row].copy(), np.ones(len(row))
        for number, dealt in enumerate(deals[1:]):
            here = fallen[row] & (street[spot[row]] == number)
            after[here] = dealt.first[deal[row[here]]] + choice[here]
            chance[here] = dealt.chance[after[here]]
            below[here] = children[first[spot[row[here]]]]
        moved = ~fallen[row]
        below[moved] = children[first[spot[row[moved]]] + choice[moved]]
        found.append((below, after, begin + row, chance, choice))
        begin += len(spot)


def children_of(spots: Sequence[Spot]) -> tuple[Array, Array]:
    """What follows each place of the betting, one after the other, and where that of each begins."""
    children = np.array([child for spot in spots for child in spot.children], dtype=np.int64)
    return children, np.cumsum([0, *(len(spot.children) for spot in spots)])


def _infosets(
    game: PlainGame, deals: list[Deals], spot: Array, deal: Array, player: Array, parent: Array, choice: Array
) -> tuple[Infosets, Array]:
    """Information sets, numbered by player and then by place in the betting, and the one of each node."""
    players, (known, rows) = game.hand.players, _known(game, deals)
    nodes = np.flatnonzero(player >= 0)
    street = np.array([one.street for one in game.spots])[spot[nodes]]
    seen = np.empty(len(nodes), dtype=np.int64)
    for number, seats in enumerate(known):
        for seat in range(players):
            here = (street == number) & (player[nodes] == seat)
            seen[here] = seats[seat][deal[nodes[here]]]
    most = int(seen.max(initial=0)) + 1
    keys = (player[nodes].astype(np.int64) * len(game.spots) + spot[nodes]) * most + seen
    _, example, number_of = np.unique(keys, return_index=True, return_inverse=True)
    infoset = np.full(len(spot), -1, dtype=np.int32)
    infoset[nodes] = number_of
    seen, example = seen[example], nodes[example]
    sizes = np.array([len(one.actions) for one in game.spots])[spot[example]]
    first = np.cumsum([0, *sizes]).astype(np.int32)
    of_player = np.searchsorted(player[example], np.arange(players + 1)).astype(np.int32)
    above = _above(example, player, parent, choice, infoset, first)
    labels = Labels(game, rows, spot[example], seen)
    return Infosets(players, of_player, first, above, labels, Moves(game.spots, spot[example], first)), infoset


def _known(game: PlainGame, deals: list[Deals]) -> tuple[list[list[Array]], list[list[Array]]]:
    """For each round and seat: numbers, the same for deals that the seat cannot tell apart, and what it sees then."""
    hole, players = game.rules.rounds[0].down, game.hand.players
    found, rows, sizes = [], [], list[int]()
    for dealt, groups in zip(deals, game.seen, strict=True):
        board = dealt.classes[:, hole * players :]
        seats, told, sizes = [], [], [*sizes, *groups]
        for seat in range(players):
            seen: Array = np.column_stack([dealt.classes[:, hole * seat : hole * (seat + 1)], board])
            if len(game.renamings) > 1:
                seen = smallest(seen, sizes, game.renamings)[0]
            different, number = np.unique(seen, axis=0, return_inverse=True)
            seats.append(number.ravel())
            told.append(different)
        found.append(seats)
        rows.append(told)
    return found, rows


def _above(example: Array, player: Array, parent: Array, choice: Array, infoset: Array, first: Array) -> Array:
    """The sequence that each information set's player has played last: found by going up from one of its nodes."""
    found = np.full(len(example), -1, dtype=np.int64)
    mine, at = player[example].astype(np.int64), example.copy()
    while (at > 0).any():
        above = np.where(at > 0, parent[at], 0)
        hit = (at > 0) & (found < 0) & (player[above] == mine)
        found[hit] = first[infoset[above[hit]]] + choice[at[hit]]
        at = np.where(hit, 0, above)
    return np.where(found < 0, int(first[-1]) + mine, found).astype(np.int32)


def _payoffs(game: PlainGame, deals: list[Deals], spot: Array, deal: Array) -> NDArray[np.float64]:
    """What every end pays, with the cards of each deal on the table."""
    payoffs = np.empty((len(spot), game.hand.players))
    for number in np.unique(spot):
        rows = np.flatnonzero(spot == number)
        classes = deals[game.spots[number].street].classes[deal[rows]]
        payoffs[rows] = pay_spot(game, number, cards_of(classes, game, game.rules.deck.cards))
    return payoffs


def pay_spot(game: PlainGame, number: int, cards: NDArray[np.uint8]) -> NDArray[np.float64]:
    """What an end of the betting pays for many deals, settled by the engine: hole cards by seat, then the board."""
    from felt.solvers.settle_kernels import settle_many

    hand, hole = game.spots[number].hand, game.rules.rounds[0].down
    assert hand is not None
    payoffs = np.empty((len(cards), hand.players))
    if not hand.showdown:
        payoffs[:] = hand.payoffs
        return payoffs
    compiled, (h, k) = compile_rules(game.rules), hand.arrays
    settle_many(
        h.copy(), k.copy(), cards, hole, lost_before(hand), compiled.game, compiled.tables, compiled.extra,
        *room_to_settle(), payoffs,
    )  # fmt: skip
    return payoffs


def cards_of(classes: Array, game: PlainGame, deck: Sequence[int]) -> NDArray[np.uint8]:
    """Cards of a deck that stand for the classes of deals: of a rank, one after the other."""
    if game.suits:
        return classes.astype(np.uint8)
    by_rank: dict[int, list[int]] = {}
    for card in deck:
        by_rank.setdefault(card >> 2, []).append(card)
    table = np.zeros((max(by_rank) + 1, max(map(len, by_rank.values()))), dtype=np.uint8)
    for rank, cards in by_rank.items():
        table[rank, : len(cards)] = cards
    before = [
        (classes[:, :column] == classes[:, column : column + 1]).sum(axis=1) for column in range(classes.shape[1])
    ]
    return table[classes, np.column_stack(before)] if classes.shape[1] else classes.astype(np.uint8)


@dataclass(frozen=True)
class Labels(Sequence[str]):
    """Names of information sets, written when they are asked for."""

    game: PlainGame
    rows: list[list[Array]]
    """By round and seat: the seat's cards and the board."""
    spot: Array
    seen: Array
    """Which of the rows it is."""

    def __len__(self) -> int:
        return len(self.spot)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        spot = self.game.spots[self.spot[number]]
        row = self.rows[spot.street][spot.player][self.seen[number]].tolist()
        return set_label(self.game.rules, spot, row, suits=self.game.suits)
