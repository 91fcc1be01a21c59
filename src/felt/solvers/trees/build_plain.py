"""Trees of games whose betting does not depend on cards: the betting and the deals, each listed once, multiplied.

Nodes of one level are made together, as pairs of a place in the betting and a deal.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.solvers.trees.betting import BettingNode, PlainGame, children_of
from felt.solvers.trees.dealt import Deals, all_deals
from felt.solvers.trees.numbering import Numbering, number_infosets
from felt.solvers.trees.orbits import smallest
from felt.solvers.trees.tree import CHANCE, TERMINAL, GameTree, first_children

Array = NDArray[Any]


def plain_tree(game: PlainGame) -> GameTree:
    """Multiply betting and deals, level by level."""
    deals = all_deals(game.rules.deck.cards, game.groups, suits=game.suits, renamings=game.renamings)
    levels = levels_of(game.nodes, deals)
    bet_node, deal, parent, chance, choice = (np.concatenate(columns) for columns in zip(*levels, strict=True))
    player = np.array([CHANCE, *(node.player for node in game.nodes)], dtype=np.int8)[bet_node + 1]
    first_child, count = first_children(parent)
    numbering = number_infosets(game, game.list_seen())
    infosets, infoset = numbering.infosets, _infoset_of(game, deals, numbering, bet_node, deal)
    sequence = np.full(len(parent), -1, dtype=np.int32)
    below = np.flatnonzero(infoset[parent] >= 0)
    below = below[below > 0]
    sequence[below] = infosets.first[infoset[parent[below]]] + choice[below]
    return GameTree(
        rules=game.rules,
        stacks=game.hand.starting_stacks,
        parent=parent.astype(np.int32),
        first_child=first_child,
        children=count,
        player=player,
        sequence=sequence,
        chance=chance,
        infoset=infoset,
        payoffs=_payoffs(game, deals, bet_node[player == TERMINAL], deal[player == TERMINAL]),
        levels=np.cumsum([0, *(len(level[0]) for level in levels)]).astype(np.int32),
        infosets=infosets,
        suits=game.suits,
        isomorphic=len(game.renamings) > 1,
    )


def levels_of(nodes: Sequence[BettingNode], deals: list[Deals]) -> list[tuple[Array, ...]]:
    """For each level: places in the betting (-1 at the root), deals, parents, chances, and which action led there."""
    children, first = children_of(nodes)
    falls = np.array([node.player == CHANCE for node in nodes])
    street = np.array([node.street for node in nodes])
    root = np.array([-1]), np.array([0]), np.array([-1]), np.array([1.0]), np.array([0])
    start = len(deals[0].chance)
    none = np.zeros(start, dtype=np.int64)
    levels: list[tuple[Array, ...]] = [root, (none, np.arange(start), none, deals[0].chance, none)]
    begin = 1
    while True:
        node, deal = levels[-1][:2]
        counts = first[node + 1] - first[node]
        fallen = falls[node]
        for number, dealt in enumerate(deals[1:]):
            here = fallen & (street[node] == number)
            counts[here] = dealt.first[deal[here] + 1] - dealt.first[deal[here]]
        if not counts.sum():
            return levels
        row = np.repeat(np.arange(len(node)), counts)
        choice = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
        after, below, chance = deal[row].copy(), node[row].copy(), np.ones(len(row))
        for number, dealt in enumerate(deals[1:]):
            here = fallen[row] & (street[node[row]] == number)
            after[here] = dealt.first[deal[row[here]]] + choice[here]
            chance[here] = dealt.chance[after[here]]
            below[here] = children[first[node[row[here]]]]
        moved = ~fallen[row]
        below[moved] = children[first[node[row[moved]]] + choice[moved]]
        levels.append((below, after, begin + row, chance, choice))
        begin += len(node)


def _infoset_of(game: PlainGame, deals: list[Deals], numbering: Numbering, bet_node: Array, deal: Array) -> Array:
    """The information set of each node; -1 where nobody decides."""
    hole, players = game.rules.rounds[0].down, game.hand.players
    player, street = np.array([*((node.player, node.street) for node in game.nodes), (CHANCE, 0)]).T
    infoset, sizes = np.full(len(bet_node), -1, dtype=np.int32), list[int]()
    for number, (dealt, seen) in enumerate(zip(deals, numbering.deals, strict=False)):
        sizes += game.seen[number]
        board = dealt.classes[:, hole * players :]
        for seat in range(players):
            nodes = np.flatnonzero((player[bet_node] == seat) & (street[bet_node] == number))
            rows: Array = np.column_stack([dealt.classes[:, hole * seat : hole * (seat + 1)], board])
            if len(game.renamings) > 1:
                rows = smallest(rows, sizes, game.renamings)[0]
            infoset[nodes] = numbering.base[bet_node[nodes]] + seen.find(rows)[deal[nodes]]
    return infoset


def _payoffs(game: PlainGame, deals: list[Deals], node: Array, deal: Array) -> NDArray[np.float64]:
    """What every end pays, with the cards of each deal on the table."""
    payoffs = np.empty((len(node), game.hand.players))
    for number in np.unique(node):
        rows = np.flatnonzero(node == number)
        classes = deals[game.nodes[number].street].classes[deal[rows]]
        payoffs[rows] = game.pay(number, cards_of(classes, game, game.rules.deck.cards))
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
