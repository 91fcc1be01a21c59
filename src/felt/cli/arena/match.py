"""`felt match`: agents against each other, with an interval on every figure."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.arena.options import (
    UNRECORDED,
    PlayOptions,
    Stack,
    chips,
    option_words,
    ordered_fields,
    play_command,
    until_width,
)
from felt.cli.arena.playing import match_bars, play_and_report, print_faults, rate_cells
from felt.cli.games.finding import load_game
from felt.cli.options import argument, count_number, field_option, flag_of
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena import Match, Result
    from felt.arena.match.run import Progress
    from felt.store.log.matches import MatchLog

HANDS = 10_000


@dataclass(kw_only=True)
class PairOptions(PlayOptions):
    """The options of matches, alone or in a league."""

    hands: int | None = field_option(None, "--hands -n", "N", f"Hands of a match [{HANDS:,}].", count_number)
    stack: Stack = None
    duplicate: bool = field_option(
        False, "--duplicate -d", "", "Play every deal in several seatings: luck cancels out."
    )
    until: str | None = field_option(None, "--until", "WIDTH", "Play until intervals are this narrow, like 20mbb.")
    on_error: str = field_option(
        "fold", "--on-error", "RULE", "The move of an agent that makes a fault: fold, call, forfeit."
    )

    def make_match(self, agents: list[str], *, pairs: bool = False) -> "Match":
        """The match that the options describe; `pairs` if its players meet two by two."""
        from felt.agents import entrant
        from felt.arena import Match

        entrants = [entrant(spec) for spec in agents]
        seats, counted = (2, "a league has two at a table") if pairs else (len(agents), f"{len(agents)} agents")
        rules = load_game(self.game, self.settings, seats, counted=counted)
        match = self.build(
            Match.of, agents=entrants, rules=rules, stack=chips(self.stack, rules), seats=2 if pairs else None
        )
        if self.hands is None and until_width(self.until) is None:
            self.hands = HANDS
        return match


@dataclass(kw_only=True)
class MatchOptions(PairOptions):
    """The options of `felt match`."""

    agents: Annotated[
        list[str] | None,
        argument("AGENT AGENT…", "Names (felt agents), files like ./bot.py:Bot, or programs like cmd:./bot."),
    ] = None
    resume: Path | None = field_option(None, "--resume", "DIR", "Resume the match of a log, as it was begun.")


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
    from felt.arena import play

    match = options.make_match(agents)

    def open_log(folder: Path, command: str) -> "MatchLog":
        from felt.store.log.matches import open_match

        return open_match(folder, match, command=command)

    @contextmanager
    def bar() -> "Iterator[Progress | None]":
        with match_bars(options.hands) as begin:
            yield None if begin is None else begin(match, "")

    play_and_report(
        "match", options, partial(play, match, options.hands, until=until_width(options.until), watch=options.draws),
        print_result, open_log=open_log, bar=bar(), resume=f"felt match --resume {shlex.quote(str(options.log))}",
    )  # fmt: skip


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
    if options.hands is not None and "--hands" in again:
        again[again.index("--hands") + 1] = str(options.hands)
    elif options.hands is not None:
        again += ["--hands", str(options.hands)]
    for name in ("workers", "report", "plots", "ray", "json"):
        again += option_words(flag_of(MatchOptions, name), getattr(options, name))
    typer.main.get_command(sys.modules["felt.cli.app"].app).main(again, prog_name="felt", standalone_mode=False)


def print_result(result: "Result") -> None:
    """A table of players, then how settled it is, then what went wrong."""
    match, order = result.match, sorted(range(result.match.players), key=lambda player: -result.totals[:, player].sum())
    heads = ("player", "mbb/hand", "95 % interval", "adjusted", "interval")
    output.show_table(
        heads,
        (
            (
                output.plain(match.names[player]),
                *rate_cells(result.rate(player)),
                *rate_cells(result.adjusted_rate(player)),
            )
            for player in order
        ),
        numbers=heads[1:],
    )
    kind = (
        f"sets of one deal in {match.plan.size} seatings" if match.duplicate else f"rounds of {match.plan.size} deals"
    )
    speed = f"{result.hands_per_second:,.0f} hands a second" if result.played else "all of it was in the log"
    output.say()
    output.say(output.plain(result.sentence()))
    output.say(
        f"[dim]{match.rules.title or match.rules.name}, {match.stack / match.rules.big_blind:,.10g} big blinds, "
        f"{result.hands:,} hands ({result.sets:,} {kind}), seed {match.seed}, {speed}[/]"
    )
    if result.ended:
        output.say(f"The match ended early: {output.plain(result.ended)}.")
    print_conduct(result)


def print_conduct(result: "Result") -> None:
    """What agents did wrong in a match."""
    print_faults(result.conduct, result.match.names, result.match.penalty, lambda hand: f"hand {hand + 1:,}")
