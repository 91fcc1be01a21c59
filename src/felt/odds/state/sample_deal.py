"""A deal that it could be, by what one seat sees."""

import random
from itertools import chain, islice
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from felt._chance import block_seed
from felt.errors import OddsError
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.engine.record import kernel_arrays
from felt.games.hand import Hand
from felt.games.moves import EventKind, Phase
from felt.games.views.view import HIDDEN, View
from felt.odds.state.knowledge import Knowledge, knowledge

STREAM = 0x76696577  # "view": keeps these streams apart from those of other rooms


def possible_hand(view: View, dice: random.Random | None = None) -> Hand:
    """A hand that looks like the true one from the view's seat: what is hidden is dealt at random.

    All that the seat knows holds in it, cards that it passed on and threw away included (if the view has its history).

    >>> from felt.games import load
    >>> view = Hand.new(load("nlhe"), [200, 200], seed=1).view(0)
    >>> possible_hand(view).view(0) == view
    True
    """
    if view.over:
        raise OddsError("the hand is over: all that can be seen of it has been shown")
    known = knowledge(view, view.rules)
    cards = list(known.unseen)
    (dice or random.Random(situation_seed(view))).shuffle(cards)
    return Hand.over_record(view.rules, view.stakes, filled(view, known, cards), seen=view)


def filled(view: View, known: Knowledge, cards: list[int]) -> NDArray[np.uint8]:
    """The record of a view with hidden cards: `cards` go to live hands, the deck and the muck, in this order."""
    record = view.record()
    h, k = kernel_arrays(record)
    pool = chain(cards, known.dead)
    for seat, held in known.held.items():
        begin = f.CARDS + f.CARDS_EACH * seat
        hidden = int(k[f.COUNT + seat]) - len(held)
        passed = held[len(view.up_cards(seat)) :]
        k[begin : begin + hidden + len(passed)] = [*islice(pool, hidden), *passed]
    deck, muck = k[f.DECK + h[f.DECK_AT] : f.DECK + h[f.DECK_COUNT]], k[f.MUCK : f.MUCK + h[f.MUCK_COUNT]]
    deck[:] = list(islice(pool, len(deck)))
    muck[:] = list(islice(pool, len(muck)))
    _remember_folded(view, known, k, muck.tolist() or deck.tolist())
    if view.phase <= Phase.PASS:
        _choose(view, h, k)
    return record


def _remember_folded(view: View, known: Knowledge, k: NDArray[np.uint8], lying: list[int]) -> None:
    """The record keeps what folded players held, which lies elsewhere now."""
    seen = iter([card for card in lying if card not in known.dead] or lying)
    for seat, folded in enumerate(view.folded):
        begin = f.CARDS + f.CARDS_EACH * seat
        held = k[begin : begin + int(k[f.COUNT + seat])]
        if folded and HIDDEN in held:
            held[held == HIDDEN] = [next(seen, lying[0]) for _ in range(int((held == HIDDEN).sum()))]


def _choose(view: View, h: NDArray[np.int32], k: NDArray[np.uint8]) -> None:
    """Those who have chosen what to pass or turn up: the viewer's is known, others' is as good as their first cards."""
    part, rolls = view.rules.rounds[view.street], view.phase == Phase.ROLL
    count, kind = (part.rolls, EventKind.ROLL) if rolls else (part.passes, EventKind.PASS)
    for seat in range(view.players):
        if h[f.EXCHANGED] >> seat & 1:
            k[f.CHOSEN + seat] = (1 << count) - 1
    choices = [event.cards for event in view.history if event.kind == kind and event.seat == view.seat]
    if choices and view.seat >= 0 and h[f.EXCHANGED] >> view.seat & 1:
        k[f.CHOSEN + view.seat] = sum(1 << view.own.index(card) for card in choices[-1])


def situation(view: View) -> tuple[Any, ...]:
    """All that the odds of a view depend on: cards in sight, and the course of the hand as far as it moves cards."""
    h = view.numbers()
    ups = tuple(map(view.up_cards, range(view.players)))
    course = [h[at] for at in (f.PLAYERS, f.BUTTON, f.LIVE, f.STREET, f.PHASE, f.DECK_AT, f.DECK_COUNT, f.MUCK_COUNT)]
    waiting = (h[f.TURN], h[f.EXCHANGED]) if h[f.PHASE] < Phase.BET else ()
    counts = tuple(len(view.cards(seat)) for seat in range(view.players))
    game = compile_rules(view.rules).fingerprint
    return game, view.seat, view.own, view.board, ups, tuple(course), waiting, counts


def situation_seed(view: View) -> int:
    """A seed from what a seat sees: where no dice are given, the same view has the same answer everywhere."""
    return int(block_seed(crc32(repr(situation(view)).encode()), 0, STREAM))
