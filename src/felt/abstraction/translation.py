"""The way back: playing a strategy for a smaller game in the whole one.

A hand is followed in the smaller game move by move, as a *shadow* of it. A raise that is not on the menu becomes one
of its two neighbours there, by chance: with sizes in pots A < x < B, A is taken with the chance
(B - x)(1 + A) / ((B - A)(1 + x)), the pseudo-harmonic mapping of Ganzfried & Sandholm (2013), or, where nothing shall
be left to chance, the likelier of the two. What the strategy does in the shadow is then done in the hand: a raise as
the same share of its pot, as near as is allowed.
"""

from collections.abc import Sequence
from typing import Protocol

from felt.games.actions import Action, Legal
from felt.games.hand import Hand
from felt.games.history import Event
from felt.games.moves import DEALS, EXCHANGES, MOVE_OF_EVENT, EventKind, Move
from felt.games.trees.tree import Sizes, raise_amounts

Shadows = list[tuple[float, Hand]]
"""Hands of the smaller game that a hand may stand for there, with their chances."""


class BettingState(Protocol):
    """A hand, or what one seat sees of it, as far as the betting goes."""

    @property
    def bets(self) -> Sequence[int]: ...
    @property
    def pot(self) -> int: ...
    @property
    def turn(self) -> int: ...


def pseudo_harmonic(x: float, below: float, above: float) -> float:
    """The chance that a raise of x pots counts as the smaller of two on the menu.

    >>> pseudo_harmonic(0.75, 0.5, 1.0), pseudo_harmonic(1.0, 1.0, 2.0)
    (0.42857142857142855, 1.0)
    """
    return (above - x) * (1 + below) / ((above - below) * (1 + x))


def shadows(
    hand: Hand, *, stacks: Sequence[int], sizes: Sizes, like: Hand | None = None, chance: bool = True
) -> Shadows:
    """What a hand stands for in the game with these stacks and this menu; none where it has left that game.

    Antes and blinds are those of the rules, or those of the hand that it shall be `like`.
    """
    dealt = [card for event in hand.events if event.kind in DEALS for card in event.cards]
    deck = (*dealt, *(card for card in hand.rules.deck if card not in dealt))
    real = Hand.new(hand.rules, deck=deck, button=hand.button, **hand.stakes._asdict())
    posted = {} if like is None else like.stakes._asdict()
    begun = Hand.new(hand.rules, deck=deck, button=hand.button, **{**posted, "stacks": stacks})
    hands: Shadows = [(1.0, begun)]
    for event in hand.events:
        if event.kind in DEALS:
            continue
        hands = [
            (weight * share, after)
            for weight, shadow in hands
            if not shadow.over and shadow.turn == real.turn
            for share, after in _followed(shadow, real, event, sizes, chance)
        ]
        real.act(_action(event))
    left = [(weight, shadow) for weight, shadow in hands if not shadow.over and shadow.turn == hand.turn]
    total = sum(weight for weight, _ in left)
    return [(weight / total, shadow) for weight, shadow in left]


def _action(event: Event) -> Action:
    if event.kind in EXCHANGES:
        return Action(Move.EXCHANGE, cards=event.cards)
    return Action(MOVE_OF_EVENT[event.kind], event.amount)


def _followed(shadow: Hand, real: Hand, event: Event, sizes: Sizes, chance: bool) -> Shadows:
    """What one move of a hand stands for in its shadow."""
    legal = shadow.legal()
    hands: Shadows = []
    if event.kind in EXCHANGES:
        choices: list[tuple[float, Action]] = [(1.0, _action(event))] if legal.exchange else []
    elif event.kind == EventKind.RAISE and legal.raise_to:
        choices = [(share, Action(Move.RAISE, amount)) for share, amount in _menu(shadow, real, event, sizes, chance)]
    elif event.kind == EventKind.FOLD and legal.fold:
        choices = [(1.0, Action(Move.FOLD))]
    else:
        choices = [(1.0, Action(Move.CALL))] if legal.call is not None else []
    for share, action in choices:
        after = shadow.copy()
        after.act(action)
        hands.append((share, after))
    return hands


def _menu(shadow: Hand, real: Hand, event: Event, sizes: Sizes, chance: bool) -> list[tuple[float, int]]:
    """The raises of the smaller game that a raise counts as."""
    amounts, most = list(raise_amounts(shadow, sizes)), (shadow.legal().raise_to or (0, 0))[1]
    limit = real.legal().raise_to
    if limit and event.amount == limit[1] and most in amounts:  # all in, or all that is allowed, is just that
        return [(1.0, most)]
    x = in_pots(real, real.legal(), event.amount)
    pots = [in_pots(shadow, shadow.legal(), amount) for amount in amounts]
    if x <= pots[0]:
        return [(1.0, amounts[0])]
    if x >= pots[-1]:
        return [(1.0, amounts[-1])]
    at = next(i for i, size in enumerate(pots) if size >= x)
    share = pseudo_harmonic(x, pots[at - 1], pots[at])
    if not chance:
        share = float(share >= 0.5)
    return [(weight, amount) for weight, amount in ((share, amounts[at - 1]), (1 - share, amounts[at])) if weight > 0]


def in_pots(hand: BettingState, legal: Legal, amount: int) -> float:
    """A raise as a share of the pot as it is after a call, above the bet to match."""
    call = legal.call or 0
    return (amount - hand.bets[hand.turn] - call) / (hand.pot + call)


def real_action(action: Action, shadow: Hand, table: BettingState, legal: Legal) -> Action:
    """What an action in a shadow is at the table: the same move, a raise as the same share of the pot."""
    if action.move == Move.EXCHANGE:
        return action
    if action.move == Move.FOLD:
        return action if legal.fold and legal.call else Action(Move.CALL)
    if action.move == Move.CALL or not legal.raise_to:
        return Action(Move.CALL)
    least, most = legal.raise_to
    if action.amount == (shadow.legal().raise_to or (0, 0))[1]:
        return Action(Move.RAISE, most)
    call = legal.call or 0
    amount = table.bets[table.turn] + call + in_pots(shadow, shadow.legal(), action.amount) * (table.pot + call)
    return Action(Move.RAISE, min(max(round(amount), least), most))
