"""Who sits at an ACPC table: players that connect, programs that are started, and Felt's own agents, which join too."""

import hashlib
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import permutations
from math import factorial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from felt.agents.naming import entrant
from felt.agents.outside.connections import Group
from felt.errors import FeltError
from felt.interop.acpc.contest import Contest, ContestOutcome
from felt.interop.acpc.dealer import deal
from felt.interop.acpc.game import save_acpc_game
from felt.interop.acpc.hand import AcpcError
from felt.interop.acpc.wire import Wire, accept, listen

LISTEN, START = "listen", "start"
MOST_SEATINGS = 24
"""Matches of a duplicate: all orders of up to four players."""
LEAVE_WITHIN = 3.0
"""Seconds that a program which was started gets to end by itself when the match is over."""
LOOK_EVERY = 0.1
_FELT = "from felt.cli.app import main; main()"


@dataclass(frozen=True)
class Place:
    """One player as it was asked for: ``listen`` or ``listen:NAME``, ``start:COMMAND``, or an agent of Felt."""

    kind: str
    command: str
    name: str

    @classmethod
    def of(cls, spec: str, number: int) -> "Place":
        """Read and check how a player was asked for."""
        kind, _, rest = spec.partition(":")
        if kind == LISTEN:
            return cls(LISTEN, "", _name(rest or f"p{number + 1}"))
        if kind == START:
            try:
                words = shlex.split(rest)
            except ValueError as error:
                raise AcpcError(f"{spec!r} is no command: {str(error).lower()}; write it like start:./player") from None
            if not words:
                raise AcpcError(f"{spec!r}: say what to start, like start:./player; it is given a host and a port")
            return cls(START, rest, _name(Path(words[0]).name))
        return cls("", entrant(spec).place, _name(Path(kind).name + spec[len(kind) :]))

    def begin(self, host: str, port: int, game: Path, seed: int) -> Group | None:
        """Start the player, if it is one that is started; it connects to the port."""
        if self.kind == LISTEN:
            return None
        words = shlex.split(self.command)
        if not self.kind:
            words = [sys.executable, "-P", "-c", _FELT, "acpc", "join", "--quiet", "--game", str(game)]
            words += ["--seed", str(seed), host, str(port), self.command]
        else:
            words += [host, str(port)]
        try:  # a group of its own, so that what it starts is ended with it; what it prints is no part of our output
            return Group.start(words, stdin=subprocess.DEVNULL, stdout=_stderr())
        except OSError as error:
            raise AcpcError(f"cannot start {words[0]!r}: {error.strerror or error}") from None


def places(specs: Sequence[str]) -> list[Place]:
    """The players of a match, numbered where two have the same name."""
    players: list[Place] = []
    for number, spec in enumerate(specs):
        place = Place.of(spec, number)
        before = sum(other.name.partition("#")[0] == place.name for other in players)
        players.append(replace(place, name=f"{place.name}#{before + 1}") if before else place)
    return players


def seatings(players: int, duplicate: bool) -> list[tuple[int, ...]]:
    """The orders in which the players sit, one for each match of a duplicate: as in the competition, all of them.

    >>> seatings(2, duplicate=True)
    [(0, 1), (1, 0)]
    """
    if not duplicate:
        return [tuple(range(players))]
    if factorial(players) > MOST_SEATINGS:
        raise FeltError(f"a duplicate of {players} players has {factorial(players):,} matches: play it with 2 to 4")
    return list(permutations(range(players)))


Told = Callable[[list[tuple[str, int]]], None]
"""Told the names and ports of players that are waited for."""


def play(
    contest: Contest,
    seats: Sequence[Place],
    *,
    host: str = "127.0.0.1",
    ports: Sequence[int] = (),
    start_within: float = 300.0,
    log: Path | None = None,
    waiting: Told = lambda ports: None,
    progress: Callable[[int], None] | None = None,
) -> ContestOutcome:
    """Play one match between `seats`, in the order of the names of the contest."""
    doors: list[socket.socket] = []
    wires: list[Wire] = []
    groups: list[Group | None] = []
    patience = 0.0  # for programs to end by themselves; none where the match was not played
    with TemporaryDirectory() as folder:
        try:
            doors += [listen(host, port) for port in [*ports, *[0] * len(seats)][: len(seats)]]
            game = Path(folder) / f"{contest.rules.name}.game"
            save_acpc_game(contest.rules, game, players=contest.players)
            waiting([(s.name, _port(door)) for s, door in zip(seats, doors, strict=True) if s.kind == LISTEN])
            for seat, door in zip(seats, doors, strict=True):
                groups.append(seat.begin(host, _port(door), game, _own_seed(contest.seed, seat.name)))
            until = time.monotonic() + start_within
            for name, door, group in zip(contest.names, doors, groups, strict=True):
                wires.append(_accepted(name, door, group, start_within, until))
            with nullcontext() if log is None else _opened(log) as stream:
                outcome = deal(contest, wires, stream, progress, [group.process.pid for group in groups if group])
            patience = LEAVE_WITHIN
            return outcome
        finally:
            for wire in wires:
                wire.close()
            for door in doors:
                door.close()
            over = time.monotonic() + patience
            for group in filter(None, groups):
                group.end(over - time.monotonic())


def _accepted(name: str, door: socket.socket, group: Group | None, seconds: float, until: float) -> Wire:
    """Wait for a player until then; for one that was started no longer than it lives."""
    while True:
        ended = group is not None and group.process.poll() is not None
        wire = accept(door, min(LOOK_EVERY, until - time.monotonic()))
        if wire is not None:
            return wire
        if ended and group is not None:
            code = group.process.returncode
            raise AcpcError(f"{name} ended with exit code {code} before it had connected: see its messages")
        if time.monotonic() >= until:
            raise AcpcError(f"{name} has not connected within {seconds:g} s: the match is not played")


def _opened(log: Path) -> TextIO:
    try:
        return log.open("w", encoding="utf-8")
    except OSError as error:
        raise AcpcError(f"--log {str(log)!r} cannot be written: {error.strerror or error}") from None


def _port(door: socket.socket) -> int:
    return int(door.getsockname()[1])


def _own_seed(seed: int, name: str) -> int:
    """The seed of one player's dice, from which nobody can tell that of the cards."""
    return int.from_bytes(hashlib.sha256(f"acpc {seed} {name}".encode()).digest()[:6])


def _name(text: str) -> str:
    """A name that has a place in a log."""
    return "".join("." if c in ":|#\r\n\t " else c for c in text) or "player"


def _stderr() -> int:
    try:
        return sys.__stderr__.fileno() if sys.__stderr__ is not None else subprocess.DEVNULL
    except (OSError, ValueError):
        return subprocess.DEVNULL
