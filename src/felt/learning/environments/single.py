"""The Gymnasium environment: one player learns, agents of Felt sit in the other seats."""

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from felt.agents.api import check_or_fold
from felt.agents.conductor import Conductor
from felt.agents.naming import entrant
from felt.arena.conductor.prepare import prepare
from felt.arena.match.spec import check_agents
from felt.errors import FeltError, describe_error
from felt.features.observation import Floats
from felt.games.actions import IllegalAction
from felt.games.rules import GameRules
from felt.games.views.view import View
from felt.learning.environments.playing import Playing, table_text

OWN = 0
"""The learner's seat. Who has the button is drawn for every hand, so it plays every position."""

ILLEGAL = ("fold", "raise")

Spec = str | type | Callable[[], Any]
"""An agent as `felt.agents.entrant` takes it."""
Step = tuple[Floats, float, bool, bool, dict[str, Any]]


class PokerEnv(gymnasium.Env[Floats, np.int64]):
    """Hands of one game against agents of Felt. An episode is a hand; its reward, at the end, big blinds won or lost.

    Moves are the numbers of a `Menu`; ``info["action_mask"]`` and `action_masks` say which are allowed. A number
    that is not allowed checks or folds, and ``info["illegal"]`` is True; with ``illegal="raise"`` it is an error.
    A hand that others end before the learner has acted is an episode of one step, in which no action does anything.

    >>> env = PokerEnv("leduc", opponents="call")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].tolist()
    ((38,), [0, 1, 1])
    >>> observation, reward, terminated, truncated, info = env.step(1)
    >>> terminated, reward
    (False, 0.0)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str | GameRules = "nlhe",
        *,
        opponents: Spec | Sequence[Spec] = "random",
        players: int | None = None,
        stack: int | None = None,
        sizes: Sequence[float] | None = None,
        illegal: str = "fold",
        render_mode: str | None = None,
    ) -> None:
        """A game by its name or rules; `stack` in chips; `sizes` of raises in pots, from 0 (the least) to inf."""
        if illegal not in ILLEGAL:
            raise FeltError(f"illegal={illegal!r}: use one of {', '.join(ILLEGAL)}")
        if render_mode not in (None, "ansi"):
            raise FeltError(f"render_mode={render_mode!r}: use 'ansi', or None")
        self.playing = Playing(game, players, stack, sizes)
        self.opponents = Opponents(self.playing.rules, self.playing.players, opponents)
        self.render_mode = render_mode
        self._illegal = illegal
        self._ready = self._begun = False
        self.action_space, self.observation_space = self.playing.action_space(), self.playing.observation_space()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Deal a hand and let the others act up to the learner's turn. `options`: ``button`` (a seat), ``deck``."""
        super().reset(seed=seed)
        if seed is not None or not self._begun:
            chosen = int(self.np_random.integers(2**63)) if seed is None else int(seed)
            self.playing.begin(chosen)
            self.opponents.give_dice(chosen)
        self._ready = False  # until the others have come to the learner's turn
        self._begun = True
        self.playing.deal(options)
        self.opponents.begin(self.playing.hand, self.playing.number)
        self._go_on()
        self._ready = True
        return self.playing.observe(OWN), {"action_mask": self.playing.mask()}

    def step(self, action: np.int64 | int) -> Step:
        """Make a move, and let the others act up to the learner's next turn or the end."""
        playing = self.playing
        if not self._ready:
            raise FeltError("no hand is being played: call reset() before step()")
        number = playing.menu.number(action)
        info: dict[str, Any] = {}
        if not playing.hand.over:
            try:
                move = playing.chosen(number)
            except IllegalAction:
                if self._illegal == "raise":
                    raise
                info["illegal"], move = True, check_or_fold(View(playing.hand, OWN))
            self._ready = False  # and it stays so if an opponent fails: the turn would be theirs
            playing.act(move)
            self.opponents.tell_move()
            self._go_on()
            self._ready = True
        over = playing.hand.over
        info["action_mask"] = playing.mask()
        return playing.observe(OWN), playing.payoffs()[OWN] if over else 0.0, over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are allowed now, as sb3-contrib's MaskablePPO asks for it."""
        return self.playing.mask().astype(np.bool_)

    def render(self) -> str | None:
        """The table as the learner sees it, as text."""
        return table_text(View(self.playing.hand, OWN)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Let the opponents go: programs that were started for them are ended. `reset` would start them again."""
        self._ready = False
        self.opponents.leave()

    def _go_on(self) -> None:
        """Let the others act until it is the learner's turn."""
        hand, opponents = self.playing.hand, self.opponents
        while (turn := hand.turn) > OWN:
            answer = opponents.ask()
            try:
                self.playing.act(answer)
            except FeltError as error:
                raise opponents.wrong(turn, error) from None
            opponents.tell_move()


class Opponents(Conductor):
    """The agents in seats 1 and up; the learner in seat 0 decides elsewhere. What an agent raises is an error here."""

    def __init__(self, rules: GameRules, players: int, specs: Spec | Sequence[Spec]) -> None:
        chosen = [specs] * (players - 1) if isinstance(specs, str) or callable(specs) else list(specs)
        if len(chosen) != players - 1:
            raise FeltError(f"{len(chosen)} opponents for {players} players: give one for all, or {players - 1}")
        self.entrants = [entrant(spec) for spec in chosen]
        check_agents(self.entrants, rules, players, "opponent")
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
