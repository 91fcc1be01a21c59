"""Hand strength: exact by counting, and by look-up."""

import numpy as np
from numpy.typing import NDArray

from benchmarks.bench_ranking import random_hands
from benchmarks.measure import timed
from benchmarks.quoted import TEOFILO_27
from benchmarks.rows import Row, Section, Target, figure, quote, rate
from felt.cards import rank_batch
from felt.cards.combos import COMBO_CLASS
from felt.odds import equity, expected_hs_batch, strength
from felt.odds.strength.ars import ars_batch, rank_strength

MILLION = 1_000_000
HAND, FLOP, EXPECTED = "5h4h", "Kh6s3h", 0.6092

Cards = NDArray[np.int8]


def bench(quick: bool = False) -> Section:
    rounds = 3 if quick else 25
    count = MILLION // 20 if quick else MILLION
    hands = random_hands(count, 5, seed=4)
    holes, flops = np.ascontiguousarray(hands[:, :2]), np.ascontiguousarray(hands[:, 2:])
    return Section(
        "Hand strength",
        (*counted(rounds), *looked_up(holes, flops, rounds), *by_rank(hands, rounds)),
        note="E[HS] is the expected hand strength against one random hand. By counting: all 1,081 turns and rivers,"
        " against each of the 990 hands an opponent may then hold. By look-up: from the shipped table of all flops,"
        " on one thread, cards in, strengths out.",
        order=30,
    )


def counted(rounds: int) -> list[Row]:
    """One flop hand by enumeration on one thread: alone, and with potential and all the rest."""
    assert round(strength(HAND, FLOP).expected_hs, 4) == EXPECTED
    against = (HAND, "random")
    assert round(equity(against, board=FLOP, exact=True).players[0].equity, 4) == EXPECTED
    target = Target(5e-3, "under")
    return [
        Row(
            "exact E[HS] of one flop hand, counted: strength, with potential and all other measures",
            figure(timed(lambda: strength(HAND, FLOP, threads=1), rounds=rounds), "s"),
            target=target,
        ),
        Row(
            "exact E[HS] of one flop hand, counted: equity against a random hand, one thread",
            figure(timed(lambda: equity(against, board=FLOP, exact=True, threads=1), rounds=rounds), "s"),
            target=target,
        ),
    ]


def looked_up(holes: Cards, flops: Cards, rounds: int) -> list[Row]:
    some = slice(0, len(holes), len(holes) // 20)
    found = expected_hs_batch(holes[some], flops[some])
    for hole, flop, looked in zip(holes[some].tolist(), flops[some].tolist(), found, strict=True):
        assert abs(strength(_text(hole), _text(flop)).expected_hs - looked) < 1e-9
    seconds = timed(lambda: expected_hs_batch(holes, flops), rounds=rounds, items=len(holes))
    name = f"exact E[HS] of {len(holes):,} random flop hands by look-up"
    return [
        Row(name, rate(seconds, "hands/s"), target=Target(5e6, "at least")),
        Row(
            "the same, beside counting as it used to be done",
            figure([s * MILLION for s in seconds], "s"),
            "E[HS] of 10⁶ hands",
            quote(387.71, "s", TEOFILO_27),
            note="for 10⁶ hands",
        ),
    ]


def _text(cards: list[int]) -> str:
    from felt.cards import format_cards

    return format_cards(cards)


def by_rank(hands: Cards, rounds: int) -> list[Row]:
    """Average Rank Strength: the rank and the class of each hand, then one look-up."""

    def measured() -> NDArray[np.float64]:
        low, high = np.sort(hands[:, :2].astype(np.int64), axis=1).T
        classes = COMBO_CLASS[high * (high - 1) // 2 + low]
        return ars_batch(rank_batch(hands), classes, "flop")

    first = hands[0].tolist()
    assert abs(measured()[0] - rank_strength(_text(first[:2]), _text(first[2:])).mean) < 1e-9
    ranks = rank_batch(hands)
    low, high = np.sort(hands[:, :2].astype(np.int64), axis=1).T
    classes = COMBO_CLASS[high * (high - 1) // 2 + low]
    theirs = quote(0.32, "s", TEOFILO_27)
    rows = (
        (f"ARS of {len(hands):,} random flop hands, from their cards", measured),
        (f"ARS of {len(hands):,} flop hands, ranks and classes known", lambda: ars_batch(ranks, classes, "flop")),
    )
    return [
        Row(
            name,
            figure([s * MILLION for s in timed(call, rounds=rounds, items=len(hands))], "s"),
            "ARS of 10⁶ hands",
            theirs,
            note="for 10⁶ hands",
        )
        for name, call in rows
    ]
