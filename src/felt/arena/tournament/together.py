"""Many tournaments in step: a round of each at a time, and all hands of one kind at once.

For agents of ours that decide at many tables at once. The records are those of `felt.arena.tournament.play`, to the
chip; whatever goes wrong, the tournaments are played again one by one, where it is seen whose fault it is.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from felt.agents.adapters import AsPlain
from felt.agents.dice import SeatDice
from felt.agents.tables import Ints, Tables
from felt.arena.runs.spec import HANDS, Record
from felt.arena.table import Table
from felt.arena.tournament.play import Course, Dealt, play_hand
from felt.games.batch import VariedBatch

if TYPE_CHECKING:
    from felt.arena.tournament.spec import Tournament

CALL = 1
FEW = 64
"""Fewer hands of one kind are played one by one: that is quicker, and the same."""
NO_CARDS: Ints = np.zeros(0, dtype=np.int64)


class WrongMoveError(Exception):
    """An agent has answered with what is not legal."""


def play_together(tournament: "Tournament", numbers: Sequence[int], *, with_hands: bool = False) -> list[Record] | None:
    """The records of these runs; None if something went wrong, and they have to be played one by one."""
    try:
        return _Floor(tournament, with_hands).play([Course(tournament, number) for number in numbers])
    except AssertionError:
        raise
    except Exception:
        return None


class _Floor:
    """Where the hands are played."""

    def __init__(self, tournament: "Tournament", with_hands: bool) -> None:
        self._agents: list[Any] = [one.make() for one in tournament.entrants]
        self._lineup = np.array(tournament.lineup)
        self._tournament, self._seed = tournament, tournament.seed
        plain = [tournament.entrants[entry].make() for entry in tournament.lineup]
        plain = [agent if hasattr(agent, "act") else AsPlain(agent) for agent in plain]
        self._table = Table(
            plain, seed=tournament.seed, penalty=tournament.penalty, timeout=tournament.timeout
        )  # fmt: skip
        self._table.played = {} if with_hands else None

    def play(self, courses: list[Course]) -> list[Record]:
        """Play them all to the end."""
        going = courses
        while going:
            rounds = [course.begin_round() for course in going]
            after = self._round([one for dealt in rounds for one in dealt])
            begin = 0
            for course, dealt in zip(going, rounds, strict=True):
                course.end_round(after[begin : begin + len(dealt)])
                begin += len(dealt)
            going = [course for course in going if not course.over]
        if not self._table.conduct.clean:
            raise WrongMoveError(self._table.conduct.incidents[0].message)
        return [self._record(course) for course in courses]

    def _record(self, course: Course) -> Record:
        record, played = course.record(), self._table.played
        if played is not None:
            record[HANDS] = [played[course.numbered(hand)] for hand in range(record["hands"])]
        return record

    def _round(self, dealt: list[Dealt]) -> list[Sequence[int]]:
        """Everybody's chips after these hands: those of one kind are played in step."""
        kinds: dict[tuple[int, int], list[int]] = {}
        for place, one in enumerate(dealt):
            kinds.setdefault((id(one.rules), len(one.players)), []).append(place)
        after: list[Sequence[int]] = [()] * len(dealt)
        for places in kinds.values():
            hands = [dealt[place] for place in places]
            played = self._hands(hands) if len(hands) >= FEW else self._one_by_one(hands)
            for place, chips in zip(places, played, strict=True):
                after[place] = chips
        return after

    def _one_by_one(self, dealt: list[Dealt]) -> Sequence[Sequence[int]]:
        return [play_hand(self._tournament, one, self._table) for one in dealt]

    def _hands(self, dealt: list[Dealt]) -> Sequence[Sequence[int]]:
        numbers, players = np.array([one.number for one in dealt]), np.array([one.players for one in dealt])
        batch = VariedBatch(
            dealt[0].rules,
            [one.stacks for one in dealt],
            [one.button for one in dealt],
            seed=self._seed,
            deals=numbers,
        )
        dice = SeatDice(numbers, players, lambda: batch.turn, self._seed)
        agents, steps = self._lineup[players], list[Ints]()
        active = np.arange(len(dealt))
        while True:
            turn = batch.turn[active]
            active = active[turn >= 0]
            if not len(active):
                break
            self._step(batch, active, agents[active, turn[turn >= 0]], dice, steps)
        if self._table.played is not None:
            for one, codes in zip(dealt, np.array(steps).T, strict=True):
                self._table.played[one.number] = one.kept(codes[codes >= 0].tolist())
        chips: list[list[int]] = batch.chips.tolist()
        return chips

    def _step(self, batch: VariedBatch, active: NDArray[np.intp], who: Ints, dice: SeatDice, steps: list[Ints]) -> None:
        moves, amounts = np.full(len(active), CALL), np.zeros(len(active), dtype=np.int64)
        for number, agent in enumerate(self._agents):
            places = np.flatnonzero(who == number)
            if len(places):
                tables = Tables(batch, active[places], dice, steps)
                moves[places], amounts[places] = self._ask(agent, tables)
        step = np.full(len(batch), -1)
        step[active] = amounts * 4 + moves
        steps.append(step)
        batch.step(moves, amounts, active)

    def _ask(self, agent: Any, tables: Tables) -> tuple[Ints, Ints]:
        from felt.arena.step_kernels import find_illegal

        moves, amounts = (np.array(part, dtype=np.int64) for part in agent.act_batch(tables))
        wrong = np.zeros(len(tables), dtype=np.bool_)
        exchanges = bool((tables.legal[:, 4] >= 0).any())
        if find_illegal(tables.legal, tables.choosable if exchanges else NO_CARDS, moves, amounts, wrong):
            raise WrongMoveError(f"{agent} makes a move that is not legal")
        return moves, amounts
