"""Which cards of a deal somebody has seen, and so may have opened after the hand."""

from collections.abc import Sequence

from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.history import UNKNOWN
from felt.games.moves import DEALS, EventKind


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
    dealt = [card for event in seen.history for card in event.cards]
    lying = [card for other in range(hand.players) for card in seen.up_cards(other)]
    return frozenset({*dealt, *lying, *seen.own, *seen.board} - {UNKNOWN})


def seen_positions(deck: Sequence[int], hand: Hand, seat: int) -> tuple[int, ...]:
    """The places in the shuffled deck that may be opened to a seat, in order: what it saw where it was dealt.

    `deck` is the order that the hand was dealt from. A card that came to somebody later, passed on or out of the muck
    when the deck was used up, is not opened there: its place would tell who had it first; nor is one that another
    player has turned up: its place would tell when it was dealt.

    >>> from felt.games import load
    >>> rules = load("nlhe")
    >>> deck = rules.deck.shuffled(1)
    >>> hand = Hand.new(rules, [200, 200], deck=deck)
    >>> seen_positions(deck, hand, 0), seen_positions(deck, hand, 1), seen_positions(deck, hand, -1)
    ((0, 1), (2, 3), ())
    """
    seen = hand.view(seat)
    open_to_all = (EventKind.UP, EventKind.SHOW)
    shown = {(event.seat, card) for event in seen.history if event.kind in open_to_all for card in event.cards}
    dealt = [
        (event.seat, card, event.kind == EventKind.BOARD)
        for event in hand.record().events
        if event.kind in DEALS
        for card in event.cards
    ]
    return tuple(
        place
        for place, (to, card, board) in enumerate(dealt[: len(deck)])
        if board or to == seat or (to, card) in shown
    )
