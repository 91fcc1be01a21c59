"""Many tables in step: every player decides at all tables where it is their turn, then all tables move on."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.agents.adapters import AsBatch
from felt.agents.dice import ManyDice
from felt.agents.tables import Ints, Tables
from felt.arena.conduct import Conduct, Fault, Incident, Penalty, raised
from felt.arena.table import MARKS, NOBODY, Known, Late, Marks
from felt.games.batch import HandBatch
from felt.games.record import Move
from felt.games.rules import GameRules

Bools = NDArray[np.bool_]

CALL = int(Move.CALL)
NO_CARDS: Ints = np.zeros(0, dtype=np.int64)
"""In place of how many cards each player holds, where none are exchanged."""


@dataclass
class Floor:
    """Where tables are played in step: the game, the agents, and what they do wrong."""

    rules: GameRules
    agents: Sequence[Any]
    stack: int
    seed: int
    penalty: Penalty
    timeout: float
    """Seconds for a call of `act_batch`; for each table where an agent decides at one after the other."""
    conduct: Conduct
    known: Known = field(default_factory=dict)
    """Faults that cost a process its life, by the first hand of the tables and the step."""
    retired: frozenset[int] = frozenset()
    marks: "Marks" = field(default_factory=lambda: [NOBODY] * MARKS)

    def play(self, numbers: Ints, deals: Ints, seatings: Ints) -> tuple[Ints, Ints]:
        """Play hands `numbers` of a match; returns their moves, hand after hand, and how many each has."""
        players = len(self.agents)
        batch = HandBatch(
            self.rules, len(deals), players=players, stack=self.stack, seed=self.seed, deals=deals, threads=1
        )
        dice = [ManyDice(numbers, self.seed, player) for player in range(players)]
        out = np.zeros((players, len(deals)), dtype=np.bool_)  # who is not asked any more, in which hands
        steps: list[Ints] = []
        every = np.arange(len(deals))
        self.marks[1] = int(numbers[0])
        while True:
            turn = batch.turn
            waiting = turn >= 0
            if not waiting.any():
                return _by_hand(steps, len(deals))
            who = np.where(waiting, seatings[every, np.maximum(turn, 0)], NOBODY)
            moves, amounts = np.full(len(deals), CALL), np.zeros(len(deals), dtype=np.int64)
            for player in range(players):
                rows = np.flatnonzero(who == player)
                if len(rows):
                    tables = Tables(batch, rows, dice[player], steps)
                    moves[rows], amounts[rows] = self._decide(player, tables, numbers, rows, len(steps), out[player])
            steps.append(np.where(waiting, amounts * 4 + moves, -1))
            batch.step(moves, amounts)

    def _decide(
        self, player: int, tables: Tables, numbers: Ints, rows: NDArray[np.intp], step: int, out: Bools
    ) -> tuple[Ints, Ints]:
        """A player's moves at some tables, those that are wrong replaced."""
        from felt.arena.step_kernels import replace_moves

        gone, hands = out[rows], numbers[rows]
        moves, amounts = np.zeros((2, len(rows)), dtype=np.int64)
        wrong = ~gone
        known = self.known.get((int(numbers[0]), step))
        if player in self.retired:
            self._note(player, Fault.ERROR, hands, wrong, "not asked: it died too often")
        elif known is not None and known[0] == player:
            self._note(player, known[1], hands, wrong, known[2])
            out[rows] = True  # nor will it be asked in these hands again
        elif wrong.any():
            moves, amounts, wrong = self._ask(player, tables, hands, step, gone)
        if wrong.any() or gone.any():
            replace_moves(tables.legal, wrong | gone, self.penalty == Penalty.CALL, moves, amounts)
            if self.penalty == Penalty.FORFEIT and wrong.any():
                self.conduct.forfeit(player, int(hands[wrong].min()))
                out[rows] |= wrong
        return moves, amounts

    def _ask(self, player: int, tables: Tables, hands: Ints, step: int, gone: Bools) -> tuple[Ints, Ints, Bools]:
        """What a player answers, and where that is wrong."""
        agent, marks = self.agents[player], self.marks
        limit = self.timeout * (len(tables) if isinstance(agent, AsBatch) else 1)
        nothing: Ints = np.zeros(len(tables), dtype=np.int64)
        marks[2], marks[3] = step, int(1000 * limit)
        started = perf_counter()
        try:
            marks[0] = player
            answer = agent.act_batch(tables)
            marks[0] = NOBODY
        except (Exception, SystemExit) as error:
            marks[0] = NOBODY
            self.conduct.add(raised(player, int(hands[0]), error), int((~gone).sum()))
            return nothing, nothing.copy(), ~gone
        except Late:
            marks[0] = NOBODY
            self._note(player, Fault.TIMEOUT, hands, ~gone, f"no answer within {limit:g} s")
            return nothing, nothing.copy(), ~gone
        if perf_counter() - started > limit:
            self._note(player, Fault.TIMEOUT, hands, ~gone, f"no answer within {limit:g} s")
            return nothing, nothing.copy(), ~gone
        return self._checked(player, tables, hands, gone, answer)

    def _checked(self, player: int, tables: Tables, hands: Ints, gone: Bools, answer: Any) -> tuple[Ints, Ints, Bools]:
        from felt.arena.step_kernels import find_illegal

        count = len(tables)
        try:
            moves, amounts = (np.array(part, dtype=np.int64) for part in answer)
            if moves.shape != (count,) or amounts.shape != (count,):
                raise ValueError(f"arrays of shapes {moves.shape} and {amounts.shape} for {count} tables")
        except (TypeError, ValueError, OverflowError) as error:
            self._note(player, Fault.ILLEGAL, hands, ~gone, f"act_batch answered with no moves and amounts: {error}")
            nothing: Ints = np.zeros(count, dtype=np.int64)
            return nothing, nothing.copy(), ~gone
        wrong = np.zeros(count, dtype=np.bool_)
        exchanges = bool((tables.legal[:, 4] >= 0).any())
        if not find_illegal(tables.legal, tables.count if exchanges else NO_CARDS, moves, amounts, wrong):
            return moves, amounts, wrong
        wrong &= ~gone
        illegal = wrong.copy()
        for row, what in getattr(self.agents[player], "errors", {}).items():
            if wrong[row]:
                illegal[row] = False
                self.conduct.add(raised(player, int(hands[row]), what))
        if illegal.any():
            row = int(np.flatnonzero(illegal)[0])
            said = (
                f"move {int(moves[row])} with amount {int(amounts[row])}, where {tables.legal[row].tolist()} is legal"
            )
            self._note(player, Fault.ILLEGAL, hands, illegal, said)
        return moves, amounts, wrong

    def _note(self, player: int, fault: Fault, hands: Ints, where: Bools, message: str) -> None:
        """Count a fault at some tables; it is told once, of the first of them."""
        if where.any():
            self.conduct.add(Incident(player, fault, int(hands[where][0]), message), int(where.sum()))


def _by_hand(steps: list[Ints], hands: int) -> tuple[Ints, Ints]:
    if not steps:
        return np.zeros(0, dtype=np.int64), np.zeros(hands, dtype=np.int64)
    codes = np.stack(steps, axis=1)
    made = codes >= 0
    return codes[made], made.sum(axis=1)
