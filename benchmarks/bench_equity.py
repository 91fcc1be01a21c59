"""Equity in process, warm: one call from the texts to the answer, beside other people's Monte Carlo."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from benchmarks import peers
from benchmarks.measure import Contestant, race, timed
from benchmarks.quoted import CPP, PBOTS, POKERSTOVE, VINTHER_HOLST
from benchmarks.rows import Figure, Row, Section, Target, figure, quote, rows_beside
from felt.odds import Equity, equity

TIGHT = "TT+,AQs+,AQo+"
WIDE = "22+,A2s+,K9s+,QTs+,JTs,ATo+,KTo+"
FLOP = "QsJh2h"
THREE_WAY = ("KK+,AKs", "55+,A2s+,K5s+,Q8s+,J8s+,T8s+,98s,A7o+,K9o+,Q9o+,JTo", "QQ")

EVAL7_DEALS = 1_000_000
POKERKIT_DEALS = 1_000


@dataclass(frozen=True)
class Case:
    """A heads-up question with its answer, which is checked, and what others take for it (seconds, quoted)."""

    name: str
    hands: tuple[str, str]
    board: str
    answer: float
    under: float | None
    ompeval: float
    pbots: float | None = None


CASES = (
    Case("AsAd v random, exact", ("AsAd", "random"), "", 0.852037, 0.2e-3, 0.837, 42.5),
    Case("AsKs v QQ, exact", ("AsKs", "QQ"), "", 0.460485, None, 0.0059, 0.834),
    Case("T v W, exact", (TIGHT, WIDE), "", 0.638703, 1e-3, 1.753),
    Case("AhKh v W on QsJh2h, exact", ("AhKh", WIDE), FLOP, 0.652852, None, 0.0003, 0.0028),
    Case("T v W on QsJh2h, exact", (TIGHT, WIDE), FLOP, 0.657344, 9e-3, 0.0093, 0.157),
)


def bench(quick: bool = False) -> Section:
    rounds = 3 if quick else 25
    rows = [row for case in CASES for row in heads_up(case, rounds, quick)]
    rows += three_way(1 if quick else 5)
    rows.append(ten_way(rounds))
    rows += fifty_thousand(rounds)
    return Section(
        "Equity",
        tuple(rows),
        note=f"T is `{TIGHT}`, W is `{WIDE}`. Felt's time is that of `felt.odds.equity`, which reads the ranges from"
        " text, on all cores; before the flop heads-up answers come from the shipped table of all match-ups. The others"
        " have read their ranges beforehand. Mind what is compared: an exact answer has no error, 10⁶ random deals have"
        " a standard error of about 0.0005, 1,000 deals of about 0.015.",
        order=20,
    )


def heads_up(case: Case, rounds: int, quick: bool) -> list[Row]:
    found = equity(case.hands, board=case.board, exact=True)
    assert found.exact and abs(found.players[0].equity - case.answer) < 1e-6, (case.name, found)
    ours = figure(timed(lambda: equity(case.hands, board=case.board, exact=True), rounds=rounds), "s")
    theirs = measured(case, 1 if quick else 3, 100 if quick else 1)
    theirs["OMPEval (C++), exact, one thread"] = quote(case.ompeval, "s", CPP)
    if case.pbots:
        theirs["pbots_calc, exact"] = quote(case.pbots, "s", PBOTS)
    return rows_beside(case.name, ours, theirs, Target(case.under, "under") if case.under else None)


def measured(case: Case, rounds: int, fewer: int) -> dict[str, Figure]:
    """What the Monte Carlo of other libraries takes; far slower, so they do not race but have a few runs each."""
    found = {}
    hero, villain = case.hands
    if peers.installed("eval7") and not (hero == TIGHT and case.board):
        deals = EVAL7_DEALS // fewer
        ranges = hero == TIGHT
        make = peers.eval7_ranges if ranges else peers.eval7_equity
        name = f"eval7, {deals:,} deals" + (" for each of T's hands" if ranges else "")
        call = make(hero, villain, case.board, deals)
        assert abs(call() - case.answer) < 0.03, f"{name} is not asked the same"
        found[name] = figure(timed(call, rounds=rounds), "s")
    if peers.installed("pokerkit"):
        deals = POKERKIT_DEALS // fewer
        call = peers.pokerkit_equity(case.hands, case.board, deals)
        found[f"PokerKit, {deals:,} deals"] = figure(timed(call, rounds=rounds), "s")
    return found


def three_way(rounds: int) -> list[Row]:
    """A case that PokerStove's users have published, with its time."""
    found = equity(THREE_WAY, exact=True)
    assert found.exact and round(found.players[0].equity, 5) == 0.59954, found
    name = "three ranges, exact count of 33,556,057,920 deals"
    contestants = [
        Contestant(name, lambda: equity(THREE_WAY, exact=True)),
        Contestant("the same on one thread", lambda: equity(THREE_WAY, exact=True, threads=1)),
    ]
    return [
        Row(name, figure(seconds, "s"), "PokerStove", quote(17.325, "s", POKERSTOVE))
        for name, seconds in race(contestants, rounds=rounds).items()
    ]


def ten_way(rounds: int) -> Row:
    """No peer can be asked: eval7 knows two players, and PokerKit lists every way to deal nine random hands."""
    call = sampling(9, stderr=0.001)
    found = call()
    assert found.stderr <= 0.001 and abs(found.players[0].equity - 0.3105) < 0.005, found
    name = "AsAd v 9 random hands, sampled to a standard error of 0.001"
    return Row(name, figure(timed(call, rounds=rounds), "s"), target=Target(50e-3, "under"))


def fifty_thousand(rounds: int) -> list[Row]:
    """A thesis settled for 50,000 simulations as what could be had in the time for a decision."""
    contestants = [
        Contestant(f"AsAd v {opponents} random, 50,000 deals", sampling(opponents, samples=50_000))
        for opponents in (1, 9)
    ]
    return [
        Row(name, figure(seconds, "s"), "a Java program", quote(0.15, "s", VINTHER_HOLST))
        for name, seconds in race(contestants, rounds=rounds).items()
    ]


def sampling(opponents: int, **asked: Any) -> Callable[[], Equity]:
    """A question that is asked with another seed every time, since the number of deals depends on it."""
    hands, seeds = ("AsAd", *["random"] * opponents), count()
    return lambda: equity(hands, seed=next(seeds), **asked)
