"""What a player may work out from a view alone: a deal that it could be, how strong a hand is, which cards to exchange.

Answers depend on nothing but the view: where chance is needed and no dice are given, what the seat sees is the seed,
so the same view has the same answer everywhere.
"""

import random
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from felt import _tables
from felt.cards.combos import class_index
from felt.errors import OddsError
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.engine.record import kernel_arrays
from felt.games.hand import Hand
from felt.games.moves import Phase
from felt.games.rules import GameRules
from felt.games.views.view import View
from felt.odds.equity.question import Effort
from felt.odds.state.dealing import deal_out_equities, ladders
from felt.odds.state.knowledge import Knowledge, filled, possible_hand, situation, situation_seed
from felt.odds.strength.lookup import counted_hs, expected_hs_batch, flop_hs

__all__ = [
    "expected_strength",
    "expected_strengths",
    "holdem_strengths",
    "is_holdem",
    "possible_hand",
    "sensible_exchange",
]

SAMPLES = 200
"""Deals from which a strength is estimated where it cannot be counted: a standard error of 0.03 or less."""

COUNTED = 8
"""With so few unseen cards all deals are counted."""

FINISHES = 16
"""Ways in which each hand is completed after its last exchange, where several exchanges are to come."""

LADDERS = 5
"""How often the hands that others end with are played again to be better: by then random hands are worth a half."""

REMEMBERED = 20_000
"""Strengths that are kept, for the next decision with the same cards."""

Floats = NDArray[np.float64]


class Holdings(Protocol):
    """Hold'em hands at many tables: what `felt.agents.Tables` has of them."""

    @property
    def own(self) -> NDArray[np.uint8]: ...
    @property
    def board(self) -> NDArray[np.uint8]: ...
    @property
    def board_count(self) -> NDArray[np.int64]: ...
    @property
    def opponents(self) -> NDArray[np.int64]: ...


# How strong a hand is


def expected_strength(
    view: View, opponents: int | None = None, *, samples: int = SAMPLES, dice: random.Random | None = None
) -> float:
    """E[HS]: the chance to win a showdown against so many random hands, by the power of that against one.

    `opponents` are those still in the hand unless given. Cards to come are dealt, and nobody bets. Where others have
    cards up, the chances against each are multiplied. In hold'em it is exact (for one opponent), elsewhere from
    `samples` deals. In games where cards are exchanged the viewer exchanges sensibly, and is measured by the hands
    with which players end who do so from the deal on; what was thrown away is forgotten.

    >>> from felt.games import load
    >>> rules = load("nlhe")
    >>> aces = Hand.new(rules, players=3, deck=rules.deck.parse("AsAh") + rules.deck.without("AsAh")).view(0)
    >>> round(expected_strength(aces), 4), round(expected_strength(aces, opponents=1), 4)
    (0.726, 0.852)
    """
    if view.over or view.seat < 0 or view.folded[view.seat]:
        raise OddsError(f"seat {view.seat} has no hand in play: strength is for a player who is still in")
    if samples < 1:
        raise OddsError(f"samples={samples}: give 1 or more")
    others = view.opponents
    count = others if opponents is None else opponents
    if count < 1 or others < 1:
        return 1.0
    if is_holdem(view.rules):
        return _power(_holdem_strength(view.own, view.board), count)
    product = _sampled(view, samples, dice)
    return product if count == others else product ** (count / others)


def expected_strengths(hands: Holdings, opponents: int | None = None) -> Floats:
    """`expected_strength` of many hold'em hands, the same to the last bit.

    Boards have no card, or three to five.
    """
    pairs = holdem_strengths(hands.own[:, :2], hands.board, hands.board_count)
    counts = hands.opponents if opponents is None else np.full(len(pairs), opponents)
    strengths = np.where(counts > 0, pairs, 1.0)
    for times in range(1, int(counts.max(initial=0))):
        strengths = np.where(counts > times, strengths * pairs, strengths)
    return strengths


def _power(strength: float, times: int) -> float:
    """A strength against several opponents: multiplied one by one, as NumPy does it the same way."""
    product = strength
    for _ in range(times - 1):
        product *= strength
    return product


@lru_cache(maxsize=64)
def _is_holdem(rules: GameRules) -> bool:
    shown, boards = rules.showdown, accumulate(part.board for part in rules.rounds)
    made = (rules.board_cards, shown.kinds, shown.hole_exactly, shown.size, set(rules.deck))
    dealt = rules.rounds[0].down == rules.hole_cards == 2 and {*boards} <= {0, 3, 4, 5} and not rules.has_draws
    return made == (5, ("high",), 0, 5, set(range(52))) and dealt and not (shown.wild or shown.scoring)


_latest: list[tuple[GameRules, bool]] = []


def is_holdem(rules: GameRules) -> bool:
    """Whether strengths in this game are those of Texas hold'em, whatever its betting."""
    if not _latest or _latest[0][0] is not rules:  # hashing rules takes longer than the answer
        _latest[:] = [(rules, _is_holdem(rules))]
    latest, answer = _latest[0]
    return answer if latest is rules else _is_holdem(rules)


def holdem_strengths(own: NDArray[np.uint8], boards: NDArray[np.uint8], counts: NDArray[np.int64]) -> Floats:
    """E[HS] against one random hand, for rows of two cards and of boards of which the first `counts` cards count."""
    strengths = np.empty(len(own), dtype=np.float64)
    for size in np.unique(counts).tolist():
        rows = np.flatnonzero(counts == size)
        if size == 0:
            strengths[rows] = _starting()[own[rows, 0], own[rows, 1]]
        else:
            strengths[rows] = expected_hs_batch(own[rows], boards[rows, :size])
    return strengths


@lru_cache(maxsize=REMEMBERED)
def _holdem_strength(own: tuple[int, ...], board: tuple[int, ...]) -> float:
    if not board:
        return float(_starting()[own])
    if len(board) == 3:
        return flop_hs(own, board)
    # on the turn, to look for its table takes longer than to count
    return float(counted_hs(np.array([own], dtype=np.uint8), np.array([board], dtype=np.uint8))[0])


@lru_cache(maxsize=1)
def _starting() -> Floats:
    """``[52, 52]``: E[HS] before the flop, by the two cards."""
    by_class = _tables.load("starting_equity")[:, 0]
    strengths = np.zeros((52, 52), dtype=np.float64)
    for a in range(52):
        for b in range(a):
            strengths[a, b] = strengths[b, a] = by_class[class_index(a, b)]
    return strengths


# Games where it is sampled


_remembered: dict[Any, float] = {}


def _sampled(view: View, samples: int, dice: random.Random | None) -> float:
    """The product of the chances against each opponent."""
    if dice is not None:
        return _estimate(view, samples, dice.getrandbits(64))
    key = (situation(view), samples)
    product = _remembered.get(key)
    if product is None:
        product = _estimate(view, samples, situation_seed(view))
        if len(_remembered) >= REMEMBERED:
            _remembered.clear()
        _remembered[key] = product
    return product


def _estimate(view: View, samples: int, seed: int) -> float:
    known = _in_sight(view)
    record = filled(view, known, list(known.unseen))
    exchanges = _exchanges_left(view)
    if view.rules.has_draws:
        return _power(_after_exchanges(view, known, record, exchanges, samples, seed), view.opponents)
    rivals = [seat for seat, folded in enumerate(view.folded) if not folded and seat != view.seat]
    alike = [seat for seat in rivals if not known.held[seat]]  # nothing is known of these: one stands for all
    measured = [*alike[:1], *(seat for seat in rivals if known.held[seat])]
    if len(known.unseen) <= COUNTED:
        hand = Hand.over_record(view.rules, view.stakes, record)
        sets = [(view.seat, seat) for seat in measured]
        counted = deal_out_equities(hand, view.seat, sets, known, Effort(threads=1)).equities
        chances = [counted[pair] for pair in sets]
    else:
        chances = _dealt_out(view, known, record, measured, samples, seed)
    product = 1.0
    for seat, chance in zip(measured, chances, strict=True):
        product *= _power(chance, len(alike) if seat in alike else 1)
    return product


def _in_sight(view: View) -> Knowledge:
    """What a seat sees on the table now, without the history of exchanges, which tables in lockstep do not have."""
    held = {seat.seat: seat.up for seat in view.seats if not seat.folded and seat.seat != view.seat}
    dead = tuple(card for seat in view.seats if seat.folded for card in seat.up)
    seen = {*view.own, *view.board, *dead, *chain.from_iterable(held.values())}
    return Knowledge(tuple(card for card in view.rules.deck if card not in seen), dead, held)


def _dealt_out(
    view: View, known: Knowledge, record: NDArray[np.uint8], rivals: list[int], samples: int, seed: int
) -> list[float]:
    from felt._chance_kernels import wrapping
    from felt.odds.state.view_kernels import dealt_strength

    compiled, (h, k) = compile_rules(view.rules), kernel_arrays(record)
    places = np.array(known.unseen, dtype=np.uint8)
    shares = np.zeros(len(rivals), dtype=np.float64)
    with wrapping():
        dealt_strength(
            h, k, compiled.game, places, places.copy(), view.seat, np.array(rivals), samples, compiled.shown,
            compiled.tables, compiled.extra, np.uint64(seed), shares,
        )  # fmt: skip
    return [float(share) / samples for share in shares]


def _after_exchanges(
    view: View, known: Knowledge, record: NDArray[np.uint8], exchanges: int, samples: int, seed: int
) -> float:
    from felt._chance_kernels import wrapping
    from felt.odds.state.view_kernels import exchanged_strength

    compiled, (h, k) = compile_rules(view.rules), kernel_arrays(record)
    places = np.array(known.unseen, dtype=np.uint8)
    paths = 1 if exchanges <= 1 else max(samples // FINISHES, 1)
    with wrapping():
        strength = exchanged_strength(
            h, k, compiled.game, places, places.copy(), view.seat, exchanges, paths, max(samples // paths, 1),
            compiled.shown, compiled.tables, compiled.extra, ladders(view.rules, LADDERS), compiled.deck,
            np.uint64(seed),
        )  # fmt: skip
    return float(strength)


def _exchanges_left(view: View) -> int:
    """How often the viewer will still pass, discard or draw, the present one included."""
    street, phase = view.street, view.phase
    done = view.numbers()[f.EXCHANGED] >> view.seat & 1
    left = 0
    for number, part in enumerate(view.rules.rounds[street:], start=street):
        exchanges = {Phase.PASS: part.passes, Phase.DISCARD: part.discards, Phase.DRAW: part.draw_most}
        for kind, cards in exchanges.items():
            past = number == street and (kind < phase or (kind == phase and done))
            left += bool(cards) and not past
    return left


# Which cards to exchange


def sensible_exchange(view: View, dice: random.Random | None = None) -> tuple[int, ...]:
    """The cards to draw, discard or pass: those whose loss makes the best final hands on average, by what is in sight.

    >>> from felt.cards.card import format_cards
    >>> from felt.games import load
    >>> rules, dealt = load("five-card-draw"), "AsAh9d6c2h" + "KsQd8c5h3s"
    >>> hand = Hand.new(rules, players=2, deck=rules.deck.parse(dealt) + rules.deck.without(dealt))
    >>> hand.call(); hand.call()
    >>> format_cards(sensible_exchange(hand.view(0)))
    '9d6c2h'
    """
    legal = view.legal
    if legal is None or legal.exchange is None:
        raise OddsError(f"seat {view.seat} has no cards to exchange now: it is for draws, discards and passes")
    from felt._chance_kernels import wrapping
    from felt.odds.state.state_kernels import choose_exchange

    _, least, most = legal.exchange
    compiled, (h, k) = compile_rules(view.rules), kernel_arrays(view.record())
    seed = situation_seed(view) if dice is None else dice.getrandbits(64)
    with wrapping():
        chosen = choose_exchange(
            h, k, compiled.game, least, most, compiled.tables, compiled.extra, ladders(view.rules, LADDERS),
            compiled.deck, np.uint64(seed),
        )  # fmt: skip
    return tuple(card for place, card in enumerate(view.own) if int(chosen) >> place & 1)
