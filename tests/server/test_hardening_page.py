"""Every test that docs/service/hardening.md names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "service" / "hardening.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


def test_the_page_names_tests_that_there_are():
    named = NAMED.findall(PAGE)
    assert len(named) > 10
    for file, test in named:
        texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob(file)]
        assert any(f"def {test}(" in text for text in texts), f"{file} has no {test}"


def test_the_page_names_files_that_there_are():
    named = re.findall(r"`(tests/[\w/]+\.py)`", PAGE)
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).is_file()] == []
