"""Adapters: any object with ``act`` as an `Agent`, a plain agent at many tables, and a batch agent at one table."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from felt.agents.api import EVENTS, Agent, AgentFault
from felt.agents.dice import Dice
from felt.agents.tables import BatchAgent, Moves, OneTable, Tables, code_of
from felt.games.actions import Action, IllegalAction
from felt.games.moves import Move, decode_move
from felt.games.rules import GameRules
from felt.games.views.view import View

NO_MOVE = -1
"""Stands where an agent did not answer with a move."""

OPTIONAL = (*EVENTS, "probabilities", "values", "explain", "plays", "match_over", "save", "load")
"""What an agent may leave out."""


def as_agent(agent: Any) -> Agent:
    """Any agent as an `Agent`: what it leaves out is filled in once, and nobody looks for it again."""
    if isinstance(agent, Agent):
        return agent
    return Completed(agent) if callable(getattr(agent, "act", None)) else AsPlain(agent)


class Completed(Agent):
    """An object that has ``act``, and perhaps other methods of an `Agent`."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        for name in ("act", *OPTIONAL):
            method = getattr(agent, name, None)
            if callable(method):
                setattr(self, name, method)
        setattr(self, "remembers", bool(getattr(agent, "remembers", True)))  # noqa: B010 - of this object alone

    def __setattr__(self, name: str, value: Any) -> None:
        """The agent's dice are its own; an object that cannot hold them has no use for them."""
        if name == "dice":
            with suppress(AttributeError):
                self.agent.dice = value
        super().__setattr__(name, value)


class AsBatch:
    """A plain agent at batch tables: it is asked at one table after the other.

    Histories are whole where the tables were given their `steps`. What the agent raises at one table does not keep it
    from the others: the answer there is `NO_MOVE`, and the error is in `errors`, by row.
    """

    remembers = False

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.errors: dict[int, BaseException] = {}
        """What the agent raised in the last call."""
        self.asked: Callable[[int], None] = lambda row: None
        """Told before the agent is asked at a row, and with -1 after the last: for whoever watches over it."""

    def plays(self, rules: GameRules, players: int) -> str | None:
        """What the agent says."""
        return as_agent(self.agent).plays(rules, players)

    def agent_at(self, tables: Tables, row: int) -> Any:
        """Who decides at a table: the same agent everywhere, unless several share their tables."""
        return self.agent

    def act_batch(self, tables: Tables) -> Moves:
        """The agent's moves, table by table."""
        self.errors = {}
        answers = np.zeros((2, len(tables)), dtype=np.int64)
        for row in range(len(tables)):
            try:
                self.asked(row)
                answers[:, row] = ask_at(self.agent_at(tables, row), tables, row)
            except (Exception, SystemExit) as error:
                answers[:, row] = NO_MOVE, 0
                self.errors[row] = error
        self.asked(-1)
        return answers[0], answers[1]


class AsPlain(Agent):
    """A batch agent at a plain table: it sees an array with one row, made from the view."""

    remembers = False

    dice: Dice

    def __init__(self, agent: BatchAgent) -> None:
        self.agent = agent
        if callable(plays := getattr(agent, "plays", None)):
            self.plays = plays  # type: ignore[method-assign]  # as the agent says

    def act(self, view: View) -> Action:
        """The agent's move at this table."""
        moves, amounts = self.agent.act_batch(OneTable(view, self.dice))
        move, amount = Move(int(moves[0])), int(amounts[0])
        if move == Move.EXCHANGE:
            return Action(move, cards=tuple(card for place, card in enumerate(view.own) if amount >> place & 1))
        return Action(move, amount if move == Move.RAISE else 0)


def one_by_one(agent: Any, tables: Tables) -> Moves:
    """The moves of a plain agent, table by table: for agents that have a batch form of their own for some games."""
    answers = np.array([ask_at(agent, tables, row) for row in range(len(tables))], dtype=np.int64).reshape(-1, 2)
    return answers[:, 0], answers[:, 1]


def ask_at(agent: Any, tables: Tables, row: int) -> tuple[int, int]:
    """The move of a plain agent at one of many tables, and its amount; the dice are those of that table."""
    view = tables.view(row)
    with tables.dice(row) as dice:
        agent.dice = dice
        action = agent.act(view)
    try:
        code = code_of(action, view.own)
    except IllegalAction as error:
        raise AgentFault("illegal", str(error)) from None
    return decode_move(code)
