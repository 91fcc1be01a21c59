"""The options of the commands that play: each is written once, and the command line that plays a result again is
written from the same place.

A command's options are the fields of a dataclass. `play_command` makes the command of it, `PlayOptions.build` what is
played, and `PlayOptions.again` the line to type for the same result.
"""

import inspect
import shlex
from collections.abc import Callable
from dataclasses import dataclass, fields
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, get_type_hints

from felt.cli.games.finding import Settings
from felt.cli.options import (
    Json,
    argument,
    count_number,
    flag_of,
    options_command,
    positive_number,
    seed_number,
    shared_option,
    thread_number,
)
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.games import GameRules

Agents = Annotated[
    list[str],
    argument("AGENT AGENT…", "Names, files like ./bot.py:Bot, or programs like cmd:./bot."),
]
Copies = Annotated[list[str], argument("AGENT AGENT…", "Names or files; call*20 enters twenty times.")]
Game = Annotated[str, shared_option("--game -g", "GAME", "A game of the catalogue, or a PGDL (.xml) or ACPC file.")]
Stack = Annotated[
    float | None,
    shared_option("--stack", "BB", "Every player's stack in big blinds [the game's own].", positive_number),
]
Seed = Annotated[int, shared_option("--seed", "N", "The same seed gives the same result.", seed_number)]
Workers = Annotated[int | None, shared_option("--workers -w", "N", "Cores to use [all].", thread_number)]
OnError = Annotated[str, shared_option("--on-error", "RULE", "The move of an agent that makes a fault: fold or call.")]
Timeout = Annotated[
    float, shared_option("--timeout", "SECONDS", "Time that an agent has for a decision.", positive_number)
]
Repeat = Annotated[int, shared_option("--repeat -n", "N", "How often it is played.", count_number)]
LogTo = Annotated[Path | None, shared_option("--log", "DIR", "Write a log into this folder, and resume from it.")]
ReportTo = Annotated[Path | None, shared_option("--report", "FILE", "Write an HTML page with plots.")]
PlotsTo = Annotated[Path | None, shared_option("--plots", "DIR", "Write the plots as PNG and SVG files.")]
Ray = Annotated[
    str | None, shared_option("--ray", "ADDRESS", "Play on a Ray cluster: HOST:6379 as ray start tells it, or auto.")
]

Spec = TypeVar("Spec")

UNRECORDED = {"agents", "agent", "workers", "log", "resume", "report", "plots", "ray", "json"}
"""Options that do not change the result; agents come first and without a flag."""

USUAL = {"game", "on_error", "timeout"}
"""Options that a line to type leaves out where they have their defaults: nobody looks for them there."""


@dataclass(kw_only=True)
class PlayOptions:
    """The options that every command has which plays."""

    command: ClassVar[str]

    game: Game = "nlhe"
    settings: Settings = None
    seed: Seed = 0
    workers: Workers = None
    on_error: OnError = "fold"
    timeout: Timeout = 10.0
    log: LogTo = None
    report: ReportTo = None
    plots: PlotsTo = None
    ray: Ray = None
    json: Json = False

    @property
    def draws(self) -> bool:
        """Whether a report or plots are written."""
        return self.report is not None or self.plots is not None

    def build(self, make: Callable[..., Spec], **changed: Any) -> Spec:
        """What is to be played: each parameter of `make` is the option of its name, unless it is given here.

        Where `make` takes the fields of its class as well, those are options too.
        """
        taken = inspect.signature(make).parameters
        open_ended = any(parameter.kind == parameter.VAR_KEYWORD for parameter in taken.values())
        names = set(taken)
        if open_ended:
            names |= {field.name for field in fields(make.__self__)}  # type: ignore[attr-defined]  # a class method
        return make(**({name: value for name, value in vars(self).items() if name in names} | changed))

    def again(self, *, log: Path | None = None) -> str:
        """The line to type for the same result, with a log where there is to be one."""
        agents = getattr(self, "agents", None) or [getattr(self, "agent", "")]
        words = ["felt", self.command, *agents]
        for field in ordered_fields(type(self)):
            value = getattr(self, field.name)
            if field.name not in UNRECORDED and not (field.name in USUAL and value == field.default):
                words += option_words(flag_of(type(self), field.name), value)
        return shlex.join([*words, *option_words("--log", log)])


def ordered_fields(kind: type[PlayOptions]) -> list[Any]:
    """The fields in the order of the help: agents, the game, the command's own options, then those of all commands."""
    places = {field.name: 3 for field in fields(PlayOptions)} | {"agents": 0, "agent": 0, "game": 1, "settings": 1}
    return sorted(fields(kind), key=lambda field: places.get(field.name, 2))


def option_words(flag: str, value: object) -> list[str]:
    """An option as it is typed; nothing for one that is not given."""
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if isinstance(value, list):
        return [word for item in value for word in (flag, str(item))]
    if isinstance(value, float) and value.is_integer():
        return [flag, str(int(value))]
    return [flag, str(value)]  # a float with all its digits


Options = TypeVar("Options", bound=PlayOptions)


def play_command(function: Callable[[Options], None]) -> Callable[..., None]:
    """A command for Typer from a function of its options, which know its name."""
    next(iter(get_type_hints(function).values())).command = function.__name__
    return options_command(function, ordered_fields)


# Reading values


def chips(stack: float | None, rules: "GameRules") -> int | None:
    """A stack of so many big blinds."""
    if stack is None:
        return None
    amount = stack * rules.big_blind
    if not amount.is_integer() or amount < 1:
        raise FeltError(
            f"--stack {stack:.15g}: with a big blind of {rules.big_blind} that is {amount:.15g} chips, no whole number"
        )
    return int(amount)


def until_width(text: str | None) -> float | None:
    """A width like ``20mbb``."""
    if text is None:
        return None
    try:
        width = float(text.strip().lower().removesuffix("mbb").strip())
    except ValueError:
        raise FeltError(f"--until {text!r}: write a width like 20mbb") from None
    if not 0 < width < inf:
        raise FeltError(f"--until {text!r}: a width is more than 0 and has an end, like 20mbb")
    return width


def parameter_names(game: str) -> set[str]:
    """The parameters of a game of the catalogue."""
    from felt.games import names, parameters

    return {parameter.name for parameter in parameters(game)} if game in names() else set()
