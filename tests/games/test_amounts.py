"""Amounts in messages are in the unit of the game or file, and never in chips that nobody knows of."""

import io
from decimal import Decimal

import pytest

from felt.cli.app import run
from felt.errors import FeltError
from felt.games import Hand, read_pgdl, write_pgdl
from felt.games.actions import IllegalAction
from felt.games.amounts import from_unit, in_unit
from felt.games.catalogue import load
from felt.games.typed_moves import read_move
from felt.interop.histories import HistoryError, to_chips
from felt.interop.phh.reader import read_phh
from felt.interop.results import check
from felt.interop.rooms.pokerstars import read_pokerstars
from tests.interop.samples import POKERSTARS

CENTS = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [0.50, 1.00]
min_bet = 1.00
starting_stacks = [200.00, 200.00]
actions = ["d dh p1 AsKd", "d dh p2 7c7d", "p2 cbr 3.00", "p1 cbr 4.25"]
"""


@pytest.fixture(scope="module")
def half():
    """Hold'em with blinds of 0.5 and 1: a chip is half a unit."""
    document = write_pgdl(load("nlhe")).replace('value="1"', 'value="0.5"').replace('value="2"', 'value="1"')
    rules = read_pgdl(document)
    assert rules.unit == 0.5 and rules.blinds == (1, 2)
    return rules


def test_errors_of_the_engine(half):
    hand = Hand.new(half, [200, 200])
    with pytest.raises(IllegalAction) as caught:
        hand.raise_to(3)
    assert str(caught.value) == (
        "seat 1 cannot raise to 1.5; legal now: fold, call 0.5, raise to 2–100 (one chip is 0.5)"
    )
    with pytest.raises(FeltError, match=r"stacks \[0, 100\]: each must be 0\.5 or more"):
        Hand.new(half, [0, 200])


def test_moves_that_are_typed(half):
    seen = Hand.new(half, [200, 200]).view(1)
    assert read_move("r 2.5", seen).amount == 5 and read_move("call 0.5", seen).amount == 0
    with pytest.raises(
        FeltError, match=r"'2\.3' is no amount: type r and the total, like r 2; legal now: fold, call 0\.5"
    ):
        read_move("r 2.3", seen)
    with pytest.raises(FeltError, match=r"it costs 0\.5 to call"):
        read_move("check", seen)


def test_replays_of_files():
    (hand,) = read_phh(CENTS).hands
    assert hand.unit == 0.01
    assert check(hand).why.endswith("seat 0 cannot raise to 4.25; legal now: fold, call 2, raise to 5–200")
    (hand,) = read_phh(CENTS.replace('"p2 cbr 3.00", ', "")).hands
    assert check(hand).why.endswith("it is the turn of seat 1, legal: fold, call 0.5, raise to 2–200")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            CENTS.replace("200.00, ", "20000000.00, "),
            "the stacks are 20,000,200 together: at most 20,000,000 can be kept",
        ),
        (
            CENTS.replace("cbr 4.25", "cbr 99999999999.25"),
            "the amount '99999999999.25' is out of reach: write one up to",
        ),
    ],
)
def test_readers_of_phh(text, why):
    (problem,) = read_phh(text).problems
    assert why in problem.why and "chips" not in problem.why


def test_readers_of_rooms():
    (problem,) = read_pokerstars(POKERSTARS.replace("Ann ($100 in", "Ann ($20,000,000 in")).problems
    assert "there is more than 20000000 on the table" in problem.why
    (problem,) = read_pokerstars(POKERSTARS.replace("Cleo: calls $37.25", "Cleo: calls $30.25")).problems
    assert "'Cleo' puts in 30.25 where 37.25 is to call" in problem.why


def test_the_table_in_the_terminal(half, tmp_path, capsys):
    path = tmp_path / "half.xml"
    path.write_text(write_pgdl(half))
    assert run(["game", "play", str(path), "--players", "2", "--stack", "50", "--seed", "3"]) == 0
    shown = capsys.readouterr().out
    assert "0.5" in shown and "100" not in shown
    assert run(["game", "tree", str(path), "--players", "2", "--stack", "4", "--depth", "1"]) == 0
    shown = capsys.readouterr().out
    assert "stack 4; seat 1 acts first, pot 1.5" in shown and "call 0.5" in shown


def test_a_visitor_is_told_in_the_unit_of_the_game(half, monkeypatch):
    from rich.console import Console

    from felt.cli.games.table import Table

    typed = iter(["r 1.5", "q"])
    console = Console(file=io.StringIO(), width=200)
    monkeypatch.setattr(console, "input", lambda question: console.print(question) or next(typed))
    Table(half, 2, 200, console=console, seed=1).run()
    shown = console.file.getvalue()
    assert "r 3–100 raise" in shown and "you cannot raise to 1.5; legal now: fold, call 1, raise to 3–100\n" in shown


def test_amounts_there_and_back():
    for unit in (1.0, 0.5, 0.01, 0.25, 0.001):
        for chips in (0, 1, 7, 1234, 2_000_000_000):
            assert from_unit(in_unit(chips, unit), unit) == chips
    assert from_unit("1e5") is None and from_unit("") is None and from_unit("-3") is None and from_unit("٣") is None


def test_an_amount_that_is_too_fine_is_told():
    with pytest.raises(HistoryError, match="is too fine: others have 1 digits"):
        to_chips(Decimal("0.25"), 1)
