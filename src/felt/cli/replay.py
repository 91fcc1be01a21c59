"""`felt replay`: recorded hands, played again by the engine."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from felt.cli import output
from felt.cli.options import Json
from felt.cli.progress import progress_bar
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.games.history import HandRecord
    from felt.games.rules import GameRules
    from felt.interop.histories import Histories

Files = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="Files or folders: PHH, PokerStars, Full Tilt, ACPC, IRC.")
]
GameFile = Annotated[
    str, typer.Option("--game", metavar="FILE", help="The .game file of an ACPC log that is no usual hold'em.")
]

EXIT_MISMATCH = 1


@dataclass
class _Tally:
    """What a check has found so far."""

    ok: int = 0
    mismatched: int = 0
    unreadable: int = 0
    problems: list[dict[str, str]] = field(default_factory=list)

    def note(self, file: str, hand: str, why: str) -> None:
        self.problems.append({"file": file, "hand": hand, "why": why})

    def as_json(self) -> dict[str, Any]:
        hands = self.ok + self.mismatched + self.unreadable
        counts = {"hands": hands, "ok": self.ok, "mismatched": self.mismatched, "unreadable": self.unreadable}
        return counts | {"problems": self.problems}


def replay(
    files: Files,
    check: Annotated[bool, typer.Option("--check", help="Only compare with the recorded stacks, and count.")] = False,
    hand: Annotated[str, typer.Option("--hand", metavar="ID", help="Only the hand of this number or name.")] = "",
    game: GameFile = "",
    json: Json = False,
) -> None:
    """Play recorded hands again, through the rules of the engine.

    Shows each hand street by street, or with --check compares where it ends with what the file says. Hands that
    cannot be read are listed with their line and the reason. A check that finds a hand to differ exits with 1.

    Example: `felt replay session.txt --check`
    """
    rules = load_game(game)
    if check:
        tally = _check(files, rules, hand)
        _want_hand(hand, tally.ok + tally.mismatched, files)
        output.print_json(tally.as_json()) if json else _print_tally(tally)
        if tally.mismatched:
            raise typer.Exit(EXIT_MISMATCH)
    else:
        _show(files, rules, hand, json=json)


def _want_hand(hand: str, found: int, files: list[str]) -> None:
    if hand and not found:
        raise FeltError(f"no hand {hand!r} in {', '.join(map(repr, files))}: leave out --hand to see what there is")


def load_game(path: str) -> "GameRules | None":
    """The rules of a ``.game`` file; None for none."""
    if not path:
        return None
    from felt.interop.acpc_game import load_acpc_game

    return load_acpc_game(path)


def all_files(paths: Iterable[str]) -> list[Path]:
    """The files of hands under these files and folders; finding none is a mistake."""
    from felt.interop.formats import find_files

    given = list(paths)
    files = [file for path in given for file in find_files(path)]
    if not files:
        raise FeltError(
            f"no files of hands in {', '.join(map(repr, given))}: they end with .phh, .phhs, .txt, .log, .tgz"
        )
    return files


def _chosen(found: "Histories", hand: str) -> "list[HandRecord]":
    return [record for record in found.hands if not hand or record.hand_id == hand]


def _check(paths: list[str], rules: "GameRules | None", hand: str) -> _Tally:
    from felt.interop.formats import read_hands

    tally, files = _Tally(), all_files(paths)
    with progress_bar("Replaying") as report:
        for number, file in enumerate(files):
            try:
                found = read_hands(file, game=rules)
            except FeltError as error:
                tally.unreadable += 1
                tally.note(str(file), "", str(error))
                continue
            for problem in found.problems if not hand else ():
                tally.unreadable += 1
                tally.note(str(file), problem.hand, placed(problem.line, problem.why))
            records = _chosen(found, hand)
            for at, _ in enumerate(_checked(tally, str(file), records, found if not hand else None)):
                if report:
                    report(number + at / len(records), len(files))
    return tally


def placed(line: int, why: str) -> str:
    """A reason with its line, unless it names one itself or there are none."""
    return why if not line or why.startswith("line ") else f"line {line}: {why}"


def _checked(tally: _Tally, file: str, records: "list[HandRecord]", whole: "Histories | None") -> Iterator[None]:
    """Check hands one by one; and their sum, where the file has it and all its hands could be played."""
    from felt.interop.results import check, check_scores

    payoffs = []
    for record in records:
        outcome = check(record)
        if outcome.why:
            tally.mismatched += 1
            tally.note(file, record.hand_id, outcome.why)
        else:
            tally.ok += 1
        payoffs.append(outcome.payoffs)
        yield
    if whole is not None and whole.scores and not whole.problems and all(payoffs):
        why = check_scores(whole, payoffs)
        if why:
            tally.mismatched += 1
            tally.note(file, "SCORE", why)


def _print_tally(tally: _Tally) -> None:
    found = tally.as_json()
    output.say(
        f"{_count(found['hands'])}: {tally.ok:,} ok, {tally.mismatched:,} mismatched, {tally.unreadable:,} unreadable"
    )
    for problem in tally.problems:
        hand = f" hand {problem['hand']}:" if problem["hand"] else ""
        output.say(output.plain(f"{problem['file']}:{hand} {problem['why']}"))


def _count(hands: int) -> str:
    return f"{hands:,} hand{'' if hands == 1 else 's'}"


def _show(paths: list[str], rules: "GameRules | None", hand: str, *, json: bool) -> None:
    from felt.cli.replay_text import hand_as_json, hand_lines
    from felt.interop.formats import read_hands
    from felt.interop.histories import Histories, Problem

    shown, told = 0, list[dict[str, Any]]()
    left_out: list[dict[str, Any]] = []
    files = all_files(paths)
    for file in files:
        try:
            found = read_hands(file, game=rules)
        except FeltError as error:
            if len(files) == 1:
                raise
            found = Histories((), (Problem(0, "", str(error)),))
        for record in _chosen(found, hand):
            shown += 1
            if json:
                told.append({"file": str(file), **hand_as_json(record)})
            else:
                for line in hand_lines(record):
                    output.say(line)
                output.say()
        for problem in found.problems if not hand else ():
            left_out.append({"file": str(file), **problem._asdict()})
            if not json:
                place = f"{file}: hand {problem.hand}: " if problem.hand else f"{file}: "
                output.say(output.plain(f"not read: {place}{placed(problem.line, problem.why)}"))
    _want_hand(hand, shown, paths)
    if json:
        output.print_json({"hands": told, "unreadable": left_out})
