"""Compile every kernel once: ``python -m felt._warm``, part of ``make setup``.

Kernels are compiled for the types that they are called with, so the way to compile them all is to ask the
questions that reach them, as a user would, of the smallest inputs. What was compiled before is only loaded.
"""

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from felt import _jit

Step = tuple[str, Callable[[], object]]

TOOLS = "build_kernels.py"
"""Kernels that only make the tables which are shipped: nobody but their script waits for them."""


def steps() -> list[Step]:
    """What to ask, with a name to show: together these reach every kernel with every type it meets."""
    from felt.cards.isomorphism import board_classes
    from felt.cards.ranking import rank_batch, rank_omaha_batch
    from felt.odds import equity

    hands = np.arange(7, dtype=np.int8).reshape(1, 7) * 7
    return [
        ("high hands", lambda: rank_batch(hands)),
        ("low hands", lambda: rank_batch(hands, "low-a5")),
        ("badugi", lambda: rank_batch(hands[:, :4], "badugi")),
        ("Omaha hands", lambda: rank_omaha_batch(hands[:, :4], hands[:, :3] + 1)),
        ("flops", lambda: board_classes(3)),
        ("two ranges", lambda: equity(["AA", "KK"], board="2c7d9h")),
        ("three hands", lambda: equity(["AsAd", "KsKd", "QsQd"], board="2c7d9h", exact=True)),
        ("sampled hands", lambda: equity(["AA", "random"], samples=10)),
        ("Omaha", lambda: equity(["AsAdKsKd", "QhJhTc9c"], board="2c7d9h", game="omaha")),
        ("stud", lambda: equity(["AsAd", "KsKd"], samples=10, game="stud")),
        ("badugi pots", lambda: equity(["As2d3h4c", "Ks2s3d4h"], game="badugi")),
    ]


def kernels() -> dict[str, Any]:
    """Every kernel that a user can reach, by its full name."""
    found = {}
    for path in sorted(_jit.PACKAGE.rglob("*kernels.py")):
        if path.name == TOOLS:
            continue
        module = importlib.import_module(".".join(["felt", *path.relative_to(_jit.PACKAGE).with_suffix("").parts]))
        for value in vars(module).values():
            if hasattr(value, "py_func") and value.py_func.__module__ == module.__name__:
                found[f"{module.__name__}.{value.py_func.__qualname__}"] = value
    return found


def cold() -> list[str]:
    """Kernels that are neither compiled in this process nor kept on disk: `steps` does not reach them."""
    kept = {path.name.rpartition("-")[0] for path in _jit.kept()}
    return [name for name, compiled in kernels().items() if name not in kept and not compiled.signatures]


def main() -> None:
    """Compile everything, with a bar that shows how far it is."""
    from rich.progress import Progress

    started = time.perf_counter()
    with Progress(transient=True, disable=not sys.stdout.isatty()) as progress:
        waiting = steps()
        task = progress.add_task("Compiling the kernels", total=len(waiting))
        for name, ask in waiting:
            progress.update(task, description=f"Compiling the kernels: {name}")
            ask()
            progress.advance(task)
    missed = cold()
    if missed:
        sys.exit(f"Not compiled: {', '.join(missed)}. Add a step that reaches them to {__file__}.")
    print(f"The kernels are compiled ({time.perf_counter() - started:.0f} s).")


if __name__ == "__main__":
    main()
