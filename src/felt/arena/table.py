"""One table: plays a hand between plain agents, whatever they do."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from time import perf_counter
from typing import Any, TypeAlias

from felt.agents.api import Agent
from felt.agents.dice import Dice
from felt.agents.naming import said_by, shown
from felt.agents.tables import code_of
from felt.arena.conduct import Conduct, Fault, Incident, Penalty, raised
from felt.games.actions import Action
from felt.games.hand import Hand
from felt.games.history import Event, EventKind
from felt.games.record import Move, Phase
from felt.games.view import View, seen_by

NOBODY = -1
EVENTS = ("hand_started", "action_seen", "showdown", "hand_over")
MARKS = 4
"""Numbers that tell from outside what a table is doing: who is asked, in which hand, which decision of it, and how many
milliseconds that may take."""

_EXCHANGE = Move.EXCHANGE
_EXCHANGES = {
    Phase.ROLL: EventKind.ROLL,
    Phase.PASS: EventKind.PASS,
    Phase.DISCARD: EventKind.DISCARD,
    Phase.DRAW: EventKind.DRAW,
}
_MOVES = {Move.FOLD: EventKind.FOLD, Move.CALL: EventKind.CALL, Move.RAISE: EventKind.RAISE}

Marks: TypeAlias = "list[int] | memoryview[int]"

Known = dict[tuple[int, int], tuple[int, Fault, str]]
"""Faults that cost a process its life, by hand and decision: whose it was, what, and how to say it. What is less than 0
is no decision, but `beside` them."""

HEARS, MADE, KEEPS, ENDS = range(4)
"""What an agent is called for beside decisions: it hears events, is made, saves and loads, and is told of the end."""


def beside(player: int, what: int) -> int:
    """In place of the number of a decision: that a player is called for something else.

    >>> beside(0, HEARS), beside(1, HEARS), beside(1, ENDS)
    (-1, -5, -8)
    """
    return -1 - 4 * player - what


class Late(BaseException):
    """Raised in the midst of a decision that takes too long; agents that catch every `Exception` do not catch it."""


class Table:
    """Agents, in the order of the players of a match, and what they do wrong."""

    def __init__(
        self,
        agents: Sequence[Any],
        *,
        seed: int,
        penalty: Penalty,
        timeout: float,
        marks: "Marks | None" = None,
        first: int = 0,
    ) -> None:
        """`first`: the number of the first hand, until it is played."""
        self.conduct = Conduct.of(len(agents))
        self.known: Known = {}
        self.retired: set[int] = set()
        """Players who are not asked any more: their process died too often."""
        self.played: dict[int, Any] | None = None
        """Hands as they were played, by number, for a log, where somebody wants them; whoever deals them adds them."""
        self._seed = seed
        self._penalty, self._timeout = penalty, timeout
        self.marks: Marks = [NOBODY] * MARKS if marks is None else marks
        """Whom the table is asking, for whoever watches from outside."""
        self.faults = (
            (Exception, SystemExit) if marks is None else BaseException
        )  # a worker is interrupted by nobody else
        self.marks[1], self.marks[3] = first, int(1000 * timeout)
        self.seat(agents)

    def seat(self, agents: Sequence[Any]) -> None:
        """Let these agents play from now on."""
        self._agents = agents
        own_time = [getattr(agent, "keeps_time", False) for agent in agents]
        self._watched = [NOBODY if own else player for player, own in enumerate(own_time)]
        """How players are marked while they are asked: nobody watches over those who keep the time themselves."""
        self._limits = [inf if own else self._timeout for own in own_time]
        self._acts = [agent.act for agent in agents]
        self._dice = [_give_dice(agent, self._seed, player) for player, agent in enumerate(agents)]
        self._hears = {name: _listeners(agents, name) for name in EVENTS}

    def play(self, hand: Hand, number: int, seating: Sequence[int], codes: list[int]) -> int:
        """Play a hand, which is `number` of the match, and add its moves to `codes`; returns how many there were."""
        for player in seating:
            self._dice[player].begin(number)
        marks, hears = self.marks, self._hears
        marks[1] = number
        if self.known:  # who died in an event hears none in this hand
            for player in seating:
                self._is_known(player, HEARS)
        if hears["hand_started"]:
            self._tell(hand, seating, "hand_started", number)
        watched = hears["action_seen"]
        out, count = NOBODY, 0
        while (turn := hand.turn) >= 0:
            player = seating[turn]
            before = (hand.phase, hand.cards(turn)) if watched else None
            if player == out or (self.known and (number, count) in self.known) or player in self.retired:
                code = self._decide_for(hand, player, number, count, out)
            else:
                marks[2] = count
                code = self._ask(hand, turn, player, number)
            if code < 0:
                out, code = player, -1 - code
            codes.append(code)
            count += 1
            if before is not None:
                self._tell(hand, seating, "action_seen", number, _event(turn, code, *before))
        if hears["showdown"] and hand.showdown:
            self._tell(hand, seating, "showdown", number)
        if hears["hand_over"]:
            self._tell(hand, seating, "hand_over", number)
        return count

    def _ask(self, hand: Hand, turn: int, player: int, number: int) -> int:
        """Let a player decide, and make the move; returns its code, or what is less than 0 after a forfeit."""
        view, marks = View(hand, turn), self.marks
        started = perf_counter()
        try:
            marks[0] = self._watched[player]
            action = self._acts[player](view)
            marks[0] = NOBODY
        except Late:
            marks[0] = NOBODY
            return self._punish(hand, player, Incident(player, Fault.TIMEOUT, number, self._late()))
        except self.faults as error:
            marks[0] = NOBODY
            return self._punish(hand, player, raised(player, number, error))
        if perf_counter() - started > self._limits[player]:
            return self._punish(hand, player, Incident(player, Fault.TIMEOUT, number, self._late()))
        try:
            held: tuple[int, ...] = ()
            if action.move == _EXCHANGE:  # cards as they are now, whatever was done to the view
                action, held = Action(action.move, cards=tuple(action.cards)), hand.cards(turn)
            code = code_of(action, held)
            hand.act(action)
            return code
        except Exception as error:
            said = said_by(error) if isinstance(action, Action) else f"answered {shown(action)}, which is no Action"
            return self._punish(hand, player, Incident(player, Fault.ILLEGAL, number, said))

    def _punish(self, hand: Hand, player: int, incident: Incident) -> int:
        self.conduct.add(incident)
        code = self._do(hand, self._penalty.action(View(hand, hand.turn)))
        if self._penalty == Penalty.FORFEIT:
            self.conduct.forfeit(player, incident.hand)
            return -1 - code
        return code

    def _decide_for(self, hand: Hand, player: int, number: int, count: int, out: int) -> int:
        """The move of a player who is not asked."""
        known = self.known.get((number, count))
        if known is not None and player == known[0] and player != out:
            code = self._punish(hand, player, Incident(player, known[1], number, known[2]))
            return code if code < 0 else -1 - code  # it is not asked again in this hand
        if player in self.retired and player != out:
            return self._punish(
                hand, player, Incident(player, Fault.ERROR, number, "not asked: it died or was started again too often")
            )
        return self._do(hand, self._penalty.action(View(hand, hand.turn)))

    def _do(self, hand: Hand, action: Action) -> int:
        code = code_of(action, hand.cards(hand.turn) if action.move == Move.EXCHANGE else ())
        hand.act(action)
        return code

    def _late(self) -> str:
        return f"no answer within {self._timeout:g} s"

    def _tell(self, hand: Hand, seating: Sequence[int], name: str, number: int, *more: Event) -> None:
        """Tell an event to everybody who wants to hear it. What they raise is counted, and changes nothing."""
        hears, marks, known = self._hears[name], self.marks, self.known
        for seat, player in enumerate(seating):
            tell = hears.get(player)
            if tell is None or player in self.retired or (known and (number, beside(player, HEARS)) in known):
                continue
            view, told = View(hand, seat), seen_by(seat, more)
            marks[2] = beside(player, HEARS)
            try:
                marks[0] = self._watched[player]
                tell(view, *told)
                marks[0] = NOBODY
            except Late:
                marks[0] = NOBODY
                self.conduct.add(Incident(player, Fault.TIMEOUT, number, self._late()))
            except self.faults as error:
                marks[0] = NOBODY
                self.conduct.add(raised(player, number, error))

    def saved(self) -> tuple[bytes | None, ...]:
        """What each agent says that it remembers."""
        return tuple(self._saved(player) for player in range(len(self._agents)))

    def _saved(self, player: int) -> bytes | None:
        answer = self._quietly(player, KEEPS, "save")
        if answer is None or isinstance(answer, bytes):
            return answer
        error = TypeError(f"save answered {shown(answer)}, which is no bytes")
        self.conduct.add(raised(player, self.marks[1], error))
        return None

    def load(self, memory: Sequence[bytes | None]) -> bool:
        """Give agents back what they saved; whether all could take it."""
        before = sum(count["errors"] + count["timeouts"] for count in self.conduct.counts)
        for player, saved in enumerate(memory):
            if saved is not None:
                self._quietly(player, KEEPS, "load", saved)
        return before == sum(count["errors"] + count["timeouts"] for count in self.conduct.counts)

    def over(self) -> None:
        """Tell the agents that there are no more hands."""
        for player in range(len(self._agents)):
            self._quietly(player, ENDS, "match_over")

    def _quietly(self, player: int, what: int, name: str, *given: bytes) -> Any:
        """Call a method of an agent beside the play; what goes wrong is counted, and None is the answer."""
        method, marks = getattr(self._agents[player], name, None), self.marks
        if not callable(method) or player in self.retired or self._is_known(player, what):
            return None
        marks[2] = beside(player, what)
        try:
            marks[0] = self._watched[player]
            answer = method(*given)
            marks[0] = NOBODY
            return answer
        except Late:
            marks[0] = NOBODY
            self.conduct.add(Incident(player, Fault.TIMEOUT, marks[1], f"{name}: {self._late()}"))
        except self.faults as error:
            marks[0] = NOBODY
            self.conduct.add(raised(player, marks[1], error))
        return None

    def _is_known(self, player: int, what: int) -> bool:
        """Whether a player died in this hand when it was called for this; then that is counted."""
        died = self.known.get((self.marks[1], beside(player, what))) if self.known else None
        if died is not None:
            self.conduct.add(Incident(player, died[1], self.marks[1], died[2]))
        return died is not None


def _event(seat: int, code: int, phase: Phase, held: tuple[int, ...]) -> Event:
    """A move as the event that it is."""
    move, amount = Move(code & 3), code >> 2
    if move == Move.EXCHANGE:
        return Event(_EXCHANGES[phase], seat, cards=tuple(card for i, card in enumerate(held) if amount >> i & 1))
    return Event(_MOVES[move], seat, amount)


def _give_dice(agent: Any, seed: int, player: int) -> Dice:
    """An agent's own dice; of no use to agents that cannot hold them, which is no fault."""
    dice = Dice(seed, player)
    with suppress(AttributeError):
        agent.dice = dice
    return dice


def _listeners(agents: Sequence[Any], name: str) -> dict[int, Callable[..., None]]:
    """The agents that have something to do when an event happens."""
    found = {}
    for player, agent in enumerate(agents):
        method = getattr(type(agent), name, None)
        if method is not None and method is not getattr(Agent, name):
            found[player] = getattr(agent, name)
    return found
