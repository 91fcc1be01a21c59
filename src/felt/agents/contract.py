"""What every agent must do, as a check that anybody can run on their own: ``check_agent("./bot.py:Bot")``.

It plays short matches against agents that do all sorts of things, in every game that the agent claims, and plays them
again in other ways in which nothing may change.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import isclose
from typing import Any

import numpy as np

from felt.agents.adapters import as_agent
from felt.agents.api import Agent, Explanation
from felt.agents.basic.call import Call
from felt.agents.basic.random_ import Random
from felt.agents.conductor import Conductor, conduct_in_step
from felt.agents.dice import ManyDice
from felt.agents.naming import AgentError, Entrant, entrant
from felt.agents.tables import BatchAgent, Tables, code_of
from felt.errors import FeltError, describe_error
from felt.games.actions import Action, Legal
from felt.games.catalogue import load, names
from felt.games.engine.batch import HandBatch
from felt.games.hand import Hand
from felt.games.moves import Move, decode_move
from felt.games.rules import GameRules
from felt.games.views.view import View

PLAYERS = (2, 3, 5)
"""How many play, as far as the game allows."""

SHORT = 6
"""Big blinds of the short stacks, with which every other hand is played."""

Moves = list[tuple[int, int]]
"""Of one hand: who moved, and the code of the move (`felt.agents.tables.code_of`)."""


class BrokenContract(AgentError, AssertionError):  # noqa: N818 - named after what the agent did
    """An agent that does what no agent may do; the message says what, and where."""


@dataclass(frozen=True)
class Checked:
    """What a check has seen."""

    games: tuple[str, ...]
    """Games that the agent plays."""
    refused: tuple[str, ...]
    """Games that it does not play, by its own word."""
    hands: int
    decisions: int
    """Its decisions in these hands, each counted once."""


def check_agent(
    agent: Any,
    games: Iterable[str | GameRules] | None = None,
    *,
    players: Sequence[int] = PLAYERS,
    hands: int = 6,
    seed: int = 0,
) -> Checked:
    """Play an agent (a name or file, a class, an object) in some games, or all of the catalogue, and check that it

    - answers with legal moves only, and raises nothing;
    - does the same again when the same hands are played again, and in another order if it remembers nothing;
    - explains its moves in words, if at all, and makes the same moves when it is asked to explain them;
    - gives probabilities that add up to 1, of legal moves, with the move that it makes among them;
    - leaves the view as it was;
    - decides at many tables at once as it does at one, if it has a batch form;
    - goes on as before after what it remembers was saved and loaded.

    `hands` are played for each game, number of `players` and size of stacks. Raises `BrokenContract`, which is an
    `AssertionError`, with the first thing that is wrong.

    >>> check_agent("call", ["nlhe", "kuhn"], hands=2).hands
    16
    """
    entered = _entrant(agent)
    all_rules = [game if isinstance(game, GameRules) else load(game) for game in (names() if games is None else games)]
    played: list[str] = []
    refused: list[str] = []
    total = decisions = 0
    for rules in all_rules:
        counts = [count for count in players if rules.min_players <= count <= rules.max_players]
        claimed = [count for count in counts if _claims(entered, rules, count)]
        (played if claimed else refused).append(rules.name)
        for count in claimed:
            for stack in (None, SHORT * rules.big_blind + rules.ante):
                check = _Check(entered, rules, count, stack, hands, seed)
                hands_played = check.run()
                total += len(hands_played)
                decisions += sum(
                    seat == check.own_seat(number) for number, moves in hands_played.items() for seat, _ in moves
                )
    if not played:
        raise BrokenContract(f"agent {entered.spec!r} plays none of these games: {', '.join(refused)}")
    return Checked(tuple(played), tuple(refused), total, decisions)


def _entrant(agent: Any) -> Entrant:
    if isinstance(agent, str | Entrant) or callable(agent):
        return entrant(agent)
    return Entrant(type(agent).__name__, lambda: deepcopy(agent))


def _claims(entered: Entrant, rules: GameRules, players: int) -> bool:
    reason = as_agent(entered.make()).plays(rules, players)
    if reason is not None and not (isinstance(reason, str) and reason.strip()):
        raise BrokenContract(
            f"agent {entered.spec!r}: plays() says {reason!r}: give None, or the reason why not in words"
        )
    return reason is None


class _Check(Conductor):
    """One game, one number of players, one size of stacks. The agent is player 0; others play against it."""

    def __init__(
        self, entered: Entrant, rules: GameRules, players: int, stack: int | None, hands: int, seed: int
    ) -> None:
        super().__init__(seed=seed)
        self.entrant, self.rules, self.players, self.stack = entered, rules, players, stack
        self.hands = range(hands)
        self.number = 0

    def own_seat(self, hand: int) -> int:
        """Where the agent sits."""
        return hand % self.players

    def run(self) -> dict[int, Moves]:
        """Everything; returns the moves of all hands."""
        first = self.play(self.new(), self.hands, curious=True)
        copy = self.new()
        self.same(first, self.play(copy, self.hands), "does not play the same hands the same way with the same dice")
        if not copy.remembers:
            again = self.play(copy, reversed(self.hands))
            self.same(first, again, "plays hands otherwise in another order, though it says that it remembers nothing")
        else:
            self.check_memory(first)
        made = self.entrant.make()
        if isinstance(made, BatchAgent):
            self.check_batch(made, first)
        self.call(0, "match_over", copy.match_over)
        return first

    def new(self) -> Agent:
        """A copy of the agent that has seen nothing."""
        return as_agent(self.entrant.make())

    def play(self, agent: Agent, hands: Iterable[int], *, curious: bool = False) -> dict[int, Moves]:
        """Play some hands; a `curious` look asks for probabilities too, and looks whether views stay as they are."""
        others: list[Agent] = [Random() for _ in range(self.players)]
        self.seat([agent, *others, *(Call() for _ in others)])
        return {number: list(self.play_hand(number, curious)) for number in hands}

    def play_hand(self, number: int, curious: bool) -> Iterator[tuple[int, int]]:
        """One hand, against players who do anything, and every other hand players who stay in."""
        hand = Hand.new(self.rules, self.stack, self.seed, players=self.players, number=number)
        own = self.own_seat(number)
        seating = [1 + seat + self.players * (number % 2 and seat % 2) for seat in range(self.players)]
        seating[own] = 0
        self.number = number
        self.begin(hand, number, seating)
        while not hand.over:
            seat = hand.turn
            view, held = hand.view(seat), hand.cards(seat)
            action = self.curious_ask(view) if seat == own and curious else self.ask()
            if seat == own and curious and (view != hand.view(seat) or view.own != held):
                raise self.broken(number, "changes the view that it is shown")
            try:
                hand.act(action)
                code = code_of(action, held)
            except Exception as error:
                reason = str(error) if isinstance(error, FeltError) else describe_error(error)
                raise self.broken(number, f"answers {action!r}: {reason}") from error
            yield seat, code
            self.tell_move()

    def curious_ask(self, view: View) -> Any:
        """The agent's move in this view, with a check of its probabilities and of its explanation."""
        agent = self.agents[0]
        why = self.call(0, "explain", agent.explain, view)
        if why is not None and not (isinstance(why, Explanation) and why.words.strip()):
            raise self.broken(self.number, f"explains its move by {why!r}: give an Explanation with words, or None")
        chances = self.call(0, "act", agent.probabilities, view)
        action = self.call(0, "act", agent.act, view)
        if chances is not None:
            self.check_chances(chances, action, view, self.number)
        return action

    def call(self, player: int, name: str, method: Callable[..., Any], *arguments: Any) -> Any:
        """Call an agent; what it raises breaks the contract."""
        try:
            return method(*arguments)
        except Exception as error:
            place = "" if name == "act" else f" in {name}:"
            raise self.broken(self.number, f"raises{place} {describe_error(error)}") from error

    def check_chances(self, chances: Any, action: Any, view: View, number: int) -> None:
        """Probabilities of legal moves, which add up to 1 and with the move that is made."""
        legal = view.legal
        assert legal is not None
        if not isinstance(chances, Mapping):
            raise self.broken(number, f"gives probabilities as {type(chances).__name__}: give a dict of Actions")
        wrong = next((move for move in chances if not _allowed(move, legal, view.choosable())), None)
        if wrong is not None:
            raise self.broken(number, f"gives a probability for {wrong!r}, where legal is {legal}")
        if any(not 0 <= chance <= 1 + 1e-9 for chance in chances.values()):
            raise self.broken(number, f"gives probabilities that are none: {dict(chances)!r}")
        if not isclose(sum(chances.values()), 1, abs_tol=1e-6):
            raise self.broken(number, f"gives probabilities that add up to {sum(chances.values()):g}, not to 1")
        if chances.get(action, 0) <= 0:
            raise self.broken(number, f"makes the move {action!r}, for which it gives no probability")

    def check_memory(self, first: dict[int, Moves]) -> None:
        """What was saved in the middle goes on as before in another copy."""
        half = len(self.hands) // 2
        agent = self.new()
        self.play(agent, self.hands[:half])
        memory = agent.save()
        if memory is None:
            return
        if not isinstance(memory, bytes):
            raise self.broken(half, f"saves {type(memory).__name__}: save() gives bytes, or None")
        copy = self.new()
        copy.load(memory)
        rest = self.play(copy, self.hands[half:])
        self.same({number: first[number] for number in rest}, rest, "plays otherwise after save and load")

    def check_batch(self, agent: BatchAgent, first: dict[int, Moves]) -> None:
        """Many tables at once: others move as they did, and the agent must do so too."""
        numbers = np.array(self.hands)
        batch = HandBatch(
            self.rules, len(numbers), players=self.players, stack=self.stack, seed=self.seed, deals=numbers, threads=1
        )
        dice = ManyDice(numbers, self.seed, 0)
        others = np.arange(self.players) != (numbers % self.players)[:, None]

        def decide(other: int, rows: Any, steps: list[Any], places: list[Any]) -> tuple[Any, Any]:
            codes = np.array([first[row][len(steps)][1] for row in rows.tolist()])
            if not other:
                self.compare(agent, Tables(batch, rows, dice, steps), rows, codes)
            return decode_move(codes)

        conduct_in_step(batch, others.astype(np.int64), decide)

    def compare(self, agent: Any, tables: Tables, rows: Any, codes: Any) -> None:
        """The agent's moves at some tables with those that it made before."""
        try:
            moves, amounts = (np.asarray(part) for part in agent.act_batch(tables))
        except Exception as error:
            raise self.broken(int(rows[0]), f"raises in act_batch: {describe_error(error)}") from error
        if moves.shape != rows.shape or amounts.shape != rows.shape:
            raise self.broken(int(rows[0]), f"act_batch gives arrays of shape {moves.shape} for {len(rows)} tables")
        for row, move, amount, code in zip(
            rows.tolist(), moves.tolist(), amounts.tolist(), codes.tolist(), strict=True
        ):
            counts = move in (Move.RAISE, Move.EXCHANGE)
            own_move, own_amount = decode_move(int(code))
            if move != own_move or (counts and amount != own_amount):
                plain = f"{Move(own_move).name.lower()} {own_amount}"
                raise self.broken(row, f"act_batch makes move {move} with {amount}, act {plain}")

    def same(self, first: dict[int, Moves], again: dict[int, Moves], complaint: str) -> None:
        """Compare the moves of two runs."""
        for number, moves in first.items():
            if again[number] != moves:
                raise self.broken(number, complaint)

    def broken(self, number: int, complaint: str) -> BrokenContract:
        """The error, with the place where it happened."""
        stack = "" if self.stack is None else f" with stacks of {self.stack}"
        return BrokenContract(
            f"agent {self.entrant.spec!r} breaks the contract in {self.rules.name}, {self.players} players{stack}, "
            f"hand {number}: it {complaint}"
        )


def _allowed(action: Any, legal: Legal, held: tuple[int, ...]) -> bool:
    if not isinstance(action, Action):
        return False
    if action.move == Move.EXCHANGE:
        many = set(action.cards)
        least, most = legal.exchange[1:] if legal.exchange else (1, 0)
        return least <= len(action.cards) <= most and many <= set(held) and len(many) == len(action.cards)
    if action.move == Move.RAISE:
        return legal.raise_to is not None and legal.raise_to[0] <= action.amount <= legal.raise_to[1]
    return legal.fold if action.move == Move.FOLD else legal.call is not None and action.move == Move.CALL
