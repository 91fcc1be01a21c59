"""The API reference has a page for each room, and each name that a room exports has its entry."""

import doctest
import importlib
from pathlib import Path

import pytest

from scripts import docs_reference

ROOT = Path(__file__).parents[2]
ROOMS = docs_reference.rooms()


def test_each_package_has_a_page() -> None:
    packages = {path.parent.name for path in (ROOT / "src" / "felt").glob("*/__init__.py")}
    assert set(ROOMS) == packages and len(ROOMS) == len(packages)
    table = docs_reference.on_page_markdown("<!-- rooms -->")
    assert all(f"({room}.md)" in table for room in ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_each_exported_name_is_found_where_it_is_defined(room: str) -> None:
    module = importlib.import_module(f"felt.{room}")
    for name, path in docs_reference.exports(f"felt.{room}").items():
        home, _, last = path.rpartition(".")
        assert getattr(importlib.import_module(home), last) is getattr(module, name), path
        assert f"::: {path}\n" in docs_reference.describe_room(f"felt.{room}")


def test_exports_of_sub_packages_follow_on_the_page_of_their_room() -> None:
    page = docs_reference.describe_room("felt.arena")
    assert "## felt.arena.tournament\n" in page and "::: felt.arena.tournament.spec.Tournament\n" in page
    assert page.count("::: felt.arena.match.spec.Match\n") == 1


def test_a_name_that_is_defined_nowhere_is_an_error() -> None:
    module = importlib.import_module("felt.cards")
    with pytest.raises(AttributeError, match="no_such_name"):
        docs_reference.definition(module, "no_such_name")


def test_examples_in_docstrings() -> None:
    results = doctest.testmod(docs_reference)
    assert results.attempted >= 2 and not results.failed


def test_examples_are_shown_in_fences() -> None:
    docstring = "Adds.\n\n>>> 1 + 1\n2\n\nOr:\n\n>>> 2 + 2\n4"
    fenced = "Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nOr:\n\n```pycon\n>>> 2 + 2\n4\n```"
    assert docs_reference.fence_examples(docstring) == fenced
