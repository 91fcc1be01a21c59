"""A Ray cluster: found, joined, and left again."""

import importlib
import logging
import socket
from functools import cached_property
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Self

from felt._moved import warn_renamed
from felt.errors import install_command
from felt.scale.worker import ScaleError

if TYPE_CHECKING:
    from felt.scale.executor import RayExecutor

PATIENCE = 5.0
"""Seconds that the machine at an address has to answer."""
LOCAL = "local"
"""In place of an address: a cluster of this machine alone, which ends with the program."""


class Cluster:
    """The machines at an address: ``HOST:6379`` as ``ray start`` tells it, ``ray://HOST:10001``, ``auto`` or ``local``.

    It is a context: whoever leaves it leaves the cluster, which runs on.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._ray = ray_module()

    def __enter__(self) -> Self:
        if self._ray.is_initialized():
            raise ScaleError("this program is part of a Ray cluster already: leave it first, with ray.shutdown()")
        _knock(self.address)
        own: dict[str, object] = {"include_dashboard": False} if self.address == LOCAL else {}
        try:
            self._ray.init(self.address, namespace="felt", log_to_driver=False, logging_level=logging.ERROR, **own)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise _nobody(self.address, str(error).splitlines()[0] if str(error) else type(error).__name__) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if "executor" in vars(self):
            self.executor.close()
            del self.executor
        self._ray.shutdown()

    @cached_property
    def executor(self) -> "RayExecutor":
        """Plays whatever `felt.arena` is to play, on all machines; it is closed when the cluster is left."""
        from felt.scale.executor import RayExecutor

        return RayExecutor()

    @property
    def match_crew(self) -> "RayExecutor":
        """The old name of `executor`, until 0.3."""
        warn_renamed("Cluster.match_crew", "Cluster.executor")
        return self.executor

    def run_crew(self) -> "RayExecutor":
        """The old name of `executor`, until 0.3."""
        warn_renamed("Cluster.run_crew()", "Cluster.executor")
        return self.executor


def _knock(address: str) -> None:
    """Refuse an address at which nobody listens: Ray itself would wait for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, ValueError, OverflowError) as error:
        raise _nobody(address, str(error)) from None


def _nobody(address: str, why: str) -> ScaleError:
    return ScaleError(
        f"there is no Ray cluster at {address!r} ({why}): begin one with ray start --head, and give the address that "
        "it tells"
    )


def ray_module() -> ModuleType:
    """Ray, which not everybody who has Felt has."""
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise ScaleError(f"Ray is not installed: get it with {install_command('scale')}") from None
