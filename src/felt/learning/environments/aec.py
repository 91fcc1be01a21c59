"""The PettingZoo environment: every seat is an agent, and they act in turn (AEC)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from felt.errors import FeltError
from felt.games.rules import GameRules
from felt.games.views.view import View
from felt.learning.environments.playing import Playing, table_text

Seen = dict[str, Any]
"""What an agent sees: ``observation`` and ``action_mask``."""


class PokerAEC(AECEnv):  # type: ignore[misc]  # PettingZoo comes without types
    """Hands of one game, a player in every seat: ``player_0`` and so on. An episode is a hand.

    Rewards come at the end, in big blinds won or lost. An action that the mask does not allow is an `IllegalAction`;
    PettingZoo's `TerminateIllegalWrapper` ends the hand instead.

    >>> env = PokerAEC("kuhn")
    >>> env.reset(seed=1)
    >>> for player in env.agent_iter():
    ...     seen, reward, terminated, truncated, info = env.last()
    ...     print(player, reward)
    ...     env.step(None if terminated else 1)
    player_0 0
    player_1 0
    player_0 1.0
    player_1 -1.0
    """

    def __init__(
        self,
        game: str | GameRules = "nlhe",
        *,
        players: int | None = None,
        stack: int | None = None,
        sizes: Sequence[float] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """A game by its name or rules; `stack` in chips; `sizes` of raises in pots, from 0 (the least) to inf."""
        super().__init__()
        if render_mode not in (None, "ansi", "human"):
            raise FeltError(f"render_mode={render_mode!r}: use 'ansi', 'human' or None")
        self.playing = Playing(game, players, stack, sizes)
        self.render_mode = render_mode
        name = self.playing.rules.name.replace("-", "_")
        self.metadata = {"name": f"felt_{name}_v0", "render_modes": ["ansi", "human"], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(self.playing.players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: self.playing.action_space() for agent in self.possible_agents}
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}

    def _observation_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self.playing.menu.size,), dtype=np.int8)
        return spaces.Dict({"observation": self.playing.observation_space(), "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a hand: the first of `seed`, or the next. `options`: ``button`` (a seat), ``deck``."""
        playing = self.playing
        if seed is not None or playing.number < 0:
            fresh = int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1)
            playing.begin(fresh if seed is None else int(seed))
        playing.deal(options)
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[playing.hand.turn]
        self._show()

    def observe(self, agent: str) -> Seen:
        """What an agent sees now; its mask is empty unless it is its turn."""
        playing, seat = self.playing, self._seat[agent]
        mask = playing.mask() if playing.hand.turn == seat else playing.menu.none()
        return {"observation": playing.observe(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make a move of the agent whose turn it is; None for agents whose hand is over."""
        if not self.agents:
            raise FeltError("no hand is being played: call reset() before step()")
        agent, playing = self.agent_selection, self.playing
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        playing.act(playing.chosen(action))
        self._cumulative_rewards[agent] = 0
        if playing.hand.over:
            self.rewards = dict(zip(self.possible_agents, playing.payoffs(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            self.agent_selection = self.possible_agents[0]
        else:
            self.agent_selection = self.possible_agents[playing.hand.turn]
        self._show()

    def render(self) -> str | None:
        """The table as the agent to act sees it, as text; printed in the mode ``human``."""
        if self.render_mode is None:
            return None
        text = table_text(View(self.playing.hand, self._seat[self.agent_selection]))
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Nothing is open."""

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
