"""One table: plays hands between plain agents, whatever they do."""

from collections.abc import Callable, Sequence
from math import inf
from time import perf_counter
from typing import Any, TypeAlias

from felt.agents.api import OutsideAgent
from felt.agents.conductor import Conductor
from felt.agents.tables import code_of
from felt.arena.conductor.conduct import Conduct, Fault, Incident, Penalty, raised
from felt.errors import error_text, short_repr
from felt.games.actions import Action
from felt.games.hand import Hand
from felt.games.moves import EXCHANGE
from felt.games.views.view import View

NOBODY = -1
MARKS = 4
ASKED, IN_HAND, DECISION, LIMIT_MS = range(MARKS)
"""Numbers that tell from outside what a table is doing: which player is asked (`NOBODY`: none), in which hand, which
decision of it, and how many milliseconds that may take."""

Marks: TypeAlias = "list[int] | memoryview[int]"

Known = dict[tuple[int, int], tuple[int, Fault, str]]
"""Faults that cost a process its life, by hand and decision: the player, the fault, and its message. A number less than
0 is no decision: see `beside`."""

HEARS, MADE, KEEPS, ENDS = range(4)
"""What an agent is called for beside decisions: it hears events, is made, saves and loads, and hears of the end."""


def beside(player: int, purpose: int) -> int:
    """In place of the number of a decision: that a player is called for something else.

    >>> beside(0, HEARS), beside(1, HEARS), beside(1, ENDS)
    (-1, -5, -8)
    """
    return -(1 + 4 * player + purpose)


class Late(BaseException):
    """Raised in the midst of a decision that takes too long; agents that catch every `Exception` do not catch it."""


class Table(Conductor):
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
        names: Sequence[str] = (),
    ) -> None:
        """`first`: the number of the first hand, until it is played."""
        self.conduct = Conduct.of(len(agents))
        self.known: Known = {}
        self.retired: set[int] = set()
        """Players who are not asked any more: their process died too often."""
        self.played: dict[int, Any] | None = None
        """Hands as they were played, by number, for a log, where somebody wants them; whoever deals them adds them."""
        self._penalty, self._timeout = penalty, timeout
        self._forfeited = NOBODY
        """The player who is not asked again in this hand."""
        self.marks: Marks = [NOBODY] * MARKS if marks is None else marks
        """Whom the table is asking, for whoever watches from outside."""
        # a worker is interrupted by nobody else
        self.faults = (Exception, SystemExit) if marks is None else BaseException
        self.marks[IN_HAND], self.marks[LIMIT_MS] = first, int(1000 * timeout)
        super().__init__(agents, seed=seed, names=names)

    def seat(self, agents: Sequence[Any]) -> None:
        """Let these agents play from now on."""
        super().seat(agents)
        self._outside = {player for player, agent in self.agents.items() if isinstance(agent, OutsideAgent)}
        """Players who limit their time themselves, and whom nobody watches."""
        self._acts = [agent.act for agent in self.agents.values()]

    def play(self, hand: Hand, number: int, seating: Sequence[int], codes: list[int]) -> int:
        """Play a hand, which is `number` of the match, and add its moves to `codes`; returns how many there were."""
        self.marks[IN_HAND], self._forfeited = number, NOBODY
        if self.known:  # who died in an event hears none in this hand
            for player in seating:
                self._is_known(player, HEARS)
        self.begin(hand, number, seating)
        count, listening = 0, self._anybody_listens
        while (turn := hand.turn) >= 0:
            player = seating[turn]
            if player == self._forfeited or player in self.retired or (self.known and (number, count) in self.known):
                code = self._decide_for(player, number, count)
            else:
                code = self._decide(player, turn, count)
            codes.append(code)
            count += 1
            if listening:
                self.tell_move()
        return count

    def _decide(self, player: int, turn: int, count: int) -> int:
        """Let a player decide, and make the move; returns its code."""
        hand, started = self.hand, perf_counter()
        action, incident = self.attempt(player, count, self._acts[player], View(hand, turn))
        if incident is not None:
            return self._punish(incident)
        if perf_counter() - started > (inf if player in self._outside else self._timeout):
            return self._punish(self._incident(player, Fault.TIMEOUT, self._late()))
        try:
            held: tuple[int, ...] = ()
            if action.move == EXCHANGE:  # cards as they are now, whatever was done to the view
                action, held = Action(action.move, cards=tuple(action.cards)), hand.cards(turn)
            code = code_of(action, held)
            hand.act(action)
            return code
        except Exception as error:
            no_action = f"answered {short_repr(action)}, which is no Action"
            message = error_text(error) if isinstance(action, Action) else no_action
            return self._punish(self._incident(player, Fault.ILLEGAL, message))

    def attempt(
        self,
        player: int,
        decision: int,
        method: Callable[..., Any],
        *arguments: Any,
        about: str = "",
        watched: bool = False,
    ) -> tuple[Any, Incident | None]:
        """Call something of a player's, marked for whoever watches; the answer, or what went wrong instead.

        `about` stands before the message of a timeout. Agents outside limit their time themselves: what they are called
        for is marked only if it is to be `watched`.
        """
        marks = self.marks
        marks[DECISION] = decision
        try:
            marks[ASKED] = NOBODY if player in self._outside and not watched else player
            answer = method(*arguments)
            marks[ASKED] = NOBODY
        except Late:
            marks[ASKED] = NOBODY
            return None, self._incident(player, Fault.TIMEOUT, about + self._late())
        except self.faults as error:
            marks[ASKED] = NOBODY
            return None, raised(player, marks[IN_HAND], error)
        return answer, None

    def _incident(self, player: int, fault: Fault, message: str) -> Incident:
        return Incident(player, fault, self.marks[IN_HAND], message)

    def _punish(self, incident: Incident) -> int:
        """Count a fault, and make the move of the penalty."""
        self.conduct.add(incident)
        if self._penalty == Penalty.FORFEIT:
            self.conduct.forfeit(incident.player, incident.hand)
            self._forfeited = incident.player
        return self._move_by_penalty()

    def _decide_for(self, player: int, number: int, count: int) -> int:
        """The move of a player who is not asked."""
        known = self.known.get((number, count))
        if player != self._forfeited:
            if known is not None and player == known[0]:
                self._forfeited = player  # it is not asked again in this hand
                return self._punish(Incident(player, known[1], number, known[2]))
            if player in self.retired:
                message = "not asked: it died or was started again too often"
                return self._punish(Incident(player, Fault.ERROR, number, message))
        return self._move_by_penalty()

    def _move_by_penalty(self) -> int:
        hand = self.hand
        action = self._penalty.action(View(hand, hand.turn))
        code = code_of(action, hand.cards(hand.turn) if action.move == EXCHANGE else ())
        hand.act(action)
        return code

    def _late(self) -> str:
        return f"no answer within {self._timeout:g} s"

    def call(self, player: int, name: str, method: Callable[..., Any], *arguments: Any) -> None:
        """Tell an event. What the agent raises is counted, and changes nothing."""
        decision = beside(player, HEARS)
        if player in self.retired or (self.known and (self.marks[IN_HAND], decision) in self.known):
            return
        _, incident = self.attempt(player, decision, method, *arguments)
        if incident is not None:
            self.conduct.add(incident)

    def saved(self) -> tuple[bytes | None, ...]:
        """What each agent says that it remembers."""
        return tuple(self._saved(player, agent.save) for player, agent in self.agents.items())

    def _saved(self, player: int, save: Callable[[], Any]) -> bytes | None:
        answer = self._quietly(player, KEEPS, "save", save)
        if answer is None or isinstance(answer, bytes):
            return answer
        error = TypeError(f"save answered {short_repr(answer)}, which is no bytes")
        self.conduct.add(raised(player, self.marks[IN_HAND], error))
        return None

    def load(self, memory: Sequence[bytes | None]) -> bool:
        """Give agents back what they saved; whether all could take it."""
        before = sum(count["errors"] + count["timeouts"] for count in self.conduct.counts)
        for player, saved in enumerate(memory):
            if saved is not None:
                self._quietly(player, KEEPS, "load", self.agents[player].load, saved)
        return before == sum(count["errors"] + count["timeouts"] for count in self.conduct.counts)

    def over(self) -> None:
        """Tell the agents that there are no more hands."""
        for player, agent in self.agents.items():
            self._quietly(player, ENDS, "match_over", agent.match_over)

    def _quietly(self, player: int, purpose: int, name: str, method: Callable[..., Any], *arguments: bytes) -> Any:
        """Call a method of an agent beside the play; what goes wrong is counted, and None is the answer."""
        if player in self.retired or self._is_known(player, purpose):
            return None
        answer, incident = self.attempt(player, beside(player, purpose), method, *arguments, about=f"{name}: ")
        if incident is not None:
            self.conduct.add(incident)
        return answer

    def _is_known(self, player: int, purpose: int) -> bool:
        """Whether a player died in this hand when it was called for this; then that is counted."""
        died = self.known.get((self.marks[IN_HAND], beside(player, purpose))) if self.known else None
        if died is not None:
            self.conduct.add(self._incident(player, died[1], died[2]))
        return died is not None
