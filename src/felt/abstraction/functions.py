"""Functions of one's own that a file names as ``module:function``, and who is trusted to name them.

Whoever writes a strategy's file could name any function there is, which would be imported and called when the file is
used. So of a file only what Felt itself has is taken, unless the reader says that the file is trusted.
"""

import os
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from felt.errors import FeltError
from felt.games.views.keys import information

TRUST = "FELT_TRUST_HOOKS"
"""Set to 1, all files are trusted."""

FELTS_OWN: dict[str, Callable[..., Any]] = {"felt.games.keys:information": information}
"""Functions that any file may name. These names are in files: they stay when the function moves."""


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


def imported(path: str, option: str, ready: Iterable[str] = ()) -> Any:
    """A function by its name, ``module:function``."""
    if path in FELTS_OWN:
        return FELTS_OWN[path]
    module, _, name = path.partition(":")
    choices = ", ".join(ready)
    remedy = f"use {f'one of {choices}, or ' if choices else ''}a function as module:function that can be imported"
    if not module or not name:
        raise FeltError(f"{option}={path!r} cannot be found: {remedy}")
    try:
        function: Any = import_module(module)
        for part in name.split("."):
            function = getattr(function, part)
    except Exception as error:  # a module may raise anything when it is imported
        raise FeltError(f"{option}={path!r} cannot be found ({error}): {remedy}") from error
    if not callable(function):
        raise FeltError(f"{option}={path!r} is no function: {remedy}")
    return function


def named(hook: Any) -> str:
    """The name of a hook, by which `imported` finds it again."""
    if isinstance(hook, str):
        return hook
    for name, function in FELTS_OWN.items():
        if hook is function:
            return name
    path = f"{getattr(hook, '__module__', '?')}:{getattr(hook, '__qualname__', '?')}"
    try:
        same = imported(path, "it") is hook
    except FeltError:
        same = False
    if not same or path.startswith("__main__:"):
        raise FeltError(
            f"{path!r} cannot be imported, so no file can name it: define the function in a module of its own"
        )
    return path


def called(hook: Callable[..., Any], option: str, hook_name: Any, *about: Any) -> str:
    """What a hook says; if it raises, that is told with its name."""
    try:
        return str(hook(*about))
    except FeltError:
        raise
    except Exception as error:
        arguments = ", ".join(map(repr, about))
        why = f"{type(error).__name__}: {error}"
        raise FeltError(f"{option}={describe_hook(hook_name)!r} fails for ({arguments}): {why}") from error


def describe_hook(hook: Any) -> str:
    """A hook in words."""
    return hook if isinstance(hook, str) else getattr(hook, "__qualname__", repr(hook))
