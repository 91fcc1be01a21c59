"""Environments for those who train agents: PettingZoo for all seats, Gymnasium for one seat against agents of Felt.

Importing this registers ``felt/NAME-v0`` with Gymnasium for every game of the catalogue.
"""

from felt.errors import FeltError, install_command

try:
    import gymnasium
    import pettingzoo  # noqa: F401 - to say it here if it is missing
except ModuleNotFoundError as missing:
    raise FeltError(f"{missing.name} is not installed: get it with {install_command('envs')}") from None

from felt.features.menu import Menu
from felt.features.observation import Layout
from felt.games.catalogue import names
from felt.learning.environments.aec import PokerAEC
from felt.learning.environments.policy import PolicyAgent
from felt.learning.environments.single import PokerEnv

__all__ = ["Layout", "Menu", "PokerAEC", "PokerEnv", "PolicyAgent", "register"]


def register() -> None:
    """Make ``gymnasium.make("felt/nlhe-v0")`` known, and so on; done when this is imported."""
    for name in names():
        if f"felt/{name}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"felt/{name}-v0", entry_point="felt.learning.environments.single:PokerEnv", kwargs={"game": name}
            )


register()
