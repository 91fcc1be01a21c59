"""Outs: the cards that make your hand, and the chance that one of them comes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import comb

from felt.cards.card import DECK_SIZE, format_card, format_cards, parse_cards
from felt.cards.combos import COMBO_CARDS
from felt.cards.ranges.range import Range
from felt.cards.ranking.evaluator import rank
from felt.cards.ranking.kinds import Category, hand_class, scale
from felt.cards.ranking.names import describe
from felt.errors import OddsError, counted

_ORDER = {category: place for place, category in enumerate(Category)}


@dataclass(frozen=True)
class Out:
    """A card that helps: what you hold with it, and the share of the villain's hands that this beats.

    Hands that tie count half in `ahead`; it is None where no villain was given.
    """

    card: int
    makes: str
    ahead: float | None = None

    def __str__(self) -> str:
        return f"{format_card(self.card)} ({self.makes})"


def outs(hand: str | Iterable[int], board: str | Iterable[int], villain: str | Range | None = None) -> list[Out]:
    """The cards of the next street that improve a hold'em hand or, against `villain`, that take the lead.

    Without a villain an out lifts the hand to a better family (a pair, a straight …) of which your hole
    cards are a part: a card that pairs the board helps everybody and is none. With a villain, a hand or
    a range, an out puts you ahead of more than half of it where you are not ahead now. The highest
    cards come first; on the river there are none.

    >>> [str(out) for out in outs("AsKd", "QhJc4d", "QsQd")]
    ['Ts (straight, ace high)', 'Th (straight, ace high)', 'Td (straight, ace high)', 'Tc (straight, ace high)']
    """
    hole, table = parse_cards(hand), parse_cards(board)
    parse_cards(hole + table)
    if len(hole) != 2:
        raise OddsError(f"{format_cards(hole)!r} has {counted(len(hole), 'card')}: outs are counted for two hole cards")
    if not 3 <= len(table) <= 5:
        raise OddsError(f"{format_cards(table)!r} is no flop, turn or river: outs need a board of 3 to 5 cards")
    if len(table) == 5:
        return []
    if villain is None:
        return list(_improving(hole, table))
    return list(_leading(hole, table, _combos(villain, hole + table)))


@dataclass(frozen=True)
class DrawChances:
    """The chance to hit, exactly and by the rule of 2 and 4 (two per cent for each out and card to come)."""

    next_card: float
    by_river: float
    rule_next_card: float
    rule_by_river: float


def draw_chance(*, outs: int, cards: int = 1, unseen: int) -> float:
    """The chance that at least one of `outs` is among the next `cards`, of `unseen` cards in all.

    >>> draw_chance(outs=9, cards=2, unseen=47)
    0.34967622571692875
    """
    if not 0 <= outs <= unseen <= DECK_SIZE:
        among = f"{counted(outs, 'out')} among {counted(unseen, 'unseen card')}"
        raise OddsError(f"{among}: give 0 to {unseen} outs, and at most 52 cards")
    if not 0 <= cards <= unseen:
        raise OddsError(f"{counted(cards, 'card')} to come of {unseen} unseen: give 0 to {unseen}")
    draws = comb(unseen, cards)
    return (draws - comb(unseen - outs, cards)) / draws


def draw_chances(*, outs: int, to_come: int = 2, unseen: int | None = None) -> DrawChances:
    """The chance to hit with the next card and by the river, with 2 cards `to_come` (flop) or 1 (turn).

    `unseen` counts the cards you have not seen, 47 on the flop and 46 on the turn unless said: with
    the villain's hand known it is two fewer.

    >>> chances = draw_chances(outs=9)
    >>> round(chances.next_card, 4), round(chances.by_river, 4), chances.rule_by_river
    (0.1915, 0.3497, 0.36)
    """
    if to_come not in (1, 2):
        raise OddsError(f"{counted(to_come, 'card')} to come: give 2 on the flop or 1 on the turn")
    unseen = 45 + to_come if unseen is None else unseen
    return DrawChances(
        next_card=draw_chance(outs=outs, cards=1, unseen=unseen),
        by_river=draw_chance(outs=outs, cards=to_come, unseen=unseen),
        rule_next_card=min(1.0, 0.02 * outs),
        rule_by_river=min(1.0, 0.02 * outs * to_come),
    )


def _improving(hole: tuple[int, ...], board: tuple[int, ...]) -> Iterator[Out]:
    now = _family(hole + board)
    for card in _unseen(hole + board):
        family = _family((*hole, *board, card))
        if family > now and family > _family((*board, card)):
            yield Out(card, describe(rank((*hole, *board, card))))


def _family(cards: tuple[int, ...]) -> int:
    """How good the family of a hand is, comparable between four cards and seven."""
    hand = hand_class(rank(cards), scale("high", len(cards)).name)
    return -1 if hand is None else _ORDER[hand.category]


_Combos = list[tuple[tuple[int, int], float]]


def _leading(hole: tuple[int, ...], board: tuple[int, ...], villain: _Combos) -> Iterator[Out]:
    if _ahead(hole, board, villain) > 0.5:
        return
    for card in _unseen(hole + board):
        left = [(combo, weight) for combo, weight in villain if card not in combo]
        if not left:  # the villain holds this card
            continue
        ahead = _ahead(hole, (*board, card), left)
        if ahead > 0.5:
            yield Out(card, describe(rank((*hole, *board, card))), ahead)


def _ahead(hole: tuple[int, ...], board: tuple[int, ...], villain: _Combos) -> float:
    """The weighted share of the villain's hands that are beaten, ties as half."""
    mine = rank(hole + board)
    beaten = total = 0.0
    for combo, weight in villain:
        theirs = rank(combo + board)
        beaten += weight * (1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
        total += weight
    return beaten / total


def _combos(villain: str | Range | Iterable[int], seen: tuple[int, ...]) -> _Combos:
    if not isinstance(villain, Range):
        villain = Range.parse(villain if isinstance(villain, str) else format_cards(villain))
    held = [(int(a), int(b)) for a, b in COMBO_CARDS]
    left = [
        (combo, float(weight))
        for combo, weight in zip(held, villain.weights, strict=True)
        if weight > 0 and combo[0] not in seen and combo[1] not in seen
    ]
    if not left:
        raise OddsError(f"no hand of {str(villain)!r} is left with {format_cards(seen)!r} in play: widen the range")
    return left


def _unseen(seen: tuple[int, ...]) -> list[int]:
    return [card for card in reversed(range(DECK_SIZE)) if card not in seen]
