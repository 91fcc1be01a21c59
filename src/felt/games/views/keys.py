"""Names for states: when two hands are the same for all that follows, and when a player cannot tell them apart."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import RANKS, format_cards, is_joker
from felt.errors import FeltError
from felt.games.engine import fields as f
from felt.games.hand import Hand
from felt.games.history import UNKNOWN, Event
from felt.games.moves import EXCHANGES, LETTERS, EventKind, Phase
from felt.games.rules import GameRules
from felt.games.views.view import View

_NOT_BETTING = (
    *("dead", "rake", "shown", "players", "button", "aggressor", "opener", "board_count", "deck_at", "deck_count"),
    *("muck_count", "version", "runs"),
)
_BETTING = np.array(
    [
        *range(f.STACKS, f.STACKS + 10),
        *range(f.BETS, f.BETS + 10),
        *(f.DEAD + i for i, name in enumerate(f.SCALAR_FIELDS) if name not in _NOT_BETTING),
    ]
)
"""Where the numbers stand that decide how the betting may go on, but for the size of the pot."""


def state_key(hand: Hand) -> bytes:
    """The same for two states exactly if all that can still happen in them, and what it pays, is the same.

    How the state came about is not in it, nor the order of cards in a hand, on the board or in the deck.
    """
    h, k = hand.arrays
    cards: list[Sequence[int]] = [sorted(hand.board)]
    for seat, folded in enumerate(hand.folded):
        up = set(hand.up_cards(seat))
        cards += [()] if folded else [sorted(up), sorted(set(hand.cards(seat)) - up)]
        if hand.phase <= Phase.PASS and h[f.EXCHANGED] >> seat & 1:
            cards.append([card for i, card in enumerate(hand.cards(seat)) if k[f.CHOSEN + seat] >> i & 1])
    cards.append(sorted(k[f.DECK + h[f.DECK_AT] : f.DECK + h[f.DECK_COUNT]].tolist()))
    cards.append(sorted(k[f.MUCK : f.MUCK + h[f.MUCK_COUNT]].tolist()))
    chips = [*hand.stakes.stacks, *hand.put, *hand.won, hand.button, int(h[f.DEAD])]
    text = "|".join(bytes(part).hex() for part in cards)
    return bytes(h[_BETTING]) + np.array(chips, dtype="<i4").tobytes() + text.encode()


def betting_key(h: NDArray[np.int32], k: NDArray[np.uint8], rules: GameRules) -> bytes:
    """The same for two records if the betting can go on in the same ways: cards and past do not matter.

    Where cards decide who acts first, those of the players and the place in the deck are in it.
    """
    pot = h[f.DEAD] + h[f.PUT : f.PUT + h[f.PLAYERS]].sum()
    key = bytes(h[_BETTING]) + int(pot).to_bytes(4, "little")
    if any(part.first.by_cards for part in rules.rounds):
        live = [seat for seat in range(h[f.PLAYERS]) if h[f.LIVE] >> seat & 1]
        begins = [f.CARDS + f.CARDS_EACH * seat for seat in live]
        held = [bytes(k[begin : begin + k[f.COUNT + seat]]) for begin, seat in zip(begins, live, strict=True)]
        return key + bytes([h[f.DECK_AT], *k[f.UP : f.UP + h[f.PLAYERS]].tolist()]) + b"".join(held)
    return key + bytes(k[f.COUNT : f.COUNT + h[f.PLAYERS]])


def information(hand: Hand, seat: int, *, suits: bool = True) -> str:
    """What a seat knows of a hand, as text: its cards, the cards that all see, and every move.

    Two states of one information set have the same text. Moves are f, c (also a check), r with the total for the
    street, and d, t, p, u with the number of cards drawn, thrown, passed or turned up; cards stand where they were
    dealt, or with a plus where another player passed them.

    >>> from felt.games import load
    >>> hand = Hand.new(load("leduc"), deck="KsQsJhQhJsKh")
    >>> hand.raise_to(2); hand.call()
    >>> information(hand, 0), information(hand, 1, suits=False)
    ('Ks r2 c [Jh]', 'Q r2 c [J]')
    """
    if not hand.whole:
        raise FeltError("a hand from a snapshot or a batch does not know how it came about, so neither what seats know")
    return " ".join(filter(None, _texts(hand, seat, suits)))


def view_information(view: View, *, suits: bool = True, names: Sequence[int] | None = None) -> str:
    """The same of a view, for who has no more than that; not in games where cards are passed on.

    `names` are the cards to write instead of each card: what a renaming of suits makes of them.

    >>> from felt.games import load
    >>> hand = Hand.new(load("leduc"), deck="KsQsJhQhJsKh")
    >>> hand.raise_to(2)
    >>> view_information(hand.view(1))
    'Qs r2'
    """
    if any(part.passes for part in view.rules.rounds):
        raise FeltError(f"{view.game}: which cards were passed on is not in a view")
    events: Iterable[Event] = view.history
    if names is not None:
        events = (event._replace(cards=tuple(c if c == UNKNOWN else names[c] for c in event.cards)) for event in events)
    return " ".join(filter(None, (event_text(event, suits) for event in events)))


def _texts(hand: Hand, seat: int, suits: bool) -> Iterator[str]:
    passes = iter([part for part in hand.rules.rounds if part.passes])
    live, passed = set(range(hand.players)), dict[int, tuple[int, ...]]()
    for seen, event in zip(hand.view(seat).history, hand.events, strict=True):
        yield event_text(seen, suits)
        if event.kind == EventKind.FOLD:
            live.discard(event.seat)
        if event.kind == EventKind.PASS:
            passed[event.seat] = event.cards
            if set(passed) == live:  # all have chosen: the cards change hands
                step = -1 if next(passes).pass_left else 1
                others = ((seat + step * i) % hand.players for i in range(1, hand.players))
                giver = next((other for other in others if other in live), None)
                if seat in live and giver is not None:
                    yield f"+{_card_text(passed[giver], suits)}"
                passed.clear()


def event_text(event: Event, suits: bool) -> str:
    """What an event adds to `information`: nothing where it was not seen."""
    cards = "" if UNKNOWN in event.cards else _card_text(event.cards, suits)
    if event.kind in (EventKind.DOWN, EventKind.SHOW):
        return cards
    if event.kind == EventKind.BOARD:
        return f"[{cards}]"
    if event.kind in (EventKind.UP, EventKind.ROLLED):
        return f"{event.seat}:{cards}"
    if event.kind == EventKind.RAISE:
        return f"r{event.amount}"
    if event.kind in EXCHANGES:
        return f"{LETTERS[event.kind]}{len(event.cards)}" + (f"({cards})" if cards else "")
    return LETTERS.get(event.kind, "")


def _card_text(cards: Sequence[int], suits: bool) -> str:
    ordered = sorted(cards, reverse=True)
    if suits:
        return format_cards(ordered)
    return "".join(format_cards([card]) if is_joker(card) else RANKS[card >> 2] for card in ordered)
