"""How many hands a second are ranked: in batches, one at a time, and every hand there is."""

import time
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from benchmarks import peers
from benchmarks.measure import Contestant, race, timed
from benchmarks.quoted import CPP, TEOFILO_24
from benchmarks.rows import Row, Section, Target, figure, quote, rate, rows_beside
from felt.cards import format_cards, rank, rank_batch, rank_omaha_batch

ALL_FIVE = 2_598_960
ALL_SEVEN = 133_784_560
SEVEN_CARD_CLASSES = 4_824
"""Ranks that the best of seven cards can have."""

Cards = NDArray[np.int8]

SLOW = {"treys": 10, "PokerKit": 200}
"""How many times fewer hands these are given, so that their runs end in time."""


def bench(quick: bool = False) -> Section:
    rounds = 3 if quick else 25
    rows = [
        *batches(100_000 if quick else 1_000_000, rounds),
        *single_hands(200 if quick else 2_000, rounds),
        *every_five(quick, rounds),
        *every_seven(quick),
        *omaha(20_000 if quick else 200_000, rounds),
    ]
    return Section(
        "Ranking hands",
        tuple(rows),
        note="`rank_batch` runs on one thread, and its time includes the check that all cards are in the deck. Other"
        " libraries rank one hand a call: they have no batches.",
        order=10,
    )


def random_hands(count: int, size: int, seed: int = 1) -> Cards:
    """Hands dealt at random, one a row, in no order."""
    rng = np.random.default_rng(seed)
    parts = [
        rng.random((min(50_000, count - begin), 52)).argpartition(size, axis=1)[:, :size]
        for begin in range(0, count, 50_000)
    ]
    return np.concatenate(parts).astype(np.int8)


def beside_peers(hands: Cards, rounds: int, name: str, target: Target | None = None) -> list[Row]:
    """`rank_batch` and everybody else on hands of the same deal; the target is about eval7."""
    contestants = [Contestant("Felt", lambda: rank_batch(hands), len(hands))]
    for peer, (make, sign) in peers.rankers().items():
        some = hands[:: max(1, len(hands) // (50_000 // SLOW.get(peer, 1)))]
        call = make(some)
        assert peers.same_order(rank_batch(some), call(), sign), f"{peer} and Felt disagree"
        contestants.append(Contestant(peer, call, len(some)))
    found = race(contestants, rounds=rounds)
    ours = rate(found.pop("Felt"), "hands/s")
    theirs = {peer: rate(seconds, "hands/s") for peer, seconds in found.items()}
    return rows_beside(name, ours, theirs, target if "eval7" in theirs else None)


def batches(count: int, rounds: int) -> list[Row]:
    name = f"rank_batch, {count:,} random 7-card hands"
    rows = beside_peers(random_hands(count, 7), rounds, name, Target(70, "at least", "ratio", aim=115))
    ours = rows[0].ours
    quoted = {"SKPokerEval (C++)": 303e6, "OMPEval (C++)": 285e6, "TwoPlusTwo table (C++)": 14.4e6}
    return rows + rows_beside(name, ours, {peer: quote(value, "hands/s", CPP) for peer, value in quoted.items()})


def single_hands(count: int, rounds: int) -> list[Row]:
    """One call a hand for everybody: what a program pays that asks about one hand now and then."""
    hands = random_hands(count, 7, seed=2)
    numbers = [tuple(hand) for hand in hands.tolist()]
    contestants = [Contestant("Felt", lambda: [rank(hand) for hand in numbers], count)]
    for peer, (make, _) in peers.rankers().items():
        some = hands[: max(1, count // SLOW.get(peer, 1))]
        contestants.append(Contestant(peer, make(some), len(some)))
    found = race(contestants, rounds=rounds)
    ours = figure(found.pop("Felt"), "s")
    name = "rank, one 7-card hand a call, from card numbers"
    theirs = {peer: figure(seconds, "s") for peer, seconds in found.items()}
    target = Target(0.9, "at least", "ratio") if "eval7" in theirs else None
    rows = rows_beside(name, ours, theirs, target)
    return rows + from_text(hands, rounds)


def from_text(hands: Cards, rounds: int) -> list[Row]:
    """One hand a call from text like ``As Kd …``, which has to be read first."""
    texts = [format_cards(hand, separator=" ") for hand in hands]
    split = [text.split() for text in texts]
    contestants = [Contestant("Felt", lambda: [rank(text) for text in texts], len(texts))]
    for peer, call in text_rankers(split).items():
        contestants.append(Contestant(peer, call, len(texts)))
    found = race(contestants, rounds=rounds)
    ours = figure(found.pop("Felt"), "s")
    name = "rank, one 7-card hand a call, from text"
    return rows_beside(name, ours, {peer: figure(seconds, "s") for peer, seconds in found.items()})


def text_rankers(hands: list[list[str]]) -> dict[str, Callable[[], object]]:
    """Libraries that read cards from text, with hands already split into cards."""
    found: dict[str, Callable[[], object]] = {}
    if peers.installed("eval7"):
        import eval7

        found["eval7"] = lambda: [eval7.evaluate([eval7.Card(card) for card in hand]) for hand in hands]
    if peers.installed("phevaluator"):
        from phevaluator.evaluator import evaluate_cards

        found["phevaluator"] = lambda: [evaluate_cards(*hand) for hand in hands]
    return found


def every_five(quick: bool, rounds: int) -> list[Row]:
    """All five-card hands in order; peers on every fiftieth or so."""
    hands = all_fives()[: 200_000 if quick else ALL_FIVE]
    if not quick:
        assert np.array_equal(np.unique(rank_batch(hands)), np.arange(1, 7463)), "not 7,462 classes"
    name = "rank_batch, all 2,598,960 five-card hands in order" + (" (the first 200,000)" if quick else "")
    rows = beside_peers(hands, rounds, name)
    ours = rows[0].ours
    return [*rows, Row(name, ours, "TwoPlusTwo table", quote(ALL_FIVE / 91.09e-3, "hands/s", TEOFILO_24))]


def all_fives() -> Cards:
    """All five-card hands, lexicographically."""
    flat = np.fromiter((card for hand in combinations(range(52), 5) for card in hand), np.int8, count=5 * ALL_FIVE)
    return flat.reshape(ALL_FIVE, 5)


def every_seven(quick: bool) -> list[Row]:
    """All seven-card hands in order, in parts as long as the first two cards stay: only ranking is timed."""
    fives = all_fives()
    runs, seen = [], np.zeros(7463, dtype=np.int64)
    for number in range(1 if quick else 3):
        seconds = 0.0
        for hands in seven_parts(fives, limit=2 if quick else None):
            began = time.perf_counter()
            found = rank_batch(hands)
            seconds += time.perf_counter() - began
            if number == 0:
                seen += np.bincount(found, minlength=7463)
        runs.append(seconds / seen.sum())
    assert quick or (seen.sum() == ALL_SEVEN and np.count_nonzero(seen) == SEVEN_CARD_CLASSES), "miscounted"
    name = "rank_batch, all 133,784,560 seven-card hands in order" + (f" (the first {seen.sum():,})" if quick else "")
    ours = rate(runs, "hands/s")
    quoted = {"TwoPlusTwo table (C++)": 1464e6, "OMPEval (C++)": 1127e6, "SKPokerEval (C++)": 677e6}
    return rows_beside(name, ours, {peer: quote(value, "hands/s", CPP) for peer, value in quoted.items()})


def seven_parts(fives: Cards, limit: int | None = None) -> Iterator[Cards]:
    """All seven-card hands, lexicographically, in one part for each pair of lowest cards."""
    starts = np.searchsorted(fives[:, 0], np.arange(53))
    pairs = [(a, b) for a, b in combinations(range(52), 2) if starts[b + 1] < len(fives)]
    for a, b in pairs[:limit]:
        rest = fives[starts[b + 1] :]
        hands = np.empty((len(rest), 7), dtype=np.int8)
        hands[:, 0], hands[:, 1], hands[:, 2:] = a, b, rest
        yield hands


def omaha(count: int, rounds: int) -> list[Row]:
    hands = random_hands(count, 9, seed=3)
    holes, boards = np.ascontiguousarray(hands[:, :4]), np.ascontiguousarray(hands[:, 4:])
    name = f"rank_omaha_batch, {count:,} random hands on full boards"
    if not peers.installed("phevaluator"):
        return [Row(name, rate(timed(lambda: rank_omaha_batch(holes, boards), rounds=rounds, items=count), "hands/s"))]
    some = min(count, 20_000)
    theirs = peers.phevaluator_omaha_rankers(holes[:some], boards[:some])
    assert peers.same_order(rank_omaha_batch(holes[:some], boards[:some]), theirs(), -1), "phevaluator disagrees"
    found = race(
        [
            Contestant("Felt", lambda: rank_omaha_batch(holes, boards), count),
            Contestant("phevaluator", theirs, some),
        ],
        rounds=rounds,
    )
    return [Row(name, rate(found["Felt"], "hands/s"), "phevaluator", rate(found["phevaluator"], "hands/s"))]
