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
    compared: int = 0
    """Hands that were played to their end, and compared with the result that the file has."""
    only_played: int = 0
    """Hands that were played to their end, of which the file does not say how they ended."""
    mismatched: int = 0
    unreadable: int = 0
    cashed_out: int = 0
    """Hands that somebody sold to the room while all in: compared is the pot, and not what the room paid."""
    problems: list[dict[str, Any]] = field(default_factory=list)

    def note(self, file: str, line: int, hand: str, why: str) -> None:
        self.problems.append({"file": file, "line": line or None, "hand": hand, "why": why})

    def as_json(self) -> dict[str, Any]:
        return {
            "hands": self.ok + self.mismatched + self.unreadable,
            "ok": self.ok,
            "compared": self.compared,
            "only_played": self.only_played,
            "mismatched": self.mismatched,
            "unreadable": self.unreadable,
            "cashed_out": self.cashed_out,
            "problems": self.problems,
        }


def replay(
    files: Files,
    check: Annotated[bool, typer.Option("--check", help="Only compare with the recorded stacks, and count.")] = False,
    hand: Annotated[str, typer.Option("--hand", metavar="ID", help="Only the hand of this number or name.")] = "",
    game: GameFile = "",
    json: Json = False,
) -> None:
    """Play recorded hands again, through the rules of the engine.

    Shows each hand street by street, or with --check compares where it ends with what the file says. Hands that
    cannot be read are listed with their line and the reason. A check says how many hands it compared with a result in
    the file and how many it could only play, and exits with 1 if a hand differs.

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


def _want_hand(hand: str, count: int, files: list[str]) -> None:
    if hand and not count:
        raise FeltError(f"no hand {hand!r} in {', '.join(map(repr, files))}: leave out --hand to see what there is")


def load_game(path: str) -> "GameRules | None":
    """The rules of a ``.game`` file; None for none."""
    if not path:
        return None
    from felt.interop.acpc.game import load_acpc_game

    return load_acpc_game(path)


def all_files(paths: Iterable[str]) -> list[Path]:
    """The files of hands under these files and folders; finding none is a mistake."""
    from felt.interop.formats import find_files

    names = list(paths)
    files = [file for path in names for file in find_files(path)]
    if not files:
        raise FeltError(
            f"no files of hands in {', '.join(map(repr, names))}: they end with .phh, .phhs, .txt, .log, .tgz"
        )
    return files


def _chosen(histories: "Histories", hand: str) -> "list[HandRecord]":
    return [record for record in histories.hands if not hand or record.hand_id == hand]


def _check(paths: list[str], rules: "GameRules | None", hand: str) -> _Tally:
    from felt.interop.formats import read_hands

    tally, files = _Tally(), all_files(paths)
    with progress_bar("Replaying") as report:
        for number, file in enumerate(files):
            try:
                histories = read_hands(file, game=rules)
            except FeltError as error:
                tally.unreadable += 1
                tally.note(str(file), 0, "", str(error))
                continue
            for problem in histories.problems if not hand else ():
                tally.unreadable += 1
                tally.note(str(file), problem.line, problem.hand, problem.why)
            for at, _ in enumerate(_checked(tally, str(file), histories, hand)):
                if report:
                    report(number + at / len(histories.hands), len(files))
    return tally


def placed(line: int, why: str) -> str:
    """A reason with its line, unless it names one itself or there are none."""
    return why if not line or why.startswith("line ") else f"line {line}: {why}"


def _checked(tally: _Tally, file: str, histories: "Histories", hand: str) -> Iterator[None]:
    """Check hands one by one; and their sum, where the file has it and all its hands could be played."""
    from felt.interop.results import check, check_scores

    payoffs = []
    for record, line in zip(histories.hands, histories.lines or [0] * len(histories.hands), strict=True):
        yield
        if hand and record.hand_id != hand:
            continue
        outcome = check(record)
        if outcome.why:
            tally.mismatched += 1
            tally.note(file, line, record.hand_id, outcome.why)
        else:
            tally.ok += 1
        if outcome.payoffs and record.finishing is None:
            tally.only_played += 1
        elif outcome.payoffs:
            tally.compared += 1
        tally.cashed_out += bool(record.cash_outs)
        payoffs.append(outcome.payoffs)
    if not hand and histories.scores and not histories.problems and all(payoffs):
        why = check_scores(histories, payoffs)
        if why:
            tally.mismatched += 1
            tally.note(file, 0, "SCORE", why)


def _print_tally(tally: _Tally) -> None:
    counts = tally.as_json()
    output.say(
        f"{_count(counts['hands'])}: {tally.ok:,} ok, {tally.mismatched:,} mismatched, {tally.unreadable:,} unreadable "
        f"({tally.compared:,} compared with a recorded result, {tally.only_played:,} only played)"
    )
    if tally.cashed_out:
        output.say(f"{_count(tally.cashed_out)} with a cash-out: compared is the pot, not what the room paid")
    for problem in tally.problems:
        hand = f" hand {problem['hand']}:" if problem["hand"] else ""
        why = placed(problem["line"] or 0, problem["why"])
        output.say(output.plain(f"{problem['file']}:{hand} {why}"))


def _count(hands: int) -> str:
    return f"{hands:,} hand{'' if hands == 1 else 's'}"


def _show(paths: list[str], rules: "GameRules | None", hand: str, *, json: bool) -> None:
    from felt.cli.data.replay_text import hand_as_json, hand_lines
    from felt.interop.formats import read_hands
    from felt.interop.histories import Histories, Problem

    shown, hands = 0, list[dict[str, Any]]()
    left_out: list[dict[str, Any]] = []
    files = all_files(paths)
    for file in files:
        try:
            histories = read_hands(file, game=rules)
        except FeltError as error:
            if len(files) == 1:
                raise
            histories = Histories((), (Problem(0, "", str(error)),))
        for record in _chosen(histories, hand):
            shown += 1
            if json:
                hands.append({"file": str(file), **hand_as_json(record)})
            else:
                for line in hand_lines(record):
                    output.say(line)
                output.say()
        for problem in histories.problems if not hand else ():
            left_out.append({"file": str(file), **problem._asdict()})
            if not json:
                place = f"{file}: hand {problem.hand}: " if problem.hand else f"{file}: "
                output.say(output.plain(f"not read: {place}{placed(problem.line, problem.why)}"))
    _want_hand(hand, shown, paths)
    if json:
        output.print_json({"hands": hands, "unreadable": left_out})
