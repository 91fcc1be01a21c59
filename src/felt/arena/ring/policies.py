"""Bankroll management: what decides at which table an agent sits down, with how much, and when it leaves."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from felt.agents.naming import AgentError, _load, _parameters, undisturbed
from felt.errors import FeltError, describe_error


@dataclass(frozen=True)
class Offer:
    """A table with a free seat, or the one at which an agent sits."""

    level: int
    """The level of its stakes, from 0 for the smallest."""
    big_blind: int
    least: int
    """Chips that one has to bring; at the smallest stakes all that one has is enough."""
    most: int
    """Chips that one may have when sitting down or adding to them: a full buy-in."""
    players: tuple[str, ...]
    """The names of the agents who sit there, without the one that is asked."""


class Policy(Protocol):
    """How an agent manages its bankroll. Every player of every history has one of its own, which may remember."""

    def sit(self, bankroll: int, offers: Sequence[Offer]) -> tuple[int, int] | None:
        """The place of a table among the offers, and the chips to bring; None to wait.

        All offers can be paid for. They come with the smallest stakes first, and of a level the fullest table first.
        """

    def go_on(self, bankroll: int, stack: int, table: Offer) -> int | None:
        """After a hand, with so many chips at the table and so many at home: chips to add to the stack; None to leave.

        Who has no chips at the table and adds fewer than ``table.least`` leaves.
        """


class Never:
    """Never moves: full buy-ins at one level, and a new one when all is lost.

    `level` counts from 1 for the smallest; at stakes that it cannot pay for it waits for ever.
    """

    def __init__(self, level: int = 1) -> None:
        if not isinstance(level, int) or isinstance(level, bool) or level < 1:
            raise FeltError(f"level={level!r}: give a whole number, 1 or more")
        self.level = level - 1

    def sit(self, bankroll: int, offers: Sequence[Offer]) -> tuple[int, int] | None:
        """At its level."""
        own = ((place, min(bankroll, offer.most)) for place, offer in enumerate(offers) if offer.level == self.level)
        return next(own, None)

    def go_on(self, bankroll: int, stack: int, table: Offer) -> int | None:
        """Stay, whatever happens."""
        return 0 if stack else min(bankroll, table.most)


class Whole:
    """Puts as much at risk as it may: the highest stakes that it can sit down at, with all that is allowed."""

    def sit(self, bankroll: int, offers: Sequence[Offer]) -> tuple[int, int] | None:
        """The dearest table with somebody at it."""
        place = _highest(offers, offers[-1].level)
        return place, min(bankroll, offers[place].most)

    def go_on(self, bankroll: int, stack: int, table: Offer) -> int | None:
        """Add what is allowed; go when nobody is there."""
        if not table.players:
            return None
        return min(bankroll, max(0, table.most - stack))


class BuyIns:
    """Plays the highest level for which it has `count` full buy-ins; moves down when half of them are lost.

    At its level or below it joins tables at which somebody sits.
    """

    def __init__(self, count: float = 20) -> None:
        self.count = _above("count", count)

    def sit(self, bankroll: int, offers: Sequence[Offer]) -> tuple[int, int] | None:
        """The highest level that is allowed, with a full buy-in."""
        allowed = [offer.level for offer in offers if offer.most * self.count <= bankroll]
        place = _highest(offers, max(allowed, default=offers[0].level))
        return place, min(bankroll, offers[place].most)

    def go_on(self, bankroll: int, stack: int, table: Offer) -> int | None:
        """Keep a full buy-in, as long as the level is right."""
        wealth = bankroll + stack
        too_high = table.level > 0 and wealth < self.count * table.most / 2
        too_low = wealth >= 2 * self.count * table.most
        if too_high or too_low or not table.players:
            return None
        return min(bankroll, table.most - stack) if stack < table.most / 2 else 0


class Kelly:
    """Has no more than a share of its bankroll on the table: `fraction` when it sits down, twice that when it leaves.

    Stakes go up and down with the bankroll, as in Kelly's rule for bets with an edge (Kelly 1956).
    """

    def __init__(self, fraction: float = 0.05) -> None:
        self.fraction = _above("fraction", fraction)
        if self.fraction > 1:
            raise FeltError(f"fraction={fraction:g}: a share of the bankroll is at most 1")

    def sit(self, bankroll: int, offers: Sequence[Offer]) -> tuple[int, int] | None:
        """The highest level at which its share is enough; at the smallest stakes the least that is."""
        share = self.fraction * bankroll
        allowed = [offer.level for offer in offers if offer.least <= share]
        place = _highest(offers, max(allowed, default=offers[0].level))
        return place, int(min(max(share, offers[place].least), offers[place].most, bankroll))

    def go_on(self, bankroll: int, stack: int, table: Offer) -> int | None:
        """Leave with what has grown too much, or when all that was brought is lost."""
        grown = stack > 2 * max(self.fraction * (bankroll + stack), table.least)
        return None if grown or not stack or not table.players else 0


NAMED: dict[str, Any] = {"buyins": BuyIns, "kelly": Kelly, "never": Never, "whole": Whole}


def policy(spec: Any) -> Policy:
    """A new policy by name with parameters, by file like ``./mine.py:Mine``, or from a class.

    >>> policy("buyins:count=30").count
    30.0
    """
    kind, parameters = _parse_policy(spec) if isinstance(spec, str) else (spec, {})
    try:
        with undisturbed():
            made: Policy = kind(**parameters)
    except FeltError:
        raise
    except (Exception, SystemExit) as error:
        raise FeltError(f"policy {shown(spec)!r} cannot be made: {describe_error(error)}") from error
    for method in ("sit", "go_on"):
        if not callable(getattr(made, method, None)):
            raise FeltError(f"policy {shown(spec)!r} has no method {method}: see felt.arena.ring.Policy")
    return made


def is_policy(spec: str) -> bool:
    """Whether a text looks like the name of a policy."""
    name = spec.partition(":")[0]
    return name in NAMED or name.endswith(".py")


def shown(spec: Any) -> str:
    """What a policy is called."""
    return spec if isinstance(spec, str) else getattr(spec, "__name__", repr(spec))


def called(spec: Any) -> str:
    """The name of a policy without the folder of its file: the same on every machine."""
    file = file_of(spec)
    return shown(spec) if file is None else file.name + spec.removeprefix(spec.partition(":")[0])


def file_of(spec: Any) -> Path | None:
    """The file of a policy; None for one that comes with Felt, and for a class of the program."""
    name = spec.partition(":")[0] if isinstance(spec, str) else ""
    return Path(name).absolute() if name.endswith(".py") else None


def place_of(spec: Any) -> Any:
    """The name by which a policy is found from any folder.

    >>> place_of("/home/ann/mine.py:Mine:risk=2"), place_of("kelly")
    ('/home/ann/mine.py:Mine:risk=2', 'kelly')
    """
    file = file_of(spec)
    return spec if file is None else f"{file}{spec.removeprefix(spec.partition(':')[0])}"


def digest(spec: Any) -> str | None:
    """A hash of its file, by which a change is noticed; None where there is none."""
    file = file_of(spec)
    return sha256(file.read_bytes()).hexdigest() if file is not None and file.is_file() else None


@lru_cache(maxsize=256)
def _parse_policy(spec: str) -> tuple[Any, dict[str, Any]]:
    name, _, rest = spec.partition(":")
    try:
        if name.endswith(".py"):
            class_name, _, rest = rest.partition(":")
            kind = getattr(_load(spec, Path(name)), class_name, None)
            if not inspect.isclass(kind):
                raise FeltError(f"policy {spec!r}: {name} has no class {class_name!r}")
        else:
            kind = NAMED.get(name)
        if kind is None:
            raise FeltError(f"there is no policy {name!r}: choose {', '.join(NAMED)}, or a file like ./mine.py:Mine")
        return kind, _parameters(spec, kind, rest)
    except AgentError as error:
        raise FeltError(str(error).replace("agent", "policy", 1)) from None


def _highest(offers: Sequence[Offer], level: int) -> int:
    """The place of the highest table up to a level of the offers at which somebody sits; without any, one of that
    level."""
    up_to = [place for place, offer in enumerate(offers) if offer.level <= level]
    places = [place for place in up_to if offers[place].players] or up_to
    return next(place for place in places if offers[place].level == offers[max(places)].level)


def _above(name: str, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < float("inf"):
        raise FeltError(f"{name}={value!r}: give a number above 0")
    return float(value)
