"""The public tree of a game: its betting, with all hands that a player may hold at every place of it.

For games whose betting does not depend on cards. Information sets are numbered as in the whole tree: by player, by
place in the betting, and by what the player holds and sees.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.solvers.build_plain import PlainGame, children_of
from felt.solvers.dealt import Deals, all_deals
from felt.solvers.tree import Infosets

Ints = NDArray[np.int64]

MOST_CODES = 20_000_000
"""Sequences of cards of a player and the board that can be told apart."""


@dataclass(frozen=True, eq=False)
class PublicTree:
    """Places in the betting as arrays, parents before their children."""

    game: PlainGame
    player: Ints
    """Who acts, or `CHANCE`, `TERMINAL`."""
    street: Ints
    first: Ints
    """``[places + 1]``: where the children of each begin."""
    children: Ints
    base: Ints
    """The first information set of each place; the sets of all cards follow."""
    ends: Ints
    """Which of the ends a place is; -1 if it is none."""
    infosets: Infosets
    kinds: NDArray[np.uint8]
    """The class of each card."""
    codes: list[NDArray[np.int32]]
    """By round: the number of a player's cards and the board, by their classes as digits."""

    def known(self, cards: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Which of the sets of a place each player is in: ``[deals, rounds, players]``, for deals by seat and board."""
        rounds, players = self.game.rules.rounds, self.game.hand.players
        hole, numbers, classes = rounds[0].down, self.kinds[cards].astype(np.int64), int(self.kinds.max()) + 1
        found = np.empty((len(cards), len(rounds), players), dtype=np.int32)
        for seat in range(players):
            code, at = _code(numbers[:, hole * seat : hole * (seat + 1)], classes), hole * players
            for street, part in enumerate(rounds):
                code = _code(numbers[:, at : at + part.board], classes, code)
                at += part.board
                found[:, street, seat] = self.codes[street][code]
        return found


def public_tree(game: PlainGame) -> PublicTree:
    """Number the information sets of a game without listing its histories."""
    rules, spots = game.rules, game.spots
    ranks = [card if game.suits else card >> 2 for card in rules.deck.cards]
    values = sorted(set(ranks))
    kinds = np.zeros(256, dtype=np.uint8)
    kinds[list(rules.deck.cards)] = np.searchsorted(values, ranks)
    seen = [[part.board] if part.board else [] for part in rules.rounds]
    seen[0] = [rules.rounds[0].down, *seen[0]] if rules.rounds[0].down else seen[0]
    deals = all_deals(rules.deck.cards, seen, suits=game.suits)
    children, first = children_of(spots)
    player = np.array([spot.player for spot in spots], dtype=np.int64)
    street = np.array([spot.street for spot in spots], dtype=np.int64)
    order = np.concatenate([np.flatnonzero(player == seat) for seat in range(game.hand.players)])
    counts = np.array([len(dealt.chance) for dealt in deals])[street]
    base = np.full(len(spots), -1, dtype=np.int64)
    base[order] = np.cumsum(counts[order]) - counts[order]
    sequences = np.cumsum([0, *np.repeat(np.diff(first)[order], counts[order])]).astype(np.int32)
    above = _last_moves(player, first, children, game.hand.players)
    infosets = Infosets(
        players=game.hand.players,
        of_player=np.cumsum([0, *(counts[player == seat].sum() for seat in range(game.hand.players))]).astype(np.int32),
        first=sequences,
        parent=_parents(order, above, base, street, player, sequences, deals),
        labels=(),
        actions=(),
    )
    over = np.diff(first) == 0
    ends = np.where(over, np.cumsum(over) - 1, -1)
    codes = [_coded(np.searchsorted(values, dealt.classes), len(values), rules.name) for dealt in deals]
    return PublicTree(game, player, street, first.astype(np.int64), children, base, ends, infosets, kinds, codes)


def _code(group: NDArray[Any], classes: int, before: Ints | None = None) -> Ints:
    """Classes of cards, the order in a group apart, as the digits of a number."""
    code = np.zeros(len(group), dtype=np.int64) if before is None else before
    for column in np.sort(group, axis=1).T:
        code = code * classes + column
    return code


def _coded(rows: NDArray[Any], classes: int, name: str) -> NDArray[np.int32]:
    """Numbers of rows by their code; they are in order already."""
    if classes ** rows.shape[1] > MOST_CODES:
        raise FeltError(f"{name}: too many cards for a public tree of every hand; use a smaller deck")
    code = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        code = code * classes + column
    table = np.full(classes ** rows.shape[1], -1, dtype=np.int32)
    table[code] = np.arange(len(rows))
    return table


def _last_moves(player: Ints, first: Ints, children: Ints, players: int) -> Ints:
    """For each place and player: where they acted last before it, and what they chose; -1 if they did not."""
    above = np.full((len(player), players, 2), -1, dtype=np.int64)
    for spot, seat in enumerate(player):
        for choice, child in enumerate(children[first[spot] : first[spot + 1]]):
            above[child] = above[spot]
            if seat >= 0:
                above[child, seat] = spot, choice
    return above


def _parents(
    order: Ints, above: Ints, base: Ints, street: Ints, player: Ints, sequences: NDArray[np.int32], deals: list[Deals]
) -> NDArray[np.int32]:
    """The sequence that each information set's player has played last."""
    parts = []
    for spot in order:
        last, choice = above[spot, player[spot]]
        rows = np.arange(len(deals[street[spot]].chance))
        if last < 0:
            parts.append(np.full(len(rows), sequences[-1] + player[spot]))
            continue
        for number in range(street[spot], street[last], -1):
            rows = deals[number].parent[rows]
        parts.append(sequences[base[last] + rows] + choice)
    return np.concatenate(parts).astype(np.int32)
