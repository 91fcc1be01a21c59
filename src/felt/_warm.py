"""Compile every kernel once: ``python -m felt._warm``, part of ``make setup``; with ``--first``, part of ``make play``,
only those that the first hand at a table needs.

Kernels are compiled for the types that they are called with, so the way to compile them all is to ask the
questions that reach them, as a user would, of the smallest inputs. Each room with kernels, or a package inside it,
lists such questions in a ``_warm.py`` of its own. What was compiled before is only loaded.
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
    """What to ask in each room, such as ``games`` or ``solvers.pushfold``, by a name to show.

    Together these questions reach every kernel with every type that it meets.
    """
    paths = {_dotted(path.parent): path for path in _jit.PACKAGE.glob("*/**/_warm.py")}
    return {name: _module(paths[name]).steps() for name in sorted(paths, key=_turn)}


def _turn(room: str) -> tuple[int, str]:
    first = room.partition(".")[0]
    return (ORDER.index(first) if first in ORDER else len(ORDER)), room


def kernels() -> dict[str, Any]:
    """Every kernel that a user can reach, by its full name."""
    by_name = {}
    for path in _jit.kernel_modules():
        if path.name == TOOLS:
            continue
        module = _module(path)
        for value in vars(module).values():
            if hasattr(value, "py_func") and value.py_func.__module__ == module.__name__:
                by_name[f"{module.__name__}.{value.py_func.__qualname__}"] = value
    return by_name


def cold() -> list[str]:
    """Kernels that are neither compiled in this process nor stored on disk: no step reaches them."""
    stored = {path.name.rpartition("-")[0] for path in _jit.compiled_files()}
    return [name for name, compiled in kernels().items() if name not in stored and not compiled.signatures]


def main(*, strict: bool = False) -> None:
    """Compile everything, with a bar that shows how far it is; `strict` fails if a kernel was not reached."""
    started = time.perf_counter()
    if not compile_apart("--room", {room: len(steps) for room, steps in rooms().items()}):
        sys.exit("Some kernels could not be compiled: see above.")
    if not _jit.compiled_files():
        print("The kernels compile, but there is no folder to store them in: set FELT_CACHE to one.", file=sys.stderr)
        return
    print(f"The kernels are compiled ({time.perf_counter() - started:.0f} s).")
    missed = cold() if _jit.knows_numba() else []
    if missed:
        print(f"Not compiled ahead: {', '.join(missed)}: add a question to the room's _warm.py", file=sys.stderr)
        sys.exit(1 if strict else 0)


def compile_first() -> None:
    """Compile what the first hand at a table needs."""
    from felt.arena._warm import first_hand

    print("Compiling what the first hand needs …", flush=True)
    if not compile_apart("--first", dict.fromkeys(first_hand(), 1)):
        sys.exit("The kernels could not be compiled: see above.")


def compile_apart(option: str, parts: dict[str, int]) -> bool:
    """Compile parts (with their numbers of steps), each in a process of its own; whether all went well.

    As many run at a time as there are cores: Numba compiles one kernel at a time in a process. Parts share few kernels,
    so little is done twice.
    """
    from rich.progress import Progress

    with (
        Progress(transient=True, disable=not sys.stdout.isatty()) as progress,
        ThreadPoolExecutor(min(default_threads(), len(parts))) as pool,
    ):
        bar = progress.add_task("Compiling", total=sum(parts.values()))

        def compile_part(part: str) -> bool:
            command = [sys.executable, "-m", "felt._warm", option, part]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                for step in process.stdout or ():
                    progress.update(bar, advance=1, description=f"Compiling: {step.strip()}")
            return process.returncode == 0

        return all(list(pool.map(compile_part, parts)))


def ask_room(room: str) -> None:
    """Ask every question of one room, and print its name when it is answered."""
    for name, ask in rooms()[room].items():
        ask()
        print(name, flush=True)


def _module(path: Path) -> Any:
    return importlib.import_module(f"felt.{_dotted(path)}")


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(_jit.PACKAGE).with_suffix("").parts)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--room", name]:
            ask_room(name)
        case ["--first", name]:
            _module(_jit.PACKAGE / "arena" / "_warm.py").first_hand()[name]()
        case ["--first"]:
            compile_first()
        case options:
            main(strict="--strict" in options)
