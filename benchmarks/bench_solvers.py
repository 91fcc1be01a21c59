"""Solvers: Leduc and Kuhn beside OpenSpiel, document D's tables of CFR, convergence, push/fold, variants cut down."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.solvers.variants import LARGER

from benchmarks.measure import Contestant, race, timed
from benchmarks.peers import installed
from benchmarks.rows import Figure, Row, Section, Target, figure, quote, rate
from felt.cards.deck import Deck
from felt.games import GameRules, load
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.solver import Solver
from felt.solvers.pushfold.game import PushFold
from felt.solvers.pushfold.headsup import solve as solve_pushfold
from felt.solvers.pushfold.multiway import solve_multi
from felt.solvers.pushfold.multiway_game import MultiPushFold
from felt.solvers.pushfold.scan import scan
from felt.solvers.registry import METHODS, begin
from felt.solvers.sampling.base import ExternalSampling
from felt.solvers.sampling.deals import SampledSolver
from felt.solvers.solving import solve
from felt.solvers.trees.build import build_tree
from felt.solvers.trees.tree import GameTree, format_bytes

PICTURE = Path(__file__).parents[1] / "docs" / "assets" / "convergence.svg"
D30 = "document D, table 30: the quicker of its recursive and iterative CFR; an older machine"
D31 = "document D, table 31: the smaller of its recursive and iterative CFR"
DEALS = 10_000
"""Iterations in D's tables; one of them is a deal, and so is one of ours that are sampled."""


def bench(quick: bool = False) -> Section:
    rounds = 1 if quick else 3
    rows = [
        *beside_openspiel("leduc", "leduc_poker", 1e-2 if quick else 1e-3, rounds, asked=True),
        *beside_openspiel("kuhn", "kuhn_poker", 1e-3, rounds, asked=False),
        *tables_of_d(DEALS // (50 if quick else 1), rounds),
        *convergence(300 if quick else 20_000, None if quick else PICTURE),
        *pushfold(1.0 if quick else 0.1, rounds),
        *variants(quick),
    ]
    return Section(
        "Solving games",
        tuple(rows),
        note="Exploitability is in chips a hand, exact. OpenSpiel is its C++ CFRPlusSolver. Times to an exploitability "
        "are of the iterations that it takes, counted before: what measuring costs is left out for both. An iteration "
        "updates both players once, over all deals. In the tables of D an iteration is one deal; ours beside them are "
        "sampled deals, at which all players learn, and bytes are those of the arrays that are kept.",
        order=45,
    )


def beside_openspiel(ours: str, theirs: str, target: float, rounds: int, *, asked: bool) -> list[Row]:
    """CFR+ to an exploitability, and one iteration of it."""
    tree = build_tree(load(ours))
    mine = _needed(tree, target)
    contestants = [Contestant("felt", lambda: Solver(tree, "cfr+").run(mine))]
    if installed("pyspiel"):
        import pyspiel

        game = pyspiel.load_game(theirs)
        yours = _their_needed(pyspiel, game, target)
        contestants.append(Contestant("OpenSpiel", lambda: _run(pyspiel.CFRPlusSolver(game), yours)))
    times = race(contestants, rounds=rounds, least=0.01)
    title = f"{ours.capitalize()}, CFR+ to exploitability {target:g}"
    if len(contestants) == 1:
        return [Row(title, figure(times["felt"], "s"), note=f"{mine} iterations; OpenSpiel is not installed")]
    each, their_each = ([s / count for s in times[name]] for name, count in (("felt", mine), ("OpenSpiel", yours)))
    return [
        Row(title, figure(times["felt"], "s"), "OpenSpiel", figure(times["OpenSpiel"], "s"),
            Target(50, "at least", "ratio") if asked else None, note=f"{mine} iterations, OpenSpiel {yours}"),
        Row(f"{ours.capitalize()}, one iteration of CFR+", figure(each, "s"), "OpenSpiel", figure(their_each, "s"),
            Target(100, "at least", "ratio") if asked else None),
    ]  # fmt: skip


def _needed(tree: GameTree, target: float) -> int:
    solver = Solver(tree, "cfr+")
    while not solver.iterations or evaluate(tree, solver.average()).exploitability > target:
        solver.run(1)
    return solver.iterations


def _their_needed(spiel: Any, game: Any, target: float) -> int:
    """The same of OpenSpiel's, measured each ten iterations: measuring takes it as long as those."""
    solver, count = spiel.CFRPlusSolver(game), 0
    while not count or spiel.exploitability(game, solver.average_policy()) > target:
        _run(solver, 10)
        count += 10
    return count


def _run(solver: Any, iterations: int) -> None:
    for _ in range(iterations):
        solver.evaluate_and_update_policy()


def tables_of_d(deals: int, rounds: int) -> list[Row]:
    """D tables 30 and 31: Kuhn's game for two to eight, with up to the full deck."""
    rows = []
    for name, cards, players, seconds, megabytes in (
        ("two, 4 cards", 4, 2, 0.08, 1.32),
        ("two, full deck", 52, 2, 0.22, 1835.82),
        ("five, half a deck", 26, 5, 180.61, 992.43),
        ("eight, a quarter of a deck", 13, 8, 4939.55, 201.71),
    ):
        solver = SampledSolver(kuhn(cards, players))
        solver.run(1)
        repeated = 1 if players > 2 else rounds
        runs = [_seconds(lambda: solver.run(deals)) * DEALS / deals for _ in range(repeated)]  # noqa: B023
        rows.append(
            Row(f"Kuhn for {name}: {DEALS:,} sampled deals", figure(runs, "s"), "D", quote(seconds, "s", D30),
                Target(60, "under"), note=f"{solver.infosets.count:,} information sets")
        )  # fmt: skip
        rows.append(
            Row(f"Kuhn for {name}: memory", Figure(solver.bytes, "B", solver.bytes, solver.bytes), "D",
                quote(megabytes * 1e6, "B", D31), Target(1, "at least", "ratio"))
        )  # fmt: skip
    for players in range(2, 9):
        walking = ExternalSampling(kuhn(52, players))
        walking.run(1)
        runs = [_seconds(lambda: walking.run(deals)) * DEALS / deals for _ in range(rounds)]  # noqa: B023
        rows.append(
            Row(f"Kuhn for {players}, full deck: {DEALS:,} iterations of external sampling", figure(runs, "s"),
                target=Target(60, "under"), note=f"{walking.infosets.count:,} information sets, "
                f"{format_bytes(walking.bytes)}")
        )  # fmt: skip
    for cards, name in ((4, "4 cards"), (52, "full deck")):
        tree = build_tree(kuhn(cards, 2))
        runs = timed(lambda tree=tree: Solver(tree, "cfr").run(deals), rounds=rounds, least=0.01)
        rows.append(
            Row(f"Kuhn for two, {name}: {DEALS:,} iterations over all deals",
                figure([s * DEALS / deals for s in runs], "s"), note=f"{len(tree):,} nodes")
        )  # fmt: skip
    return rows


def kuhn(cards: int, players: int) -> GameRules:
    """Kuhn's game with so many cards, by whole suits where there are more than thirteen."""
    rules = load("kuhn", cards=min(cards, 13), players=players)
    suits = cards // 13
    if suits < 2:
        return rules
    return replace(rules, deck=Deck(f"kuhn-{cards}", tuple(c for c in range(52) if c & 3 < suits)))


def convergence(iterations: int, picture: Path | None) -> list[Row]:
    """All algorithms on Leduc: how near they come in the same number of iterations; and as a picture."""
    tree, rows, courses = build_tree(load("leduc")), [], []
    for name in METHODS:
        game = load("leduc") if name in ("sampled", "external", "outcome") else tree
        solver, course, swept = begin(game, name, seed=1), [], 0.0
        solver.run(0)
        while solver.iterations < iterations:
            portion = min(max(1, solver.iterations // 6), iterations - solver.iterations)
            swept += _seconds(lambda: solver.run(portion))  # noqa: B023
            course.append((solver.iterations, swept, evaluate(tree, solver.average()).exploitability))
        title = solver.algorithm.title + ", pruned" * (name == "pruned")
        courses.append((title, course))
        rows.append(
            Row(f"Leduc, {iterations:,} iterations of {title}", figure([swept], "s"),
                note=f"exploitability {course[-1][2]:.2g}")
        )  # fmt: skip
    done = solve(Solver(tree, "predictive"), target=1e-6)
    rows.append(
        Row("Leduc, predictive CFR+ to exploitability 1e-6, measured on the way", figure([done.seconds], "s"),
            note=f"{done.solver.iterations:,} iterations, value {done.evaluation.values[0]:.9f}")
    )  # fmt: skip
    if picture is not None and installed("matplotlib"):
        from felt.arena.report.drawing import Convergence, convergence_plot

        drawn = convergence_plot([Convergence(*course) for course in courses], title="Leduc hold'em")
        picture.write_bytes(drawn)
    return rows


def pushfold(step: float, rounds: int) -> list[Row]:
    """Push/fold between two: from nothing, from a neighbour, and at all stacks."""
    game, near = PushFold(stacks=(10, 10)), solve_pushfold(PushFold(stacks=(10.1, 10.1)))
    cold = timed(lambda: solve_pushfold(game), rounds=rounds)
    warm = timed(lambda: solve_pushfold(game, start=near), rounds=rounds)
    return [
        Row("push/fold, 10 big blinds, to 1e-5 from nothing", figure(cold, "s"), target=Target(0.5, "under")),
        Row("push/fold, 10 big blinds, to 1e-5 from a neighbour", figure(warm, "s"), target=Target(0.05, "under")),
        *(
            Row(f"push/fold for {players}, 10 big blinds, to 1e-4",
                figure([solve_multi(MultiPushFold((10,) * players)).seconds for _ in range(rounds)], "s"))
            for players in ((3,) if step >= 1 else (3, 6, 9))
        ),
        Row(f"push/fold, 1 to 100 big blinds in steps of {step:g}", figure([scan(game, step=step).seconds], "s"),
            target=Target(30, "under")),
    ]  # fmt: skip


def variants(quick: bool) -> list[Row]:
    """Games of the catalogue, cut down, with open cards and exchanges: grown hand by hand, and solved."""
    rows = []
    for name, cut in list(LARGER.items())[: 1 if quick else None]:
        began = time.perf_counter()
        tree = build_tree(cut.of(name))
        built = time.perf_counter() - began
        done = solve(Solver(tree, "dcfr"), iterations=50 if quick else 100)
        found = done.evaluation
        assert abs(sum(found.values)) < 1e-9 and found.exploitability < 3e-3 * tree.range_of_payoffs
        rows.append(
            Row(f"{name}, cut down: built and solved", figure([built + done.seconds], "s"),
                note=f"{len(tree):,} nodes in {built:.1f} s; exploitability {found.exploitability:.2g}")
        )  # fmt: skip
    tree = LARGER["stud"].of("stud")
    nodes = len(build_tree(tree))
    rows.append(Row("nodes grown hand by hand, stud", rate(timed(lambda: build_tree(tree), rounds=1, items=nodes),
                                                           "nodes/s")))  # fmt: skip
    return rows


def _seconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began
