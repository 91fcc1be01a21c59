"""Quick players on the dealer's core.

A match is a chain: of the dealer and the players one works, the others wait for it. On different cores every link
costs a core that has to be woken, which takes longer than the answer of a quick player. So programs that the dealer
has started are brought to its own core while they answer at once, and have all cores again when one of them thinks.
Linux only; elsewhere, and for programs with several threads, nothing is done.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path


class SharedCore:
    """The core that a dealer, in the thread that makes this, can share with the processes of its players."""

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
                core = {_current_core()}
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


def _current_core() -> int:
    """Where the thread that asks runs."""
    return int(Path("/proc/thread-self/stat").read_text().rpartition(")")[2].split()[36])
