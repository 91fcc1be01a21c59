"""Compile every kernel once: ``python -m felt._warm``, part of ``make setup``.

Kernels are compiled for the types that they are called with, so the way to compile them all is to ask the
questions that reach them, as a user would, of the smallest inputs. Each room with kernels lists such questions
in a ``_warm.py`` of its own. What was compiled before is only loaded.
"""

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from felt import _jit

TOOLS = "build_kernels.py"
"""Kernels that only make the tables which are shipped: nobody but their script waits for them."""


def steps() -> dict[str, Callable[[], object]]:
    """What to ask, by a name to show: together these reach every kernel with every type it meets."""
    found: dict[str, Callable[[], object]] = {}
    for path in sorted(_jit.PACKAGE.glob("*/_warm.py")):
        found |= importlib.import_module(_name(path)).steps()
    return found


def kernels() -> dict[str, Any]:
    """Every kernel that a user can reach, by its full name."""
    found = {}
    for path in sorted(_jit.PACKAGE.rglob("*kernels.py")):
        if path.name == TOOLS:
            continue
        module = importlib.import_module(_name(path))
        for value in vars(module).values():
            if hasattr(value, "py_func") and value.py_func.__module__ == module.__name__:
                found[f"{module.__name__}.{value.py_func.__qualname__}"] = value
    return found


def cold() -> list[str]:
    """Kernels that are neither compiled in this process nor kept on disk: no step reaches them."""
    kept = {path.name.rpartition("-")[0] for path in _jit.kept()}
    return [name for name, compiled in kernels().items() if name not in kept and not compiled.signatures]


def main(*, strict: bool = False) -> None:
    """Compile everything, with a bar that shows how far it is; `strict` fails if a kernel was not reached."""
    from rich.progress import Progress

    started = time.perf_counter()
    with Progress(transient=True, disable=not sys.stdout.isatty()) as progress:
        questions = steps()
        task = progress.add_task("", total=len(questions))
        for name, ask in questions.items():
            progress.update(task, description=f"Compiling: {name}")
            ask()
            progress.advance(task)
    print(f"The kernels are compiled ({time.perf_counter() - started:.0f} s).")
    missed = cold()
    if missed:
        print(f"Not compiled ahead: {', '.join(missed)}: add a question to the room's _warm.py", file=sys.stderr)
        sys.exit(1 if strict else 0)


def _name(path: Path) -> str:
    return ".".join(["felt", *path.relative_to(_jit.PACKAGE).with_suffix("").parts])


if __name__ == "__main__":
    main(strict="--strict" in sys.argv[1:])
