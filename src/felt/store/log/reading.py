"""Reading a log: questions in SQL over its views, hands as records, hands as facts."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from felt.games.actions import Action
from felt.games.batch import HandBatch
from felt.games.facts import Facts, trace
from felt.games.hand import Hand
from felt.games.history import HandRecord
from felt.games.record import Move
from felt.stats.positions import positions
from felt.store.files import LogError, engine
from felt.store.matches import LoggedMatch, read_matches
from felt.store.parts import PlayedHands, extents, in_one_line, read_hands
from felt.store.runs import DESCRIPTION as COMPETITION
from felt.store.views import MATCHES, exchanges, statements

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CHUNK = 16_384
"""Hands that are read and told at a time."""

_COLUMNS = (
    "match INTEGER", "game VARCHAR", "title VARCHAR", "players INTEGER", "names VARCHAR[]", "seed HUGEINT",
    "stack INTEGER", "big_blind INTEGER", "duplicate BOOLEAN", "streets VARCHAR[]", "description JSON",
    "positions VARCHAR[]", "exchanges VARCHAR[][]", "all_in_at INTEGER",
)  # fmt: skip


# Questions in SQL


def connect(folder: str | Path) -> "DuckDBPyConnection":
    """A database in memory with the views of a log (`felt.store.views.VIEWS`) over its files; of a competition that is
    made of runs, with those of `felt.store.run_hands.VIEWS`.

    What is logged later is not in them: connect again.
    """
    if (Path(folder) / COMPETITION).is_file():
        from felt.store import run_hands

        return run_hands.connect(folder)
    duckdb, matches = engine(), read_matches(folder)
    database: DuckDBPyConnection = duckdb.connect()
    database.execute(f"CREATE TABLE {MATCHES} ({', '.join(_COLUMNS)})")
    database.executemany(f"INSERT INTO {MATCHES} VALUES ({', '.join('?' for _ in _COLUMNS)})", [*map(_row, matches)])
    try:
        for statement in statements(matches):
            database.execute(statement)
    except duckdb.Error as error:
        raise LogError(f"the log {str(folder)!r} cannot be read: {in_one_line(error)}") from None
    return database


def query(folder: str | Path, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The answer to a question in SQL: the names of its columns, and its rows."""
    duckdb, database = engine(), connect(folder)
    if not sql.strip(" ;\n\t"):
        raise LogError(f"{sql!r} asks nothing: write a question, like 'SELECT count(*) FROM hands'")
    try:
        answer = database.execute(sql)
        return [column[0] for column in answer.description or ()], answer.fetchall()
    except duckdb.Error as error:
        raise LogError(in_one_line(error)) from None


def _row(match: LoggedMatch) -> list[Any]:
    rules = match.rules
    return [
        match.number,
        rules.name,
        rules.title,
        len(match.names),
        list(match.names),
        match.seed,
        match.stack,
        rules.big_blind,
        match.duplicate,
        [part.name for part in rules.rounds],
        json.dumps(match.description, ensure_ascii=False),
        list(positions(rules, len(match.names))),
        [exchanges(part) for part in rules.rounds],
        min(match.stack, rules.cap or match.stack),
    ]


# Hands as they were played


def records(
    folder: str | Path, match: int | None = None, first: int = 0, count: int | None = None
) -> Iterator[HandRecord]:
    """The hands of a match, or of all matches, as records: dealt again and played by their moves.

    `first` is the number of a hand in its match, from 0; `count` is how many from there on.
    """
    last = None if count is None else first + count - 1
    for found in chosen(folder, match):
        for hands in _chunks(found, first, last):
            moves = np.split(hands.codes, np.cumsum(hands.counts)[:-1])
            for i, codes in enumerate(moves):
                yield _record(found, hands, i, codes.tolist())


def facts(folder: str | Path, match: int | None = None) -> Iterator[tuple[Facts, NDArray[np.int64]]]:
    """The hands of a match, or of all, as facts, some thousands at a time; and who sat where: ``[hands, players]``."""
    for found in chosen(folder, match):
        for hands in _chunks(found):
            size, n = hands.seatings.shape
            batch = HandBatch(
                found.rules, size, players=n, stack=found.stack, seed=found.seed, deals=hands.deals, threads=1
            )
            told = trace(found.rules, *batch.arrays, batch.stacks, hands.codes, hands.counts)
            yield told, hands.seatings


def chosen(folder: str | Path, match: int | None = None) -> list[LoggedMatch]:
    """The match of this number, or all of them: those that have hands."""
    matches = [found for found in read_matches(folder) if found.parts]
    numbers = [found.number for found in matches]
    if match is not None and match not in numbers:
        raise LogError(f"there is no match {match} with hands in {str(folder)!r}: it has {_listed(numbers)}")
    return [found for found in matches if match is None or found.number == match]


def count_hands(match: LoggedMatch, first: int = 0, last: int | None = None) -> int:
    """How many hands of a match are in the log, of those from number `first` to `last`."""
    return sum(part.hands for part in extents(match.folder, match.parts, first, last))


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) if len(numbers) <= 10 else f"{numbers[0]} to {numbers[-1]}"


def _chunks(match: LoggedMatch, first: int = 0, last: int | None = None) -> Iterator[PlayedHands]:
    """The hands of a match from number `first` to `last` in order, so many at a time."""
    parts = extents(match.folder, match.parts, first, last)
    end = max((part.last for part in parts), default=-1)
    for at in range(min((part.first for part in parts), default=0), end + 1, CHUNK):
        to = min(at + CHUNK - 1, end)
        names = [part.name for part in parts if part.first <= to and part.last >= at]
        hands = read_hands(match.folder, names, len(match.names), at, to) if names else None
        if hands is not None and len(hands.numbers):
            yield hands


def _record(match: LoggedMatch, hands: PlayedHands, i: int, codes: list[int]) -> HandRecord:
    number, deal = int(hands.numbers[i]), int(hands.deals[i])
    hand = Hand.new(match.rules, match.stack, match.seed, players=hands.seatings.shape[1], number=deal)
    for code in codes:
        hand.act(action_of(hand, code))
    return replace(
        hand.record(),
        names=tuple(match.names[player] for player in hands.seatings[i].tolist()),
        hand_id=f"{match.number}-{number}",
        rake=hand.rake,
        meta={"event": f"match {match.number}", "seed": str(match.seed), "deal": str(deal)},
    )


def action_of(hand: Hand, code: int) -> Action:
    """The move that a code stands for, in the hand in which it is made."""
    move, amount = Move(code & 3), code >> 2
    if move != Move.EXCHANGE:
        return Action(move, amount)
    return Action(move, cards=tuple(card for i, card in enumerate(hand.cards(hand.turn)) if amount >> i & 1))
