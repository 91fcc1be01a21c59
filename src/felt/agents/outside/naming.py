"""Programs outside by name: each is started once, or connected to, to hear what it wants."""

from typing import Any

from felt.agents.outside.bot import kind_of
from felt.agents.outside.doors import Door, door
from felt.agents.outside.messages import Greeting
from felt.agents.outside.talk import Talk

_heard: dict[str, Greeting] = {}
"""By place: what programs have said of themselves when another process asked them."""


def found(spec: str) -> tuple[Door, type[Any]]:
    """The door of a program and its class. Raises `FeltError` with what is wrong with it."""
    there = door(spec)
    greeting = _heard.get(there.place)
    if greeting is None:
        talk = Talk(there)
        try:
            greeting = talk.begin()
        finally:
            talk.let_go()
    return there, kind_of(there, greeting)


def heard(greetings: dict[str, Greeting]) -> None:
    """Take the word of another process for what programs say: they are not asked again."""
    _heard.update(greetings)
