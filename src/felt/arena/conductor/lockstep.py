"""Many tables in step: every player decides at all tables where it is their turn, then all tables move on."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.agents.adapters import AsBatch
from felt.agents.api import OutsideAgent
from felt.agents.conductor import conduct_in_step
from felt.agents.dice import ManyDice
from felt.agents.tables import Ints, Moves, Tables
from felt.arena.conductor.conduct import Conduct, Fault, Incident, Penalty, raised
from felt.arena.conductor.table import ASKED, DECISION, IN_HAND, LIMIT_MS, MARKS, NOBODY, Known, Late, Marks
from felt.errors import error_text
from felt.games.engine import fields as f
from felt.games.engine.batch import HandBatch
from felt.games.rules import GameRules

Bools = NDArray[np.bool_]

NO_CARDS: Ints = np.zeros(0, dtype=np.int64)
"""In place of how many cards each player holds, where none are exchanged."""


@dataclass
class Lockstep:
    """Tables that are played in step: the game, the agents, and what they do wrong."""

    rules: GameRules
    agents: Sequence[Any]
    stack: int
    seed: int
    penalty: Penalty
    timeout: float
    """Seconds for a call of `act_batch`; at one table, where an agent decides at one after the other."""
    conduct: Conduct
    known: Known = field(default_factory=dict)
    """Faults that cost a process its life, by the first hand of the tables and the step."""
    retired: frozenset[int] = frozenset()
    names: Sequence[str] = ()
    """The players; none where nobody has a name."""
    marks: "Marks" = field(default_factory=lambda: [NOBODY] * MARKS)

    def play(self, numbers: Ints, deals: Ints, seatings: Ints) -> tuple[Ints, Ints]:
        """Play hands `numbers` of a match; returns their moves, hand after hand, and how many each has."""
        players = len(self.agents)
        batch = deal_batch(self.rules, deals, players, self.stack, self.seed)
        dice = [ManyDice(numbers, self.seed, player) for player in range(players)]
        out = np.zeros((players, len(deals)), dtype=np.bool_)  # who is not asked any more, in which hands
        self.marks[IN_HAND] = int(numbers[0])

        def decide(player: int, rows: NDArray[np.intp], steps: list[Ints], places: list[NDArray[np.int32]]) -> Moves:
            tables = Tables(batch, rows, dice[player], steps, places, seating=seatings, names=self.names)
            return self._decide(player, tables, numbers, rows, len(steps), out[player])

        steps = conduct_in_step(batch, seatings, decide)
        codes = np.stack(steps, axis=1) if steps else np.zeros((len(deals), 0), dtype=np.int64)
        made = codes >= 0
        return codes[made], made.sum(axis=1)

    def _decide(
        self, player: int, tables: Tables, numbers: Ints, rows: NDArray[np.intp], step: int, out: Bools
    ) -> tuple[Ints, Ints]:
        """A player's moves at some tables, those that are wrong replaced."""
        from felt.arena.conductor.step_kernels import replace_moves

        gone, hands = out[rows], numbers[rows]
        moves, amounts = np.zeros((2, len(rows)), dtype=np.int64)
        if player in self.retired:
            self._note(player, Fault.ERROR, hands, ~gone, "not asked: it died or was started again too often")
            wrong = ~gone
        else:
            wrong = self._known_faults(player, hands, int(numbers[0]), step) & ~gone
            out[rows] |= wrong  # nor is it asked in these hands again
            to_ask = ~(gone | wrong)
            if to_ask.any():
                moves[to_ask], amounts[to_ask], wrong[to_ask] = self._ask(
                    player, tables if to_ask.all() else tables.some(to_ask), hands[to_ask], step
                )
        if wrong.any() or gone.any():
            replace_moves(tables.legal, wrong | gone, self.penalty == Penalty.CALL, moves, amounts)
            if self.penalty == Penalty.FORFEIT and wrong.any():
                self.conduct.forfeit(player, int(hands[wrong].min()))
                out[rows] |= wrong
        return moves, amounts

    def _known_faults(self, player: int, hands: Ints, first: int, step: int) -> Bools:
        """At which tables a decision cost a process before."""
        known = np.zeros(len(hands), dtype=np.bool_)
        for (hand, when), (who, fault, message) in self.known.items():
            if who == player and when == step:
                one_by_one = isinstance(self.agents[player], AsBatch)
                here = hands == hand if one_by_one else np.full(len(hands), hand == first)
                self._note(player, fault, hands, here & ~known, message)
                known |= here
        return known

    def _ask(self, player: int, tables: Tables, hands: Ints, step: int) -> tuple[Ints, Ints, Bools]:
        """What a player answers, and where that is wrong."""
        agent, marks = self.agents[player], self.marks
        one_by_one, keeps_time = isinstance(agent, AsBatch), isinstance(agent, OutsideAgent)
        late = f"no answer within {self.timeout:g} s"
        marks[DECISION], marks[LIMIT_MS] = step, int(1000 * self.timeout)
        if one_by_one:
            agent.asked = lambda row: self._ask_one(player, hands, row)
        dice_state, started = tables.dice_state(), perf_counter()
        try:
            marks[ASKED] = NOBODY if keeps_time else player
            answer = agent.act_batch(tables)
            marks[ASKED] = NOBODY
        except Late:
            marks[ASKED] = NOBODY
            return self._no_answer(player, Fault.TIMEOUT, hands, late)
        except (Exception, SystemExit) as error:
            marks[ASKED] = NOBODY
            if len(tables) > 1:  # whose fault it is shows when they are asked one by one, whoever is asked with them
                tables.back_to(dice_state)
                alone = np.eye(len(tables), dtype=np.bool_)
                parts = [self._ask(player, tables.some(row), hands[row], step) for row in alone]
                return tuple(np.concatenate(part) for part in zip(*parts, strict=True))  # type: ignore[return-value]
            self.conduct.add(raised(player, int(hands[0]), error))
            return np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.bool_)
        if not one_by_one and not keeps_time and perf_counter() - started > self.timeout:
            return self._no_answer(player, Fault.TIMEOUT, hands, late)
        return self._checked(player, tables, hands, answer)

    def _ask_one(self, player: int, hands: Ints, row: int) -> None:
        """Mark that an agent is asked at one table, or that it has answered at all."""
        self.marks[ASKED] = NOBODY
        if row >= 0:
            self.marks[IN_HAND] = int(hands[row])
            self.marks[ASKED] = player

    def _no_answer(self, player: int, fault: Fault, hands: Ints, message: str) -> tuple[Ints, Ints, Bools]:
        """No answer, which is wrong everywhere."""
        moves, amounts = np.zeros((2, len(hands)), dtype=np.int64)
        everywhere = np.ones(len(hands), dtype=np.bool_)
        self._note(player, fault, hands, everywhere, message)
        return moves, amounts, everywhere

    def _checked(self, player: int, tables: Tables, hands: Ints, answer: Any) -> tuple[Ints, Ints, Bools]:
        count = len(tables)
        try:
            moves, amounts = (np.array(part, dtype=np.int64) for part in answer)
            if moves.shape != (count,) or amounts.shape != (count,):
                raise ValueError(f"arrays of shapes {moves.shape} and {amounts.shape} for {count} tables")
        except (TypeError, ValueError, OverflowError) as error:
            message = f"answered no moves and amounts: {error_text(error)}"
            return self._no_answer(player, Fault.ILLEGAL, hands, message)
        wrong = find_wrong_moves(tables, moves, amounts)
        if not wrong.any():
            return moves, amounts, wrong
        illegal = wrong.copy()
        agent = self.agents[player]
        for row, raised_error in agent.errors.items() if isinstance(agent, AsBatch | OutsideAgent) else ():
            if wrong[row]:
                illegal[row] = False
                self.conduct.add(raised(player, int(hands[row]), raised_error))
        if illegal.any():
            row = int(np.flatnonzero(illegal)[0])
            message = (
                f"move {int(moves[row])} with amount {int(amounts[row])}, where {tables.legal[row].tolist()} is legal"
            )
            self._note(player, Fault.ILLEGAL, hands, illegal, message)
        return moves, amounts, wrong

    def _note(self, player: int, fault: Fault, hands: Ints, where: Bools, message: str) -> None:
        """Count a fault at some tables; it is told once, of the first of them."""
        if where.any():
            self.conduct.add(Incident(player, fault, int(hands[where][0]), message), int(where.sum()))


def deal_batch(rules: GameRules, deals: Ints, players: int, stack: int, seed: int) -> HandBatch:
    """Hands that have just been dealt, to be played or followed in one thread."""
    return HandBatch(rules, len(deals), players=players, stack=stack, seed=seed, deals=deals, threads=1)


def find_wrong_moves(tables: Tables, moves: Ints, amounts: Ints) -> Bools:
    """At which tables a move is not legal."""
    from felt.arena.conductor.step_kernels import find_illegal

    wrong = np.zeros(len(tables), dtype=np.bool_)
    exchanges = bool((tables.legal[:, f.LEAST_CARDS] >= 0).any())
    find_illegal(tables.legal, tables.choosable if exchanges else NO_CARDS, moves, amounts, wrong)
    return wrong
