"""An agent as a table: its chances in every information set of a game, so that what it loses at most is exact."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.agents.adapters import as_agent
from felt.agents.dice import Dice
from felt.agents.naming import AgentError, entrant
from felt.errors import FeltError, describe_error
from felt.games.actions import Action
from felt.games.hand import Hand
from felt.games.moves import MOVE_LETTERS, EventKind, Move
from felt.games.trees.tree import actions, deals, first_deals, plain_deals
from felt.games.views.view import View
from felt.solvers.trees.dealt import seen_information
from felt.solvers.trees.tree import GameTree

MOVES = {letter: move for move, letter in MOVE_LETTERS.items()}


def strategy_of(
    agent: Any, tree: GameTree, *, progress: Callable[[int, int], None] | None = None
) -> NDArray[np.float64]:
    """The chance of every sequence of a tree, as an agent (a name, a class or an object) tells its probabilities.

    The agent must remember nothing and tell its probabilities, and make no move that is not in the tree. `progress` is
    told how many information sets are done, and how many there are.

    >>> from felt.solvers import build_tree, evaluate
    >>> from felt.games import load
    >>> tree = build_tree(load("leduc"))
    >>> round(evaluate(tree, strategy_of("random", tree)).exploitability, 6)
    2.373611
    """
    made = as_agent(entrant(agent).make() if isinstance(agent, str | type) else agent)
    name = agent if isinstance(agent, str) else type(made).__name__
    _check(name, made, tree)
    made.dice = Dice()
    infosets = tree.infosets
    chances = np.zeros(infosets.sequences)
    for count, (number, view) in enumerate(_views(tree), 1):
        sequences = range(*map(int, infosets.first[number : number + 2]))
        try:
            told = made.probabilities(view)
        except Exception as error:
            raise AgentError(f"agent {name!r} fails to tell its probabilities: {describe_error(error)}") from error
        if not isinstance(told, Mapping):
            raise AgentError(f"agent {name!r} does not tell its probabilities: nobody can say how it plays")
        menu = [infosets.actions[sequence] for sequence in sequences]
        for action, chance in told.items():
            if chance > 0 and action not in menu:
                advice = ": give it all sizes of raises" if action.move == Move.RAISE else ""
                move, where = _words(action), infosets.labels[number]
                raise AgentError(f"agent {name!r} may {move} in {where!r}, which is not in this tree{advice}")
        chances[sequences.start : sequences.stop] = [told.get(action, 0.0) for action in menu]
        if progress is not None:
            progress(count, infosets.count)
    return chances


def _check(name: str, agent: Any, tree: GameTree) -> None:
    reason = agent.plays(tree.rules, tree.players)
    if reason:
        raise AgentError(f"agent {name!r} does not play {tree.rules.name}: {reason}")
    if agent.remembers:
        raise AgentError(f"agent {name!r} remembers what it has seen: it has no strategy that stays the same")
    origin = tree.origin
    if origin is not None and (origin.start is not None or origin.abstraction is not None or origin.key is not None):
        raise FeltError("an agent plays whole games: give the tree of a game without abstraction, from its first deal")


def _views(tree: GameTree) -> Iterator[tuple[int, View]]:
    """Every information set once, with what its player sees there."""
    if plain_deals(tree.rules):
        return _views_by_label(tree)
    return _views_by_history(tree)


def _views_by_label(tree: GameTree) -> Iterator[tuple[int, View]]:
    """Where betting does not depend on cards: the others hold any cards that are left."""
    infosets, rules = tree.infosets, tree.rules
    first = Hand.new(rules, tree.stacks)
    order = [seat for seat, _ in groupby(event.seat for event in first.events if event.kind == EventKind.DOWN)]
    for seat in range(tree.players):
        for number in range(*map(int, infosets.of_player[seat : seat + 2])):
            own, *parts = infosets.labels[number].split()
            board = [part for part in parts if part.startswith("[")]
            held, lying = _cards(rules.deck.cards, own, "".join(part[1:-1] for part in board), tree)
            rest = [card for card in rules.deck.cards if card not in held and card not in lying]
            deck = []
            for other in order:
                deck += held if other == seat else [rest.pop() for _ in held]
            hand = Hand.new(rules, tree.stacks, deck=[*deck, *lying, *rest])
            for part in parts:
                if not part.startswith("["):
                    hand.act(Action(MOVES[part[0]], int(part[1:] or 0)))
            yield number, hand.view(seat)


def _cards(deck: Sequence[int], own: str, board: str, tree: GameTree) -> tuple[list[int], list[int]]:
    """Cards that a label names, by any suits where it has ranks only."""
    if tree.suits:
        from felt.cards.card import parse_cards

        return list(parse_cards(own)), list(parse_cards(board)) if board else []
    from felt.cards.card import RANKS

    left = list(deck)
    picked = []
    for rank in own + board:
        card = next(card for card in left if RANKS[card >> 2] == rank)
        left.remove(card)
        picked.append(card)
    return picked[: len(own)], picked[len(own) :]


def _views_by_history(tree: GameTree) -> Iterator[tuple[int, View]]:
    """Where cards are exchanged or open: the first of the histories that lead to each information set."""
    infosets = tree.infosets
    seats = np.searchsorted(infosets.of_player, np.arange(infosets.count), side="right") - 1
    numbers = {(int(seat), label): i for i, (seat, label) in enumerate(zip(seats, infosets.labels, strict=True))}
    sizes = None if tree.origin is None else tree.origin.sizes
    waiting = [hand for _, hand in first_deals(tree.rules, tree.stacks)]
    while waiting:
        hand = waiting.pop()
        if hand.over:
            continue
        view = hand.view(hand.turn)
        known = seen_information(view, suits=tree.suits, isomorphic=tree.isomorphic)
        number = numbers.pop((hand.turn, known), None)
        if number is not None:
            yield number, view
        for action in actions(hand, sizes=sizes):
            waiting += (child for _, child in deals(hand, action))


def _words(action: Action) -> str:
    return f"raise to {action.amount}" if action.move == Move.RAISE else action.move.name.lower()
