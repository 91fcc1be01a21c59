"""`felt match`: agents against each other, with an interval on every figure."""

import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.finding import Settings, load_game
from felt.cli.machines import Ray, match_crew
from felt.cli.match_text import MatchBar, print_result
from felt.cli.options import Json, count_number, positive_number, seed_number, thread_number
from felt.cli.reporting import check_report, write_report
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena import Match
    from felt.games import GameRules

HANDS = 10_000

Game = Annotated[
    str, typer.Option("--game", "-g", metavar="GAME", help="A game of the catalogue, or a PGDL (.xml) or ACPC file.")
]
Hands = Annotated[
    int | None,
    typer.Option(
        "--hands", "-n", metavar="N", parser=count_number, help=f"Hands in all, duplicates included [{HANDS:,}]."
    ),
]
Stack = Annotated[
    float | None,
    typer.Option(
        "--stack", metavar="BB", parser=positive_number, help="Everybody's stack in big blinds; the game's own else."
    ),
]
Duplicate = Annotated[
    bool, typer.Option("--duplicate", "-d", help="Play every deal in several seatings: luck cancels out.")
]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", parser=seed_number, help="The same seed plays the same match.")
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", "-w", metavar="N", parser=thread_number, help="Cores to use; all unless told."),
]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="WIDTH", help="Play until intervals are so narrow, like 20mbb to either side."),
]
OnError = Annotated[
    str,
    typer.Option("--on-error", metavar="RULE", help="What is done for an agent that does wrong: fold, call, forfeit."),
]
Timeout = Annotated[
    float,
    typer.Option("--timeout", metavar="SECONDS", parser=positive_number, help="What an agent may take for a decision."),
]
LogTo = Annotated[Path | None, typer.Option("--log", metavar="DIR", help="Keep every hand there; go on where it ends.")]
ReportTo = Annotated[Path | None, typer.Option("--report", metavar="FILE", help="Write an HTML page with plots.")]
PlotsTo = Annotated[Path | None, typer.Option("--plots", metavar="DIR", help="Write the plots as PNG and SVG files.")]


def match(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT AGENT…", help="Names (felt agents), files like ./bot.py:Bot, or programs like cmd:./bot."
        ),
    ] = None,
    game: Game = "nlhe",
    hands: Hands = None,
    stack: Stack = None,
    duplicate: Duplicate = False,
    seed: Seed = 0,
    until: Until = None,
    workers: Workers = None,
    on_error: OnError = "fold",
    timeout: Timeout = 10.0,
    settings: Settings = None,
    log: LogTo = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="DIR", help="Go on with the match of a log, as it was begun.")
    ] = None,
    report: ReportTo = None,
    plots: PlotsTo = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Play agents against each other and say who wins, with a 95 % interval.

    Example: `felt match ehs call --hands 20000 --duplicate`
    """
    if resume is not None:
        fixed = {
            "AGENT": agents or None, "--game": game if game != "nlhe" else None, "--stack": stack,
            "--seed": seed or None, "--duplicate": duplicate or None, "--set": settings, "--log": log, "--until": until,
            "--on-error": on_error if on_error != "fold" else None,
        }  # fmt: skip
        _resume(resume, fixed, hands=hands, workers=workers, report=report, plots=plots, ray=ray, json=json)
        return
    specs = agents or []
    if len(specs) < 2:
        raise FeltError(
            f"a match needs at least two agents, here {'is one' if specs else 'are none'}: felt match ehs call"
        )
    found, wanted, width, words = set_up(
        "match", specs, game=game, settings=settings, hands=hands, stack=stack, duplicate=duplicate, seed=seed,
        until=until, on_error=on_error, timeout=timeout,
    )  # fmt: skip
    play(found, wanted, width, workers=workers, log=log, report=report, plots=plots, ray=ray, words=words, json=json)


def play(
    found: "Match",
    hands: int | None,
    until: float | None,
    *,
    workers: int | None,
    log: Path | None,
    report: Path | None,
    plots: Path | None,
    ray: str | None,
    words: list[str],
    json: bool,
) -> None:
    """Play a match, show how it goes, and print what came of it."""
    from felt.arena import play as play_match

    check_report(report, plots)
    kept = None
    if log is not None:
        from felt.store.matches import open_match

        kept = open_match(log, found, command=shlex.join([*words, "--log", str(log)]))
    with (
        match_crew(ray, workers) as crew,
        MatchBar(found, hands) as bar,
        told_how_to_go_on(f"felt match --resume {shlex.quote(str(log))}" if log else None),
    ):
        result = play_match(
            found, hands, until=until, workers=workers, log=kept, watch=report is not None or plots is not None,
            progress=bar, crew=crew,
        )  # fmt: skip
    if report is not None or plots is not None:
        write_report(result, shlex.join(words), report, plots)
    if json:
        output.print_json(result.as_dict())
        return
    print_result(result)
    output.say_written(report, plots, log)


@contextmanager
def told_how_to_go_on(command: str | None) -> Iterator[None]:
    """Who interrupts a match that is logged is told that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        if command is not None:
            print(f"felt: interrupted; what was played is in the log: go on with {command}", file=sys.stderr)
        raise


def set_up(
    name: str,
    specs: list[str],
    *,
    game: str,
    settings: list[str] | None,
    hands: int | None,
    stack: float | None,
    duplicate: bool,
    seed: int,
    until: str | None,
    on_error: str,
    timeout: float,
) -> "tuple[Match, int | None, float | None, list[str]]":
    """What a command is to play: the match, hands, the width to play until; and the words that play it again."""
    match = make_match(
        specs, game, settings, stack=stack, seed=seed, duplicate=duplicate, on_error=on_error, timeout=timeout,
        pairs=name == "league",
    )  # fmt: skip
    width = until_width(until)
    wanted = hands if hands is not None or width is not None else HANDS
    words = command(
        name, specs, game=game, settings=settings, hands=wanted, stack=stack, duplicate=duplicate, seed=seed,
        until=until, on_error=on_error, timeout=timeout,
    )  # fmt: skip
    return match, wanted, width, words


def make_match(
    specs: list[str],
    game: str,
    settings: list[str] | None,
    *,
    stack: float | None,
    seed: int,
    duplicate: bool,
    on_error: str,
    timeout: float,
    pairs: bool = False,
) -> "Match":
    """A match as the options say; `pairs` if its players meet two by two."""
    from felt.agents import entrant
    from felt.arena import Match

    entrants = [entrant(spec) for spec in specs]
    seats, counted = (2, "a league has two at a table") if pairs else (len(specs), f"{len(specs)} agents")
    rules = load_game(game, settings, seats, counted=counted)
    return Match.of(
        entrants, rules, stack=chips(stack, rules), seed=seed, duplicate=duplicate, on_error=on_error, timeout=timeout,
        seats=2 if pairs else None,
    )  # fmt: skip


def choices(game: str) -> set[str]:
    """The parameters of a game of the catalogue."""
    from felt.games import names, parameters

    return {parameter.name for parameter in parameters(game)} if game in names() else set()


def chips(stack: float | None, rules: "GameRules") -> int | None:
    """A stack of so many big blinds."""
    if stack is None:
        return None
    found = stack * rules.big_blind
    if not found.is_integer() or found < 1:
        raise FeltError(
            f"--stack {stack:.15g}: with a big blind of {rules.big_blind} that is {found:.15g} chips, no whole number"
        )
    return int(found)


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


def command(name: str, specs: list[str], **options: object) -> list[str]:
    """What somebody has to type for the same result; options that were left alone are left out."""
    words = ["felt", name, *specs]
    left_alone = {"game": "nlhe", "on_error": "fold", "timeout": 10.0, "seed": None}
    for key, value in options.items():
        option = "--set" if key == "settings" else f"--{key.replace('_', '-')}"
        if value is None or value is False or left_alone.get(key) == value:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, list):
            words += [word for one in value for word in (option, str(one))]
        elif isinstance(value, float) and value.is_integer():
            words += [option, str(int(value))]
        else:
            words += [option, str(value)]  # a float with all its digits
    return words


def _resume(log: Path, fixed: Mapping[str, object], *, hands: int | None, **more: object) -> None:
    """Run the command that began the match of a log again, which goes on with it; `hands` may be more."""
    for name, value in fixed.items():
        if value is not None:
            raise FeltError(f"--resume goes on with the match as it was begun: leave {name} out")
    from felt.store.matches import match_folder, read_match

    folder = match_folder(log, 1)
    if not (folder / "match.json").is_file():
        raise FeltError(f"--resume {str(log)!r}: no match has been begun in that folder; give its command again")
    words = shlex.split(read_match(1, folder).description["command"])
    if words[:2] != ["felt", "match"]:
        raise FeltError(f"--resume {str(log)!r}: it was not begun by felt match, but by: {shlex.join(words)}")
    again = [*words[1 : words.index("--log")], "--log", str(log)]
    if hands is not None:
        if "--hands" in again:
            again[again.index("--hands") + 1] = str(hands)
        else:
            again += ["--hands", str(hands)]
    again += command("match", [], **more)[2:]
    typer.main.get_command(sys.modules["felt.cli.app"].app).main(again, prog_name="felt", standalone_mode=False)
