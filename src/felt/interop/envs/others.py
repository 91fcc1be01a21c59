"""The opponents of a single-agent environment: agents of Felt, asked in turn and told what happens."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from felt.agents.adapters import AsPlain
from felt.agents.api import Agent
from felt.agents.dice import Dice
from felt.agents.naming import entrant, told
from felt.arena.prepare import prepare
from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.history import Event
from felt.games.rules import GameRules
from felt.games.view import View, seen_by

Spec = str | type | Callable[[], Any]
"""An agent as `felt.agents.entrant` takes it."""


class Others:
    """The agents in seats 1 and up. They have their own dice, and hear all events that an arena would tell them."""

    def __init__(self, rules: GameRules, players: int, specs: Spec | Sequence[Spec]) -> None:
        chosen = [specs] * (players - 1) if isinstance(specs, str) or callable(specs) else list(specs)
        if len(chosen) != players - 1:
            raise FeltError(f"{len(chosen)} opponents for {players} players: give one for all, or {players - 1}")
        self.specs = [entrant(spec) for spec in chosen]
        for one in self.specs:
            reason = one.reason_not_to_play(rules, players)
            if reason:
                raise FeltError(f"opponent {one.spec!r} does not play {rules.name} with {players} players: {reason}")
        prepare(rules, self.specs, players=players)
        made = [one.make() for one in self.specs]
        self.agents = {seat: _plain(agent) for seat, agent in enumerate(made, start=1)}
        self._hears = {
            name: {seat: getattr(agent, name) for seat, agent in self.agents.items() if _listens(agent, name)}
            for name in ("hand_started", "action_seen", "showdown", "hand_over")
        }
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Throw the dice of this seed from now on."""
        self._dice = [Dice(seed, seat) for seat in self.agents]
        for agent, dice in zip(self.agents.values(), self._dice, strict=True):
            with suppress(AttributeError):  # of no use to agents that cannot hold them
                agent.dice = dice

    def dealt(self, hand: Hand, number: int) -> None:
        """A hand begins."""
        for dice in self._dice:
            dice.begin(number)
        self._tell(hand, "hand_started")

    def ask(self, hand: Hand) -> Any:
        """The move of the agent whose turn it is; what is no legal move is refused by the hand."""
        return self.agents[hand.turn].act(View(hand, hand.turn))

    def wrong(self, seat: int, error: BaseException) -> FeltError:
        """What to say of an opponent that fails, or whose answer is no legal move."""
        said = str(error) if isinstance(error, FeltError) else told(error)
        return FeltError(f"opponent {self.specs[seat - 1].spec!r}: {said}")

    def leave(self) -> None:
        """There is nothing more to play: programs outside are let go."""
        for seat, agent in self.agents.items():
            try:
                if callable(over := getattr(agent, "match_over", None)):
                    over()
            except Exception as error:
                raise self.wrong(seat, error) from error

    def saw(self, hand: Hand, event: Event) -> None:
        """Somebody has acted."""
        for seat, tell in self._hears["action_seen"].items():
            self._told(seat, tell, View(hand, seat), *seen_by(seat, (event,)))
        if hand.over:
            if hand.showdown:
                self._tell(hand, "showdown")
            self._tell(hand, "hand_over")

    def _tell(self, hand: Hand, name: str) -> None:
        for seat, tell in self._hears[name].items():
            self._told(seat, tell, View(hand, seat))

    def _told(self, seat: int, tell: Callable[..., Any], *what: Any) -> None:
        try:
            tell(*what)
        except Exception as error:
            raise self.wrong(seat, error) from error


def _plain(agent: Any) -> Any:
    return agent if callable(getattr(agent, "act", None)) else AsPlain(agent)


def _listens(agent: Any, name: str) -> bool:
    return getattr(type(agent), name, None) not in (None, getattr(Agent, name))
