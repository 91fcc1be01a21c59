"""A file of arrays: what it is about as JSON, then the arrays as they lie in memory, so that loading is mapping.

First come sixteen bytes that name the format, a checksum of the description, its length, and the description itself;
it has the place, type and checksum of each array. Files are written beside and put in place whole; what a save that
was killed has left beside is removed by the next one.
"""

import glob
import hashlib
import json
import math
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.moves import Move
from felt.games.rules import MAX_CHIPS, MAX_PLAYERS
from felt.solvers.registry import BETTING, METHODS, SAVED_FORMS, names_of

MAGIC = b"felt strategy 1\n"
DIGEST = 32
HEAD = len(MAGIC) + DIGEST + 8
ALIGN = 64
MOST_AXES = 4

MOST_HEAD = 16_000_000
"""Bytes of a description: rules, moves of a hand so far, and where each array is."""

Array = NDArray[Any]

LEFT_OVER_S = 2.0
"""Age from which on a file that nobody holds is one that was left, in seconds."""


MOST_RULES = 1_000_000
"""Characters of rules in a file."""

MOST_SIZES = 1000
"""Sizes of raises in a menu."""

_SHOWN = 60
"""Characters that are quoted of a value that is wrong."""


class StrategyFileError(FeltError):
    """A file that is no strategy, or not a whole one."""


def is_strategy(path: Path) -> bool:
    """Whether a file says of itself that it is a strategy."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def write_arrays(path: Path, about: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a description and arrays; an older file of this name is there, whole, until the new one is."""
    places: dict[str, Any] = {}
    at = 0
    for name, array in arrays.items():
        array = np.ascontiguousarray(array)
        digest = hashlib.sha256(_bytes(array)).hexdigest()
        places[name] = {"type": array.dtype.str, "shape": list(array.shape), "at": at, "sha256": digest}
        at += -(-array.nbytes // ALIGN) * ALIGN
    head = json.dumps({**about, "arrays": places, "bytes": at}, ensure_ascii=False).encode()
    head += b" " * (-(HEAD + len(head)) % ALIGN)
    try:
        target = path.resolve()
        handle, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError before Python 3.13
        raise _cannot("write", path, error) from None
    try:
        with os.fdopen(handle, "wb") as file:
            _hold(file.fileno())
            file.write(MAGIC + hashlib.sha256(head).digest() + len(head).to_bytes(8, "little") + head)
            for array in arrays.values():
                file.write(_bytes(array))
                file.write(bytes(-array.nbytes % ALIGN))
            file.flush()
            os.fsync(file.fileno())
            Path(part).chmod(0o644)
            Path(part).replace(target)
    except OSError as error:
        raise _cannot("write", path, error) from None
    finally:
        Path(part).unlink(missing_ok=True)
    _clear(target)


def _bytes(array: Array) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _hold(handle: int) -> bool:
    """Mark a file as being written by a process that lives; False if somebody else has."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):  # no locks on this system: only age tells
        return True
    return True


def _clear(target: Path) -> None:
    """Remove what saves of this file have left that were killed."""
    for left_over in target.parent.glob(f".{glob.escape(target.name)}.*.tmp"):
        try:
            if time.time() - left_over.stat().st_mtime > LEFT_OVER_S:
                with left_over.open("rb") as file:
                    if _hold(file.fileno()):
                        left_over.unlink()
        except OSError:  # somebody else was quicker, or it is not ours
            continue


def read_arrays(path: Path, *, verify: bool = True) -> tuple[dict[str, Any], dict[str, Array]]:
    """A description, and arrays that are read when they are looked at; `verify` looks at all of them once."""
    try:
        with path.open("rb") as file:
            start = file.read(HEAD)
            if not start.startswith(MAGIC):
                kind = "a strategy of another version" if start.startswith(MAGIC[:13]) else "no strategy of Felt"
                raise StrategyFileError(f"{str(path)!r} is {kind}: make one with felt solve GAME --save FILE")
            length = int.from_bytes(start[len(MAGIC) + DIGEST :], "little")
            size = path.stat().st_size
            if len(start) < HEAD or length > size:
                raise _cut(path)
            if length > MOST_HEAD:
                raise _foreign(path, f"its description has {length:,} bytes")
            head = file.read(length)
    except OSError as error:
        raise _cannot("read", path, error) from None
    if len(head) < length:
        raise _cut(path)
    if hashlib.sha256(head).digest() != start[len(MAGIC) : len(MAGIC) + DIGEST]:
        raise StrategyFileError(f"{str(path)!r} is damaged: its checksum does not fit; solve the game again")
    about, places, count = _described(path, head)
    more = size - (HEAD + length + count)
    if more < 0:
        raise _cut(path)
    if more > 0:
        raise StrategyFileError(f"{str(path)!r} has {more:,} bytes after its end that are none of it: copy it again")
    arrays = {name: _mapped(path, HEAD + length, count, name, place) for name, place in places.items()}
    if verify:
        for name, place in places.items():
            if hashlib.sha256(_bytes(arrays[name])).hexdigest() != place["sha256"]:
                raise StrategyFileError(f"{str(path)!r} is damaged: the checksum of its {name} does not fit")
    return about, arrays


def _described(path: Path, head: bytes) -> tuple[dict[str, Any], dict[str, Any], int]:
    """What a file says about itself, of its arrays, and how many bytes these have."""
    try:
        about = json.loads(head)
    except (ValueError, RecursionError):
        raise _foreign(path, "its description is no JSON") from None
    if not isinstance(about, dict):
        raise _foreign(path, "its description is no object")
    places, count = about.pop("arrays", None), about.pop("bytes", None)
    if not isinstance(places, dict) or not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise _foreign(path, "its description does not say where its arrays are")
    return about, places, count


def _mapped(path: Path, begin: int, count: int, name: str, place: Any) -> Array:
    """An array of the file; what the file claims of it must lie within its `count` bytes of arrays."""
    try:
        shape, kind, at = tuple(place["shape"]), np.dtype(place["type"]), place["at"]
        in_range = all(type(number) is int and 0 <= number <= count for number in (*shape, at))
        fits = in_range and len(shape) <= MOST_AXES and at + math.prod(shape) * kind.itemsize <= count
        fits = fits and isinstance(place["sha256"], str) and isinstance(place["type"], str)
    except (KeyError, TypeError, ValueError, SyntaxError, OverflowError):
        fits, kind = False, np.dtype(np.uint8)
    if not fits:
        raise _foreign(path, f"where its array {name[:40]!r} is, and of which shape, does not fit the file")
    if kind.kind not in "biuf" or kind.shape:  # above all no addresses of objects, which would be followed
        raise _foreign(path, f"it has arrays of {kind} in it, not of numbers")
    if 0 in shape:
        return np.zeros(shape, dtype=kind)
    return np.memmap(path, dtype=kind, mode="r", offset=begin + at, shape=shape)


def _foreign(path: Path, why: str) -> StrategyFileError:
    return StrategyFileError(f"{str(path)!r} is no strategy of Felt: {why}; make one with felt solve GAME --save FILE")


def _cut(path: Path) -> StrategyFileError:
    return StrategyFileError(f"{str(path)!r} is not whole: its end is missing; solve the game again, or copy it again")


def _cannot(verb: str, path: Path, error: OSError | RuntimeError) -> StrategyFileError:
    reason = getattr(error, "strerror", None) or "error"
    return StrategyFileError(f"cannot {verb} {str(path)!r} ({reason.lower()}): name another file")


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
    """Raise a `ValueError` in one line for a field that is missing or is not what it must be.

    Checksums say that a file is as it was written, not that a solver wrote it. What is checked takes no more memory
    than the file has bytes, whatever sizes it claims.
    """
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


LAYOUT = ("first", "of_player", "moves", "amounts", "cards", "label_ends")
"""Arrays of whole numbers that say which information sets and actions there are."""


def check_arrays(arrays: Mapping[str, Array], players: int, *, contents: bool) -> None:
    """The same for arrays; `contents` looks at all of their numbers."""
    for name in (*LAYOUT, "labels", "chances", "regrets", "averages", "strategy"):
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
