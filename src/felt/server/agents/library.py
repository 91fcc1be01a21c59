"""Agents beyond our own: ``strategy:NAME`` plays the strategy that is kept under this name, and whoever serves may let
others in under names of their own, programs outside too."""

import logging
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from threading import Lock

from felt.agents.adapters import as_agent
from felt.agents.api import Agent
from felt.agents.naming import ADDRESSED, BUILT_IN, OUTSIDE, Entrant, entrant
from felt.agents.solved.strategy import FromFile
from felt.errors import FeltError
from felt.server.tables.settings import TableError
from felt.store.database.strategies import Strategies
from felt.store.database.values import StoredStrategy
from felt.store.private import write_private

log = logging.getLogger(__name__)
PREFIX = "strategy:"
_making = Lock()
MAKE_WITHIN = 5.0
"""Seconds that a guest waits at most until others have been made."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")


def guests(specs: Sequence[str]) -> dict[str, Entrant]:
    """Agents as ``NAME=SPEC``, like ``rock=cmd:./rock``, by their names. A program outside is asked for its greeting.

    >>> list(guests(["caller=call"]))
    ['caller']
    """
    entrants: dict[str, Entrant] = {}
    for text in specs:
        name, equals, spec = text.partition("=")
        if not equals or not _NAME.fullmatch(name):
            raise FeltError(f"--agent {text!r}: give a name of letters and digits and an agent, like rock=cmd:./rock")
        if name in BUILT_IN or name in entrants:
            raise FeltError(f"--agent {text!r}: there is an agent {name!r} already; choose another name")
        if spec.partition(":")[0] in ADDRESSED:
            raise FeltError(f"--agent {text!r}: an ACPC player follows whole matches: use it with felt match")
        entrants[name] = entrant(spec)
    return entrants


class Kind(Enum):
    """Where an agent works, from which follows what it can hold up."""

    OWN = "one of Felt's own, or a strategy"
    PROGRAM = "a program outside: it is only waited for, and ended if it takes too long"
    CLASS = "a class in a file: it works in the service, and nobody can end it"


class AgentLibrary:
    """The strategies of the store, whose contents are copied to files when they are first played; and guests."""

    def __init__(self, strategies: Strategies, folder: Path, guests: Mapping[str, Entrant] | None = None) -> None:
        self._strategies, self._folder = strategies, folder
        self.guests = dict(guests or {})
        """Agents that whoever serves has let in."""
        self.withdrawn: frozenset[str] = frozenset()
        """Guests that are not offered any more."""
        known = {strategy.digest for strategy in strategies.all()}
        for file in folder.glob("*.felt"):
            if file.stem not in known:
                file.unlink(missing_ok=True)

    def all(self) -> list[StoredStrategy]:
        """Every strategy."""
        return self._strategies.all()

    def has(self, name: str) -> bool:
        """Whether the name is one of those that are looked for here."""
        return name.startswith(PREFIX) or name in self.guests

    def kind(self, name: str) -> Kind:
        """Where an agent works."""
        guest = self.guests.get(name)
        if guest is None or guest.trusted:
            return Kind.OWN
        return Kind.PROGRAM if guest.spec.partition(":")[0] in OUTSIDE else Kind.CLASS

    def withdraw(self, name: str) -> None:
        """Offer a guest no longer."""
        self.guests = {other: guest for other, guest in self.guests.items() if other != name}
        self.withdrawn |= {name}

    def agent(self, name: str) -> Agent:
        """A guest, or the agent ``strategy:NAME``. May take a while, so it is nothing for the event loop."""
        if name in self.guests:
            return self._guest(name)
        return FromFile(str(self._strategy(name)))

    def entrant(self, name: str) -> Entrant:
        """The same as it is made in any number. May take a while too."""
        return self.guests[name] if name in self.guests else entrant(f"{PREFIX}{self._strategy(name)}")

    def _strategy(self, name: str) -> Path:
        """The file of a strategy that is kept here."""
        stored = self._strategies.get(name.removeprefix(PREFIX))
        if stored is None:
            names = ", ".join(strategy.name for strategy in self.all()) or "none yet"
            raise TableError("no_agent", f"there is no strategy {name.removeprefix(PREFIX)!r} here: there are {names}")
        return self._file(stored)

    def _guest(self, name: str) -> Agent:
        try:
            # one at a time: it changes where the whole process prints
            if not _making.acquire(timeout=MAKE_WITHIN):
                raise FeltError("another guest is still being made")
            try:
                agent = self.guests[name].make()
            finally:
                _making.release()
        except FeltError as error:  # which says where it lies: not for whoever asks
            log.warning("agent %s: %s", name, error)
            raise not_now(name) from None
        return as_agent(agent)

    def _file(self, stored: StoredStrategy) -> Path:
        file = self._folder / f"{stored.digest}.felt"
        if not file.is_file():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(file, self._strategies.content(stored.name) or b"")
        return file


def not_now(name: str) -> TableError:
    """What is said of a guest that cannot be asked; why is for the log of who serves."""
    return TableError("no_agent", f"{name} cannot be asked just now: choose another")
