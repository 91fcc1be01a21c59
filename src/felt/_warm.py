"""Compile every kernel once: ``python -m felt._warm``, part of ``make setup``.

Kernels are compiled for the types that they are called with, so the way to compile them all is to ask the
questions that reach them, as a user would, of the smallest inputs. Each room with kernels lists such questions
in a ``_warm.py`` of its own. What was compiled before is only loaded.
"""

import importlib
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from felt import _jit
from felt._pool import default_threads

TOOLS = "build_kernels.py"
"""Kernels that only make the tables which are shipped: nobody but their script waits for them."""

ORDER = ("games", "cards", "odds", "solvers")
"""Rooms that are compiled first: all others need what games compile, and would do it again at the same time."""

Steps = dict[str, Callable[[], object]]


def rooms() -> dict[str, Steps]:
    """What to ask in each room, by a name to show: together these reach every kernel with every type it meets."""
    found = sorted(path.parent.name for path in _jit.PACKAGE.glob("*/_warm.py"))
    names = [*(name for name in ORDER if name in found), *(name for name in found if name not in ORDER)]
    return {name: _module(_jit.PACKAGE / name / "_warm.py").steps() for name in names}


def kernels() -> dict[str, Any]:
    """Every kernel that a user can reach, by its full name."""
    found = {}
    for path in sorted(_jit.PACKAGE.rglob("*kernels.py")):
        if path.name == TOOLS:
            continue
        module = _module(path)
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
    started = time.perf_counter()
    if not compile_rooms():
        sys.exit("Some kernels could not be compiled: see above.")
    if not _jit.kept():
        print("The kernels compile, but there is no folder to keep them in: set FELT_CACHE to one.", file=sys.stderr)
        return
    print(f"The kernels are compiled ({time.perf_counter() - started:.0f} s).")
    missed = cold()
    if missed:
        print(f"Not compiled ahead: {', '.join(missed)}: add a question to the room's _warm.py", file=sys.stderr)
        sys.exit(1 if strict else 0)


def compile_rooms() -> bool:
    """Compile each room in a process of its own, as many at a time as there are cores; whether all went well.

    Numba compiles one kernel at a time in a process. Rooms share few kernels, so little is done twice.
    """
    from rich.progress import Progress

    waiting = rooms()
    with (
        Progress(transient=True, disable=not sys.stdout.isatty()) as progress,
        ThreadPoolExecutor(min(default_threads(), len(waiting))) as pool,
    ):
        bar = progress.add_task("Compiling", total=sum(map(len, waiting.values())))

        def compile_room(room: str) -> bool:
            command = [sys.executable, "-m", "felt._warm", "--room", room]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                for step in process.stdout or ():
                    progress.update(bar, advance=1, description=f"Compiling: {step.strip()}")
            return process.returncode == 0

        return all(list(pool.map(compile_room, waiting)))


def ask_room(room: str) -> None:
    """Ask every question of one room, and print its name when it is answered."""
    for name, ask in rooms()[room].items():
        ask()
        print(name, flush=True)


def _module(path: Path) -> Any:
    return importlib.import_module(".".join(["felt", *path.relative_to(_jit.PACKAGE).with_suffix("").parts]))


if __name__ == "__main__":
    if "--room" in sys.argv:
        ask_room(sys.argv[-1])
    else:
        main(strict="--strict" in sys.argv)
