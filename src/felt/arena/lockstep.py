"""Many tables in step: every player decides at all tables where it is their turn, then all tables move on."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.agents.dice import ManyDice
from felt.agents.tables import Ints, Tables
from felt.arena.conduct import Conduct, Fault, Incident, Penalty, raised
from felt.games.batch import HandBatch
from felt.games.record import Move
from felt.games.rules import GameRules

CALL = int(Move.CALL)
NO_CARDS: Ints = np.zeros(0, dtype=np.int64)
"""In place of how many cards each player holds, where none are exchanged."""


def play_in_step(
    rules: GameRules,
    agents: Sequence[Any],
    numbers: Ints,
    deals: Ints,
    seatings: Ints,
    *,
    stack: int,
    seed: int,
    penalty: Penalty,
    timeout: float,
    conduct: Conduct,
) -> tuple[Ints, Ints]:
    """Play hands `numbers` of a match; returns their moves, hand after hand, and how many each has."""
    batch = HandBatch(rules, len(deals), players=len(agents), stack=stack, seed=seed, deals=deals, threads=1)
    dice = [ManyDice(numbers, seed, player) for player in range(len(agents))]
    out = np.full((len(deals), len(agents)), fill_value=False)
    steps: list[Ints] = []
    every = np.arange(len(deals))
    while True:
        turn = batch.turn
        waiting = turn >= 0
        if not waiting.any():
            return _by_hand(steps, len(deals))
        who = np.where(waiting, seatings[every, np.maximum(turn, 0)], -1)
        moves, amounts = np.full(len(deals), CALL), np.zeros(len(deals), dtype=np.int64)
        for player, agent in enumerate(agents):
            rows = np.flatnonzero(who == player)
            if len(rows) == 0:
                continue
            tables = Tables(batch, rows, dice[player])
            chosen = _ask(agent, tables, player, numbers[rows], penalty, timeout, conduct, out[rows, player])
            moves[rows], amounts[rows], out[rows, player] = chosen
        steps.append(np.where(waiting, amounts * 4 + moves, -1))
        batch.step(moves, amounts)


def _by_hand(steps: list[Ints], hands: int) -> tuple[Ints, Ints]:
    if not steps:
        return np.zeros(0, dtype=np.int64), np.zeros(hands, dtype=np.int64)
    codes = np.stack(steps, axis=1)
    made = codes >= 0
    return codes[made], made.sum(axis=1)


def _ask(
    agent: Any,
    tables: Tables,
    player: int,
    numbers: Ints,
    penalty: Penalty,
    timeout: float,
    conduct: Conduct,
    out: NDArray[np.bool_],
) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """A player's moves at some tables, those that are wrong replaced; and at which tables they are out of the hand."""
    from felt.arena.step_kernels import find_illegal, replace_moves

    wrong = np.zeros(len(tables), dtype=np.bool_)
    started = perf_counter()
    try:
        moves, amounts = agent.act_batch(tables)
        moves, amounts = (np.array(answer, dtype=np.int64) for answer in (moves, amounts))
        if moves.shape != (len(tables),) or amounts.shape != (len(tables),):
            raise ValueError(
                f"act_batch answered with shapes {moves.shape} and {amounts.shape} for {len(tables)} tables"
            )
        if find_illegal(
            tables.legal, tables.count if (tables.legal[:, 4] >= 0).any() else NO_CARDS, moves, amounts, wrong
        ):
            wrong &= ~out
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            message = (
                f"move {int(moves[row])} with amount {int(amounts[row])} is not legal: {tables.legal[row].tolist()}"
            )
            conduct.add(Incident(player, Fault.ILLEGAL, int(numbers[row]), message), int(wrong.sum()))
        if perf_counter() - started > timeout * len(tables):
            wrong = ~out
            late = f"{len(tables)} tables took longer than {timeout:g} s each"
            conduct.add(Incident(player, Fault.TIMEOUT, int(numbers[0]), late), int(wrong.sum()))
    except (Exception, SystemExit) as error:
        wrong = ~out
        conduct.add(raised(player, int(numbers[0]), error), int(wrong.sum()))
        moves, amounts = np.zeros((2, len(tables)), dtype=np.int64)
    if wrong.any() or out.any():
        replace_moves(tables.legal, wrong | out, penalty == Penalty.CALL, moves, amounts)
        if penalty == Penalty.FORFEIT and wrong.any():
            conduct.forfeit(player, int(numbers[wrong].min()))
            out = out | wrong
    return moves, amounts, out
