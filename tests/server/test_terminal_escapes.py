"""Names and exceptions may hold what a terminal obeys: nothing that Felt prints, logs or answers sends it on."""

import io
import json
import logging
import sys

import pytest

from felt.cli import output
from felt.cli.app import run
from felt.cli.output import complain, show_traceback
from felt.errors import FeltError, error_text, printable, short_repr
from felt.server.net.logs import PlainFormatter, plain_logs
from felt.server.rank.commands import error_line
from felt.server.web.errors import error_told
from tests.server.live_helpers import service
from tests.server.test_accounts import Person

EVIL = "Ada\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\x7f"
OBEYED = "\x1b\x07\x9b\u202e\x7f"
PHH = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
players = ["Ada\\u001b[2J", "B\\u009b31mo"]
actions = ["d dh p1 AsAd", "d dh p2 KsKd", "p2 f"]
"""


def harmless(text):
    """Whether a terminal that shows the text does nothing else."""
    return not any(letter in text for letter in OBEYED)


def test_what_a_terminal_obeys_is_written_out():
    assert printable(EVIL) == "Ada\\x1b[2J\\x1b]0;owned\\x07\\x9b31m\\u202e\\x7f"
    assert printable("a\n\tb", keep="\n\t") == "a\n\tb" and printable("a\nb") == "a\\nb"


def test_messages_on_standard_error(capsys):
    complain(f"no file {EVIL}")
    assert run(["rank", EVIL]) == 2
    assert run([f"nothing{EVIL}"]) == 2
    assert run(["rank", "--nothing" + EVIL]) == 2
    assert run(["serve", "--data", f"/dev/null/{EVIL}"]) == 2
    told = capsys.readouterr().err
    assert harmless(told) and told.count("\n") == 5


def test_tables_and_lines_on_standard_output(capsys):
    made = output.table("name")
    made.add_row(EVIL)
    output.show(made)
    output.say(EVIL)
    output.facts([(EVIL, EVIL)])
    output.print_json({"name": EVIL})
    told = capsys.readouterr().out
    assert harmless(told)
    assert json.loads(told.splitlines()[-1]) == {"name": EVIL}, "and for programs the name is what it was"


@pytest.mark.parametrize("command", [["replay"], ["replay", "--json"], ["stats"], ["stats", "--json"]])
def test_names_in_hand_histories(tmp_path, capsys, command):
    file = tmp_path / "hand.phh"
    file.write_text(PHH)
    run([command[0], str(file), *command[1:]])
    told = capsys.readouterr()
    assert harmless(told.out + told.err) and "Ada" in told.out


def test_a_file_without_a_hand_to_count(tmp_path, capsys):
    file = tmp_path / "hand.phh"
    file.write_text(PHH.replace("p2 f", "p1 f"))
    run(["stats", str(file)])
    told = capsys.readouterr()
    assert "There is no hand to count." in told.out and "Traceback" not in told.err


def test_tracebacks(capsys):
    try:
        raise RuntimeError(EVIL)
    except RuntimeError:
        show_traceback(*sys.exc_info())
    told = capsys.readouterr().err
    assert harmless(told) and told.startswith("Traceback") and "\\x1b[2J" in told


def test_logs_of_the_service():
    stream = io.StringIO()
    logger = logging.getLogger("felt.test_terminal_escapes")
    handler = logging.StreamHandler(stream)
    logger.propagate = False
    logger.addHandler(handler)
    plain_logs(logger.name)
    plain_logs(logger.name)
    try:
        raise ValueError(EVIL)
    except ValueError:
        logger.exception("table %s", EVIL)
    assert harmless(stream.getvalue()) and "Traceback" in stream.getvalue() and "\n" in stream.getvalue()
    plain_logs()
    assert isinstance(logging.lastResort.formatter, PlainFormatter)
    assert harmless(logging.lastResort.format(logging.LogRecord("x", 30, "", 1, "%s", (EVIL,), None)))


def test_errors_of_agents():
    class BrokenError(Exception):
        def __repr__(self):
            return EVIL

    assert harmless(error_text(ValueError(EVIL))) and harmless(short_repr(BrokenError()))


def test_answers_of_the_service_and_of_the_rank_server(tmp_path):
    assert harmless(error_told("invalid", EVIL, EVIL)["message"]) and harmless(error_told("invalid", "", EVIL)["field"])
    line = error_line(FeltError(f"a\r\nb{EVIL}"))
    assert line.startswith(b"ERR a b") and harmless(line.decode()) and line.count(b"\n") == 1
    with service(tmp_path) as client:
        ada = Person(client)
        for path, body in (("/session", {"name": EVIL}), ("/account/login", {"name": EVIL, "password": EVIL})):
            answer = ada.post(path, **body)
            assert answer.status_code >= 400 and harmless(json.loads(answer.text)["error"]["message"])
