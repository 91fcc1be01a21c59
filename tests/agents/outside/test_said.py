"""What is said: by the schema of the docs, and as the page shows it."""

import json
import re

import pytest

from felt.agents.api import AgentFault
from felt.agents.outside import messages
from felt.arena import Match, play
from felt.games import Move, load
from tests.agents.outside.programs import ROOT, SAMPLES, bad, here, sample
from tests.agents.outside.sessions import recorded

PAGE = ROOT / "docs" / "agents" / "outside-agents.md"
SCHEMA = ROOT / "docs" / "agents" / "outside-agents.schema.json"
ALL = {"remembers": True, "events": ["hand_started", "action_seen", "showdown", "hand_over"]}


def session(spec: str, game: str, hands: int = 4) -> list[str]:
    with recorded() as said:
        assert play(Match.of([here(spec), "random"], load(game)), hands, workers=1).conduct.clean
    return said


def test_all_that_is_said_keeps_to_the_schema():
    jsonschema = pytest.importorskip("jsonschema_rs", reason="jsonschema-rs is not here")
    schema = json.loads(SCHEMA.read_text())
    sides = {
        mark: jsonschema.validator_for({**schema, "anyOf": [{"$ref": f"#/$defs/{side}"}]})
        for mark, side in (("→", "to_program"), ("←", "from_program"))
    }
    kinds = set()
    for game in ("nlhe", "badugi", "stud"):
        for line in session(bad("good", "1", json.dumps(ALL)), game, 6) + session(sample("python", SAMPLES), game):
            mark, text = line.split(" ", 1)
            message = json.loads(text)
            sides[mark].validate(message)
            kinds.add(mark + message.get("type", message.get("move", "")))
    assert kinds >= {"→hello", "→game", "→act", "→hand_started", "→action_seen", "→showdown", "→hand_over"}
    assert kinds >= {"→match_over", "←hello", "←call", "←raise", "←fold", "←exchange"}
    with pytest.raises(jsonschema.ValidationError):
        sides["←"].validate({"id": 1, "move": "raise"})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"\xff\xfe\0", "which is no JSON object"),
        (b"[" * 50_000, "which is no JSON object"),
        (b'{"id":1} {"id":2}', "which is no JSON object"),
        (b"", "it said '', which is no JSON object"),
        (b'{"move":"call"}', "does not say which question it answers (id)"),
        (b'{"id":true,"move":"call"}', "does not say which question it answers (id)"),
        (b'{"id":1,"move":["call"]}', "a move is fold, call, raise, exchange"),
        (b'{"id":1,"move":"raise","amount":6.5}', "a raise has a whole amount, the total"),
        (b'{"id":1,"move":"raise","amount":1e999}', "a raise has a whole amount, the total"),
        (b'{"id":1,"move":"raise"}', "a raise has a whole amount, the total"),
        (b'{"id":1,"move":"exchange","cards":"Zz"}', 'write cards like "AsTd"'),
        (b'{"id":1,"move":"exchange","cards":[5]}', 'write cards like "AsTd"'),
        (b'{"id":1,"move":"call","seat":1}', "it answered for seat 1, and sits in seat 0"),
        (b'{"id":1,"move":"call","seat":{"a":[1,2,3]}}', "and sits in seat 0"),
    ],
)
def test_answers_that_are_none_are_told_in_one_short_line(line, words):
    with pytest.raises(AgentFault) as caught:
        messages.action(messages.answer(line), 0)
    assert words in str(caught.value) and "\n" not in str(caught.value) and len(str(caught.value)) < 500
    assert caught.value.kind == "illegal"


def test_good_answers_are_moves():
    def move(text):
        return messages.action(messages.answer(text), 0)

    assert move(b' {"id": 1, "seat": 0, "move": "raise", "amount": 6, "why": "a good hand"}\r') == (Move.RAISE, 6, ())
    assert move(b'{"id":1,"move":"call","amount":7}') == (Move.CALL, 0, ())
    assert move(b'{"id":1,"move":"exchange","cards":"As2c"}') == (Move.EXCHANGE, 0, (51, 0))


def test_a_program_that_listens_hears_what_happens_in_order():
    said = session(bad("good", "1", json.dumps(ALL)), "nlhe")
    kinds = [json.loads(line[2:])["type"] for line in said if line.startswith("→")]
    assert kinds[:2] == ["hello", "hello"] and kinds[2:4] == ["game", "hand_started"] and kinds[-1] == "match_over"
    assert kinds.count("hand_started") == kinds.count("hand_over") == 4
    assert kinds.count("act") <= kinds.count("action_seen")


def test_the_session_of_the_page_is_what_is_said():
    with recorded() as said:
        play(Match.of([here(sample("python", SAMPLES)), "call"], load("kuhn")), 2, workers=1)
    shown = re.findall(r"^[→←] .*$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert shown == said[2:], "after the hello before the match"
