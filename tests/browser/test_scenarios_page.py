"""docs/project/scenarios.md: every scenario is there once, with the tests that show it. No browser is needed."""

import re

from tests.browser.scenarios import shown
from tests.conftest import ROOT

ROW = re.compile(r"^\| ([a-z-]+-\d+) \|(.*)\|$", flags=re.MULTILINE)
COUNTS = {
    "login": 4, "initial": 9, "preflop": 14, "flop": 11, "turn": 11, "river": 11, "showdown": 3, "new": 5,
    "completion": 2, "bet": 6, "fold": 2, "raise": 6, "check": 2, "call": 4, "all-in": 3, "cards": 3, "stacks": 1,
    "minimum": 4, "malformed": 1,
}  # fmt: skip
"""How many the report has of each feature."""


def rows() -> list[tuple[str, list[str]]]:
    page = (ROOT / "docs" / "project" / "scenarios.md").read_text(encoding="utf-8")
    return [(row[1], [cell.strip() for cell in row[2].split("|")]) for row in ROW.finditer(page)]


def test_every_scenario_of_the_report_is_listed_once() -> None:
    listed = [scenario for scenario, _ in rows()]
    assert listed == [f"{feature}-{number}" for feature, most in COUNTS.items() for number in range(1, most + 1)]


def test_the_page_names_the_tests_that_show_it() -> None:
    tests = shown()
    for scenario, cells in rows():
        assert len(cells) == 4 and all(cells), scenario
        assert set(re.findall(r"`(\w+\.\w+)`", cells[-1])) == tests[scenario], scenario
    assert set(tests) == {scenario for scenario, _ in rows()}
