"""Where a run took place: the machine, the versions, and how busy others kept it meanwhile."""

import os
import platform
import resource
import sys
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

OURS = ("felt-poker", "numpy", "numba")
PEERS = ("eval7", "phevaluator", "treys", "pokerkit", "open_spiel", "rlcard")


def cpu_model() -> str:
    """What the processor calls itself."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def versions() -> dict[str, str | None]:
    """Versions of Python, of Felt and of the libraries it is compared with; None for those not installed."""
    found: dict[str, str | None] = {"python": platform.python_version()}
    for name in (*OURS, *PEERS):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def load() -> list[float]:
    """The load averages over 1, 5 and 15 minutes."""
    return [round(value, 2) for value in os.getloadavg()]


class Watch:
    """How much processor time other programs took while we measured (Linux only; else None)."""

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.load_before = load()
        self._busy, self._own = _busy_seconds(), own_seconds()

    def others(self) -> float | None:
        """Cores kept busy by others, on average, since the watch began."""
        busy = _busy_seconds()
        if busy is None or self._busy is None:
            return None
        passed = time.perf_counter() - self.began
        theirs = (busy - self._busy) - (own_seconds() - self._own)
        return max(0.0, theirs / max(passed, 1e-9))

    def summary(self) -> dict[str, object]:
        others = self.others()
        return {
            "cpu": cpu_model(),
            "cores": cores(),
            "system": f"{platform.system()} {platform.machine()}",
            "versions": versions(),
            "load_before": self.load_before,
            "load_after": load(),
            "cores_used_by_others": None if others is None else round(others, 2),
            "seconds": round(time.perf_counter() - self.began, 1),
        }


def own_seconds() -> float:
    """Processor time of this process and of its children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _busy_seconds() -> float | None:
    """Processor time that all programs together have used since the machine started."""
    if sys.platform != "linux":
        return None
    with suppress(OSError, ValueError):
        user, nice, system, _idle, _wait, irq, softirq, steal, *_ = map(
            int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
        )
        return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    return None
