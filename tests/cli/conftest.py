"""What several commands are tried on."""

from pathlib import Path
from typing import Any

import pytest
import typer

from felt.cli.app import app
from tests.interop.samples import POKERSTARS


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A file of PokerStars with a hand, and another that breaks off."""
    path = tmp_path / "session.txt"
    path.write_text(POKERSTARS + "\n\n" + POKERSTARS[:500].replace("#101", "#102"), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def command() -> Any:
    """The command line as Typer builds it, which takes as long as most commands do."""
    return typer.main.get_command(app)


@pytest.fixture
def built_once(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all runs of a test share what Typer builds."""
    monkeypatch.setattr("typer.main.get_command", lambda _: command)
