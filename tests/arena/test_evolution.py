"""Evolution: genes, who meets whom, who stays, and progress that can be measured."""

from random import Random

import numpy as np
import pytest

from felt.agents import Agent, check_or_call, check_or_fold, entrant
from felt.agents.strength.dials import Dials
from felt.arena import Match, play
from felt.arena.evolution import Evolution, Generation, genes_of, play_evolution, spec_of
from felt.arena.evolution.genes import Gene, child
from felt.arena.evolution.play import _Crowd, tables_of
from felt.arena.report.evolution import evolution_page
from felt.arena.schedule.runs import hand_number, play_runs
from felt.arena.schedule.workplace import RunWorkplace
from felt.errors import FeltError
from felt.games import load
from felt.store.log.matches import open_runs, read_runs

HERE = __file__
LIMIT, SHORT = load("limit-holdem"), load("preflop-nolimit")


class Shy(Agent):
    """Folds by chance: one gene, and the best is never to fold. No batch form."""

    remembers = False
    genes = {"fold": (0.0, 1.0), "idle": (0, 9)}  # noqa: RUF012

    def __init__(self, fold=0.5, idle=0):
        assert isinstance(idle, int)
        self.fold = fold

    def act(self, view):
        return check_or_fold(view) if self.dice.random() < self.fold else check_or_call(view)


class Failing(Shy):
    """Raises an error where its gene is large."""

    def act(self, view):
        if self.fold > 0.5:
            raise RuntimeError("no idea")
        return check_or_call(view)


def shy(**more):
    settings = {"population": 16, "generations": 3, "deals": 4, "yardstick": 3, "seed": 1}
    return Evolution.of(Shy, SHORT, **{**settings, **more})


# Genes


def test_genes_are_parameters_with_bounds():
    genes = genes_of(entrant("dials"))
    assert [gene.name for gene in genes] == list(Dials.genes) and not any(gene.is_integer for gene in genes)
    assert genes_of(entrant(Shy))[1].is_integer
    assert spec_of(f"{HERE}:Shy", genes_of(entrant(Shy)), (0.25, 3)) == f"{HERE}:Shy:fold=0.25,idle=3"
    spec = spec_of("dials:size=1", [genes[0]], (0.125,))
    assert entrant(spec).make().edge == 0.125 and entrant(spec).make().size == 1


def test_children_have_the_genes_of_their_parents_but_for_mutations():
    genes, chance = (Gene("a", 0, 1), Gene("b", 0, 10, is_integer=True)), Random(1)
    children = {child(genes, [(0.1, 2), (0.9, 7)], 0.0, chance) for _ in range(50)}
    assert children == {(0.1, 2), (0.1, 7), (0.9, 2), (0.9, 7)}
    changed = [child(genes, [(0.1, 2)], 1.0, chance) for _ in range(50)]
    assert all(0 <= a <= 1 and b in range(11) and b != 2 for a, b in changed) and len(set(changed)) > 30


def test_genes_stay_within_their_bounds_and_are_read_as_they_are_written():
    for gene in (Gene("a", 1 / 3, 2 / 3), Gene("a", 0, 4_000_000, is_integer=True), Gene("a", -1e-7, 123456.789)):
        chance, read = Random(1), int if gene.is_integer else float
        values = [gene.low, gene.high, *(gene.random(chance) for _ in range(20))]
        for value in (gene.rounded(one) for one in values + [gene.mutated(one, chance) for one in values]):
            assert gene.low <= value <= gene.high
            assert read(spec_of("x", [gene], (value,)).removeprefix("x:a=")) == value


def bred(ends, name="fold"):
    """An evolution of a class with one gene."""
    return Evolution.of(type("Odd", (Shy,), {"genes": {name: ends}}), SHORT)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Evolution.of("tag", LIMIT), "agent 'tag' has no genes"),
        (lambda: Evolution.of("dials", LIMIT, population=1), "a population of 1 at tables of 2"),
        (lambda: bred((0.0, float("inf"))), r"gene 'fold' has \(0.0, inf\)"),
        (lambda: bred((0, 10**400)), "gene 'fold' has"),
        (lambda: bred((-1e308, 1e308)), "gene 'fold' has"),
        (lambda: bred((1, 1)), r"gene 'fold' has \(1, 1\)"),
        (lambda: bred((0, 1), "nerve"), "agent 'Odd' cannot be made: .*'nerve'"),
        (lambda: shy(population=15), "a population of 15 at tables of 2"),
        (lambda: shy(meetings=16), "meetings=16"),
        (lambda: shy(eliminate=1), "eliminate=1"),
        (lambda: shy(reproduction="none"), "reproduction='none'"),
        (lambda: shy(mutation=2), "mutation=2"),
        (lambda: shy(deals=0), "deals=0"),
    ],
)
def test_mistakes_are_told(make, told):
    with pytest.raises(FeltError, match=told):
        make()


# Rounds


def test_everybody_meets_everybody_once():
    evolution = shy()
    generation = Generation(evolution, 2, evolution.first(), evolution.first())
    met = np.zeros((16, 16), dtype=int)
    for place in range(evolution.meetings):
        tables = tables_of(generation, place)
        assert sorted(tables.ravel()) == list(range(16))
        met[tables[:, 0], tables[:, 1]] += 1
    assert evolution.complete and (met + met.T == 1 - np.eye(16, dtype=int)).all()
    founders = tables_of(generation, evolution.meetings)
    assert (founders[:, 0] == np.arange(16)).all() and sorted(founders[:, 1]) == list(range(16, 32))


def test_tables_of_more_are_drawn_anew():
    evolution = Evolution.of("dials", LIMIT, population=24, seats=6, meetings=40, generations=1)
    generation = Generation(evolution, 0, evolution.first(), evolution.first())
    rounds = [tables_of(generation, place) for place in range(3)]
    assert all(sorted(one.ravel()) == list(range(24)) and one.shape == (4, 6) for one in rounds)
    assert not np.array_equal(rounds[0], rounds[1]) and not evolution.complete


def test_a_crowd_decides_as_its_members_would():
    """All genomes in one call, one agent after the other, and the same two agents in a match: the same chips."""
    evolution = Evolution.of("dials:bluff=0", LIMIT, population=6, deals=8, generations=1, yardstick=1, seed=3)
    generation = Generation(evolution, 0, evolution.first(), evolution.first())
    together = [RunWorkplace(generation).play_run(run) for run in range(evolution.rounds)]

    class Lonely(Dials):
        crowds = staticmethod(lambda rules: False)

    alone = Evolution.of(Lonely, LIMIT, population=6, deals=8, generations=1, yardstick=1, seed=3)
    genomes = tuple((*genome, 0.0) for genome in evolution.first())
    assert [gene.name for gene in alone.genes][-1] == "bluff"
    apart = Generation(alone, 0, genomes, genomes)
    assert _Crowd(generation).together and not _Crowd(apart).together, "otherwise this compares nothing"
    assert [RunWorkplace(apart).play_run(run) for run in range(evolution.rounds)] == together
    assert all(sum(one["won"]) == 0 for one in together[:-1])
    pair = tables_of(generation, 0)[0]
    match = Match.of([generation.spec(one) for one in pair], LIMIT, duplicate=True, seed=generation.seed)
    totals = play(match, 16, workers=1).totals.sum(axis=0)  # run 0: deals are numbered as in a match
    assert [together[0]["won"][one] for one in pair] == totals.tolist()


# Selection


def test_the_least_fit_go_and_the_others_stay_as_they_are():
    evolution = shy(eliminate=0.25, mutation=0.0)
    genomes = tuple((place / 100, place % 10) for place in range(16))
    after = evolution.next(0, genomes, [float(-abs(place - 5)) for place in range(16)])
    assert len(after) == 16 and set(genomes[:12]) == set(after[:12]) and after[0] == genomes[5]
    for a, b in after[12:]:
        assert a in {one[0] for one in genomes[:12]} and b in {one[1] for one in genomes[:12]}
    asexual = shy(eliminate=0.5, mutation=0.0, reproduction="asexual").next(0, genomes, list(range(16)))
    assert set(asexual) <= set(genomes)


def test_evolution_finds_what_is_best():
    """Never to fold is best in this game: the gene falls from a half to nearly nothing, and progress is sure."""
    result = play_evolution(shy(generations=6, deals=4, yardstick=6), workers=1)
    medians = result.gene(0)[1]
    assert 0.3 < medians[0] < 0.7 and medians[-1] < 0.2
    first, last = result.generations[0].progress, result.last.progress
    assert first.ci95[0] < 0 < first.ci95[1] and last.ci95[0] > 0
    crossing = result.last.crossing()
    assert np.nansum(crossing) == pytest.approx(0) and np.isnan(np.diag(crossing)).all()
    assert result.hands == 6 * (15 * 8 + 6 * 16) * 4 * 2
    page = evolution_page(result, "felt evolve …", plots=[])
    assert "&lt;" not in page and result.where(hand_number(2, 4)) == "round 3, hand 5"
    assert "The last generation wins +" in page and "against the first" in page and "Crossing table" in page


def test_dials_improve_in_limit_holdem():
    evolution = Evolution.of("dials", LIMIT, population=32, generations=4, deals=8, meetings=12, yardstick=4, seed=0)
    result = play_evolution(evolution, workers=1)
    assert result.last.progress.ci95[0] > 0 and result.conduct.clean


def test_a_log_that_was_cut_is_filled_up_and_may_be_made_longer(tmp_path):
    from tests.store.logs import cut_runs, rows_of  # workers that load Shy cannot

    short, long = shy(generations=2), shy()
    kept = open_runs(tmp_path, short.describe())
    play_evolution(short, workers=1, log=kept)
    kept.close()
    records, hands = list(read_runs(tmp_path)), rows_of(tmp_path)["hands"]
    cut_runs(tmp_path, 2)
    kept = open_runs(tmp_path, long.describe())
    result = play_evolution(long, workers=1, log=kept)
    assert list(read_runs(tmp_path))[: len(records)] == records and 0 < result.known < 2 * short.rounds
    assert set(map(str, hands)) <= set(map(str, rows_of(tmp_path)["hands"]))
    again = play_evolution(long, workers=1)
    assert [one.generation.genomes for one in again.generations] == [
        one.generation.genomes for one in result.generations
    ]


def test_faults_are_counted_and_told():
    evolution = Evolution.of(Failing, SHORT, population=8, generations=2, deals=3, yardstick=1)
    result = play_evolution(evolution, workers=1)
    assert result.conduct.counts[0]["errors"] > 10 and "no idea" in result.conduct.incidents[0].message


@pytest.mark.long
def test_workers_change_nothing():
    evolution = Evolution.of(f"{HERE}:Shy", SHORT, population=8, generations=2, deals=3, yardstick=1)
    one, two = (play_evolution(evolution, workers=workers) for workers in (1, 2))
    assert one.as_dict() == two.as_dict()
    generation = one.last.generation
    assert play_runs(generation, 3, first=evolution.rounds, workers=1) == one.last.records[:3]
