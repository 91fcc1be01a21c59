"""Compile every kernel once: ``python -m felt._warm``, part of ``make setup``.

Kernels are compiled for the types that they are called with, so the way to compile them all is to ask the
questions that reach them, as a user would, of the smallest inputs. What was compiled before is only loaded.
"""

import importlib
import time
from collections.abc import Callable
from typing import Any

from felt import _jit

Step = tuple[str, Callable[[], object]]


def steps() -> list[Step]:
    """What to ask, with a name to show: together these reach every kernel with every type it meets."""
    return []


def kernels() -> dict[str, Any]:
    """Every kernel of the package by its full name."""
    package = _jit.PACKAGE
    found = {}
    for path in sorted(package.rglob("*kernels.py")):
        module = importlib.import_module(".".join(["felt", *path.relative_to(package).with_suffix("").parts]))
        for name, value in vars(module).items():
            if hasattr(value, "py_func") and value.py_func.__module__ == module.__name__:
                found[f"{module.__name__}.{name}"] = value
    return found


def cold() -> list[str]:
    """Kernels that were neither compiled nor loaded in this process, nor are part of one that was."""
    return [name for name, compiled in kernels().items() if not compiled.signatures]


def main() -> None:
    """Compile everything, with a bar that shows how far it is."""
    from rich.progress import track

    started = time.perf_counter()
    for _name, ask in track(steps(), description="Compiling the kernels", transient=True):
        ask()
    print(f"Kernels are ready ({time.perf_counter() - started:.0f} s).")


if __name__ == "__main__":
    main()
