"""Functions of one's own that a file names as ``module:function``, and who is trusted to name them.

Whoever writes a strategy's file could name any function there is, which would be imported and called when the file is
used. So of a file only what Felt itself has is taken, unless the reader says that the file is trusted.
"""

import os
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from felt.errors import FeltError

TRUST = "FELT_TRUST_HOOKS"
"""Set to 1, all files are trusted."""

FELTS_OWN = ("felt.games.keys:information",)
"""Functions that any file may name."""


class UntrustedHookError(FeltError):
    """A file that names a function which nobody has said may be run."""


def trusted(trust: bool | None) -> bool:
    """Whether files may name any function; None for what the environment says."""
    return os.environ.get(TRUST, "") == "1" if trust is None else trust


def check_trust(name: str, *, ready: bool, trust: bool) -> str:
    """The name of a hook in a file, if it may be used: of one that is `ready`, or in a file that is trusted."""
    if ready or trust or name in FELTS_OWN:
        return name
    raise UntrustedHookError(
        f"it names the function {name!r}, which would be run: if you trust the file, set {TRUST}=1 or load it with "
        "trust=True"
    )


def imported(path: str, what: str, ready: Iterable[str] = ()) -> Any:
    """A function by its name, ``module:function``."""
    module, _, name = path.partition(":")
    choices = ", ".join(ready)
    remedy = f"use {f'one of {choices}, or ' if choices else ''}a function as module:function that can be imported"
    if not module or not name:
        raise FeltError(f"{what}={path!r} cannot be found: {remedy}")
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:  # a module may raise anything when it is imported
        raise FeltError(f"{what}={path!r} cannot be found ({error}): {remedy}") from error
    if not callable(found):
        raise FeltError(f"{what}={path!r} is no function: {remedy}")
    return found


def named(given: Any) -> str:
    """The name of a hook, by which `imported` finds it again."""
    if isinstance(given, str):
        return given
    path = f"{getattr(given, '__module__', '?')}:{getattr(given, '__qualname__', '?')}"
    try:
        same = imported(path, "it") is given
    except FeltError:
        same = False
    if not same or path.startswith("__main__:"):
        raise FeltError(
            f"{path!r} cannot be imported, so no file can name it: define the function in a module of its own"
        )
    return path


def called(hook: Callable[..., Any], what: str, given: Any, *about: Any) -> str:
    """What a hook says; if it raises, that is told with its name."""
    try:
        return str(hook(*about))
    except FeltError:
        raise
    except Exception as error:
        told = ", ".join(map(repr, about))
        raise FeltError(f"{what}={told_name(given)!r} fails for ({told}): {type(error).__name__}: {error}") from error


def told_name(given: Any) -> str:
    """A hook in words."""
    return given if isinstance(given, str) else getattr(given, "__qualname__", repr(given))
