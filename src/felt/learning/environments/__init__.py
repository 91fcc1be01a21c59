"""Environments for those who train agents: PettingZoo for all seats, Gymnasium for one seat against agents of Felt.

Importing this registers ``felt/NAME-v0`` with Gymnasium for every game of the catalogue.
"""

from felt.errors import FeltError, install_command

try:
    import gymnasium
    import pettingzoo  # noqa: F401 - to say it here if it is missing
except ModuleNotFoundError as missing:
    raise FeltError(f"{missing.name} is not installed: get it with {install_command('envs')}") from None

from felt.games.catalogue import names
from felt.interop.envs.aec import PokerAEC
from felt.interop.envs.menu import Menu
from felt.interop.envs.observation import Layout
from felt.interop.envs.policy import PolicyAgent
from felt.interop.envs.single import PokerEnv

__all__ = ["Layout", "Menu", "PokerAEC", "PokerEnv", "PolicyAgent", "register"]


def register() -> None:
    """Make ``gymnasium.make("felt/nlhe-v0")`` known, and so on; done when this is imported."""
    for name in names():
        if f"felt/{name}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"felt/{name}-v0", entry_point="felt.interop.envs.single:PokerEnv", kwargs={"game": name}
            )


register()
