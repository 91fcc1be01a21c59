"""`felt verify-deal`."""

import io
import json
from pathlib import Path

import pytest

from felt.cards.deck import standard_deck
from felt.cli.app import run
from felt.games.fair import fair_deal
from tests.cli.test_app import mistake


def test_a_deal_that_was_kept(tmp_path: Path, capsys, monkeypatch):
    opened = fair_deal(standard_deck()).opening([0])
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(opened))
    assert run(["verify-deal", str(file)]) == 0
    assert "The cards are those that were promised: 1 of 52 opened" in " ".join(capsys.readouterr().out.split())
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(opened)))
    assert run(["verify-deal", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "fair": True,
        "commitment": opened["commitment"],
        "cards": {"0": opened["cards"][0]["card"]},
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [("{", "is no JSON"), ("[]", "is no opened deal"), ("{}", "no 'commitment'"), (None, "cannot read")],
)
def test_mistakes(tmp_path: Path, capsys, text, told):
    file = tmp_path / "deal.json"
    if text is not None:
        file.write_text(text)
    assert told in mistake(capsys, "verify-deal", str(file))
