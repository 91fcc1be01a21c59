"""Equity by dealing a hand out through the engine: in any game, with wild cards, formulas and exchanges of cards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from felt._chance import block_seeds
from felt._pool import map_ordered
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.hand import Hand
from felt.games.moves import DEALS, Phase
from felt.games.rules import GameRules
from felt.games.trees.tree import count_ways, ways_to_deal
from felt.odds.equity.question import Effort
from felt.odds.state.knowledge import Knowledge

SAMPLES, SAMPLES_WITH_EXCHANGES = 10_000, 3_000
"""Deals that are sampled by default; fewer where players exchange cards, since each choice takes time."""

COUNTED = 20_000
"""Up to so many ways for the unseen cards to fall are all dealt out."""

BLOCK = 500
"""Deals of one stream of chance: blocks do not depend on the number of threads."""

LADDER, LADDERS = 1024, 3
"""Hands that a player measures an exchange of cards against, and how often they are played again to be better."""

STREAM = 0x73746174  # "stat": keeps these streams apart from those of other rooms

Seats = tuple[int, ...]
Cards = NDArray[np.uint8]


@dataclass(frozen=True)
class PotEquities:
    """Equities in pots, by who contests them, and how they were found."""

    equities: dict[Seats, float]
    samples: int
    stderr: float
    method: str


def exchanges_ahead(hand: Hand) -> bool:
    """Whether players will still draw, discard, pass or turn up cards."""
    later = hand.rules.rounds[hand.street + 1 :]
    return hand.phase < Phase.BET or any(part.draw_most or part.discards or part.passes or part.rolls for part in later)


def deal_out_equities(hand: Hand, seat: int, sets: Sequence[Seats], known: Knowledge, effort: Effort) -> PotEquities:
    """A seat's equity in each pot, everybody staying in to the end; exact where the deals are few.

    The cards that the seat has not seen are shuffled among all places where they may lie. The places are taken in a
    fixed order, so the cards that really lie there do not change the answer.
    """
    exchanges = exchanges_ahead(hand)
    hidden = _hidden(hand, known)
    exact = None if effort.samples is not None or exchanges else _every_order(hand, known, hidden)
    count = effort.samples or (SAMPLES_WITH_EXCHANGES if exchanges else SAMPLES)
    orders = _random_orders(known.unseen, count, effort.seed) if exact is None else exact
    shares = _shares(hand, seat, sets, hidden, orders, effort)
    mean, spread = shares.mean(axis=0), shares.std(axis=0)
    return PotEquities(
        equities={seats: float(equity) for seats, equity in zip(sets, mean, strict=True)},
        samples=len(orders),
        stderr=0.0 if exact is not None else float(spread.max()) / sqrt(len(orders)),
        method="simulation" if exact is None else "enumeration",
    )


def _shares(
    hand: Hand, seat: int, sets: Sequence[Seats], hidden: list[int], orders: Cards, effort: Effort
) -> NDArray[np.float64]:
    """What the seat gets of each pot, deal by deal."""
    from felt._chance_kernels import wrapping
    from felt.odds.state.state_kernels import deal_out

    compiled, (h, k) = compile_rules(hand.rules), hand.arrays
    game = compiled.game.copy()
    game[f.SCALARS, f.GAME_RAKE_MILLIONTHS] = 0
    game.flags.writeable = False  # of the type that kernels are compiled for
    places, deck = (np.array(cards, dtype=np.uint8) for cards in (hidden, hand.rules.deck.cards))
    bits = np.array([sum(1 << other for other in seats) for seats in sets], dtype=np.int64)
    steps = ladders(hand.rules) if exchanges_ahead(hand) else np.zeros((2, 1), dtype=np.int64)
    blocks = range(0, len(orders), BLOCK)
    seeds = block_seeds(effort.seed, 0, len(blocks), STREAM)
    shares = np.empty((len(orders), len(sets)), dtype=np.float64)

    def work(number: int) -> None:
        part = slice(number * BLOCK, (number + 1) * BLOCK)
        with wrapping():
            deal_out(
                h, k, game, places, orders[part], bits, seat, compiled.shown, compiled.tables, compiled.extra, steps,
                deck, seeds[number], shares[part],
            )  # fmt: skip

    list(map_ordered(work, range(len(blocks)), effort.threads))
    return shares


@lru_cache(maxsize=64)
def ladders(rules: GameRules, times: int = LADDERS) -> NDArray[np.int64]:
    """Sorted values of hands as they are in the end, a row for each kind that shares the pot.

    How good these are depends on how players exchange cards, and that on what they hope to beat: so first
    everybody keeps what they are dealt, then they exchange to beat that, and so on, `times` in all.
    """
    from felt._chance_kernels import wrapping
    from felt.odds.state.state_kernels import final_values

    hand, compiled = Hand.new(rules, players=2 if rules.min_players == 2 else None), compile_rules(rules)
    (h, k), deck = hand.arrays, np.array(rules.deck.cards, dtype=np.uint8)
    values = np.zeros((2, 1), dtype=np.int64)
    for number, seed in enumerate(block_seeds(0, 0, times, STREAM)):
        kinds = np.empty((len(rules.showdown.kinds), LADDER // hand.players, hand.players), dtype=np.int64)
        orders = _random_orders(rules.deck.cards, kinds.shape[1], number)
        with wrapping():
            final_values(
                h, k, compiled.game, deck, orders, compiled.shown, compiled.tables, compiled.extra, values, deck, seed,
                kinds,
            )  # fmt: skip
        values = np.zeros((2, kinds[0].size), dtype=np.int64)
        values[: len(kinds)] = np.sort(kinds.reshape(len(kinds), -1), axis=1)
    return values


def _hidden(hand: Hand, known: Knowledge) -> list[int]:
    """The places where unseen cards lie, named by the card there: other hands by seat, the deck, the muck."""
    h, k = hand.arrays
    held = [card for seat in range(hand.players) for card in hand.cards(seat)]
    deck = k[f.DECK + h[f.DECK_AT] : f.DECK + h[f.DECK_COUNT]].tolist()
    muck = k[f.MUCK : f.MUCK + h[f.MUCK_COUNT]].tolist()
    unseen = set(known.unseen)
    return [card for card in dict.fromkeys((*held, *deck, *muck)) if card in unseen]


def _random_orders(cards: tuple[int, ...], count: int, seed: int) -> Cards:
    dice = np.random.Generator(np.random.PCG64([STREAM, seed]))
    rows = np.tile(np.array(cards, dtype=np.uint8), (count, 1))
    return dice.permuted(rows, axis=1)


def _every_order(hand: Hand, known: Knowledge, hidden: list[int]) -> Cards | None:
    """One order of the unseen cards for each way they may fall where it matters; None where these are too many."""
    groups = list(_groups(hand, known))
    sizes = [len(group) for group in groups]
    at = [hidden.index(card) for group in groups for card in group]
    if count_ways(len(hidden), sizes) > COUNTED:
        return None
    ways = list(ways_to_deal(known.unseen, sizes))
    orders = np.empty((len(ways), len(hidden)), dtype=np.uint8)
    others = [place for place in range(len(hidden)) if place not in at]
    for row, way in zip(orders, ways, strict=True):
        row[at] = way
        row[others] = [card for card in known.unseen if card not in way]
    return orders


def _groups(hand: Hand, known: Knowledge) -> Iterator[tuple[int, ...]]:
    """The places that matter: what is hidden in other hands, and what is dealt until the end."""
    for seat, held in known.held.items():
        yield tuple(card for card in hand.cards(seat) if card not in held)
    twin = hand.copy()
    while not twin.over:
        twin.call()
    for event in twin.events[len(hand.events) :]:
        if event.kind in DEALS:
            yield event.cards
