"""Numbers that nobody means: every option that takes a number has bounds, and quotes what is beyond them."""

import math

import pytest
import typer

from felt.cli.app import run
from felt.cli.arena.options import until_width
from felt.cli.options import count_number, integer, port_number, positive_number, seed_number, share
from felt.errors import FeltError
from tests.cli.commands import commands
from tests.cli.test_app import mistake

ENDLESS = "9" * 23
ZERO_IS_FINE = {
    "--opponents", "--seed", "--pot", "--call", "--bet", "--raise-to", "--in-front", "--outs", "--rake-cap", "--equity",
    "--fold", "--rake", "--target", "--ante", "--bb-ante", "--eliminate", "--mutation", "--yardstick", "--depth",
    "--match", "--idle", "--grace", "--port", "--workers", "--sb", "--from", "--to", "--step", "--bb", "--stack",
    "--players", "port", "--decide-rate",
}  # fmt: skip
"""Options of which 0 is a value, or is refused by what the command works out."""

NUMERIC = [
    (words, option.opts[-1] if option.opts[-1].startswith("--") else option.opts[0])
    for words, command in commands()
    for option in command.params
    if option.type_descriptor.annotation in (int, float)
]


def test_there_are_options_with_numbers():
    assert len(NUMERIC) > 80 and {words[0] for words, _ in NUMERIC} >= {"match", "equity", "solve", "acpc", "serve"}


@pytest.mark.parametrize(
    ("words", "option"), NUMERIC, ids=lambda value: value if isinstance(value, str) else " ".join(value)
)
def test_a_number_that_is_none_or_beyond_all_bounds_is_refused_and_quoted(words, option, capsys):
    wrong = ["-1", ENDLESS, "nan", "inf", "-inf", "1e308", "x", "9" * 5000]
    if option not in ZERO_IS_FINE:
        wrong.append("0")
    before = ["127.0.0.1"] if option == "port" else []
    for text in wrong:
        typed = ["--", *before, text] if option == "port" else [option, text]
        complaint = mistake(capsys, *words, *typed)
        assert repr(text) in complaint or repr(text[:39] + "…") in complaint
        assert len(complaint) < 300


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [(integer(2, 5), "5", 5), (count_number, "1_000,000", 10**6), (port_number, "0", 0), (seed_number, "7", 7),
     (positive_number, "0.1%", 0.001), (share, "100%", 1.0), (share, " 5 % ", 0.05)],
)  # fmt: skip
def test_numbers_between_their_bounds_are_read(parse, text, value):
    assert math.isclose(parse(text), value)


@pytest.mark.parametrize(
    ("parse", "text", "words"),
    [
        (integer(2, 5), "1", "'1' is too small: give 2 or more"),
        (integer(2, 5), "6", "'6' is too large: give 5 or less"),
        (count_number, "0", "'0' is too small: give 1 or more"),
        (port_number, "65536", "'65536' is too large: give 65,535 or less"),
        (positive_number, "0", "'0' is too small: give more than 0"),
        (share, "30", "'30' is too large: give 1 or less, write 0.3 or 30%"),
        (share, "nan", "'nan' is not a number: write 0.3 or 30%"),
    ],
)
def test_a_number_beyond_its_bounds_is_told_them(parse, text, words):
    with pytest.raises(typer.BadParameter) as refused:
        parse(text)
    assert str(refused.value) == words


@pytest.mark.parametrize("text", ["nan", "inf", "-1mbb", "0", "x"])
def test_a_width_to_play_until_is_a_number_with_an_end(text):
    with pytest.raises(FeltError, match=f"--until '{text}'"):
        until_width(text)


def test_a_seed_of_64_bits_is_fine(capsys):
    assert run(["equity", "AA", "KK", "--samples", "100", "--seed", str(2**64 - 1)]) == 0


DIGITS = "9" * 5000
TEXTS = [
    ["tournament", "call*2", "--levels"], ["tournament", "call*2", "--blinds"], ["ring", "call", "fold", "--levels"],
    ["ring", "call", "fold", "--bankroll"], ["game", "show", "kuhn", "--set"],
    ["acpc", "deal", "kuhn", "call", "fold", "--port"], ["solve", "kuhn", "--float"], ["solve", "leduc", "--cards"],
    ["match", "call", "fold", "--until"], ["pushfold", "--stacks"], ["range"], ["rank"],
]  # fmt: skip


@pytest.mark.parametrize("words", TEXTS, ids=" ".join)
def test_numbers_in_texts_that_nobody_means_are_one_short_line(words, built_once, capsys):
    for text in (DIGITS, f"cards={DIGITS}", "nan", "-1"):
        assert len(mistake(capsys, *words, text)) < 500


@pytest.mark.parametrize("times", [DIGITS, ENDLESS, "0"], ids=["5000 digits", "23 digits", "none"])
def test_an_agent_enters_as_often_as_somebody_could_mean(times, built_once, capsys):
    assert "an agent may enter 1 to " in mistake(capsys, "tournament", f"call*{times}", "--repeat", "1")
