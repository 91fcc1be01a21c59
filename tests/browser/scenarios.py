"""Which acceptance scenarios a test shows: docs/project/scenarios.md lists them, and `test_scenarios_page` compares."""

import importlib
from collections import defaultdict
from pathlib import Path
from types import FunctionType

import pytest


def shows(*scenarios: str) -> pytest.MarkDecorator:
    """Mark a test, or a case of one, with the scenarios that it plays through."""
    return pytest.mark.scenarios(*scenarios)


def shown() -> dict[str, set[str]]:
    """Every scenario that a test of this folder is marked with, and the tests."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        module = importlib.import_module(f"tests.browser.{path.stem}")
        for name, test in vars(module).items():
            if isinstance(test, FunctionType) and name.startswith("test_"):
                for scenario in _marked(test):
                    found[scenario].add(f"{path.stem}.{name}")
    return dict(found)


def _marked(test: FunctionType) -> list[str]:
    marks = list(getattr(test, "pytestmark", ()))
    for mark in list(marks):
        if mark.name == "parametrize":
            marks += [own.mark if hasattr(own, "mark") else own for case in mark.args[1] for own in _marks_of(case)]
    return [scenario for mark in marks if mark.name == "scenarios" for scenario in mark.args]


def _marks_of(case: object) -> tuple[pytest.MarkDecorator, ...]:
    return tuple(getattr(case, "marks", ()))
