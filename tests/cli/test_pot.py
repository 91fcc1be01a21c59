"""`felt pot`."""

import json

import pytest

from felt.cli.app import run
from tests.cli.test_app import mistake


def answer(capsys, *args: str) -> dict:
    assert run(["pot", *args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def shown(capsys, *args: str) -> str:
    assert run(["pot", *args]) == 0
    return capsys.readouterr().out


def test_a_call_by_its_price(capsys):
    found = answer(capsys, "--pot", "20", "--call", "5")
    assert found == {"call": {"ratio": 4.0, "fraction": 0.2, "required_equity": 0.2}}


def test_a_call_with_equity_has_a_value(capsys):
    found = answer(capsys, "--pot", "40", "--call", "20", "--equity", "40%")["call"]
    assert found["ev"] == pytest.approx(4)
    assert found["reverse_implied_odds"] == pytest.approx(4 / 0.6)
    assert found["implied_odds"] == 0


def test_a_call_that_never_wins_has_no_number_in_json(capsys):
    assert answer(capsys, "--pot", "40", "--call", "20", "--equity", "0")["call"]["implied_odds"] is None
    assert "no amount is enough" in shown(capsys, "--pot", "40", "--call", "20", "--equity", "0")


def test_a_semi_bluff_from_its_outs(capsys):
    found = answer(capsys, "--pot", "100", "--bet", "100", "--outs", "9", "--to-come", "1", "--fold", "0.5")
    assert found["outs"]["next_card"] == pytest.approx(9 / 46)
    lost = 100 - 300 * 9 / 46
    assert found["bet"]["required_fold_equity"] == pytest.approx(lost / (100 + lost))
    assert found["bet"]["ev"] == pytest.approx(50 - lost / 2)


def test_outs_alone(capsys):
    text = shown(capsys, "--outs", "9")
    assert "19.15% (rule of 2: 18%)" in text
    assert "34.97% (rule of 4: 36%)" in text


def test_call_or_raise(capsys):
    text = shown(
        capsys,
        "--pot",
        "150",
        "--call",
        "50",
        "--raise-to",
        "200",
        "--fold",
        "0.5",
        "--equity",
        "0.25",
        "--in-front",
        "0",
    )
    assert "EV of the call" in text
    assert "EV of the raise" in text and "+37.5 chips" in text


def test_rake(capsys):
    found = answer(capsys, "--pot", "100", "--call", "50", "--rake", "5%", "--rake-cap", "3")
    assert found["call"]["required_equity"] == pytest.approx(50 / 147)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "nothing to work out"),
        (["--pot", "100"], "nothing to work out"),
        (["--call", "50"], "--pot is missing"),
        (["--pot", "100", "--call", "0"], "call 0 leaves nothing to decide"),
        (["--pot", "-5", "--call", "5"], "'-5' is too small"),
        (["--pot", "12.5", "--call", "5"], "'12.5' is not a whole number"),
        (["--pot", "10", "--call", "5", "--equity", "40"], "'40' is too large: give 1 or less, write 0.3 or 30%"),
        (["--pot", "10", "--call", "5", "--equity", "good"], "'good' is not a number"),
        (["--pot", "10", "--call", "5", "--bet", "5"], "--call and --bet exclude each other"),
        (["--pot", "10", "--raise-to", "50"], "--raise-to 50 raises nothing"),
        (["--pot", "10", "--call", "5", "--raise-to", "5"], "no raise"),
        (["--outs", "50"], "50 outs among 47 unseen cards"),
        (["--outs", "9", "--to-come", "3"], "3 cards to come"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes(args, words, capsys):
    assert words in mistake(capsys, "pot", *args)
