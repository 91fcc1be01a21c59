"""Agents by name and from files: what is found, and what is said where nothing can be."""

import sys
from pathlib import Path

import pytest

from felt.agents import BUILT_IN, Agent, AgentError, entrant
from felt.agents.basic.call import Call

BOT = """
from felt.agents import Agent, check_or_call, check_or_fold


class Bot(Agent):
    remembers = False

    def __init__(self, brave=True, limit=3, name=""):
        self.brave, self.limit, self.name = brave, limit, name

    def act(self, view):
        return check_or_call(view) if self.brave else check_or_fold(view)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in; what is loaded from it is forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def complaint(spec: object) -> str:
    with pytest.raises(AgentError) as caught:
        entrant(spec).make()  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_agents_are_found_and_trusted(name):
    found = entrant(name)
    assert found.spec == name
    assert found.trusted
    assert isinstance(found.make(), Agent)
    assert found.make() is not found.make()
    assert found.batch or name == "strategy"  # which looks its moves up one by one
    assert not found.remembers


def test_an_agent_by_its_class_or_by_a_function():
    assert isinstance(entrant(Call).make(), Call)
    assert entrant(Call).spec == "Call"
    assert isinstance(entrant(lambda: Call()).make(), Call)
    assert not entrant(Call).trusted
    twice = entrant("call")
    assert entrant(twice) is twice


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("cal", "did you mean call"),
        ("EHS", "did you mean ehs?"),
        ("potods", "did you mean potodds?"),
        ("rasie", "raise"),
    ],
)
def test_unknown_agents_get_the_nearest_names(typed, meant):
    told = complaint(typed)
    assert told.startswith(f"there is no agent {typed!r}; ")
    assert meant in told
    assert "./bot.py:Bot" in told


def test_nothing_near_gets_the_whole_list():
    told = complaint("xyzzy")
    assert "did you mean" not in told
    assert "There are fold, call, raise, allin, random, chen, potodds, ehs, tag, pushfold" in told


def test_parameters_are_read_as_what_they_look_like():
    made = entrant("ehs:opponents=2,samples=50").make()
    assert (made.opponents, made.samples) == (2, 50)
    assert entrant("tag:edge=0.3, margin=0").make().edge == 0.3
    assert entrant("ehs:opponents=none").make().opponents is None


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("ehs:oponents=2", "has no parameter 'oponents'; it has opponents, samples"),
        ("call:loose=1", "has no parameter 'loose'; it has none"),
        ("ehs:2", "'2' is no parameter: write name=value"),
        ("ehs:opponents=two", "opponents='two': give a whole number, 1 or more"),
        ("ehs:opponents=0", "opponents=0: give a whole number, 1 or more"),
        ("chen:raise_at=1.5", "raise_at=1.5: give a whole number, -1 or more"),
        ("tag:edge=much", "cannot be made: ValueError: could not convert string to float: 'much'"),
    ],
)
def test_parameters_that_are_wrong(spec, told):
    assert told in complaint(spec)


def test_an_agent_from_a_file(folder):
    (folder / "bot.py").write_text(BOT)
    found = entrant("./bot.py:Bot")
    assert not found.trusted
    assert not found.remembers
    assert found.make().brave is True
    assert entrant("bot.py").make().limit == 3  # the only one there
    assert entrant(f"{folder}/bot.py:Bot").kind is found.kind
    assert isinstance(found.make(), Agent)


def test_a_file_agent_with_parameters(folder):
    (folder / "bot.py").write_text(BOT)
    made = entrant("./bot.py:Bot:brave=false,limit=7,name=Ann").make()
    assert (made.brave, made.limit, made.name) == (False, 7, "Ann")
    assert entrant("./bot.py:limit=7").make().limit == 7
    assert "has no parameter 'limits'; it has brave, limit, name" in complaint("./bot.py:Bot:limits=7")


def test_an_agent_needs_no_base_class(folder):
    (folder / "own.py").write_text("class Own:\n    def act(self, view):\n        return None\n")
    found = entrant("own.py:Own")
    assert found.remembers  # who does not say may do so
    assert not found.batch


def test_modules_beside_an_agent_can_be_imported(folder):
    (folder / "tables_of_mine.py").write_text("NUMBER = 41\n")
    (folder / "bot.py").write_text("from tables_of_mine import NUMBER\n" + BOT)
    assert entrant("bot.py").make()


def test_a_missing_file(folder):
    assert complaint("./bot.py:Bot") == "agent './bot.py:Bot': there is no file 'bot.py' here"
    (folder / "bot").write_text(BOT)
    assert "its name must end with .py" in complaint("./bot:Bot")


def test_a_file_with_a_syntax_error_is_told_with_its_line(folder):
    (folder / "bot.py").write_text("import random\n\nclass Bot\n    pass\n")
    assert complaint("bot.py:Bot") == "agent 'bot.py:Bot': bot.py, line 3: expected ':': 'class Bot'"
    (folder / "bot.py").write_text(BOT)  # mended
    assert entrant("bot.py:Bot").make()


def test_a_file_that_raises_when_it_is_imported(folder):
    (folder / "bot.py").write_text("import felt\n\nfelt.no_such_thing\n")
    told = complaint("bot.py:Bot")
    assert "bot.py cannot be loaded: AttributeError" in told
    assert "(bot.py, line 3)" in told
    (folder / "exits.py").write_text("import sys\nsys.exit('enough')\n")
    assert "exits.py cannot be loaded: SystemExit: enough" in complaint("exits.py")


def test_a_missing_class(folder):
    (folder / "bot.py").write_text(BOT)
    assert complaint("bot.py:Bots") == "'bot.py:Bots': bot.py has no agent 'Bots'; did you mean Bot?"
    (folder / "none.py").write_text("from felt.agents import Agent\nclass Nothing:\n    pass\n")
    assert "no class there has a method act(view)" in complaint("none.py:Nothing")
    assert "with a method act: none" in complaint("none.py")


def test_two_classes_in_a_file_have_to_be_told_apart(folder):
    (folder / "bot.py").write_text(BOT + BOT.replace("Bot(Agent)", "Other(Agent)"))
    assert "say which class of bot.py plays, like bot.py:Bot; with a method act: Bot, Other" in complaint("bot.py")
    assert entrant("bot.py:Other").kind.__name__ == "Other"


def test_a_class_that_cannot_be_made(folder):
    (folder / "bot.py").write_text("class Bot:\n    def __init__(self):\n        1 / 0\n    def act(self, view): ...\n")
    assert complaint("bot.py") == "agent 'bot.py' cannot be made: ZeroDivisionError: division by zero (bot.py, line 3)"


def test_what_is_no_agent():
    assert "is no agent: give a name, a file like ./bot.py:Bot, or a class" in complaint(7)
    assert "has no method act(view)" in complaint(dict)
