"""The agent: a program outside as one of Felt's own."""

from functools import cache
from typing import Any, ClassVar

import numpy as np

from felt.agents.adapters import NO_MOVE
from felt.agents.api import AgentFault, OutsideAgent
from felt.agents.outside import messages
from felt.agents.outside.connections import Door, door
from felt.agents.outside.lines import plain
from felt.agents.outside.messages import DICE_BITS, Greeting
from felt.agents.outside.talk import Talk
from felt.agents.outside.view_json import Scribe
from felt.agents.tables import Moves, Tables, code_of
from felt.errors import MOST_TOLD
from felt.games.actions import Action, IllegalAction
from felt.games.engine.stakes import Stakes
from felt.games.history import Event
from felt.games.moves import decode_move
from felt.games.rules import GameRules
from felt.games.views.view import View

_SPARE = np.uint64(64 - DICE_BITS)
_greetings: dict[str, Greeting] = {}
"""By place: what programs have said of themselves when another process asked them."""


class Bot(OutsideAgent):
    """A program outside. What it does wrong is raised as `AgentFault`, or is in `errors` by table."""

    door: ClassVar[Door]
    greeting: ClassVar[Greeting]
    errors: dict[int, BaseException] = {}  # noqa: RUF012

    def __init__(self) -> None:
        self.errors: dict[int, BaseException] = {}
        """What went wrong in the last call of `act_batch`, by row."""
        self._talk = Talk(self.door)
        self._broken = 0
        self._about: tuple[Any, ...] = ()

    @property
    def patience(self) -> float:
        """Seconds for a decision."""
        return self._talk.patience

    @patience.setter
    def patience(self, seconds: float) -> None:
        self._talk.patience = seconds

    def plays(self, rules: GameRules, players: int) -> str | None:
        """By the program's hello."""
        games = self.greeting.games
        if games is None or rules.name in games:
            return None
        return f"it plays {plain(' '.join(', '.join(games).split()))[:MOST_TOLD] or 'nothing'}"

    def take_broken(self) -> int:
        """How often the program had to be ended, since this was last asked for."""
        before, self._broken = self._broken, self._talk.broken
        return self._broken - before

    def take_repeated(self) -> int:
        """How many answers came after the first to the same question, since this was last asked for."""
        return self._talk.take_repeated()

    def begin(self) -> None:
        """Start the program before it is needed."""
        self._talk.begin()

    def act(self, view: View) -> Action:
        """The program's move."""
        self._set_game(view.rules, view.stakes)
        talk = self._talk
        question = messages.question(talk.asked, self.dice.getrandbits(DICE_BITS), view, self.greeting.protocol)
        (reply,) = talk.ask([question])
        if isinstance(reply, AgentFault):
            raise reply
        return messages.action(reply, view.seat)

    def match_over(self) -> None:
        """Tell the program, and let it go."""
        self._talk.over()

    dismiss = match_over

    def _tell(self, name: str, view: View, *happened: Event) -> None:
        self._set_game(view.rules, view.stakes)
        self._talk.tell(messages.event(name, view, *happened, protocol=self.greeting.protocol))

    def _set_game(self, rules: GameRules, stakes: Stakes) -> None:
        if self._about != (rules, stakes):
            self._about = (rules, stakes)
            self._talk.game(messages.game(rules, stakes))


class ManyTables(Bot):
    """A program that remembers nothing and listens to nothing: it decides at many tables in a row."""

    remembers = False

    def __init__(self) -> None:
        super().__init__()
        self._scribe = Scribe(named=self.greeting.protocol >= messages.NAMED)

    def act_batch(self, tables: Tables) -> Moves:
        """The program's moves; `NO_MOVE` where it did wrong."""
        self.errors = {}
        self._set_game(tables.rules, tables.batch.stakes)
        talk, written = self._talk, self._scribe.views(tables)
        dice = (tables.bits() >> _SPARE).tolist()
        questions = [
            messages.question_line(number, roll, *seen)
            for number, (roll, seen) in enumerate(zip(dice, written, strict=True), talk.asked)
        ]
        moves, amounts = np.zeros((2, len(tables)), dtype=np.int64)
        for row, reply in enumerate(talk.ask(questions)):
            try:
                code = self._code(reply, tables, row, written[row][0])
            except AgentFault as error:
                self.errors[row] = error
                moves[row] = NO_MOVE
                continue
            moves[row], amounts[row] = decode_move(code)
        return moves, amounts

    @staticmethod
    def _code(reply: Any, tables: Tables, row: int, seat: int) -> int:
        if isinstance(reply, AgentFault):
            raise reply
        action = messages.action(reply, seat)
        try:
            return code_of(action, tuple(tables.own[row, : tables.count[row]].tolist()) if action.cards else ())
        except IllegalAction as error:
            raise AgentFault("illegal", str(error)) from None


def find_program(spec: str) -> tuple[Door, type[Bot]]:
    """The door of a program and its class. It is started once, or connected to, to hear what it wants.

    Raises `FeltError` with what is wrong with it.
    """
    place = door(spec)
    greeting = _greetings.get(place.place)
    if greeting is None:
        talk = Talk(place)
        try:
            greeting = talk.begin()
        finally:
            talk.let_go()
    return place, kind_of(place, greeting)


def learn_greetings(greetings: dict[str, Greeting]) -> None:
    """Take the word of another process for what programs say of themselves: they are not asked again."""
    _greetings.update(greetings)


@cache
def kind_of(door: Door, greeting: Greeting) -> type[Bot]:
    """The class of a program: it has the methods for what the program wants to be told of, and no others.

    The same class for the same program: so competitions that are equal have equal entrants, and keep their programs.
    """
    base = Bot if greeting.remembers or greeting.events else ManyTables
    known: dict[str, Any] = {name: _teller(name) for name in greeting.events}
    return type("Outside", (base,), {**known, "door": door, "greeting": greeting, "remembers": greeting.remembers})


def _teller(name: str) -> Any:
    def tell(self: Bot, view: View, *happened: Event) -> None:
        self._tell(name, view, *happened)

    return tell
