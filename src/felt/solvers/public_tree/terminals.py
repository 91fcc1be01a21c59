"""How hands end in a public tree: in which order hands are strong on each board, and what each outcome pays.

Strengths and payments are the engine's: it ranks every hand on every board once, and pays one deal of every outcome.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.solvers.public_tree.deals import PublicDeals
from felt.solvers.trees.build_plain import cards_of
from felt.solvers.trees.tree import TERMINAL

Array = NDArray[Any]

OUTCOMES = 12
"""Loses, ties, wins; times the same for a second kind of hand, or nobody has one."""

IMPOSSIBLE = 255

NO_CARD = 54
"""Stands for the second card of a hand of one."""


class VectorTerminals(NamedTuple):
    """What `felt.solvers.public_tree.terminal_kernels` works with, in this order."""

    end: NDArray[np.int32]
    """``[nodes]``: which of the ends a node is; -1 where the hand goes on."""
    shown: NDArray[np.uint8]
    """``[ends]``: whether hands are shown."""
    pays: NDArray[np.float64]
    """``[ends, players, outcomes]``: chips won, times the chance of the board."""
    cards: NDArray[np.uint8]
    """``[hands, 2]``, for hands of one or two cards."""
    alive: NDArray[np.uint8]
    final: int
    """The first board of the last round."""
    order: NDArray[np.int16]
    """``[last boards, hands]``: the possible hands from the weakest to the strongest."""
    tiers: NDArray[np.int16]
    """``[last boards, hands]``: how strong each of these is, equal ones having the same number."""
    counts: NDArray[np.int32]
    """``[last boards]``: how many are possible."""
    ways: NDArray[np.float64]
    """``[boards, hands, hands]``: the chances of pairs; empty where hands are taken in order."""
    outcomes: NDArray[np.uint8]
    """``[last boards, hands, hands]``: how the first hand compares with the second."""

    @property
    def bytes(self) -> int:
        """Memory that the arrays take."""
        return sum(part.nbytes for part in self if isinstance(part, np.ndarray))


def vector_terminals(table: PublicDeals, bet_node: Array, norm: float) -> VectorTerminals:
    """The ends of a tree whose nodes are at these places of the betting; `norm` makes chances of pairs add up to 1."""
    nodes = table.game.nodes
    numbers = [i for i, node in enumerate(nodes) if node.player == TERMINAL]
    end = np.full(len(nodes) + 1, -1, dtype=np.int32)
    end[numbers] = np.arange(len(numbers))
    hands = [nodes[i].hand for i in numbers]
    shown = np.array([hand is not None and bool(hand.showdown) for hand in hands], dtype=np.uint8)
    final, boards = int(table.first[-2]), int(table.first[-1] - table.first[-2])
    ranks = ranked(table) if shown.any() else np.zeros((1, boards, len(table.hands)), dtype=np.int64)
    weights = np.full(len(table.groups), norm) * (table.weights if table.simple else 1.0)
    pays = np.zeros((len(numbers), 2, OUTCOMES))
    none = np.zeros((0, 0, 0))
    order: Array = np.zeros((0, 0))
    tiers: Array = order
    outcomes: Array = none
    if table.simple:
        order = np.argsort(np.where(table.alive[final:], ranks[0], np.iinfo(np.int64).max), axis=1, kind="stable")
        sorted_ranks = np.take_along_axis(ranks[0], order, axis=1)
        tiers = np.cumsum(np.diff(sorted_ranks, axis=1, prepend=0) != 0, axis=1)
        examples = _examples_in_order(table, ranks[0]) if shown.any() else {}
    else:
        outcomes = np.array([_outcomes(ranks[:, board]) for board in range(boards)], dtype=np.uint8)
        examples = _examples(table, outcomes) if shown.any() else {}
    deals = _deals(table, list(examples.values()))
    for i, number in enumerate(numbers):
        weight = weights[nodes[number].street]
        if shown[i]:
            pays[i][:, list(examples)] = table.game.pay(number, deals).T * weight
        else:
            hand = hands[i]
            pays[i] = np.array(hand.payoffs)[:, None] * weight if hand is not None else 0
    pairs = np.full((len(table.hands), 2), NO_CARD, dtype=np.uint8)
    pairs[:, : table.hole] = table.hands[:, :2] if table.simple else 0
    return VectorTerminals(
        end=end[bet_node],
        shown=shown,
        pays=pays,
        cards=pairs,
        alive=table.alive,
        final=final,
        order=order.astype(np.int16),
        tiers=tiers.astype(np.int16),
        counts=table.alive[final:].sum(axis=1).astype(np.int32),
        ways=none if table.simple else table.ways,
        outcomes=outcomes.astype(np.uint8),
    )


def ranked(table: PublicDeals) -> NDArray[np.int64]:
    """``[kinds, last boards, hands]``: what the engine says that each hand is worth; 0 where it is impossible."""
    from felt.solvers.public_tree.terminal_kernels import strengths

    compiled, shown = compile_rules(table.game.rules), table.game.rules.showdown
    boards, final = table.deals[-1].classes, int(table.first[-2])
    ranks = np.zeros((len(shown.kinds), len(boards), len(table.hands)), dtype=np.int64)
    picked, room = np.zeros(16, dtype=np.uint8), np.zeros(len(table.hands), dtype=np.int64)
    for number, board in enumerate(boards):
        possible = np.flatnonzero(table.alive[final + number])
        rows = np.hstack([table.hands[possible], np.tile(board, (len(possible), 1))])
        rows = _laid(table, rows, 1)
        for kind in range(len(shown.kinds)):
            method = int(compiled.game[f.METHOD, kind])
            out = room[: len(possible)]
            strengths(
                rows, table.hole, shown.size, shown.hole_exactly, method, compiled.tables[kind], compiled.extra, picked,
                out,
            )  # fmt: skip
            ranks[kind, number, possible] = out
    return ranks


def _laid(table: PublicDeals, rows: Array, hands: int) -> NDArray[np.uint8]:
    """Rows of hands and what comes to the board as cards, with the board that lies already between them."""
    cards, held = cards_of(rows, table.game, table.cards), table.hole * hands
    lying = np.tile(np.array(table.board, dtype=np.uint8), (len(rows), 1))
    return np.ascontiguousarray(np.hstack([cards[:, :held], lying, cards[:, held:]]))


def _outcomes(ranks: Array) -> Array:
    """How each hand compares with each other, by the worth of all kinds."""
    outcomes: Array = np.sign(ranks[0][:, None] - ranks[0][None]) + 1
    if len(ranks) > 1:
        second = np.sign(ranks[1][:, None] - ranks[1][None]) + 1
        outcomes = outcomes + 3 * np.where(np.maximum(ranks[1][:, None], ranks[1][None]) > 0, second, 3)
    return outcomes


def _note(examples: dict[int, tuple[int, int, int]], board: int, outcomes: Array) -> None:
    """Add the first pair of hands of each outcome that was not seen on an earlier board."""
    for code, at in zip(*np.unique(outcomes, return_index=True), strict=True):
        if code != IMPOSSIBLE:
            first, second = divmod(int(at), outcomes.shape[1])
            examples.setdefault(int(code), (board, first, second))


def _examples(table: PublicDeals, outcomes: Array) -> dict[int, tuple[int, int, int]]:
    """One deal of each outcome: the board, and two hands."""
    final, examples = int(table.first[-2]), dict[int, tuple[int, int, int]]()
    for board, some in enumerate(outcomes):
        _note(examples, board, np.where(table.ways[final + board] > 0, some, IMPOSSIBLE))
    return examples


def _examples_in_order(table: PublicDeals, ranks: Array) -> dict[int, tuple[int, int, int]]:
    """The same where pairs are not listed: boards are looked at until every outcome has been seen."""
    final, examples = int(table.first[-2]), dict[int, tuple[int, int, int]]()
    apart = (table.hands[:, None, :, None] != table.hands[None, :, None, :]).all(axis=(2, 3))
    for board, values in enumerate(ranks):
        lives = table.alive[final + board].astype(bool)
        _note(examples, board, np.where(apart & lives[:, None] & lives[None], _outcomes(values[None]), IMPOSSIBLE))
        if len(examples) == 3:
            break
    return examples


def _deals(table: PublicDeals, examples: list[tuple[int, int, int]]) -> NDArray[np.uint8]:
    """The cards of these deals: hole cards of both, then the whole board."""
    rows = [
        np.concatenate([table.hands[a], table.hands[b], table.deals[-1].classes[board]]) for board, a, b in examples
    ]
    width = table.hole * 2 + table.deals[-1].classes.shape[1]
    return _laid(table, np.array(rows, dtype=np.int64).reshape(-1, width), 2)
