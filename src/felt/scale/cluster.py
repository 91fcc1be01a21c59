"""A Ray cluster: found, joined, and left again."""

import importlib
import logging
import socket
from types import ModuleType, TracebackType
from typing import Self

from felt.arena.crew import Crew
from felt.arena.runs import Crew as RunCrew
from felt.arena.spec import Match
from felt.arena.watching import Indicators
from felt.arena.work import Sink
from felt.errors import FeltError, install_command

PATIENCE = 5.0
"""Seconds that the machine at an address has to answer."""
LOCAL = "local"
"""In place of an address: a cluster of this machine alone, which ends with the program."""


class ScaleError(FeltError):
    """A cluster that cannot be used; the message says what to do."""


class Cluster:
    """The machines at an address: ``HOST:6379`` as ``ray start`` tells it, ``ray://HOST:10001``, ``auto`` or ``local``.

    It is a context: whoever leaves it leaves the cluster, which runs on.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._ray = ray_module()

    def __enter__(self) -> Self:
        """Join."""
        if self._ray.is_initialized():
            raise ScaleError("this program is part of a Ray cluster already: leave it first, with ray.shutdown()")
        _knock(self.address)
        own: dict[str, object] = {"include_dashboard": False} if self.address == LOCAL else {}
        try:
            self._ray.init(
                self.address, namespace="felt", log_to_driver=False, logging_level=logging.ERROR, **own
            )  # fmt: skip
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise _nobody(self.address, str(error).splitlines()[0] if str(error) else type(error).__name__) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Leave."""
        self._ray.shutdown()

    def match_crew(self, match: Match, sink: Sink | None = None, watch: Indicators | None = None) -> Crew:
        """Who plays a match: as `felt.arena.play` wants it."""
        from felt.scale.matches import MatchCrew

        return MatchCrew(match, sink, watch)

    def run_crew(self) -> RunCrew:
        """Who plays the runs of competitions: as `felt.arena.runs.play_runs` wants it. Whoever has it closes it."""
        from felt.scale.runs import RunsCrew

        return RunsCrew()


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
