"""The public tree of a game: its betting, with all hands that a player may hold at every place of it.

For games whose betting does not depend on cards. Information sets are numbered as in the whole tree: by player, by
place in the betting, and by what the player holds and sees.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.rules import GameRules
from felt.games.tree import SIZES, Sizes
from felt.solvers.build import plain_game
from felt.solvers.build_plain import PlainGame, children_of
from felt.solvers.dealt import Deals, all_deals, count_deals, dealing_bytes, plain_deals
from felt.solvers.labels import Moves, set_label
from felt.solvers.memory import BASE, DEALT, MEMORY, PLACE, WALKED_PLACE, check_memory, learned_bytes
from felt.solvers.orbits import smallest
from felt.solvers.tree import Infosets

Ints = NDArray[np.int64]

MOST_SETS = 50_000_000
"""Information sets that are numbered before a game is called too large."""


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
    codes: list[Ints]
    """By round, up to the last in which somebody decides: what a player may hold and see, the classes of the cards as
    digits of a number, in order."""
    numbers: list[Ints]
    """By round: which of the sets of a place each code is; those that differ by the names of suits are the same."""

    def deal(self, count: int, dice: np.random.Generator) -> NDArray[np.uint8]:
        """Cards of `count` deals: hole cards by seat, then the board."""
        deck = np.tile(np.array(self.game.rules.deck.cards, dtype=np.uint8), (count, 1))
        return np.ascontiguousarray(dice.permuted(deck, axis=1)[:, : sum(map(sum, self.game.groups))])

    def known(self, cards: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Which of the sets of a place each player is in: ``[deals, rounds, players]``, for deals by seat and board."""
        rounds, players = self.game.rules.rounds[: len(self.codes)], self.game.hand.players
        hole, numbers, classes = rounds[0].down, self.kinds[cards].astype(np.int64), int(self.kinds.max()) + 1
        found = np.zeros((len(cards), len(self.game.rules.rounds), players), dtype=np.int32)
        for seat in range(players):
            code, at = _code(np.sort(numbers[:, hole * seat : hole * (seat + 1)]).T, classes), hole * players
            for street, part in enumerate(rounds):
                code = _code(np.sort(numbers[:, at : at + part.board]).T, classes, code)
                at += part.board
                found[:, street, seat] = self.numbers[street][np.searchsorted(self.codes[street], code)]
        return found


def betting_of(
    rules: GameRules,
    stacks: Sequence[int] | int | None = None,
    *,
    players: int | None = None,
    sizes: Sizes = SIZES,
    memory: float = MEMORY,
) -> PublicTree:
    """The public tree of a game by its rules; refused where the betting depends on cards.

    So is a game for which the tree and a solver that walks over it would take more than `memory` bytes.
    """
    if not plain_deals(rules):
        raise FeltError(f"{rules.name}: deals can be sampled only where cards are not open and not exchanged")
    return public_tree(plain_game(rules, stacks, players=players, sizes=sizes, memory=memory), memory=memory)


def size_of_public(game: PlainGame) -> float:
    """The most memory that a public tree and a solver that walks over it take at a time."""
    cards, seen = game.rules.deck.cards, _seen(game)
    kept = count_deals(cards, seen, suits=game.suits, renamings=game.renamings)
    every = count_deals(cards, seen, suits=game.suits)
    deciding = [spot for spot in game.spots if spot.player >= 0]
    sets = sum(kept[spot.street] for spot in deciding)
    sequences = sum(kept[spot.street] * len(spot.actions) for spot in deciding)
    dealing = dealing_bytes(cards, seen, suits=game.suits) + 16 * sum(every)
    return BASE + DEALT + len(game.spots) * (PLACE + WALKED_PLACE) + learned_bytes(sets, sequences) + dealing


def _seen(game: PlainGame) -> list[list[int]]:
    """What a player sees, by round, up to the last in which somebody decides: nobody asks what they know later."""
    return game.seen[: 1 + max((spot.street for spot in game.spots if spot.player >= 0), default=0)]


def public_tree(game: PlainGame, *, memory: float = MEMORY) -> PublicTree:
    """Number the information sets of a game without listing its histories."""
    rules, spots = game.rules, game.spots
    ranks = [card if game.suits else card >> 2 for card in rules.deck.cards]
    values = sorted(set(ranks))
    kinds = np.zeros(256, dtype=np.uint8)
    kinds[list(rules.deck.cards)] = np.searchsorted(values, ranks)
    check_memory(
        f"the public tree of {rules.name}, with all that players learn,", size_of_public(game), memory,
        "use a smaller deck, smaller stacks, fewer sizes of raises",
    )  # fmt: skip
    _check(game, count_deals(rules.deck.cards, _seen(game), suits=game.suits))
    deals = all_deals(rules.deck.cards, _seen(game), suits=game.suits, renamings=game.renamings)
    children, first = children_of(spots)
    player = np.array([spot.player for spot in spots], dtype=np.int64)
    street = np.array([spot.street for spot in spots], dtype=np.int64)
    order = np.concatenate([np.flatnonzero(player == seat) for seat in range(game.hand.players)])
    counts = np.zeros(len(rules.rounds), dtype=np.int64)
    counts[: len(deals)] = [len(dealt.chance) for dealt in deals]
    counts = counts[street]
    base = np.full(len(spots), -1, dtype=np.int64)
    base[order] = np.cumsum(counts[order]) - counts[order]
    sequences = np.zeros(1 + int(counts[order].sum()), dtype=np.int32)
    np.cumsum(np.repeat(np.diff(first)[order], counts[order]), out=sequences[1:])
    above = last_moves(player, first, children, game.hand.players)
    places = np.repeat(order.astype(np.int32), counts[order])
    infosets = Infosets(
        players=game.hand.players,
        of_player=np.cumsum([0, *(counts[player == seat].sum() for seat in range(game.hand.players))]).astype(np.int32),
        first=sequences,
        parent=parents_of(order, above, base, street, player, sequences, deals),
        labels=PublicLabels(game, deals, places, base),
        actions=Moves(spots, places, sequences),
    )
    over = np.diff(first) == 0
    ends = np.where(over, np.cumsum(over) - 1, -1)
    codes, numbers = _codes(game, deals, values)
    return PublicTree(
        game, player, street, first.astype(np.int64), children, base, ends, infosets, kinds, codes, numbers
    )


@dataclass(frozen=True)
class PublicLabels(Sequence[str]):
    """Names of information sets, written when they are asked for."""

    game: PlainGame
    deals: list[Deals]
    """By round, what a player may hold and see."""
    spot: NDArray[np.int32]
    base: Ints

    def __len__(self) -> int:
        return len(self.spot)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        number = range(len(self))[number]
        place = self.spot[number]
        spot = self.game.spots[place]
        row = self.deals[spot.street].classes[number - self.base[place]].tolist()
        return set_label(self.game.rules, spot, row, suits=self.game.suits)


def _code(columns: NDArray[Any], classes: int, before: Ints | int = 0) -> Ints:
    """Classes of cards as the digits of a number."""
    code = np.zeros(columns.shape[1], dtype=np.int64) + before
    for column in columns:
        code = code * classes + column
    return code


def _check(game: PlainGame, deals: list[int]) -> None:
    """Refuse a game with more information sets than anybody could keep."""
    sets = sum(deals[spot.street] for spot in game.spots if spot.player >= 0)
    if sets > MOST_SETS:
        raise FeltError(
            f"{game.rules.name} has {sets:,} information sets, more than {MOST_SETS:,}: use a smaller deck, smaller "
            "stacks or fewer sizes of raises"
        )


def _codes(game: PlainGame, deals: list[Deals], values: list[int]) -> tuple[list[Ints], list[Ints]]:
    """By round: the codes of all that a player may hold and see, in order, and which deal each of them is.

    Of those that differ only by the names of suits all are the one that is kept.
    """
    coded = [_code(np.searchsorted(values, dealt.classes).T, len(values)) for dealt in deals]
    if len(game.renamings) == 1:
        return coded, [np.arange(len(one)) for one in coded]
    every, numbers, sizes = list[Ints](), list[Ints](), list[int]()
    for street, dealt in enumerate(all_deals(game.rules.deck.cards, _seen(game), suits=game.suits)):
        sizes += game.seen[street]
        kept = smallest(dealt.classes, sizes, game.renamings)[0]
        found = _code(np.searchsorted(values, kept).T, len(values))
        every.append(_code(np.searchsorted(values, dealt.classes).T, len(values)))
        numbers.append(np.searchsorted(coded[street], found))
    return every, numbers


def last_moves(player: Ints, first: Ints, children: Ints, players: int) -> Ints:
    """For each place and player: where they acted last before it, and what they chose; -1 if they did not."""
    above = np.full((len(player), players, 2), -1, dtype=np.int64)
    for spot, seat in enumerate(player):
        for choice, child in enumerate(children[first[spot] : first[spot + 1]]):
            above[child] = above[spot]
            if seat >= 0:
                above[child, seat] = spot, choice
    return above


def parents_of(
    order: Ints, above: Ints, base: Ints, street: Ints, player: Ints, sequences: NDArray[np.int32], deals: list[Deals]
) -> NDArray[np.int32]:
    """The sequence that each information set's player has played last."""
    parts = [np.zeros(0, dtype=np.int64)]  # nobody may have a choice
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
