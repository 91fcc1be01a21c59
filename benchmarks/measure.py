"""Timing that survives a noisy machine: contestants take turns, and every run is kept.

Each contestant is called once before anything is timed, so compiled kernels are loaded and tables read. Then, in
every round, each contestant has one run: as many calls as fill a few hundredths of a second. A busy moment of the
machine falls on neighbours in the same round, so ratios are taken round by round.
"""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

LEAST_SECONDS = 0.03
"""A run repeats its call until about this much time has passed: far above what the clock can resolve."""


@dataclass(frozen=True)
class Contestant:
    """Something to time: `call` deals with `items` things (hands, questions) at once."""

    name: str
    call: Callable[[], object]
    items: int = 1


def race(contestants: Sequence[Contestant], *, rounds: int, least: float = LEAST_SECONDS) -> dict[str, list[float]]:
    """Seconds for one item in each of `rounds` runs, by the name of the contestant."""
    calls = {one.name: _calls(one.call, least) for one in contestants}
    found: dict[str, list[float]] = {one.name: [] for one in contestants}
    for _ in range(rounds):
        for one in contestants:
            number = calls[one.name]
            found[one.name].append(_seconds(one.call, number) / (number * one.items))
    return found


def timed(call: Callable[[], object], *, rounds: int, items: int = 1, least: float = LEAST_SECONDS) -> list[float]:
    """Seconds for one item of a call, in each of `rounds` runs."""
    return race([Contestant("", call, items)], rounds=rounds, least=least)[""]


def _calls(call: Callable[[], object], least: float) -> int:
    call()  # loads kernels and tables
    number, seconds = 1, _seconds(call, 1)
    while seconds < least / 2:
        number = max(number + 1, min(number * 10, int(number * least / max(seconds, 1e-9))))
        seconds = _seconds(call, number)
    return max(1, round(number * least / seconds)) if seconds < least else number


def _seconds(call: Callable[[], object], number: int) -> float:
    collecting = gc.isenabled()
    gc.disable()  # else a peer with a million small objects pays for walks over them
    try:
        began = time.perf_counter()
        for _ in range(number):
            call()
        return time.perf_counter() - began
    finally:
        if collecting:
            gc.enable()
