"""A Felt agent at somebody else's table: it joins a dealer of the Annual Computer Poker Competition.

The dealer tells a seat its cards, the board and the betting. From every message the hand is set up anew as far as the
seat knows it (others' cards are stand-ins, which no view shows), so that the agent sees what it sees at home.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from felt.agents.adapters import as_agent
from felt.agents.api import AgentFault, OutsideAgent, check_or_fold
from felt.agents.dice import Dice
from felt.agents.naming import Entrant
from felt.arena.conductor.prepare import prepare
from felt.cards.card import format_cards, parse_cards
from felt.errors import FeltError, describe_error
from felt.games.actions import Action
from felt.games.hand import Hand
from felt.games.moves import MOVE_LETTERS
from felt.games.rules import GameRules
from felt.games.views.view import View
from felt.interop.acpc.hand import VERSION, AcpcError, AcpcHand, BettingForm, before_street, known_deck
from felt.interop.acpc.log import is_limit, stack_of, usual_game
from felt.interop.acpc.wire import GoneError, TooLongError, connect

CONNECT_WITHIN = 10.0
"""Seconds that a dealer which does not listen yet is waited for."""
NEWS_WITHIN = 1e6
"""Seconds without a message after which the dealer counts as gone: others may think for long."""
MOST_KEPT = 5

_MESSAGE = re.compile(r"MATCHSTATE:(\d{1,2}):(\d{1,10}):([fcr/\d]*):([^:]*)")
_MOVE = re.compile(r"[fc]|r\d*")


@dataclass
class Joined:
    """What came of a match at somebody else's table."""

    hands: int = 0
    chips: int = 0
    """Won or lost, pots divided to whole chips."""
    errors: int = 0
    """Times that the agent did wrong; it checked or folded then."""
    messages: list[str] = field(default_factory=list)
    """The first of these in words."""


def join(
    host: str,
    port: int,
    agent: Entrant,
    *,
    rules: GameRules | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Joined:
    """Play at a dealer's table until it hangs up; `rules` are the competition's no-limit hold'em unless told."""
    prepare(rules or usual_game(2, limit=False), [agent])  # before the dealer's clock runs
    guest = Guest(agent, rules, seed)
    guest.begin()
    wire = connect(host, port, CONNECT_WITHIN)
    try:
        wire.put(VERSION)
        wire.flush(CONNECT_WITHIN)
        while True:
            answer = guest.hear(wire.line(NEWS_WITHIN))
            if answer is not None:
                wire.put(answer)
                wire.flush(NEWS_WITHIN)
            if progress is not None:
                progress(guest.result.hands)
    except TooLongError as error:
        raise AcpcError(f"the dealer sent {error}: a message is MATCHSTATE:position:hand:betting:cards") from None
    except GoneError:  # a dealer says goodbye by hanging up
        return guest.leave()
    finally:
        wire.close()


class Guest:
    """An agent that is told of hands by messages."""

    def __init__(self, agent: Entrant, rules: GameRules | None = None, seed: int = 0) -> None:
        self.result = Joined()
        self._entrant, self._rules = agent, rules
        self._agent = as_agent(agent.make())
        self._agent.dice = self._dice = Dice(seed)
        self._form: BettingForm | None = None
        self._players = 0
        self._number, self._seen = -1, 0

    def begin(self) -> None:
        """Start the agent, if it is a program, before it is asked; if that goes wrong, it shows then."""
        if isinstance(self._agent, OutsideAgent):
            with suppress(AgentFault):
                self._agent.begin()

    def hear(self, line: str) -> str | None:
        """What to answer to a line of the dealer; None where nothing is asked."""
        if not line or line[0] in "#;":
            return None
        match = _MESSAGE.fullmatch(line)
        if not match:
            raise AcpcError(f"the dealer sent {line[:80]!r}: a message is MATCHSTATE:position:hand:betting:cards")
        seat, number, cards = int(match[1]), int(match[2]), match[4]
        dealt = self._dealt(seat, number, cards)
        if number != self._number:
            self._number, self._seen = number, 0
            self._dice.begin(number)
            self._tell(self._agent.hand_started, View(dealt.hand, seat))
        self._replay(dealt, match[3], seat)
        if dealt.turn < 0:
            self._over(dealt.hand, seat)
            return None
        return f"{line}:{self._decide(dealt, seat)}" if dealt.turn == seat else None

    def leave(self) -> Joined:
        """The match is over."""
        self._tell(self._agent.match_over)
        return self.result

    def _dealt(self, seat: int, number: int, cards: str) -> AcpcHand:
        """The hand before its first move, with what is known of the cards."""
        private, *boards = cards.split("/")
        holes = private.split("|")
        if self._form is None:
            self._begin(len(holes))
        assert self._rules is not None
        if len(holes) != self._players:
            raise AcpcError(f"the dealer deals to {len(holes)} players, and before to {self._players}: it is confused")
        known = set(parse_cards("".join([*holes, *boards])))
        spare = (card for card in self._rules.deck if card not in known)
        each = self._rules.rounds[0].down
        filled = [hole or format_cards([next(spare) for _ in range(each)]) for hole in holes]
        if seat >= len(holes) or any(len(hole) != 2 * each for hole in filled):
            raise AcpcError(f"the dealer deals {cards!r}, which is no hand of {self._rules.name}: give its --game")
        deck = known_deck(self._rules, "".join([*filled, *boards]))
        hand = Hand.new(self._rules, stack_of(self._rules), players=len(holes), deck=deck)
        return AcpcHand(hand, number, self._form)

    def _begin(self, players: int) -> None:
        """The first message says how many play."""
        self._rules = rules = self._rules or usual_game(players, limit=False)
        if not rules.min_players <= players <= rules.max_players:
            place = f"the dealer deals to {players} players, and {rules.name} is for {rules.seats_text}"
            raise AcpcError(f"{place}: give its game with --game")
        reason = self._entrant.reason_not_to_play(rules, players)
        if reason:
            raise AcpcError(f"agent {self._entrant.spec!r} does not play {rules.name} with {players} players: {reason}")
        self._form, self._players = BettingForm.of(rules), players

    def _replay(self, dealt: AcpcHand, betting: str, seat: int) -> None:
        """Make the moves of a message, and tell those that are new."""
        for place, action in enumerate(_MOVE.findall(betting)):
            if dealt.turn < 0 or dealt.answer(action) is not None:
                raise self._other_game(betting)
            if place >= self._seen:
                self._seen = place + 1
                view = View(dealt.hand, seat)
                self._tell(self._agent.action_seen, view, view.moves()[0][-1])
        if dealt.telling.text != betting:
            raise self._other_game(betting)

    def _other_game(self, betting: str) -> AcpcError:
        assert self._rules is not None
        kind = "limit" if is_limit(self._rules) else "no-limit"
        name = f"{self._rules.name} ({kind}, stacks of {stack_of(self._rules):,})"
        return AcpcError(f"the dealer plays {betting!r}, which is no betting of {name}: give its game with --game")

    def _decide(self, dealt: AcpcHand, seat: int) -> str:
        hand, view = dealt.hand, View(dealt.hand, seat)
        try:
            action = self._agent.act(view)
            if not isinstance(action, Action):
                raise TypeError(f"{action!r} is no Action")
            hand.copy().act(action)
        except (Exception, SystemExit) as error:
            self._fault(error)
            action = check_or_fold(view)
        letter = MOVE_LETTERS[action.move]
        if letter == "f" and view.legal is not None and not view.legal.call:
            letter = "c"  # the protocol knows no fold where there is nothing to call
        return dealt.telling.action(letter, action.amount + before_street(hand, seat))

    def _over(self, hand: Hand, seat: int) -> None:
        view = View(hand, seat)
        if hand.showdown:
            self._tell(self._agent.showdown, view)
        self._tell(self._agent.hand_over, view)
        self.result.hands += 1
        self.result.chips += hand.payoffs[seat]

    def _tell(self, listen: Callable[..., None], *event: Any) -> None:
        try:
            listen(*event)
        except (Exception, SystemExit) as error:
            self._fault(error)

    def _fault(self, error: BaseException) -> None:
        self.result.errors += 1
        if len(self.result.messages) < MOST_KEPT:
            self.result.messages.append(str(error) if isinstance(error, FeltError) else describe_error(error))
