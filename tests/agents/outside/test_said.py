"""What is said: by the schema of the docs, and as the page shows it."""

import json
import re

import pytest

from felt.arena import Match, play
from felt.games import load
from tests.agents.outside.programs import ROOT, SAMPLES, bad, here, sample
from tests.agents.outside.sessions import recorded

PAGE = ROOT / "docs" / "outside-agents.md"
SCHEMA = ROOT / "docs" / "outside-agents.schema.json"
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
