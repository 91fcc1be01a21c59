"""Reading options, and the types that several commands share.

Numbers are read here and not by Typer so that a message quotes what was typed. Every number has bounds: what is beyond
them is a slip of the finger, or would take a machine down.
"""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, field, fields
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from felt.errors import FeltError

MOST = 10**12
"""The largest number that an option takes unless it says otherwise: years of hands, more chips than a table holds."""

MOST_THREADS = 1024
MOST_OPPONENTS = 9
MOST_SEED = 2**64 - 1
MOST_SHOWN = 40
"""Characters of an input that are quoted."""

PERCENT = {"%": 100}


def option(default: Any, flags: str, metavar: str, help: str, parser: Callable[[Any], Any] | None = None) -> Any:
    """An option as the default of a parameter: ``seed: int = option(0, "--seed -s", "N", "The seed.", seed_number)``.

    A switch has no metavar; without a parser Typer reads the value by its type.
    """
    return typer.Option(default, *flags.split(), metavar=metavar or None, help=help, parser=parser)


def field_option(default: Any, *declaration: Any) -> Any:
    """The same as a field of a dataclass of options (`options_command`)."""
    return field(default=default, metadata={"option": option(default, *declaration)})


def shared_option(flags: str, metavar: str, help: str, parser: Callable[[Any], Any] | None = None) -> Any:
    """The same for the annotation of a type that several commands have, each with its default."""
    return typer.Option(*flags.split(), metavar=metavar or None, help=help, parser=parser)


def argument(metavar: str, help: str, parser: Callable[[Any], Any] | None = None) -> Any:
    """An argument of a command."""
    return typer.Argument(metavar=metavar, help=help, parser=parser)


def integer(least: int = 0, most: int = MOST) -> Callable[[str | int], int]:
    """A parser of whole numbers between two bounds; ``50_000`` and ``50,000`` are fine.

    Defaults pass through it as they are.
    """

    def parse(text: str | int) -> int:
        try:
            value = int(str(text).replace(",", "_"))
        except ValueError:  # Python also refuses thousands of digits, which are no number that anybody means
            raise typer.BadParameter(f"{quoted(text)} is not a whole number: write digits, like 1000") from None
        _check_bounds(text, value, least, most)
        return value

    return parse


def real(
    least: float = 0.0,
    most: float = MOST,
    *,
    above: bool = False,
    hint: str = "",
    units: Mapping[str, int] = PERCENT,
) -> Callable[[str | float], float]:
    """A parser of numbers between two bounds, the lower one left out if only numbers `above` it will do.

    `units` may be written behind a number; each says by what the number is divided then.
    """

    def parse(text: str | float) -> float:
        typed = str(text).strip().lower()
        unit = next((unit for unit in units if typed.endswith(unit)), "")
        try:
            value = float(typed.removesuffix(unit)) / units.get(unit, 1)
        except ValueError:
            value = math.nan
        if math.isnan(value):
            raise typer.BadParameter(f"{quoted(text)} is not a number: {hint or 'write it like 0.001 or 0.1%'}")
        if above and value <= least:
            raise typer.BadParameter(f"{quoted(text)} is too small: give more than {least:g}")
        _check_bounds(text, value, least, most, hint)
        return value

    return parse


def _check_bounds(text: object, value: float, least: float, most: float, hint: str = "") -> None:
    if value < least:
        raise typer.BadParameter(f"{quoted(text)} is too small: give {least:,} or more")
    if value > most:
        raise typer.BadParameter(f"{quoted(text)} is too large: give {most:,} or less" + (f", {hint}" if hint else ""))


def quoted(text: object) -> str:
    """An input for a message, shortened where it is endless."""
    typed = str(text)
    return repr(typed if len(typed) <= MOST_SHOWN else typed[: MOST_SHOWN - 1] + "…")


whole_number = integer()
"""A whole number from 0 up."""

count_number = integer(1)
"""A whole number from 1 up."""

thread_number = integer(1, MOST_THREADS)
"""A number of threads or processes."""

large_number = integer(1, 1_000_000)
"""A number of things that are all kept in memory."""

port_number = integer(0, 65535)
"""A port; 0 for any that is free."""

seed_number = integer(0, MOST_SEED)
"""A seed."""

number = real()
"""A number from 0 up such as ``0.001``, or ``0.1%`` for the same."""

positive_number = real(above=True)
"""A number above 0."""

gigabytes = real(most=1_000_000, above=True, hint="write it like 4, 0.5GB or 200MB", units={"gb": 1, "mb": 1000})
"""Memory in gigabytes: a number of them, or with its unit like ``200MB``."""

share = real(most=1, hint="write 0.3 or 30%")
"""A share between 0 and 1, written ``0.3`` or ``30%``."""


Options = TypeVar("Options")


def options_command(
    function: Callable[[Options], None], ordered: Callable[[Any], Sequence[Any]] = fields
) -> Callable[..., None]:
    """A command for Typer from a function of its options, which are a dataclass.

    Each field, `ordered` as the help has them, is an option: its annotation says which, its default is the option's.
    """
    kind: type[Options] = next(iter(get_type_hints(function).values()))
    hints = get_type_hints(kind, include_extras=True)

    def command(**values: Any) -> None:
        function(kind(**values))

    command.__name__, command.__doc__ = function.__name__, function.__doc__
    parameters = []
    for item in ordered(kind):
        default = inspect.Parameter.empty if item.default is MISSING else item.metadata.get("option", item.default)
        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters.append(inspect.Parameter(item.name, keyword, annotation=hints[item.name], default=default))
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters} | {"return": None}
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # functions have it
    return command


def flag_of(kind: type[Any], name: str) -> str:
    """The option of a field, such as ``--on-error``."""
    for item in fields(kind):
        if item.name == name and item.metadata:
            return str(item.metadata["option"].param_decls[0])
    # in an annotation, Typer takes the first flag for the default
    return str(get_type_hints(kind, include_extras=True)[name].__metadata__[0].default)


def only_one_of(**options: object) -> None:
    """Refuse options that exclude each other when more than one of them is given."""
    names = [f"--{name.replace('_', '-')}" for name, value in options.items() if value is not None]
    if len(names) > 1:
        raise FeltError(f"{' and '.join(names)} exclude each other: choose one")


Database = Annotated[
    str | None,
    shared_option("--database", "URL", "PostgreSQL or another file instead of the data folder (FELT_DATABASE_URL)."),
]
Json = Annotated[bool, shared_option("--json", "", "Print one JSON object and nothing else.")]
Board = Annotated[str, shared_option("--board -b", "CARDS", "Community cards, like QsJh2h.")]
Dead = Annotated[str, shared_option("--dead", "CARDS", "Cards that are out of play.")]
Opponents = Annotated[
    int | None, shared_option("--opponents -o", "N", "Add N opponents with random hands.", integer(0, MOST_OPPONENTS))
]
