"""Logs to try things on: random hands, as the arena would log them, and what every row of them should say."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from felt.agents.basic.random_ import Random
from felt.agents.naming import Entrant
from felt.agents.tables import code_of
from felt.arena.match.hands import HandColumns
from felt.arena.match.spec import Match
from felt.arena.schedule.tasks import Task
from felt.games import Action, Hand, HandRecord, load
from felt.games.engine.batch import HandBatch
from felt.games.rules import GameRules
from felt.games.views.facts import Facts, trace
from felt.store.log.logged import match_folder
from felt.store.log.matches import open_match, read_runs
from felt.store.log.part_writer import done_parts
from felt.store.log.reading import query
from tests.games.test_view import random_action

NAMES = ("ann", "bob", "cleo", "dan", "eve", "fay")


@dataclass
class Row:
    """An action, and the table before it as the hand itself tells it."""

    number: int
    hand: Hand
    action: Action
    after: Hand


@dataclass
class Played:
    """One hand."""

    number: int
    deal: int
    seating: tuple[int, ...]
    rows: list[Row] = field(default_factory=list)
    hand: Hand | None = None

    @property
    def codes(self) -> list[int]:
        return [code_of(row.action, row.hand.cards(row.hand.turn)) for row in self.rows]

    @property
    def adjusted(self) -> list[float]:
        """No figure of ours: something that can be told apart."""
        assert self.hand is not None
        return [payoff + 0.25 * (seat + 1) for seat, payoff in enumerate(self.hand.payoffs)]

    @property
    def record(self) -> HandRecord:
        assert self.hand is not None
        return self.hand.record()


def random_hands(rules: GameRules, players: int, count: int, *, stack: int, seed: int) -> Iterator[Played]:
    """Hands of a match in which players rotate, each deal twice."""
    dice = random.Random(f"{rules.name} {players} {seed}")
    for number in range(count):
        turned = number % players
        played = Played(number, number // 2, (*range(turned, players), *range(turned)))
        hand = Hand.new(rules, stack, seed, players=players, number=played.deal)
        while not hand.over:
            action, before = _in_order(random_action(hand, dice), hand), hand.copy()
            hand.act(action)
            played.rows.append(Row(len(played.rows), before, action, hand.copy()))
        played.hand = hand
        yield played


def _in_order(action: Action, hand: Hand) -> Action:
    """Cards of an exchange as they lie in the hand: in what order they were named is not logged."""
    return action._replace(cards=tuple(card for card in hand.cards(hand.turn) if card in action.cards))


def as_part(rules: GameRules, hands: Sequence[Played], *, stack: int, seed: int) -> tuple[Facts, HandColumns]:
    """Hands as the arena hands them over."""
    deals = np.array([played.deal for played in hands])
    seatings = np.array([played.seating for played in hands])
    batch = HandBatch(rules, len(hands), players=seatings.shape[1], stack=stack, seed=seed, deals=deals)
    codes = [played.codes for played in hands]
    moves = np.array([code for of_hand in codes for code in of_hand], dtype=np.int64)
    facts = trace(rules, *batch.arrays, batch.stacks, moves, np.array(list(map(len, codes))))
    numbers = np.array([played.number for played in hands])
    columns = HandColumns(
        hand=numbers,
        set=numbers // 2,
        seating=numbers % 2,
        deal=deals,
        players=seatings,
        adjusted=np.array([played.adjusted for played in hands]),
    )
    return facts, columns


@dataclass
class Logged:
    """A match that has been written."""

    folder: Path
    match: Match
    rules: GameRules
    players: int
    stack: int
    seed: int
    hands: list[Played]


def log_match(
    folder: Path, number: int, game: str, players: int, *, hands: int = 24, parts: int = 3, seed: int = 5, **choose: Any
) -> Logged:
    """Write a match of random hands into a log, in some parts."""
    rules = load(game, **choose)
    stack = rules.stack
    entrants = tuple(Entrant(name, Random) for name in NAMES[:players])
    match = Match(rules, entrants, stack, seed)
    log = open_match(folder, match, number=number, command="felt match")
    played = list(random_hands(rules, players, hands, stack=stack, seed=seed))
    size = 2 * -(-hands // 2 // parts)
    for at in range(0, hands, size):
        part = played[at : at + size]
        task = Task(part[0].number // 2, len(part) // 2)
        log.sink.write(task.name, *as_part(rules, part, stack=stack, seed=seed), note=f"it's {number}")
    log.close()
    return Logged(log.folder, match, rules, players, stack, seed, played)


def rows_of(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that a log says of hands, whatever its parts are."""
    sql = "SELECT * EXCLUDE (date) FROM {} ORDER BY ALL"
    tables = {view: query(folder, sql.format(view))[1] for view in ("hands", "results")}
    return {**tables, "actions": query(folder, "SELECT * FROM actions ORDER BY ALL")[1]}


def cut_runs(folder: Path, parts: int) -> int:
    """Leave a log of runs as a kill may leave it: so many whole parts, then halves; how many runs are left."""
    place = match_folder(folder, 1)
    for name in done_parts(place)[parts:]:
        (place / "runs" / f"{name}.parquet").unlink()
        (place / "hands" / f"{name}.parquet.tmp").write_bytes(b"PAR1")
    return len(list(read_runs(folder)))
