"""Scans over stacks: intervals, the published chart, and its picture."""

import csv
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from felt.cards.combos import CLASS_NAMES, parse_class
from felt.solvers.pushfold.chart import scan_svg, solution_svg
from felt.solvers.pushfold.game import PushFold, PushFoldError
from felt.solvers.pushfold.headsup import solve
from felt.solvers.pushfold.scan import intervals, scan

GAME = PushFold(stacks=(10, 10))


@pytest.fixture(scope="module")
def low():
    return scan(GAME, 1, 16, 0.1)


def test_intervals_are_stretches_of_neighbours():
    stacks = np.array([1.0, 2.0, 3.0, 4.0])
    often = np.array([[1, 0, 0, 1], [0.5, 0, 0.4, 0], [1, 0, 1, 0], [1, 0, 1, 1]])
    assert intervals(stacks, often) == [[(1, 4)], [], [(3, 4)], [(1, 1), (4, 4)]]


def test_every_stack_is_solved_as_well_as_alone(low):
    assert low.exploitability < 1e-6
    for stack in (2.0, 7.3, 12.0):
        place = int(np.flatnonzero(low.stacks == stack)[0])
        alone = solve(PushFold(stacks=(stack, stack)), target=1e-8)
        assert low.values[place] == pytest.approx(alone.values[0], abs=1e-6)


def test_hands_that_are_shoved_over_two_stretches(low):
    """The three that the published charts mark: 63s 2.3 and 5.1–7.1, 53s 2.4 and 3.8–12.9, 43s 2.2 and 4.9–10."""
    found = dict(zip(CLASS_NAMES, low.shove_intervals(), strict=True))
    for hand, low_end, high_end in (("63s", 2.3, 7.1), ("53s", 2.4, 12.9), ("43s", 2.2, 10.0)):
        assert found[hand][0][1] == pytest.approx(low_end, abs=0.051)
        assert max(last for _, last in found[hand]) == pytest.approx(high_end, abs=0.11)
        assert len(found[hand]) > 1


def test_every_number_of_the_published_chart_is_where_the_hand_leaves(shared_data: Path):
    """At the printed stack the hand is not wholly out, a tenth later not wholly in; six are off by a tenth or two."""
    found = {}
    near = None
    printed = []
    with (shared_data / "reference" / "pushfold_shove_figure48.csv").open() as file:
        for row in csv.DictReader(file):
            numbers = [text for text in row["shove_up_to_bb"].split(";") if text and text not in ("*", "100+")]
            printed += [(row["hand"], float(text)) for text in numbers]
    for stack in sorted({round(at, 1) for _, number in printed for at in (number, number + 0.1)}):
        near = solve(PushFold(stacks=(stack, stack)), target=1e-8, start=near)
        found[stack] = near.shove, near.evs.shove - near.evs.sb_fold
    off, costs = set(), []
    for hand, number in printed:
        here, later = (found[round(at, 1)] for at in (number, number + 0.1))
        place = parse_class(hand)
        costs += [max(-float(here[1][place]), 0), max(float(later[1][place]), 0)]
        if max(here[0][place], later[0][place]) < 0.001 or min(here[0][place], later[0][place]) > 0.999:
            off.add(hand)
    assert len(printed) == 144
    assert off <= {"A6s", "K9s", "K8s", "J9s", "87s", "84s"}
    assert max(costs) < 0.001  # big blinds that playing by the printed number would lose


@pytest.mark.parametrize(
    ("first", "last", "step", "told"),
    [(0, 5, 1, "stacks from 0"), (5, 1, 1, "stacks from 5"), (1, 5, 0, "step 0"), (1, 100, 1e-6, "step 1e-06 makes")],
)
def test_scans_without_stacks_are_refused(first, last, step, told):
    with pytest.raises(PushFoldError) as caught:
        scan(GAME, first, last, step)
    assert str(caught.value).startswith(told)


def test_the_pictures_are_well_formed_and_say_what_is_played():
    found = scan(GAME, 2, 12, 1)
    picture = ElementTree.fromstring(scan_svg(found))
    charts = [part for part in picture if part.tag.endswith("}svg")]
    assert len(charts) == 2
    titles = [title.text for chart in charts for title in chart.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 2 * 170
    assert "AA: 2 to 12+ bb" in titles
    assert found.as_dict()["shove"]["AA"] == [(2.0, 12.0)]
    frequencies = solution_svg(solve(GAME))
    ElementTree.fromstring(frequencies)
    assert "Small blind shoves, 10 bb" in frequencies and "43s: weight 0.7" in frequencies
    assert parse_class("AA") == 0
