"""The log of a tournament, ring or evolution while it is played: its runs with their hands, as the scheduler hands
them over, in order.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from felt.arena.schedule.workplace import HANDS as RECORD_HANDS
from felt.arena.schedule.workplace import PLAYERS as RECORD_PLAYERS
from felt.arena.schedule.workplace import PlayedHand, Record, hand_number
from felt.games.engine.batch import VariedBatch
from felt.games.rules import GameRules
from felt.games.views.facts import Facts, trace
from felt.store.files import Columns, locked_folder, make_folder, write_parquet
from felt.store.log.logged import LoggedMatch, write_description
from felt.store.log.part_reader import extents, part_files, rows, select
from felt.store.log.part_writer import (
    SUFFIX,
    PartWriter,
    action_columns,
    by_seat,
    clean,
    done_parts,
    hand_columns,
    runs_name,
)
from felt.store.log.schema import ACTIONS, HANDS, PLAYERS, RUNS

PART_HANDS = 16_384
"""Hands of a part, at most, unless one run has more."""


class RunLog:
    """The records and hands of one competition on the disk. The same runs give the same rows."""

    with_hands = True

    def __init__(self, match: LoggedMatch) -> None:
        self.folder = match.folder
        self.close = finalize(self, os.close, locked_folder(self.folder))
        """Let others write to it; happens by itself when the log is forgotten."""
        clean(self.folder)
        self._match = replace(match, parts=tuple(done_parts(self.folder)))
        self._hands = 1 + max((part.last for part in extents(self.folder, self._match.parts)), default=-1)
        names = self._match.names if match.kind == "evolution" else ()
        self._named = {player for player, name in enumerate(names) if name}

    def records(self) -> Iterator[Record]:
        """Those that are there, in order."""
        return read_records(self.folder)

    def add(self, records: Sequence[Record]) -> None:
        """Add the next ones; when this returns they are on the disk."""
        begin = hands = 0
        for end, record in enumerate(records):
            more = len(record.get(RECORD_HANDS, ()))
            if end > begin and hands + more > PART_HANDS:
                self._add_part(records[begin:end])
                begin, hands = end, 0
            hands += more
        self._add_part(records[begin:])

    def _add_part(self, records: Sequence[Record]) -> None:
        played = [(record["run"], record.pop(RECORD_HANDS, ())) for record in records]
        players: dict[int, tuple[str, str]] = {}
        for record in records:
            players |= record.pop(RECORD_PLAYERS, {})
        tables = self._hand_tables(played) if any(hands for _, hands in played) else {}
        new = {player: texts for player, texts in players.items() if player not in self._named}
        if new:
            tables[PLAYERS] = [_player_columns(list(new), *zip(*new.values(), strict=True))]
        lines = [json.dumps(record, separators=(",", ":"), ensure_ascii=False) for record in records]
        runs = np.array([record["run"] for record in records], dtype=np.int64)
        tables[RUNS] = [{"run": runs, "record": np.array(lines, dtype=object)}]
        PartWriter(self.folder).write_tables(runs_name(int(runs[0]), int(runs[-1])), tables)
        self._named |= new.keys()
        self._hands += sum(len(hands) for _, hands in played)

    def _hand_tables(self, played: Sequence[tuple[int, Sequence[PlayedHand]]]) -> dict[str, list[Columns]]:
        """The actions and the hands, those of one game and number of players together; most columns first."""
        groups: dict[tuple[int, int, int], list[tuple[int, int, int, PlayedHand]]] = {}
        number = self._hands
        for run, hands in played:
            seed = self._match.seed_of(run)
            for place, hand in enumerate(hands):
                groups.setdefault((len(hand[2]), hand[0], seed), []).append((number, run, place, hand))
                number += 1
        tables: dict[str, list[Columns]] = {ACTIONS: [], HANDS: []}
        for (seats, level, seed), group in sorted(groups.items(), reverse=True):
            actions, columns = _group_columns(self._match.rules_of(level, seats), level, seed, group)
            tables[ACTIONS].append(actions)
            tables[HANDS].append(columns)
        return tables


def _group_columns(
    rules: GameRules, level: int, seed: int, group: Sequence[tuple[int, int, int, PlayedHand]]
) -> tuple[Columns, Columns]:
    """The actions and the hands of one game, number of players and seed."""
    numbers, runs, places = (np.array([row[column] for row in group], dtype=np.int64) for column in range(3))
    hands = [row[3] for row in group]
    deals = np.array(
        [hand[5] if len(hand) > 5 else hand_number(run, place) for _, run, place, hand in group], dtype=np.int64
    )
    players, stacks = (np.array([hand[column] for hand in hands]) for column in (2, 3))
    batch = VariedBatch(rules, stacks.tolist(), [hand[1] for hand in hands], seed=seed, deals=deals)
    codes = np.array([code for hand in hands for code in hand[4]], dtype=np.int64)
    counts = np.array([len(hand[4]) for hand in hands], dtype=np.int64)
    facts = trace(rules, *batch.arrays, batch.stacks, codes, counts)
    same = partial(np.full, len(group), dtype=np.int32)
    shared: Columns = {"run": runs, "place": places, "level": same(level), "seats": same(facts.players)}
    shared["button"] = facts.button
    players = players.astype(np.int32)
    columns = hand_columns(facts, numbers, players) | shared | by_seat("stack", facts.stacks.T)
    columns |= {"deal": deals, "big_blind": same(rules.big_blind)}
    actions = action_columns(facts, numbers, players)
    actions |= {name: column[facts.hand] for name, column in shared.items()} | {"all_in": _all_in(facts)}
    return actions, columns


def _all_in(facts: Facts) -> NDArray[np.bool_]:
    """Whether an action put in the last that its player may."""
    rows, seat, added = np.arange(facts.actions), facts.column("seat"), facts.column("added")
    start = facts.stacks[facts.hand, seat]
    most = np.minimum(start, facts.rules.cap) if facts.rules.cap else start
    all_in: NDArray[np.bool_] = (added > 0) & (start - facts.stack[seat, rows] + added >= most)
    return all_in


def start_runs(folder: Path, description: dict[str, Any]) -> RunLog:
    """A new log in the folder of a match, with its description as it is to be."""
    make_folder(folder)
    match = LoggedMatch(1, folder, description, ())
    log = RunLog(match)
    if "lineup" in match.decisive:
        specs = [match.decisive["agents"][entry]["spec"] for entry in match.decisive["lineup"]]
        players = _player_columns(range(len(specs)), match.names, specs, match.agents)
        write_parquet(folder / f"{PLAYERS}{SUFFIX}", players)
    write_description(folder, description)
    return log


def _player_columns(
    players: Sequence[int], names: Sequence[str], specs: Sequence[str], agents: Sequence[str] = ()
) -> Columns:
    columns: Columns = {"player": np.array(players, dtype=np.int32)}
    texts = {"name": names, "spec": specs, "agent": agents or names}
    return columns | {name: np.array(list(column), dtype=object) for name, column in texts.items()}


def read_records(folder: Path) -> Iterator[Record]:
    """The records in the folder of a match, in order."""
    for name in done_parts(folder):
        columns = select(f"record FROM {rows(part_files(folder, RUNS, [name]), RUNS, 0)} ORDER BY run")
        yield from map(json.loads, columns["record"])
