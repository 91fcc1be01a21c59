"""`felt replay`: recorded hands, played again by the engine."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from felt.cli import output
from felt.cli.options import Json, argument, option, shared_option
from felt.errors import FeltError, counted

if TYPE_CHECKING:
    from felt.games.history import Event, HandRecord
    from felt.games.rules import GameRules
    from felt.interop.histories import Histories
    from felt.interop.rooms.ledger import Ledger

Files = Annotated[list[str], argument("FILE...", "Files or folders: PHH, PokerStars, Full Tilt, ACPC, IRC.")]
GameFile = Annotated[str, shared_option("--game", "FILE", "The .game file of an ACPC log that is no usual hold'em.")]

EXIT_MISMATCH = 1

COUNTS = ("hands", "ok", "compared", "only_played", "mismatched", "unreadable", "cashed_out")
"""What a check counts. Compared are hands that were played to their end, where the file has a result; of those that are
only played it has none. Of hands that somebody sold to the room while all in (cashed out) the pot is compared, and not
what the room paid."""


def replay(
    files: Files,
    check: bool = option(False, "--check", "", "Only compare with the recorded stacks, and count."),
    hand: str = option("", "--hand", "ID", "Only the hand of this number or name."),
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
    if not check:
        _show(files, rules, hand, json=json)
        return
    counts, problems = _check(files, rules, hand)
    _want_hand(hand, counts["ok"] + counts["mismatched"], files)
    if json:
        output.print_json({**{name: counts[name] for name in COUNTS}, "problems": problems})
    else:
        _print_check(counts, problems)
    if counts["mismatched"]:
        raise typer.Exit(EXIT_MISMATCH)


def _want_hand(hand: str, count: int, files: list[str]) -> None:
    if hand and not count:
        raise FeltError(f"no hand {hand!r} in {', '.join(map(repr, files))}: leave out --hand to see what there is")


# Reading files, for all commands that do


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


def read_files(
    files: Sequence[Path], rules: "GameRules | None", *, strict: bool = False
) -> "Iterator[tuple[Path, Histories, bool]]":
    """The hands of each file, and whether it could be read. One that could not has no hands and one problem.

    If `strict`, the only file there is must be readable.
    """
    from felt.interop.formats import read_hands
    from felt.interop.histories import Histories, Problem

    for file in files:
        try:
            histories = read_hands(file, game=rules)
        except FeltError as error:
            if strict and len(files) == 1:
                raise
            yield file, Histories((), (Problem(0, "", str(error)),)), False
        else:
            yield file, histories, True


def placed(line: int | None, why: str) -> str:
    """A reason with its line, unless it names one itself or there are none."""
    return why if not line or why.startswith("line ") else f"line {line}: {why}"


def problem_dict(file: Path, line: int, hand: str, why: str) -> dict[str, Any]:
    """What is wrong with a hand or a file, for JSON."""
    return {"file": str(file), "line": line or None, "hand": hand, "why": why}


# Checking


def _check(paths: list[str], rules: "GameRules | None", hand: str) -> tuple[Counter[str], list[dict[str, Any]]]:
    """How many hands there are of each kind, and what is wrong with some."""
    files, counts = all_files(paths), Counter[str]()
    problems: list[dict[str, Any]] = []
    with output.progress_bar("Replaying") as report:
        for number, (file, histories, readable) in enumerate(read_files(files, rules)):
            unread = [problem_dict(file, *problem) for problem in histories.problems if not (hand and readable)]
            counts["unreadable"] += len(unread)
            problems += unread
            for at, (line, name, why) in enumerate(_checked(counts, histories, hand)):
                if why:
                    counts["mismatched"] += 1
                    problems.append(problem_dict(file, line, name, why))
                if report:
                    report(number + at / max(1, len(histories.hands)), len(files))
    counts["hands"] = counts["ok"] + counts["mismatched"] + counts["unreadable"]
    return counts, problems


def _checked(counts: Counter[str], histories: "Histories", hand: str) -> Iterator[tuple[int, str, str]]:
    """Check hands one by one; and their sum, where the file has it and all its hands could be played.

    Yields the line and the name of each, and what is wrong.
    """
    from felt.interop.results import check, check_scores

    payoffs = []
    for record, line in zip(histories.hands, histories.lines or [0] * len(histories.hands), strict=True):
        if hand and record.hand_id != hand:
            continue
        outcome = check(record)
        counts["ok"] += not outcome.why
        if outcome.payoffs:
            counts["only_played" if record.finishing is None else "compared"] += 1
        counts["cashed_out"] += bool(record.cash_outs)
        payoffs.append(outcome.payoffs)
        yield line, record.hand_id, outcome.why
    if not hand and histories.scores and not histories.problems and all(payoffs):
        yield 0, "SCORE", check_scores(histories, payoffs)


def _print_check(counts: Counter[str], problems: list[dict[str, Any]]) -> None:
    output.say(
        f"{counted(counts['hands'], 'hand')}: {counts['ok']:,} ok, {counts['mismatched']:,} mismatched, "
        f"{counts['unreadable']:,} unreadable ({counts['compared']:,} compared with a recorded result, "
        f"{counts['only_played']:,} only played)"
    )
    if counts["cashed_out"]:
        with_cash_out = counted(counts["cashed_out"], "hand")
        output.say(f"{with_cash_out} with a cash-out: compared is the pot, not what the room paid")
    for problem in problems:
        hand = f" hand {problem['hand']}:" if problem["hand"] else ""
        output.say(output.plain(f"{problem['file']}:{hand} {placed(problem['line'], problem['why'])}"))


# Showing


def _show(paths: list[str], rules: "GameRules | None", hand: str, *, json: bool) -> None:
    shown, hands = 0, list[dict[str, Any]]()
    left_out: list[dict[str, Any]] = []
    for file, histories, _ in read_files(all_files(paths), rules, strict=True):
        for record in histories.hands:
            if hand and record.hand_id != hand:
                continue
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


def hand_lines(record: "HandRecord") -> Iterator[str]:
    """One hand, street by street (Rich markup)."""
    number = f"hand {record.hand_id} · " if record.hand_id else ""
    yield f"[bold]{output.plain(number)}{output.title(record.rules)}[/]{_stakes(record)}"
    yield "  " + ", ".join(f"{_name(record, seat)} {_money(record, c)}" for seat, c in enumerate(record.stacks))
    for street, events in _streets(record):
        if events:
            yield f"  [dim]{street:<13}[/]{', '.join(events)}"
    yield f"  [dim]{'result':<13}[/]{_result(record)}"


def _stakes(record: "HandRecord") -> str:
    blinds = "/".join(_money(record, blind) for blind in record.rules.blinds if blind)
    ante = max(record.antes, default=0)
    parts = [f"blinds {blinds}" if blinds else "", f"ante {_money(record, ante)}" if ante else "", record.currency]
    return "".join(f" · {output.plain(part)}" for part in parts if part)


def _name(record: "HandRecord", seat: int) -> str:
    if not 0 <= seat < len(record.names):
        return f"seat {seat}"
    return output.plain(record.names[seat].replace("\n", "\\n"))


def _money(record: "HandRecord", chips: int) -> str:
    from felt.interop.histories import in_money

    return in_money(chips, record.unit)


def _streets(record: "HandRecord") -> Iterator[tuple[str, list[str]]]:
    """The name of each street with what happened in it."""
    from felt.games.moves import EventKind
    from felt.interop.rooms.ledger import Ledger

    names = [part.name.replace(" street", "") for part in record.rules.rounds]
    ledger = Ledger.of(record)
    events: list[str] = []
    street = 0
    for event in record.events:
        before, high = ledger.street, ledger.high
        ledger.apply(event)
        if ledger.street > before or (event.kind == EventKind.BOARD and events):
            yield names[min(street, len(names) - 1)], events
            street, events = street + 1, []
        if words := _words(record, event, ledger, high):
            events.append(words)
    yield names[min(street, len(names) - 1)], events


def _words(record: "HandRecord", event: "Event", ledger: "Ledger", high: int) -> str:
    from felt.games.moves import EventKind

    who = _name(record, event.seat)
    cards = " ".join("??" if card < 0 else output.card(card) for card in event.cards)
    match event.kind:
        case EventKind.BOARD:
            return cards
        case EventKind.DOWN | EventKind.UP:
            return f"{who} {cards}" if any(card >= 0 for card in event.cards) else ""
        case EventKind.ROLLED:
            return f"{who} turns up {cards}"
        case EventKind.FOLD:
            return f"{who} folds"
        case EventKind.CALL:
            return f"{who} calls {_money(record, ledger.bets[event.seat])}" if high else f"{who} checks"
        case EventKind.RAISE:
            return f"{who} {'raises to' if high else 'bets'} {_money(record, event.amount)}"
        case EventKind.SHOW:
            return f"{who} shows {cards}".rstrip()
        case EventKind.MUCK:
            return f"{who} mucks"
        case _:
            return f"{who} {event.kind}s {len(event.cards)}" if event.cards else f"{who} stands pat"


def _result(record: "HandRecord") -> str:
    from felt.interop.results import check, payoffs_of

    outcome = check(record)
    if not outcome.payoffs:
        return f"[red]cannot be played: {output.plain(outcome.why)}[/]"
    payoffs = outcome.payoffs if outcome.why else payoffs_of(record)  # the record's are after the rake
    won = [
        f"{_name(record, seat)} {'+' if chips > 0 else '−'}{_money(record, abs(chips))}"
        for seat, chips in enumerate(payoffs)
        if chips
    ]
    wrong = f"  [red]{output.plain(outcome.why)}[/]" if outcome.why else ""
    rake = [f"rake {_money(record, record.rake)}"] if record.rake else []
    sold = [
        f"{_name(record, seat)} cashed out for {_money(record, chips)}"
        for seat, chips in enumerate(record.cash_outs)
        if chips
    ]
    return (", ".join([*won, *rake, *sold]) or "nobody wins or loses") + wrong


def hand_as_json(record: "HandRecord") -> dict[str, Any]:
    """One hand as plain values; amounts in chips, each of which is `unit` in the source."""
    from felt.interop.phh.actions import write_cards
    from felt.interop.results import check

    outcome = check(record)
    return {
        "hand": record.hand_id,
        "game": record.rules.name,
        "unit": record.unit,
        "currency": record.currency,
        "players": list(record.names),
        "stacks": list(record.stacks),
        "antes": list(record.antes),
        "posts": list(record.posts),
        "events": [
            {"kind": str(event.kind), "seat": event.seat, "amount": event.amount, "cards": write_cards(event.cards)}
            for event in record.events
        ],
        "finishing": list(record.finishing) if record.finishing is not None else None,
        "rake": record.rake,
        "sitting_out": list(record.sitting_out),
        "cash_outs": list(record.cash_outs),
        "payoffs": list(outcome.payoffs),
        "why": outcome.why,
    }
