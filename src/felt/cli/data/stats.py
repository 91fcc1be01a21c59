"""`felt stats`: what players did how often, and what they won, in files of hands."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from felt.cli import output
from felt.cli.data.replay import Files, GameFile, all_files, load_game, problem_dict, read_files
from felt.cli.options import Json, integer, option, shared_option
from felt.cli.output import Report, progress_bar
from felt.errors import FeltError, counted

if TYPE_CHECKING:
    from felt.games.history import HandRecord
    from felt.games.rules import GameRules
    from felt.stats.rates import Rate
    from felt.stats.records import Recorded
    from felt.stats.table import Table

MOST_PLAYERS = 10_000
"""Players whose figures fit into memory together: some 40 kB each."""

SHOWN = 10
"""Players that are shown where nobody is asked for, and reasons for hands left out."""

GAP = 3
"""Blanks between the columns of a table."""

PARTS = ("position", "street", "ip")

By = Annotated[str, shared_option("--by", "WHAT", "In parts: by position, street, or ip (in or out of position).")]


def stats(
    files: Files,
    player: list[str] | None = option(None, "--player -p", "NAME", "Only this player; may be repeated."),
    top: int = option(SHOWN, "--top", "N", "Only players with the most hands.", integer(1, MOST_PLAYERS)),
    by: By = "",
    game: GameFile = "",
    json: Json = False,
) -> None:
    """What players did in recorded hands: VPIP, PFR, 3-bet, c-bet, WTSD and the rest, and what they won.

    Every figure has its numerator and denominator, every win rate (mbb/hand) its 95 % interval. Players go by their
    names over all files. Hands that cannot be read or played are left out, and counted. With `--json` every part is
    there, with its interval.

    Example: `felt stats session.txt --player Ann --by position`
    """
    check_parts(by)
    results = _count(all_files(files), load_game(game), player or [], top)
    if json:
        output.print_json(results.to_dict())
    else:
        results.print(by)


def _count(files: list[Path], rules: "GameRules | None", names: list[str], top: int) -> "_Results":
    """Read the files twice: to see who plays, and to count those who are asked for, or play most."""
    from felt.stats.records import from_records

    hands: Counter[str] = Counter()
    left_out: list[dict[str, Any]] = []
    with progress_bar("Reading") as report:
        for record in _records(files, rules, report, (0, 2), left_out):
            hands.update(record.seat_names)
        if not hands:
            why = left_out[0]["why"] if left_out else "there is none"
            raise FeltError(f"no hand to count in {counted(len(files), 'file')}: {why}")
        missing = next((name for name in names if name not in hands), None)
        if missing is not None:
            known = ", ".join(name for name, _ in hands.most_common(SHOWN))
            raise FeltError(f"--player {missing!r} plays in no hand: the players with the most hands are {known}")
        chosen = names or [name for name, _ in hands.most_common(top)]
        results = _Results(set(chosen), len(hands), left_out)
        results.figures = from_records(
            results.watched(_records(files, rules, report, (1, 2), [])), only=results.players
        )
    return results


def _records(
    files: list[Path],
    rules: "GameRules | None",
    report: Report | None,
    part: tuple[int, int],
    left_out: list[dict[str, Any]],
) -> "Iterator[HandRecord]":
    """The hands of all files, as far as they can be read; `part` says which of how many times this is."""
    for number, (file, histories, _) in enumerate(read_files(files, rules)):
        left_out += [problem_dict(file, *problem) for problem in histories.problems]
        for at, record in enumerate(histories.hands, start=1):
            yield record
            if report:
                report(part[0] * len(files) + number + at / len(histories.hands), part[1] * len(files))


@dataclass
class _Results:
    """What players did, and what they won, hand by hand, in big blinds."""

    players: set[str]
    players_in_files: int
    left_out: list[dict[str, Any]]
    """Hands and files that could not be read."""
    won: dict[str, list[float]] = field(default_factory=dict)
    cashed_out: int = 0
    """Hands that somebody sold to the room: what was won is of the pot, and not what the room paid."""
    figures: "Recorded" = field(init=False)

    def watched(self, records: "Iterator[HandRecord]") -> "Iterator[HandRecord]":
        """Pass hands on that can be played, with what is missing filled in, and note what they came to."""
        from felt.interop.results import payoffs_of, playable

        for record in records:
            names = record.seat_names
            if self.players.isdisjoint(names):
                continue
            filled = playable(record)
            yield filled
            try:
                payoffs = payoffs_of(filled)
            except FeltError:  # left out of the figures too, with its reason
                continue
            self.cashed_out += bool(record.cash_outs)
            for name, chips in zip(names, payoffs, strict=True):
                if name in self.players:
                    self.won.setdefault(name, []).append(chips / record.rules.big_blind)

    def rates(self) -> "dict[str, Rate]":
        """Win rates; stakes may differ from hand to hand, so that big blinds are what is summed."""
        import numpy as np

        from felt.stats.rates import rate

        return {name: rate(np.array(self.won.get(name, []), dtype=float), 1, 1) for name in self.figures.names}

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        figures, players = self.figures, self.figures.table.as_dict()
        for name, won in self.rates().items():
            ends = None if won.half is None else [won.mbb - won.half, won.mbb + won.half]
            players[name] = {"mbb": won.mbb, "mbb_ci95": ends, **players[name]}
        return {
            "hands": figures.hands,
            "skipped": figures.skipped,
            "unreadable": len(self.left_out),
            "cashed_out": self.cashed_out,
            "players_in_files": self.players_in_files,
            "players": players,
            "reasons": list(figures.reasons),
            "problems": self.left_out,
        }

    def print(self, by: str) -> None:
        """For people."""
        figures, names, rates = self.figures, self.figures.table.players, self.rates()
        won = [str(rates[name]).removesuffix(" mbb/hand") for name in names]
        print_stats(figures.table, by, {"won, mbb/hand": won})
        output.say()
        output.say(f"{counted(figures.hands, 'hand')} counted")
        if len(names) < self.players_in_files:
            everybody = counted(self.players_in_files, "player")
            output.say(f"{len(names):,} of {everybody} shown: --top N or --player NAME shows others")
        if self.cashed_out:
            hands = counted(self.cashed_out, "hand")
            output.say(f"{hands} with a cash-out: won is from the pot, not what the room paid")
        if figures.skipped:
            output.say(f"{counted(figures.skipped, 'hand')} could not be played: {output.plain(figures.reasons[0])}")
        if self.left_out:
            first, count = self.left_out[0], len(self.left_out)
            shown = output.plain(f"{first['file']}: {first['why']}")
            output.say(f"{count:,} {'hand or file' if count == 1 else 'hands or files'} could not be read: {shown}")


def check_parts(by: str) -> None:
    """Refuse a way to divide figures that there is not."""
    if by not in ("", *PARTS):
        raise FeltError(f"--by {by!r} is no way to divide: use {', '.join(PARTS)}")


def print_stats(table: "Table", by: str, first_rows: Mapping[str, Sequence[str]] | None = None) -> None:
    """A row for each figure, a column for each player; as many players beside each other as there is room for.

    `first_rows` are further rows under the number of hands, with a cell for each player.
    """
    from felt.stats.definitions import INDICATORS

    if not table.players:
        output.say("There is no hand to count.")
        return
    rows: dict[tuple[str, str], list[str]] = {("hands", ""): [f"{table.hands(player):,}" for player in table.players]}
    rows |= {(label, ""): list(cells) for label, cells in (first_rows or {}).items()}
    for indicator in INDICATORS.values():
        for name, part in _parts(table, by):
            figures = [table.of(player, indicator.name, **part) for player in table.players]
            if any(figure.num or figure.den for figure in figures):
                rows[indicator.label, name] = list(map(str, figures))
    first = sum(max(map(len, names)) + GAP for names in zip(*rows, strict=True) if any(names))
    widest = max(len(cell) for cells in (table.players, *rows.values()) for cell in cells) + GAP
    beside = max(1, (output.console().width + GAP - first) // widest)
    for at in range(0, len(table.players), beside):
        if at:
            output.say()
        _print_players(rows, by, table.players[at : at + beside], slice(at, at + beside))


def _print_players(rows: dict[tuple[str, str], list[str]], by: str, players: Sequence[str], these: slice) -> None:
    names = list(map(output.plain, players))
    shown = output.table("", *([by] if by else []), *names, numbers=names)
    before = ""
    for (label, part), cells in rows.items():
        shown.add_row(
            "" if label == before else output.plain(label), *([output.plain(part)] if by else []), *cells[these]
        )
        before = label
    output.show(shown)


def _parts(table: "Table", by: str) -> list[tuple[str, dict[str, Any]]]:
    """The parts of a figure by name, and how `Table.of` is asked for them."""
    from felt.stats.definitions import POSITIONS

    if by == "ip":
        return [("in position", {"in_position": True}), ("out of position", {"in_position": False})]
    names = {"position": POSITIONS, "street": table.streets}.get(by)
    return [("", {})] if names is None else [(name, {by: name}) for name in names]
