"""Which cards of a deal somebody has seen, and so may have opened after the hand."""

from collections.abc import Sequence

from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.history import UNKNOWN


def seen_cards(hand: Hand, seat: int) -> frozenset[int]:
    """Every card that a seat has seen so far: its own (those it gave away too), the board, those face up, those shown.

    -1 is the seat of a spectator.

    >>> from felt.games import load
    >>> hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    >>> seen_cards(hand, 0) == frozenset(hand.cards(0)), seen_cards(hand, -1)
    (True, frozenset())
    """
    if not hand.whole:
        raise FeltError("this hand comes from a snapshot or a batch: what was seen before is not known")
    seen = hand.view(seat)
    told = [card for event in seen.history for card in event.cards]
    lying = [card for one in range(hand.players) for card in seen.up_cards(one)]
    return frozenset({*told, *lying, *seen.own, *seen.board} - {UNKNOWN})


def seen_positions(deck: Sequence[int], hand: Hand, seat: int) -> tuple[int, ...]:
    """The places in the shuffled deck of the cards that a seat has seen, in order.

    `deck` is the order that the hand was dealt from. A deck has every card once, so a card that came back by a
    reshuffle of the muck is where it was at first.

    >>> from felt.games import load
    >>> rules = load("nlhe")
    >>> deck = rules.deck.shuffled(1)
    >>> hand = Hand.new(rules, [200, 200], deck=deck)
    >>> seen_positions(deck, hand, 0), seen_positions(deck, hand, 1), seen_positions(deck, hand, -1)
    ((0, 1), (2, 3), ())
    """
    places = {card: place for place, card in enumerate(deck)}
    return tuple(sorted(places[card] for card in seen_cards(hand, seat)))
