"""`felt match`: agents against each other, with an interval on every figure."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli.arena.machines import executor_at
from felt.cli.arena.match_text import MatchBar, print_result
from felt.cli.arena.options import (
    UNRECORDED,
    PlayOptions,
    Stack,
    chips,
    flag_of,
    option_words,
    ordered_fields,
    play_command,
    until_width,
)
from felt.cli.arena.reporting import check_report, finish
from felt.cli.games.finding import load_game
from felt.cli.options import count_number, option
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena import Match

HANDS = 10_000


@dataclass(kw_only=True)
class PairOptions(PlayOptions):
    """The options of matches, alone or in a league."""

    hands: Annotated[int | None, option("--hands -n", "N", f"Hands of a match [{HANDS:,}].", count_number)] = None
    stack: Stack = None
    duplicate: Annotated[
        bool, option("--duplicate -d", "", "Play every deal in several seatings: luck cancels out.")
    ] = False
    until: Annotated[str | None, option("--until", "WIDTH", "Play until intervals are this narrow, like 20mbb.")] = None
    on_error: Annotated[
        str, option("--on-error", "RULE", "The move of an agent that makes a fault: fold, call, forfeit.")
    ] = "fold"

    @property
    def width(self) -> float | None:
        """The half width of intervals to play until, in mbb/hand."""
        return until_width(self.until)

    def make_match(self, agents: list[str], *, pairs: bool = False) -> "Match":
        """The match that the options describe; `pairs` if its players meet two by two."""
        from felt.agents import entrant
        from felt.arena import Match

        entrants = [entrant(spec) for spec in agents]
        seats, counted = (2, "a league has two at a table") if pairs else (len(agents), f"{len(agents)} agents")
        rules = load_game(self.game, self.settings, seats, counted=counted)
        match = Match.of(
            entrants, rules, stack=chips(self.stack, rules), seed=self.seed, duplicate=self.duplicate,
            on_error=self.on_error, timeout=self.timeout, seats=2 if pairs else None,
        )  # fmt: skip
        if self.hands is None and self.width is None:
            self.hands = HANDS
        return match


@dataclass(kw_only=True)
class MatchOptions(PairOptions):
    """The options of `felt match`."""

    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT AGENT…", help="Names (felt agents), files like ./bot.py:Bot, or programs like cmd:./bot."
        ),
    ] = None
    resume: Annotated[Path | None, option("--resume", "DIR", "Resume the match of a log, as it was begun.")] = None


@play_command
def match(options: MatchOptions) -> None:
    """Play agents against each other and say who wins, with a 95 % interval.

    Example: `felt match ehs call --hands 20000 --duplicate`
    """
    if options.resume is not None:
        _resume(options.resume, options)
        return
    agents = options.agents or []
    if len(agents) < 2:
        raise FeltError(
            f"a match needs at least two agents, here {'is one' if agents else 'are none'}: felt match ehs call"
        )
    match = options.make_match(agents)
    play(match, options, options.again("match", agents))


def play(match: "Match", options: PairOptions, words: list[str]) -> None:
    """Play a match, show how it goes, and print its result; `words` are the command."""
    from felt.arena import play as play_match

    check_report(options.report, options.plots)
    log = None
    if options.log is not None:
        from felt.store.log.matches import open_match

        log = open_match(options.log, match, command=shlex.join([*words, "--log", str(options.log)]))
    resume = None if options.log is None else f"felt match --resume {shlex.quote(str(options.log))}"
    with (
        executor_at(options.ray, options.workers) as executor,
        MatchBar(match, options.hands) as bar,
        told_how_to_go_on(resume),
    ):
        result = play_match(
            match, options.hands, until=options.width, workers=options.workers, log=log, watch=options.draws,
            progress=bar, executor=executor,
        )  # fmt: skip
    finish("match", result, options, words, print_result)


@contextmanager
def told_how_to_go_on(command: str | None) -> Iterator[None]:
    """Who interrupts a match that is logged is told that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        if command is not None:
            print(f"felt: interrupted; what was played is in the log: go on with {command}", file=sys.stderr)
        raise


def _resume(log: Path, options: MatchOptions) -> None:
    """Run the command that began the match of a log again, which resumes it; ``--hands`` may be more."""
    for field in ordered_fields(MatchOptions):
        fixed = field.name in ("agents", "log") or field.name not in UNRECORDED | {"hands", "timeout"}
        if fixed and getattr(options, field.name) not in (field.default, None, []):
            flag = "AGENT" if field.name == "agents" else flag_of(MatchOptions, field.name)
            raise FeltError(f"--resume goes on with the match as it was begun: leave {flag} out")
    from felt.store.log.logged import match_folder, read_match

    folder = match_folder(log, 1)
    if not (folder / "match.json").is_file():
        raise FeltError(f"--resume {str(log)!r}: no match has been begun in that folder; give its command again")
    words = shlex.split(read_match(1, folder).description["command"])
    if words[:2] != ["felt", "match"]:
        raise FeltError(f"--resume {str(log)!r}: it was not begun by felt match, but by: {shlex.join(words)}")
    again = [*words[1 : words.index("--log")], "--log", str(log)]
    if options.hands is not None:
        if "--hands" in again:
            again[again.index("--hands") + 1] = str(options.hands)
        else:
            again += ["--hands", str(options.hands)]
    for name in ("workers", "report", "plots", "ray", "json"):
        again += option_words(flag_of(MatchOptions, name), getattr(options, name))
    typer.main.get_command(sys.modules["felt.cli.app"].app).main(again, prog_name="felt", standalone_mode=False)
