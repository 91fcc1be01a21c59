"""What several commands are tried on."""

from pathlib import Path

import pytest

from tests.interop.samples import POKERSTARS


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A file of PokerStars with a hand, and another that breaks off."""
    path = tmp_path / "session.txt"
    path.write_text(POKERSTARS + "\n\n" + POKERSTARS[:500].replace("#101", "#102"), encoding="utf-8")
    return path
