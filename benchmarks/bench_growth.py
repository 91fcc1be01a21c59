"""How the cost grows: with the number of hands, the cards to come, the size of ranges, players and threads."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from benchmarks.bench_equity import FLOP, THREE_WAY, TIGHT, WIDE
from benchmarks.bench_ranking import random_hands
from benchmarks.machine import cores
from benchmarks.measure import timed
from benchmarks.rows import Row, Section, figure
from benchmarks.words import amount
from felt.cards import Range, rank_batch
from felt.odds import Equity, equity, expected_hs_batch


def bench(quick: bool = False) -> Section:
    rounds = 3 if quick else 11
    rows = [
        *batch_sizes(5 if quick else 7, rounds),
        *cards_to_come(rounds, quick),
        *range_sizes((5, 20) if quick else (5, 10, 20, 40, 70, 100), rounds),
        *players((2, 10) if quick else (2, 3, 4, 6, 8, 10), rounds),
        *errors((0.004, 0.002) if quick else (0.004, 0.002, 0.001, 0.0005, 0.00025), rounds),
        *threads(1 if quick else 3),
    ]
    return Section("How cost grows", tuple(rows), note="One call each, warm.", order=60)


def batch_sizes(most: int, rounds: int) -> list[Row]:
    """Time of one call by the number of hands: what a call costs by itself, and where caches end."""
    hands = random_hands(10**most, 7, seed=5)
    rows = []
    for power in range(most + 1):
        some = hands[: 10**power]
        rows.append(
            _each(
                f"rank_batch, {10**power:,} hand{'s' * (power > 0)} of 7", partial(rank_batch, some), len(some), rounds
            )
        )
    for power in range(0, most, 2):
        holes, flops = hands[: 10**power, :2].copy(), hands[: 10**power, 2:5].copy()
        call = partial(expected_hs_batch, holes, flops)
        rows.append(_each(f"expected_hs_batch, {10**power:,} flop hand{'s' * (power > 0)}", call, len(holes), rounds))
    return rows


def _each(name: str, call: Callable[[], object], items: int, rounds: int) -> Row:
    found = figure(timed(call, rounds=rounds), "s")
    return Row(name, found, note=f"{amount(found.value / items, 's')} a hand")


def _asked(name: str, call: Callable[[], Equity], rounds: int, note: str = "") -> Row:
    deals = f"{call().samples:,} deals"
    return Row(name, figure(timed(call, rounds=rounds), "s"), note=f"{note}, {deals}" if note else deals)


def cards_to_come(rounds: int, quick: bool) -> list[Row]:
    """The same two ranges, exact, from the river back to the deal."""
    boards = {"no card": "QsJh2h7c3d", "one card": "QsJh2h7c", "two cards": FLOP}
    rows = [_exact(f"T v W, {text} to come", (TIGHT, WIDE), board, rounds) for text, board in boards.items()]
    rows.append(_exact("T v W, five cards to come, from the table", (TIGHT, WIDE), "", rounds))
    if not quick:
        call = partial(equity, (TIGHT, WIDE), dead="2c", exact=True)
        rows.append(_asked("T v W, five cards to come, one dead card, so counted", call, 3))
    return rows


def _exact(name: str, hands: Sequence[str | Range], board: str, rounds: int, note: str = "") -> Row:
    return _asked(name, partial(equity, hands, board=board, exact=True), rounds, note)


def range_sizes(percents: Sequence[int], rounds: int) -> list[Row]:
    rows = []
    for percent in percents:
        chosen = Range.parse(f"{percent}%")
        hands = int(np.count_nonzero(chosen.weights))
        name = f"top {percent} % v top {percent} % on QsJh2h, exact"
        rows.append(_exact(name, (chosen, chosen), FLOP, rounds, f"{hands:,} hands each"))
    return rows


def players(counts: Sequence[int], rounds: int) -> list[Row]:
    rows = []
    for count in counts:
        hands = ("AsAd", *["random"] * (count - 1))
        name = f"{count} players, AsAd v random, to a standard error of 0.001"
        rows.append(_asked(name, partial(equity, hands, stderr=0.001), rounds))
    return rows


def errors(wanted: Sequence[float], rounds: int) -> list[Row]:
    hands = ("AsAd", *["random"] * 9)
    return [
        _asked(f"10 players, to a standard error of {stderr:g}", partial(equity, hands, stderr=stderr), rounds)
        for stderr in wanted
    ]


def threads(rounds: int) -> list[Row]:
    """What more threads buy; the answers are the same to the last digit."""
    single = equity(THREE_WAY, exact=True, threads=1)
    rows = []
    for count in sorted({1, 2, cores()}):
        found = equity(THREE_WAY, exact=True, threads=count)
        assert found.players == single.players
        call = partial(equity, THREE_WAY, exact=True, threads=count)
        rows.append(_asked(f"three ranges, exact, {count} thread{'s' * (count > 1)}", call, rounds))
    return rows
