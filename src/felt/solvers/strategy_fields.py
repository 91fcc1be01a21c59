"""What must hold of a strategy's file before anybody believes it: each field and array has the type and the size that
the others say.

Checksums say that a file is as it was written, not that a solver wrote it. What is checked here takes no more memory
than the file has bytes, whatever sizes it claims.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.games.moves import Move
from felt.games.rules import MAX_CHIPS, MAX_PLAYERS
from felt.solvers.registry import BETTING, METHODS, SAVED_FORMS, names_of

Array = NDArray[Any]

MOST_RULES = 1_000_000
"""Characters of rules in a file."""

MOST_SIZES = 1000
"""Sizes of raises in a menu."""

_SHOWN = 60
"""Characters that are quoted of a value that is wrong."""


def _is_whole(value: Any, least: int = 0, most: int = 2**62) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf")


def _are_numbers(value: Any, check: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and len(value) <= MOST_SIZES and all(map(check, value))


FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "rules": (lambda value: isinstance(value, str) and len(value) <= MOST_RULES, "rules as text"),
    "stacks": (
        lambda value: (
            _are_numbers(value, lambda chips: _is_whole(chips, 1, MAX_CHIPS)) and 2 <= len(value) <= MAX_PLAYERS
        ),
        "two to ten whole numbers above 0",
    ),
    "suits": (lambda value: isinstance(value, bool), "true or false"),
    "isomorphic": (lambda value: isinstance(value, bool), "true or false"),
    "whole": (lambda value: isinstance(value, bool), "true or false"),
    "own": (lambda value: isinstance(value, bool), "true or false"),
    "kind": (lambda value: value in (None, "float64", "float32", "int16"), "null, float64, float32 or int16"),
    "form": (lambda value: value in SAVED_FORMS, "the form of a solver"),
    "algorithm": (lambda value: isinstance(value, str) and 0 < len(value) < 100, "the name of an algorithm"),
    "iterations": (lambda value: _is_whole(value), "a whole number"),
    "exploitability": (lambda value: value is None or _is_number(value), "a number or null"),
    "values": (lambda value: value is None or _are_numbers(value, _is_number), "a list of numbers or null"),
    "dice": (lambda value: value is None or isinstance(value, dict), "an object or null"),
    "sizes": (
        lambda value: value is None or _are_numbers(value, lambda size: isinstance(size, str) and len(size) < 40),
        "a list of sizes or null",
    ),
    "start": (lambda value: value is None or isinstance(value, dict), "an object or null"),
    "abstraction": (lambda value: value is None or isinstance(value, dict), "an object or null"),
    "key": (lambda value: value is None or isinstance(value, str), "a name or null"),
}
"""By field: what is allowed, and that in words."""


def check_fields(about: Mapping[str, Any]) -> None:
    """Raise a `ValueError` in one line for a field that is missing or is not what it must be."""
    for name, (allowed, words) in FIELDS.items():
        if name not in about:
            raise ValueError(f"its {name} are missing" if name.endswith("s") else f"its {name} is missing")
        if not allowed(about[name]):
            raise ValueError(f"its {name}, {shown(about[name])}, must be {words}")
    form, algorithm = about["form"], about["algorithm"]
    known = names_of(form)
    if algorithm not in known and (form == "sampling" or not about["own"]):
        raise ValueError(f"its algorithm, {shown(algorithm)}, is none of form {form}: {', '.join(known)}")
    if not about["whole"] and (form != "sampling" or not METHODS[algorithm].takes(BETTING)):
        raise ValueError(f"its whole, false, does not go with form {form} and algorithm {algorithm}")
    if form == "sampling" and about["dice"] is None:
        raise ValueError("its dice, null, must be an object for form sampling")
    if about["values"] is not None and len(about["values"]) != len(about["stacks"]):
        raise ValueError(f"it has {len(about['values'])} values for {len(about['stacks'])} stacks")


def check_arrays(arrays: Mapping[str, Array], players: int, *, contents: bool) -> None:
    """The same for arrays; `contents` looks at all of their numbers."""
    for name in ("first", "of_player", "moves", "amounts", "cards", "labels", "label_ends", "chances"):
        if name not in arrays:
            raise ValueError(f"its array {name} is missing")
    infosets, sequences = len(np.atleast_1d(arrays["first"])) - 1, len(np.atleast_1d(arrays["chances"]))
    learned = sequences + players
    sizes = {
        "first": infosets + 1, "of_player": players + 1, "moves": sequences, "amounts": sequences, "cards": sequences,
        "label_ends": infosets, "chances": sequences, "regrets": learned, "averages": learned, "strategy": learned,
        "predicted": learned,
    }  # fmt: skip
    floats = ("chances", "regrets", "averages", "strategy", "predicted")
    for name in ("regrets", "averages", "strategy"):
        if name not in arrays:
            raise ValueError(f"its array {name} is missing")
    for name, array in arrays.items():
        kinds = "f" if name in floats else "biuf" if name.startswith("kept_") else "iu"
        if array.dtype.kind not in kinds or (name in floats and array.dtype.itemsize not in (4, 8)):
            raise ValueError(f"its array {name} is of {array.dtype}")
        if name in sizes and array.shape != (sizes[name],):
            raise ValueError(f"its array {name} has the shape {array.shape}, which does not fit the others")
    if arrays["labels"].ndim != 1 or arrays["labels"].dtype != np.uint8:
        raise ValueError("its array labels is no text")
    if infosets < 0:
        raise ValueError("its array first is empty")
    _check_steps("first", arrays["first"], 0, sequences, least=1)
    _check_steps("of_player", arrays["of_player"], 0, infosets)
    if infosets:
        _check_steps("label_ends", arrays["label_ends"], None, len(arrays["labels"]))
    if not contents:
        return
    for name in floats:
        if name in arrays and not np.isfinite(arrays[name]).all():
            raise ValueError(f"its array {name} has numbers that are none")
    if sequences and not (0 <= arrays["chances"].min() and arrays["chances"].max() <= 1 + 1e-6):
        raise ValueError("its chances are not from 0 to 1")
    if not np.isin(arrays["moves"], [int(move) for move in Move]).all():
        raise ValueError("its array moves has moves that there are not")


def _check_steps(name: str, array: Array, first: int | None, last: int, least: int = 0) -> None:
    """Numbers that only grow, from the first to the last."""
    ends = int(array[0]) in (first, int(array[0]) if first is None else first), int(array[-1]) == last
    if not all(ends) or int(array[0]) < 0 or (len(array) > 1 and (np.diff(array.astype(np.int64)) < least).any()):
        raise ValueError(f"its array {name} does not fit the others")


def shown(value: Any) -> str:
    """A value as it is quoted: its beginning."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
