"""A trained policy as an agent of Felt: it plays in matches and at tables what it learned in an environment."""

from collections.abc import Callable, Sequence
from typing import Any

from felt.agents.api import Agent
from felt.features.menu import Mask, Menu
from felt.features.observation import Floats, History, Layout, with_streets
from felt.games.actions import Action
from felt.games.views.view import View

Policy = Callable[[Floats, Mask, Any], int]
"""The number of a move, from an observation, the mask, and dice (a `random.Random`)."""


class PolicyAgent(Agent):
    """Plays by a policy, which sees what it saw in the environment.

    >>> from felt.games import Hand, load
    >>> agent = PolicyAgent(lambda observation, mask, dice: int(mask.nonzero()[0][-1]))
    >>> view = Hand.new(load("nlhe"), [200, 200]).view(1)
    >>> agent.act(view).amount
    200
    """

    remembers = False

    def __init__(self, policy: Policy, *, sizes: Sequence[float] | None = None) -> None:
        """`sizes` are those of the environment."""
        self._policy, self._sizes = policy, sizes
        self._made: tuple[Any, Menu, Layout] | None = None

    def act(self, view: View) -> Action:
        """The policy's move."""
        legal = view.legal
        assert legal is not None
        menu, layout = self._for(view)
        raises = menu.raises(legal, view)
        mask = menu.mask(legal, raises, len(view.choosable()))
        history = History(view.rules, view.players)
        for street, event in with_streets(view):
            history.note(street, event)
        chosen = self._policy(layout.observe(view, history), mask, getattr(self, "dice", None))
        return menu.action(chosen, legal, raises, view.choosable())

    def _for(self, view: View) -> tuple[Menu, Layout]:
        key = view.rules, view.stakes.stacks
        if self._made is None or self._made[0] != key:
            layout = Layout(view.rules, view.players, sum(view.stakes.stacks))
            self._made = key, Menu(view.rules, self._sizes), layout
        return self._made[1:]
