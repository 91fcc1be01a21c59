"""The opponents of a single-agent environment: agents of Felt, asked in turn and told what happens."""

from collections.abc import Callable, Sequence
from typing import Any

from felt.agents.conductor import Conductor
from felt.agents.naming import entrant
from felt.arena.conductor.prepare import prepare
from felt.errors import FeltError, describe_error
from felt.games.rules import GameRules

Spec = str | type | Callable[[], Any]
"""An agent as `felt.agents.entrant` takes it."""


class Opponents(Conductor):
    """The agents in seats 1 and up; the learner in seat 0 decides elsewhere. What an agent raises is an error here."""

    def __init__(self, rules: GameRules, players: int, specs: Spec | Sequence[Spec]) -> None:
        chosen = [specs] * (players - 1) if isinstance(specs, str) or callable(specs) else list(specs)
        if len(chosen) != players - 1:
            raise FeltError(f"{len(chosen)} opponents for {players} players: give one for all, or {players - 1}")
        self.entrants = [entrant(spec) for spec in chosen]
        for opponent in self.entrants:
            reason = opponent.reason_not_to_play(rules, players)
            if reason:
                raise FeltError(
                    f"opponent {opponent.spec!r} does not play {rules.name} with {players} players: {reason}"
                )
        prepare(rules, self.entrants, players=players)
        super().__init__([None, *(opponent.make() for opponent in self.entrants)])

    def call(self, player: int, name: str, method: Callable[..., Any], *arguments: Any) -> Any:
        """Call an opponent."""
        try:
            return method(*arguments)
        except Exception as error:
            raise self.wrong(player, error) from error

    def wrong(self, seat: int, error: BaseException) -> FeltError:
        """The error about an opponent that fails, or whose answer is no legal move."""
        message = str(error) if isinstance(error, FeltError) else describe_error(error)
        return FeltError(f"opponent {self.entrants[seat - 1].spec!r}: {message}")

    def leave(self) -> None:
        """There is nothing more to play: programs outside are let go."""
        for seat, agent in self.agents.items():
            self.call(seat, "match_over", agent.match_over)
