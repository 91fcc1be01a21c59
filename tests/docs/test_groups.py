"""The docs are grouped by what people want, and each group begins with a tutorial that is executed."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GROUPS = ("play", "study", "agents", "solve", "measure", "data", "service")
NAV = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_begins_with_its_tutorial(group: str) -> None:
    pages = re.findall(rf": ({group}/[\w-]+\.md)$", NAV, re.MULTILINE)
    assert pages[0] == f"{group}/tutorial.md"
    assert set(pages) == {f"{group}/{path.name}" for path in (ROOT / "docs" / group).glob("*.md")}
    tutorial = (ROOT / "docs" / pages[0]).read_text(encoding="utf-8")
    assert re.search(r"^```(console|python|sh)\b", tutorial, re.MULTILINE)


def test_only_what_concerns_all_groups_lies_beside_them() -> None:
    beside = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert beside == {"index.md", "install.md", "upgrading.md", "architecture.md"}


def test_the_first_page_leads_to_every_tutorial() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert [group for group in GROUPS if f"({group}/tutorial.md)" not in index] == []
