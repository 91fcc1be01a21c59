"""The rounds of a generation: who meets whom, and all tables of a round played in step, in one process."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from felt.agents.adapters import AsBatch
from felt.agents.tables import Moves, Tables
from felt.arena.conductor.lockstep import Lockstep, deal_batch
from felt.arena.conductor.table import Late
from felt.arena.evolution.genes import parameters_of
from felt.arena.match.hands import TABLES
from felt.arena.schedule.workplace import PlayedHand, RunWorkplace, hand_number
from felt.games.actions import Action
from felt.games.views.facts import trace
from felt.games.views.view import View

if TYPE_CHECKING:
    from felt.arena.evolution.spec import Generation

Ints = NDArray[np.int64]
TABLE_STREAM, FOUNDER_STREAM = 0x7461626C, 0x666F756E  # "tabl", "foun"


def tables_of(generation: "Generation", place: int) -> Ints:
    """``[tables, seats]``: who sits together in a round. Founders are counted after the population.

    Of two, everybody meets somebody else in every round (the circle method of round robins); of more, tables are
    drawn anew. In rounds against the first generation everybody sits with founders alone.
    """
    evolution = generation.evolution
    count, seats = evolution.population, evolution.seats
    if place >= evolution.meetings:
        chance = np.random.default_rng([FOUNDER_STREAM, generation.seed, place])
        others = [count + chance.permutation(count) for _ in range(seats - 1)]
        return np.stack([np.arange(count), *others], axis=1)
    if seats > 2:
        chance = np.random.default_rng([TABLE_STREAM, generation.seed, place])
        return chance.permutation(count).reshape(-1, seats)
    order = np.random.default_rng([TABLE_STREAM, generation.seed]).permutation(count)
    circle = np.concatenate([order[:1], np.roll(order[1:], place)])
    return np.stack([circle[: count // 2], circle[count // 2 :][::-1]], axis=1)


def play_round(
    generation: "Generation", number: int, tables: Ints, workplace: RunWorkplace, hands: list[PlayedHand] | None
) -> Ints:
    """``[tables, seats]``: chips that everybody won, over all deals and with everybody in every seat.

    The hands are added to `hands`, if that is there, with players as a log numbers them: generation after generation.
    """
    evolution = generation.evolution
    seats, deals = evolution.seats, evolution.deals
    turns = (np.arange(seats)[:, None] + np.arange(seats)) % seats
    who = np.tile(tables[:, turns].reshape(-1, seats), (deals, 1))
    """``[hands, seats]``: deal by deal, table by table, turn by turn."""
    cards = hand_number(number, 0) + _cards(generation, number, len(tables))
    crowd = _Crowd(generation)
    kind = _Seat if evolution.base.batch else _PlainSeat
    agents = [kind(crowd, seat) for seat in range(seats)]
    lockstep = workplace.tables_in_step(evolution.rules, agents, evolution.stack)
    payoffs = []
    for begin in range(0, len(who), TABLES):
        part = slice(begin, min(begin + TABLES, len(who)))
        crowd.who = who[part]
        numbers = hand_number(number, 0) + np.arange(part.start, part.stop)
        payoffs.append(_payoffs(lockstep, numbers, cards[part], generation.players_of(who[part]), hands))
    won = np.concatenate(payoffs).reshape(deals, len(tables), seats, seats).sum(axis=0)
    back = np.zeros((len(tables), seats), dtype=np.int64)
    for turn in range(seats):
        back[:, turns[turn]] += won[:, turn]
    return back


def _cards(generation: "Generation", number: int, tables: int) -> Ints:
    """The deals of all hands. In meetings they are the same at all tables, so that luck does not decide who is fittest;
    against the first generation every table has its own, so that it decides little of the mean."""
    evolution = generation.evolution
    own = number - generation.number * evolution.rounds >= evolution.meetings
    every = np.arange(evolution.deals * (tables if own else 1)).reshape(evolution.deals, -1)
    return np.repeat(np.broadcast_to(every, (evolution.deals, tables)), evolution.seats)


def _payoffs(lockstep: Lockstep, numbers: Ints, deals: Ints, players: Ints, hands: list[PlayedHand] | None) -> Ints:
    seats = players.shape[1]
    seatings = np.tile(np.arange(seats), (len(deals), 1))
    codes, counts = lockstep.play(numbers, deals, seatings)
    start = deal_batch(lockstep.rules, deals, seats, lockstep.stack, lockstep.seed)
    facts = trace(lockstep.rules, *start.arrays, start.stacks, codes, counts, actions=False)
    if hands is not None:
        columns = (facts.button, players, facts.stacks, np.split(codes, np.cumsum(counts)[:-1]), deals)
        for button, seated, stacks, moves, deal in zip(*columns, strict=True):
            hands.append((0, int(button), seated.tolist(), stacks.tolist(), moves.tolist(), int(deal)))
    payoffs: Ints = facts.payoffs.astype(np.int64)
    return payoffs


class _Crowd:
    """The population and the founders, and who of them sits where."""

    def __init__(self, generation: "Generation") -> None:
        evolution = generation.evolution
        self.genomes = np.array([*generation.genomes, *generation.founders], dtype=np.float64)
        self.genes, self.base = evolution.genes, evolution.base
        kind = evolution.base.kind
        self.together = bool(getattr(kind, "crowds", lambda rules: False)(evolution.rules))
        """Whether one call decides for all of them."""
        self.who: Ints = np.zeros((0, evolution.seats), dtype=np.int64)

    def made(self, agent: int) -> Any:
        """One of them, as an agent of its own."""
        parameters = {**self.base.parameters, **parameters_of(self.genes, self.genomes[agent].tolist())}
        return _made(self.base.kind, tuple(parameters.items()))


class _Seat:
    """A seat at all tables of a round: whoever sits there decides."""

    remembers = False

    def __init__(self, crowd: _Crowd, seat: int) -> None:
        self._crowd, self._seat = crowd, seat

    def act_batch(self, tables: Tables) -> Moves:
        """The moves of all who sit in this seat, each at its own table."""
        crowd, who = self._crowd, self._crowd.who[tables.rows, self._seat]
        if crowd.together:
            columns = crowd.genomes[who].T
            own = {gene.name: column for gene, column in zip(crowd.genes, columns, strict=True)}
            agent = crowd.base.kind(**{**crowd.base.parameters, **own})
            moves: Moves = agent.act_batch(tables)
            return moves
        answers = np.zeros((2, len(tables)), dtype=np.int64)
        for agent in np.unique(who):
            here = who == agent
            answers[:, here] = crowd.made(int(agent)).act_batch(tables.some(here))
        return answers[0], answers[1]


class _PlainSeat(AsBatch):
    """A seat for agents that decide at one table at a time."""

    def __init__(self, crowd: _Crowd, seat: int) -> None:
        super().__init__(None)
        self._crowd, self._seat = crowd, seat

    def agent_at(self, tables: Tables, row: int) -> Any:
        """Who sits there."""
        return _InTime(self._crowd.made(int(self._crowd.who[tables.rows[row], self._seat])))


class _InTime:
    """An agent that is interrupted when it takes too long: that is an error of its own, and no concern of others."""

    dice: Any

    def __init__(self, agent: Any) -> None:
        self._agent = agent

    def act(self, view: View) -> Action:
        """What the agent answers."""
        self._agent.dice = self.dice
        try:
            return self._agent.act(view)  # type: ignore[no-any-return]  # whatever it is, it is checked
        except Late:
            raise TimeoutError("no answer in time") from None


@lru_cache(maxsize=4096)
def _made(kind: Any, parameters: tuple[tuple[str, Any], ...]) -> Any:
    """An agent with a genome; few are made twice."""
    return kind(**dict(parameters))
