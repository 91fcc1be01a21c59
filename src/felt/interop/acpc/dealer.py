"""Felt as the dealer of the Annual Computer Poker Competition: a match between players that are connected.

The rules of its C dealer hold, for conduct too: actions that are not allowed are replaced, lines that answer nothing
are passed over, and whoever is gone, floods or takes too long ends the match, which then has no score.

A match is a chain: of the dealer and the players one works, the others wait for it. On different cores every link
costs a core that has to be woken, which takes longer than the answer of a quick player. So programs that the dealer
has started are brought to its own core while they answer at once, and have all cores again when one of them thinks.
"""

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from felt.agents.outside.lines import LOOKS
from felt.arena.conductor.prepare import prepare
from felt.games.hand import Hand
from felt.interop.acpc.contest import Contest, ContestOutcome
from felt.interop.acpc.hand import AcpcHand, BettingForm, Wrong, is_version
from felt.interop.acpc.log import stack_of
from felt.interop.acpc.wire import SOON, GoneError, SilentError, Wire

MOST_PASSED_OVER = 1000
"""Lines in a row that answer nothing, after which a player counts as flooding."""
MOST_KEPT = 5
"""Faults of a player that are kept in words; all are counted."""

Progress = Callable[[int], None]
"""Told how many hands are over."""


def deal(
    contest: Contest,
    wires: Sequence[Wire],
    log: TextIO | None = None,
    progress: Progress | None = None,
    started: Sequence[int] = (),
) -> ContestOutcome:
    """Play a match over connections to its players, in the order of `Contest.names`; `log` is written as it goes.

    If all players are processes that were `started` for the match, they can be on the dealer's core while that is
    quicker.
    """
    prepare(contest.rules)
    core = SharedCore(started if len(started) == contest.players else ())
    gc.freeze()  # all that is loaded stays: looking through it for garbage would stop the table again and again
    try:
        return _Match(contest, wires, log, progress, core).run()
    finally:
        gc.unfreeze()
        core.release()


class SharedCore:
    """The core that a dealer, in the thread that makes this, can share with the processes of its players.

    Linux only; elsewhere, and for programs with several threads, nothing is done.
    """

    def __init__(self, players: Sequence[int]) -> None:
        self._players = tuple(players) if sys.platform == "linux" else ()
        self._before: dict[int, set[int]] = {}
        """Where threads may run by themselves; empty while nothing is shared."""

    @property
    def shared(self) -> bool:
        """Whether all are on one core now."""
        return bool(self._before)

    def share(self) -> None:
        """Bring the players to the core of the caller, if they have one thread each."""
        if self.shared or not self._players:
            return
        with suppress(OSError, ValueError):
            threads = [list(_threads(player)) for player in self._players]
            if all(thread == process for process, thread in (pair for tree in threads for pair in tree)):
                here = Path("/proc/thread-self/stat").read_text().rpartition(")")[2].split()[36]
                core = {int(here)}
                for thread in (0, *(thread for tree in threads for _, thread in tree)):
                    self._before[thread] = os.sched_getaffinity(thread)
                    os.sched_setaffinity(thread, core)
                return
        self._players = ()  # they are not of that kind, or gone
        self.release()

    def release(self) -> None:
        """Everybody may run where they could before; so may what the players have started since."""
        if not self.shared:
            return
        before, self._before = self._before, {}
        own = before.pop(0, None)
        if own is not None:
            with suppress(OSError):
                os.sched_setaffinity(0, own)
        for player in self._players or before:
            with suppress(OSError, ValueError):
                for process, thread in _threads(player):
                    cores = before.get(thread) or before.get(process) or before.get(player)
                    if cores:
                        os.sched_setaffinity(thread, cores)


def _threads(process: int) -> Iterator[tuple[int, int]]:
    """Process and thread of all that a process runs, and the processes that it has started."""
    for task in Path(f"/proc/{process}/task").iterdir():
        yield process, int(task.name)
        for child in (task / "children").read_text().split():
            yield from _threads(int(child))


class _Match:
    """A match under way."""

    def __init__(
        self, contest: Contest, wires: Sequence[Wire], log: TextIO | None, progress: Progress | None, core: SharedCore
    ) -> None:
        self._contest, self._wires, self._log, self._progress, self._core = contest, wires, log, progress, core
        players = contest.players
        self._player = 0
        """Who is sent something or waited for, and so ends the match if a `GoneError` comes."""
        self._stack, self._form = stack_of(contest.rules), BettingForm.of(contest.rules)
        self._used_hand, self._used_match = [0.0] * players, [0.0] * players
        self._may_use = contest.limits.per_hand * contest.hands
        self._at = 0
        self._next: AcpcHand | None = None
        """The hand to be played next, where there was time to deal it."""
        self._last: AcpcHand | None = None
        """A hand that is over and not entered yet."""
        self._outcome = ContestOutcome(contest, counts=[{wrong.value: 0 for wrong in Wrong} for _ in range(players)])

    def run(self) -> ContestOutcome:
        """Play to the end, whoever makes it."""
        outcome, started = self._outcome, time.monotonic()
        try:
            self._write(*self._contest.header())
            self._greet()
            started = time.monotonic()
            for number in range(self._contest.hands):
                self._at = number
                self._play(number)
            self._flush()
            self._settle()
            self._write(outcome.score_line())
        except GoneError as end:
            self._settle()
            name = self._contest.names[self._player]
            outcome.ended, outcome.ended_by = f"{name} ended the match in hand {self._at}: {end}", self._player
            self._write(f"# {outcome.ended}")
        outcome.seconds = time.monotonic() - started
        return outcome

    def _greet(self) -> None:
        """Every player says which version it speaks."""
        for player in range(self._contest.players):
            line = self._line(player, self._contest.limits.response)
            if not is_version(line):
                raise GoneError(f"its first line is {_shown(line)}, not VERSION:2.0.0")

    def _deal(self, number: int) -> AcpcHand:
        rules, stack, seed = self._contest.rules, self._stack, self._contest.seed
        return AcpcHand(Hand.new(rules, stack, seed, players=self._contest.players, number=number), number, self._form)

    def _play(self, number: int) -> None:
        """Play a hand. What can wait is done while a player thinks: that is time that nobody else needs."""
        players = self._contest.players
        dealt = self._next if self._next is not None else self._deal(number)
        self._next, self._used_hand = None, [0.0] * players
        seated = [(position + number) % players for position in range(players)]
        puts = [self._wires[player].put for player in seated]
        hand, message = dealt.hand, dealt.message
        while (turn := hand.turn) >= 0:
            player, question = seated[turn], message(turn)
            puts[turn](question)
            self._player = player
            self._wires[player].flush(self._contest.limits.response)
            begun = time.monotonic()
            for position, put in enumerate(puts):
                if position != turn:
                    put(message(position))
            if self._next is None:
                self._settle()
                self._next = self._deal(number + 1)
            question += ":"
            line = self._hear(player, question, begun)
            wrong = dealt.answer(line[len(question) :])
            if wrong is not None:
                self._count(player, wrong, line)
        for position, put in enumerate(puts):
            put(message(position))
        self._last = dealt
        if not self._core.shared and max(self._used_hand) < SOON:
            self._core.share()
            self._look(0 if self._core.shared else LOOKS)

    def _look(self, times: int) -> None:
        for wire in self._wires:
            wire.looks = times

    def _settle(self) -> None:
        """Enter the hand that was played last."""
        dealt, self._last = self._last, None
        if dealt is None:
            return
        contest, number, values = self._contest, dealt.number, dealt.values()
        first = number % contest.players
        names = contest.names[first:] + contest.names[:first]
        self._outcome.values.append((*values[contest.players - first :], *values[: contest.players - first]))
        if self._log is not None:
            self._write(dealt.log_line(values, names))
        if self._progress is not None:
            self._progress(number + 1)

    def _hear(self, player: int, question: str, begun: float) -> str:
        """What a player answers. The others are told when that takes longer than a moment."""
        line = self._wires[player].line_soon()
        if line is None or not line.startswith(question):
            line = self._wait(player, question, line, begun)
        self._check_time(player, time.monotonic() - begun)
        return line

    def _wait(self, player: int, question: str, line: str | None, begun: float) -> str:
        """Read on until a line answers what was asked."""
        self._core.release()
        self._look(LOOKS)
        self._flush()
        self._player = player
        until = begun + self._contest.limits.response
        for _ in range(MOST_PASSED_OVER):
            if line is None:
                line = self._line(player, until - time.monotonic())
            if line.startswith(question):
                return line
            if line[:1] not in ("#", ";"):  # comments are allowed
                self._count(player, Wrong.UNASKED if line.startswith("MATCHSTATE:") else Wrong.GARBAGE, line)
            line = None
        raise GoneError(f"it sent over {MOST_PASSED_OVER:,} lines that answer nothing")

    def _line(self, player: int, seconds: float) -> str:
        self._player = player
        try:
            return self._wires[player].line(seconds)
        except SilentError:
            raise GoneError(f"no answer within {self._contest.limits.response:g} s") from None

    def _flush(self) -> None:
        """Send everybody what is new."""
        for player, wire in enumerate(self._wires):
            self._player = player
            wire.flush(self._contest.limits.response)

    def _check_time(self, player: int, seconds: float) -> None:
        limits = self._contest.limits
        self._used_hand[player] += seconds
        self._used_match[player] += seconds
        if self._used_hand[player] > limits.hand:
            raise GoneError(f"it took over {limits.hand:g} s for one hand")
        if self._used_match[player] > self._may_use:
            raise GoneError(f"it took over {self._may_use:g} s, {limits.per_hand:g} for each hand of the match")

    def _count(self, player: int, wrong: Wrong, line: str) -> None:
        count, outcome = self._outcome.counts[player], self._outcome
        count[wrong.value] += 1
        if sum(count.values()) <= MOST_KEPT:
            name = self._contest.names[player]
            outcome.incidents.append({"player": name, "fault": wrong.value, "hand": self._at, "line": _shown(line)})

    def _write(self, *lines: str) -> None:
        if self._log is not None:
            self._log.writelines(f"{line}\n" for line in lines)


def _shown(line: str) -> str:
    return ascii(line[:80])
