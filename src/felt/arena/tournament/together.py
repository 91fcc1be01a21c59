"""Many tournaments in step: a round of each at a time, and all hands of one kind at once.

For agents of ours that decide at many tables at once. The records are those of `felt.arena.tournament.play`, to the
chip; whatever goes wrong, the tournaments are played again one by one, where it is seen whose fault it is.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from felt.agents.conductor import conduct_in_step
from felt.agents.dice import SeatDice
from felt.agents.tables import Ints, Moves, Tables
from felt.arena.conductor.lockstep import find_wrong_moves
from felt.arena.conductor.table import Table
from felt.arena.schedule.records import HANDS, Record
from felt.arena.tournament.play import Dealt, TournamentState, play_hand
from felt.games.engine.batch import VariedBatch

if TYPE_CHECKING:
    from felt.arena.tournament.spec import Tournament

FEW = 64
"""Fewer hands of one kind are played one by one: that is quicker, and the same."""


class WrongMoveError(Exception):
    """An agent has made a move that is not legal."""


def play_together(tournament: "Tournament", numbers: Sequence[int], *, with_hands: bool = False) -> list[Record] | None:
    """The records of these runs; None if something went wrong, and they have to be played one by one."""
    try:
        return _Floor(tournament, with_hands).play([TournamentState(tournament, number) for number in numbers])
    except AssertionError:
        raise
    except Exception:
        return None


class _Floor:
    """Plays the hands of all tournaments."""

    def __init__(self, tournament: "Tournament", with_hands: bool) -> None:
        self._agents: list[Any] = [entrant.make() for entrant in tournament.entrants]
        self._lineup = np.array(tournament.lineup)
        self._tournament, self._seed = tournament, tournament.seed
        plain = [tournament.entrants[entry].make() for entry in tournament.lineup]
        self._table = Table(plain, seed=tournament.seed, penalty=tournament.penalty, timeout=tournament.timeout)
        self._table.played = {} if with_hands else None

    def play(self, states: list[TournamentState]) -> list[Record]:
        """Play them all to the end."""
        going = states
        while going:
            rounds = [state.begin_round() for state in going]
            after = self._round([hand for dealt in rounds for hand in dealt])
            begin = 0
            for state, dealt in zip(going, rounds, strict=True):
                state.end_round(after[begin : begin + len(dealt)])
                begin += len(dealt)
            going = [state for state in going if not state.over]
        if not self._table.conduct.clean:
            raise WrongMoveError(self._table.conduct.incidents[0].message)
        return [self._record(state) for state in states]

    def _record(self, state: TournamentState) -> Record:
        record, played = state.record(), self._table.played
        if played is not None:
            record[HANDS] = [played[state.numbered(hand)] for hand in range(record["hands"])]
        return record

    def _round(self, dealt: list[Dealt]) -> list[Sequence[int]]:
        """Everybody's chips after these hands: those of one kind are played in step."""
        kinds: dict[tuple[int, int], list[int]] = {}
        for place, hand in enumerate(dealt):
            kinds.setdefault((id(hand.rules), len(hand.players)), []).append(place)
        after: list[Sequence[int]] = [()] * len(dealt)
        for places in kinds.values():
            hands = [dealt[place] for place in places]
            played = self._hands(hands) if len(hands) >= FEW else self._one_by_one(hands)
            for place, chips in zip(places, played, strict=True):
                after[place] = chips
        return after

    def _one_by_one(self, dealt: list[Dealt]) -> Sequence[Sequence[int]]:
        return [play_hand(self._tournament, hand, self._table) for hand in dealt]

    def _hands(self, dealt: list[Dealt]) -> Sequence[Sequence[int]]:
        numbers, players = np.array([hand.number for hand in dealt]), np.array([hand.players for hand in dealt])
        batch = VariedBatch(
            dealt[0].rules,
            [hand.stacks for hand in dealt],
            [hand.button for hand in dealt],
            seed=self._seed,
            deals=numbers,
        )
        dice = SeatDice(numbers, players, lambda: batch.turn, self._seed)

        def decide(entry: int, rows: NDArray[np.intp], steps: list[Ints], places: list[NDArray[np.int32]]) -> Moves:
            return self._ask(self._agents[entry], Tables(batch, rows, dice, steps, places))

        steps = conduct_in_step(batch, self._lineup[players], decide)
        if self._table.played is not None:
            for hand, codes in zip(dealt, np.array(steps).T, strict=True):
                self._table.played[hand.number] = hand.to_log(codes[codes >= 0].tolist())
        chips: list[list[int]] = batch.chips.tolist()
        return chips

    @staticmethod
    def _ask(agent: Any, tables: Tables) -> Moves:
        moves, amounts = (np.array(part, dtype=np.int64) for part in agent.act_batch(tables))
        if find_wrong_moves(tables, moves, amounts).any():
            raise WrongMoveError(f"{agent} makes a move that is not legal")
        return moves, amounts
