"""What the players of a single hand did, as small counts that add up: for who keeps them hand by hand."""

from collections.abc import Iterable, Mapping

import numpy as np

from felt.games.engine import fields as f
from felt.games.hand import Hand
from felt.games.history import Event
from felt.games.moves import CALL, FOLD, RAISE, EventKind, encode_move
from felt.games.replay import replay_moves
from felt.games.views.facts import trace
from felt.stats.counted import Counted
from felt.stats.definitions import INDICATORS
from felt.stats.indicators import count_chunks
from felt.stats.layout import INDICATOR_NAMES

Did = dict[str, list[int]]
"""By indicator: how often it was done, and how often it could have been; indicators without a chance are left out."""


def count_hand(hand: Hand) -> list[Did]:
    """What each seat did in a hand that is over.

    >>> from felt.games import load
    >>> hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    >>> hand.raise_to(6); hand.fold()
    >>> seat, button = count_hand(hand)
    >>> button["vpip"], button["pfr"], seat["vpip"], seat["fold_to_bet"]
    ([1, 1], [1, 1], [0, 1], [1, 1])
    """
    dealt, moves = _again(hand)
    h, k = dealt.arrays
    stacks = np.array([hand.starting_stacks], dtype=np.int32)
    facts = trace(hand.rules, h[None], k[None], stacks, np.array(moves, dtype=np.int64), np.array([len(moves)]))
    seats = np.arange(hand.players)
    # By stretches of a match, of which this hand is one: a table of all positions takes longer to sum than to count.
    _, counts = count_chunks(facts, seats[None], [str(seat) for seat in seats], np.zeros(1, dtype=np.int64), 1)
    return [
        {name: pair for name, pair in zip(INDICATOR_NAMES, seat, strict=True) if pair[0] or pair[1]}
        for seat in counts[0].tolist()
    ]


def _again(hand: Hand) -> tuple[Hand, list[int]]:
    """The hand as it was dealt, and its moves as `trace` takes them."""
    if hand.rules.has_draws:  # which cards were thrown away is for the replay to find out
        again = replay_moves(hand.record())
        return again.dealt, again.moves
    (numbers, cards), stakes = hand.arrays, hand.stakes
    dealt = Hand.new(
        hand.rules,
        stakes.stacks,
        deck=cards[f.DECK : f.DECK + numbers[f.DECK_COUNT]].tolist(),
        button=hand.button,
        antes=stakes.antes,
        posts=stakes.posts,
        dead_antes=stakes.dead_antes,
    )
    codes = (_code(event) for event in hand.events)
    return dealt, [code for code in codes if code >= 0]


def _code(event: Event) -> int:
    kind = event.kind  # compared one by one: to hash a member takes Python 3.11 longer
    if kind is EventKind.CALL:
        return CALL
    if kind is EventKind.RAISE:
        return encode_move(RAISE, event.amount)
    return FOLD if kind is EventKind.FOLD else -1


def added(total: Did, more: Mapping[str, Iterable[int]]) -> None:
    """Add the counts of a hand to a total."""
    for name, (num, den) in more.items():
        pair = total.setdefault(name, [0, 0])
        pair[0] += num
        pair[1] += den


def counted_of(total: Did, indicator: str) -> Counted:
    """One figure of a total."""
    num, den = total.get(indicator, (0, 0))
    return Counted(num, den, INDICATORS[indicator].ratio)
