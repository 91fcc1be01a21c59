"""Agents by name: ``ehs:opponents=2`` is one of ours with a parameter, ``./bot.py:Bot`` a class in a file,
``cmd:./bot`` or ``tcp:HOST:PORT`` any program (`felt.agents.outside`)."""

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from difflib import get_close_matches
from hashlib import file_digest, sha256
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from zlib import crc32

from felt.agents.adapters import as_agent
from felt.agents.api import EVENTS, Agent, OutsideAgent
from felt.errors import FeltError, describe_error
from felt.games.rules import GameRules


class BuiltIn(NamedTuple):
    """An agent that comes with Felt."""

    place: str
    """Module and class."""
    title: str
    """What players call it."""
    style: str
    """How it plays, in three words; its strength is for matches to say."""


BUILT_IN = {
    "fold": BuiltIn("felt.agents.basic.fold:Fold", "Folder", "Tight, timid, harmless"),
    "call": BuiltIn("felt.agents.basic.call:Call", "Calling station", "Loose, passive, stubborn"),
    "raise": BuiltIn("felt.agents.basic.raise_:Raise", "Maniac", "Loose, aggressive, relentless"),
    "allin": BuiltIn("felt.agents.basic.allin:AllIn", "Gambler", "Loose, reckless, all-in"),
    "random": BuiltIn("felt.agents.basic.random_:Random", "Dice roller", "Loose, wild, unreadable"),
    "chen": BuiltIn("felt.agents.strength.chen:Chen", "Bookworm", "Tight, steady, bookish"),
    "potodds": BuiltIn("felt.agents.strength.potodds:PotOdds", "Accountant", "Tight, passive, exact"),
    "ehs": BuiltIn("felt.agents.strength.ehs:Ehs", "Mathematician", "Tight, aggressive, changeable"),
    "tag": BuiltIn("felt.agents.strength.tag:Tag", "Regular", "Tight, aggressive, patient"),
    "pushfold": BuiltIn("felt.agents.solved.pushfold:PushFoldAgent", "Short stack", "Fearless, exact, all-in"),
    "strategy": BuiltIn("felt.agents.solved.strategy:FromFile", "Solver", "Solved, mixed, balanced"),
    "dials": BuiltIn("felt.agents.strength.dials:Dials", "All-rounder", "Tight, bluffing, adjustable"),
}
"""Our own agents by name: the one table of them."""

OUTSIDE = ("cmd", "tcp")
"""What stands before the colon where an agent is a program: one that is started, and one that is connected to."""

ADDRESSED = {"acpc": "felt.interop.acpc.seat:AcpcSeat"}
"""Doors for other people's players: what follows the name is an address, and nobody behind it is trusted."""


class AgentError(FeltError):
    """An agent that cannot be found, loaded or made."""


@dataclass(frozen=True)
class Entrant:
    """An agent as it was asked for: makes as many copies as a match needs."""

    spec: str
    """As it was typed."""
    kind: Any = field(repr=False)
    """The class, or a function that makes one."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    trusted: bool = False
    """Whether it is one of ours, which need no process of their own."""
    file: Path | None = None
    """Where its code is, unless it is one of ours."""
    named: bool = True
    """Whether `spec` is enough to find it from another process."""
    found_at: str = ""
    """Its name such that it is found from any folder, if it is no class in a file."""
    program_files: tuple[Path, ...] = ()
    """Of a program outside: its own file, and those that it is given."""

    def make(self) -> Any:
        """A new copy. What the agent's own code raises is told with its last line."""
        try:
            with undisturbed():
                agent = self.kind(**self.parameters)
        except FeltError as error:
            raise AgentError(f"agent {self.spec!r}: {error}") from None
        except (Exception, SystemExit) as error:
            raise AgentError(f"agent {self.spec!r} cannot be made: {describe_error(error)}") from error
        if not callable(getattr(agent, "act", None)) and not self.batch:
            raise AgentError(f"agent {self.spec!r} has no method act(view): give it one that returns an Action")
        return agent

    def reason_not_to_play(self, rules: GameRules, players: int) -> str | None:
        """Why the agent does not play a game; None if it does."""
        agent = self.make()
        try:
            with undisturbed():
                reason = as_agent(agent).plays(rules, players)
        except Exception as error:
            raise AgentError(
                f"agent {self.spec!r} cannot say whether it plays {rules.name}: {describe_error(error)}"
            ) from error
        return str(reason) if reason else None

    @property
    def listens(self) -> bool:
        """Whether it has something to do when hands begin, go on and end."""
        return any(getattr(self.kind, name, None) not in (None, getattr(Agent, name)) for name in EVENTS)

    @property
    def place(self) -> str:
        """Its name such that it is found from any folder."""
        if self.found_at or self.file is None:
            return self.found_at or self.spec
        _, colon, rest = self.spec.partition(":")
        return f"{self.file}{colon}{rest}"

    @property
    def digest(self) -> str | None:
        """A hash of its file or files, by which a change is noticed; None for what is not in a file."""
        digests = [_digest(file) for file in ((self.file,) if self.file else self.program_files)]
        if len(digests) > 1:
            return sha256(" ".join(digests).encode()).hexdigest()
        return digests[0] if digests else None

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """In another process it is found again by its name."""
        if self.named:
            return entrant, (self.place,)
        return Entrant, (self.spec, self.kind, self.parameters, self.trusted, self.file, self.named)

    @property
    def outside(self) -> bool:
        """Whether it is a program outside, which may keep what it likes, whatever it says."""
        return inspect.isclass(self.kind) and issubclass(self.kind, OutsideAgent)

    @property
    def batch(self) -> bool:
        """Whether it can decide at many tables at once."""
        return callable(getattr(self.kind, "act_batch", None))

    @property
    def remembers(self) -> bool:
        """Whether it may keep something from one hand to the next."""
        return bool(getattr(self.kind, "remembers", True)) if hasattr(self.kind, "act") else not self.batch


@contextmanager
def undisturbed() -> Iterator[None]:
    """Where agents' code runs in our own process: what it prints is no part of our output, and we stay where we are."""
    here = Path.cwd()
    try:
        with redirect_stdout(sys.stderr or StringIO()):
            yield
    finally:
        os.chdir(here)


def entrant(agent: "str | Entrant | type | Callable[[], Any]") -> Entrant:
    """An agent by its name, file, class or function that makes one.

    >>> entrant("call").trusted
    True
    >>> entrant("cal")
    Traceback (most recent call last):
        ...
    felt.agents.naming.AgentError: there is no agent 'cal'; did you mean call or dials or allin? There are fold, ...
    """
    if isinstance(agent, Entrant):
        return agent
    if not isinstance(agent, str):
        if not callable(agent):
            raise AgentError(f"{agent!r} is no agent: give a name, a file like ./bot.py:Bot, or a class")
        return Entrant(getattr(agent, "__name__", repr(agent)), agent, named=False)
    name, _, rest = agent.partition(":")
    if name in OUTSIDE:
        return _outside(agent)
    if name.endswith(".py") or "/" in name:
        return _from_file(agent, name, rest)
    place = BUILT_IN[name].place if name in BUILT_IN else ADDRESSED.get(name)
    if place is None:
        raise AgentError(f"there is no agent {name!r}; {nearest(name)}")
    module, _, kind = place.partition(":")
    agent_class = getattr(importlib.import_module(module), kind)
    if name in ADDRESSED:
        return Entrant(agent, agent_class, {"at": rest})
    return Entrant(agent, agent_class, _parameters(agent, agent_class, rest), trusted=True)


def nearest(name: str) -> str:
    """What somebody who typed `name` may have meant, in words."""
    close = get_close_matches(name.lower(), BUILT_IN, n=3, cutoff=0.5)
    meant = f"did you mean {' or '.join(close)}? " if close else ""
    return f"{meant}There are {', '.join(BUILT_IN)}; or give a file, like ./bot.py:Bot, or a program, like cmd:./bot"


def _from_file(spec: str, file: str, rest: str) -> Entrant:
    name, _, parameters = rest.partition(":")
    if "=" in name:
        name, parameters = "", rest
    path = Path(file).absolute()
    module = _load(spec, Path(file))
    own = [kind for kind in vars(module).values() if inspect.isclass(kind) and kind.__module__ == module.__name__]
    agents = {kind.__name__: kind for kind in own if hasattr(kind, "act") or hasattr(kind, "act_batch")}
    if not name:
        if len(agents) != 1:
            class_names = ", ".join(agents) or "none"
            raise AgentError(
                f"{spec!r}: say which class of {file} plays, like {file}:Bot; with a method act: {class_names}"
            )
        (name,) = agents
    if name not in agents:
        close = get_close_matches(name, agents, n=1, cutoff=0.0)
        hint = f"did you mean {close[0]}?" if close else "no class there has a method act(view)"
        raise AgentError(f"{spec!r}: {file} has no agent {name!r}; {hint}")
    return Entrant(spec, agents[name], _parameters(spec, agents[name], parameters), file=path)


def _outside(spec: str) -> Entrant:
    from felt.agents.outside.bot import find_program

    try:
        door, kind = find_program(spec)
    except FeltError as error:
        raise AgentError(f"agent {spec!r}: {error}") from None
    return Entrant(spec, kind, found_at=door.place, program_files=door.files)


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise AgentError(f"{str(file)!r} cannot be read: {(error.strerror or 'error').lower()}") from None


def _load(spec: str, path: Path) -> ModuleType:
    if not path.is_file():
        raise AgentError(f"agent {spec!r}: there is no file {str(path)!r} here")
    name = f"felt_agent_{path.stem}_{crc32(str(path.resolve()).encode()):08x}"
    if name in sys.modules:
        return sys.modules[name]
    loader = importlib.util.spec_from_file_location(name, path.resolve())
    if loader is None or loader.loader is None:
        raise AgentError(f"agent {spec!r}: {str(path)!r} is no Python file: its name must end with .py")
    if sys.modules.get("scipy", loader) is None:  # our command line hides it to start sooner; agents may want it
        del sys.modules["scipy"]
    module = importlib.util.module_from_spec(loader)
    sys.modules[name] = module
    beside = str(path.resolve().parent)
    if beside not in sys.path:
        sys.path.append(beside)  # for the modules that lie there
    try:
        with undisturbed():
            loader.loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        where = f", line {error.lineno}" if error.lineno else ""
        text = f": {error.text.strip()!r}" if error.text else ""
        raise AgentError(f"agent {spec!r}: {path.name}{where}: {error.msg}{text}") from None
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise AgentError(f"agent {spec!r}: {path.name} cannot be loaded: {describe_error(error)}") from error
    return module


def _parameters(spec: str, kind: Any, text: str) -> dict[str, Any]:
    if not text:
        return {}
    taken = inspect.signature(kind).parameters
    known = [
        name
        for name, parameter in taken.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
    free = any(parameter.kind == parameter.VAR_KEYWORD for parameter in taken.values())
    parameters: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals and name and not parameters and getattr(kind, "takes_file", False):
            name, equals, value = "file", "=", name
        if not equals or not name:
            raise AgentError(f"agent {spec!r}: {part!r} is no parameter: write name=value")
        if name not in known and not free:
            raise AgentError(f"agent {spec!r} has no parameter {name!r}; it has {', '.join(known) or 'none'}")
        parameters[name] = _value(value)
    return parameters


def _value(text: str) -> int | float | bool | str | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    words: dict[str, bool | None] = {"true": True, "false": False, "none": None}
    return words.get(text.lower(), text)
