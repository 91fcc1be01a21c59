"""Ready hooks for cards: from what a player holds and sees to a text that is the same for hands held to be alike."""

from collections.abc import Callable, Sequence
from itertools import combinations, islice
from math import comb

import numpy as np

from felt.cards.card import RANKS, format_cards
from felt.cards.isomorphism import CARD_PERMUTATIONS
from felt.errors import FeltError
from felt.games.engine.exact_payoffs import pay_deals
from felt.games.hand import Hand
from felt.games.rules import GameRules

Boards = Sequence[Sequence[int]]

CardHook = Callable[[Sequence[int], Boards], str]
"""From the player's cards and the boards, deal by deal, both highest first, to a text."""

Factory = Callable[[GameRules], CardHook]

MOST_DEALS = 2_000_000
"""Ways in which a hand may go on that are looked at for its strength."""

DEALS_AT_ONCE = 20_000
"""Of them, so many are paid for together."""


def _all(own: Sequence[int], boards: Boards) -> str:
    return _joined(format_cards, own, boards)


def _ranks(own: Sequence[int], boards: Boards) -> str:
    return _joined(lambda cards: "".join(RANKS[card >> 2] for card in cards), own, boards)


def _suits(own: Sequence[int], boards: Boards) -> str:
    """Suits renamed such that hands which differ by their names only are the same: 169 before the flop in hold'em."""
    groups = [list(own), *map(list, boards)]
    first = min(tuple(tuple(sorted(new[group].tolist(), reverse=True)) for group in groups)
                for new in CARD_PERMUTATIONS)  # fmt: skip
    return _joined(format_cards, first[0], first[1:])


def _plain(name: str, hook: CardHook) -> Callable[[str], Factory]:
    """A hook that is the same for all games, and has no number behind its name."""

    def factory(parameter: str) -> Factory:
        if parameter:
            raise FeltError(f"cards='{name}:{parameter}': {name} has no number behind it")
        return lambda rules: hook

    return factory


def _strength(parameter: str) -> Factory:
    """Hands by their expected strength against one random hand, in so many steps of the same width."""
    if not parameter.isdigit() or int(parameter) < 1:
        raise FeltError(f"cards='ehs:{parameter}': give the number of steps, like ehs:5")
    steps = int(parameter)
    return lambda rules: (
        lambda own, boards: str(min(int(expected_strength(rules, own, sum(map(tuple, boards), ())) * steps), steps - 1))
    )


_PLAIN: dict[str, CardHook] = {"all": _all, "ranks": _ranks, "suits": _suits}

CARD_HOOKS = {**{name: _plain(name, hook) for name, hook in _PLAIN.items()}, "ehs": _strength}
"""By name, each given what stands behind the colon."""


def expected_strength(rules: GameRules, own: Sequence[int], board: Sequence[int]) -> float:
    """The share of the pot that a hand wins at showdown against one random hand, over all boards that may come.

    >>> from felt.games import load
    >>> [round(expected_strength(load("leduc"), [card], []), 2) for card in load("leduc").deck.cards[::2]]
    [0.3, 0.5, 0.7]
    """
    from felt.odds.state.from_view import holdem_strengths, is_holdem

    if is_holdem(rules):
        boards = np.zeros((1, 5), dtype=np.uint8)
        boards[0, : len(board)] = board
        return float(holdem_strengths(np.array([own], dtype=np.uint8), boards, np.array([len(board)]))[0])
    left = [card for card in rules.deck if card not in own and card not in board]
    more = rules.board_cards - len(board)
    ways = comb(len(left), len(own)) * comb(len(left) - len(own), more)
    if ways > MOST_DEALS:
        raise FeltError(f"{rules.name}: a hand may go on in {ways:,} ways, too many for its strength: take fewer cards")
    deals = (
        (*own, *other, *board, *rest)
        for other in combinations(left, len(own))
        for rest in combinations([card for card in left if card not in other], more)
    )
    hand = Hand.new(rules, players=2 if rules.min_players <= 2 <= rules.max_players else None)
    while not hand.over:  # everybody checks and calls
        hand.call()
    won = 0.0
    while some := list(islice(deals, DEALS_AT_ONCE)):  # all of them would take hundreds of megabytes
        won += float((pay_deals(hand, np.array(some, dtype=np.uint8))[:, 0] + hand.put[0]).sum())
    return won / ways / sum(hand.put)


def _joined(text: Callable[[Sequence[int]], str], own: Sequence[int], boards: Boards) -> str:
    return " ".join([text(own), *(f"[{text(board)}]" for board in boards)])
