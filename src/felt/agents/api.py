"""What an agent is: something with a method ``act(view) -> Action``. The rest is optional.

An agent learns of a hand only through views (`felt.games.View`). It draws chance from ``self.dice``, which the arena
sets before every hand from the seed of the match, so that a match can be played again to the card. An agent that asks
a program or a person outside is an `OutsideAgent`.
"""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from felt.agents.dice import Dice
from felt.errors import FeltError
from felt.games.actions import Action, Legal
from felt.games.history import Event
from felt.games.moves import Move
from felt.games.rules import GameRules
from felt.games.views.view import View

FOLD = Action(Move.FOLD)
CALL = Action(Move.CALL)

EVENTS = ("hand_started", "action_seen", "showdown", "hand_over")
"""The events of a hand, by the methods of an agent that hears them."""


class AgentFault(FeltError):  # noqa: N818 - named after what the agent did
    """What an agent did wrong, in one line, where that is no exception of its own; the arena counts it."""

    def __init__(self, kind: str, message: str, details: str = "") -> None:
        """`kind` is ``illegal``, ``timeouts`` or ``errors``; `details` is what is known beyond one line."""
        super().__init__(message)
        self.kind, self.details = kind, details


class Explanation(NamedTuple):
    """Why an agent does what it does in a view."""

    words: str
    """What it looked at, and the rule or row that decided, in sentences."""
    numbers: Mapping[str, float] = {}
    """What it looked at, by name."""


class Agent:
    """A player. Override `act`; override events to watch what others do.

    >>> class Caller(Agent):
    ...     remembers = False
    ...     def act(self, view):
    ...         return check_or_call(view)
    """

    remembers: ClassVar[bool] = True
    """Whether anything is kept from one hand to the next. Agents that say False may be played by several workers at
    once, each with a copy; others play their hands in order."""

    dice: Dice
    """Chance, set by the arena before every hand: a `random.Random` that depends on the seed of the match, on the
    player and on the number of the hand."""

    def act(self, view: View) -> Action:
        """The move to make; ``view.legal`` says what is allowed."""
        raise NotImplementedError(f"{type(self).__name__} has no method act(view)")

    def probabilities(self, view: View) -> Mapping[Action, float] | None:
        """How likely each move is in this view; None where the agent does not say."""
        return None

    def values(self, view: View) -> Mapping[Action, float] | None:
        """What moves are worth in this view, in chips on average, compared with folding; None where it has no idea."""
        return None

    def explain(self, view: View) -> Explanation | None:
        """Why the agent would do what it does in this view, whose turn it is; None where it does not say."""
        return None

    def plays(self, rules: GameRules, players: int) -> str | None:
        """None if the agent plays this game; else the reason why not, in a few words."""
        return None

    def hand_started(self, view: View) -> None:
        """Cards have been dealt; ``view.own`` are the agent's."""

    def action_seen(self, view: View, event: Event) -> None:
        """Somebody, the agent included, has acted; `view` is the table after it."""

    def showdown(self, view: View) -> None:
        """Cards have been compared; ``view.shown`` and ``view.shown_cards`` say what was seen."""

    def hand_over(self, view: View) -> None:
        """The pot has been paid; ``view.payoffs`` has what everybody won or lost."""

    def match_over(self) -> None:
        """There are no more hands."""

    def save(self) -> bytes | None:
        """All that the agent remembers. None if it cannot say: it is then shown again what it saw."""
        return None

    def load(self, memory: bytes) -> None:
        """Remember what `save` said."""


class OutsideAgent(Agent):
    """An agent that asks somebody outside, such as a program. It limits the time of a decision itself."""

    patience: float = 10.0
    """Seconds for a decision. Whoever plays hands sets it, and does not watch over the agent."""

    @property
    def errors(self) -> Mapping[int, BaseException]:
        """What went wrong in the last call of `act_batch`, by row."""
        return {}

    def begin(self) -> None:
        """Get ready before the first question."""

    def dismiss(self) -> None:
        """Let the other side go: there are no more questions."""

    def take_repeated(self) -> int:
        """How many answers came a second time since the last call."""
        return 0

    def take_broken(self) -> int:
        """How often the other side had to be ended since the last call."""
        return 0


def check_or_fold(view: View) -> Action:
    """The move that costs nothing more: check if that is free, else fold. Gives away as few cards as allowed."""
    legal = _legal(view)
    if legal.exchange:
        return Action(Move.EXCHANGE, cards=view.choosable()[: legal.exchange[1]])
    return CALL if legal.call == 0 or not legal.fold else FOLD


def check_or_call(view: View) -> Action:
    """Check, or pay what it takes to stay in. Gives away as few cards as allowed."""
    legal = _legal(view)
    return CALL if legal.call is not None else check_or_fold(view)


def raise_to(view: View, total: float) -> Action:
    """Bet or raise to `total` for the street, or as near to it as the rules allow; where no raise is allowed, call."""
    legal = _legal(view)
    if legal.raise_to is None:
        return check_or_call(view)
    least, most = legal.raise_to
    return Action(Move.RAISE, int(min(max(total, least), most)))


def _legal(view: View) -> Legal:
    legal = view.legal
    if legal is None:
        raise ValueError(f"it is not the turn of seat {view.seat}")
    return legal
