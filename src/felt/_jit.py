"""The one place that decides Numba's options and stores compiled kernels.

Modules that hold kernels (``kernels.py``, ``*_kernels.py``) import `kernel` from here and are themselves
imported only when a kernel is needed, so a command with nothing to compile never loads Numba.

Compiled kernels are stored on disk. Each module of kernels has a folder, named after a hash of its source and
of the sources of all our modules that it imports, directly or not: Numba by itself sees a change in the file
of a kernel, but not in the kernels that it calls. Each kernel and signature is one file that is put in place
whole, so any number of processes may fill a folder at once. Whatever is wrong with a folder (absent,
read-only, full, damaged), the kernel is compiled again: it only costs time.
"""

import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba

from felt._cache import cache_folder
from felt._parts import knows_parts, link_parts, rebuild_part, reduce_part

Kernel = Callable[..., Any]

STALE_AFTER_DAYS = 30
"""Folders that no process has used for so long are removed when a new one is made."""

KNOWN_NUMBA = ((0, 61), (0, 68))
"""The first and the last version of Numba whose private parts are as `kernel` and `_KernelFiles` use them.

With any other version kernels are compiled by what Numba documents alone: with the same results, but more slowly.
"""

PACKAGE = Path(__file__).resolve().parent
_FOLDER_NAME = re.compile(r"kernels-[0-9a-f]{16}")
_DIGEST_BYTES = 32

_IMPORT = re.compile(r"^[ \t]*(?:from (felt[\w.]*) import (\([^)]*\)|[^\n]*)|import (felt[\w.]*))", re.MULTILINE)
"""Imports of our modules, by their full names as everywhere here; parsing the files would take much of a start."""

_MAKERS = {"arange", "array", "astype", "copy", "empty", "empty_like", "full", "ones", "zeros", "zeros_like"}
"""Names by which a kernel makes arrays; one that uses another does not compile."""


def kernel(function: Kernel) -> Kernel:
    """Compile a kernel when it is first called: no Python objects, no GIL, kept on disk.

    Whole numbers of every size share one compiled form; the door for C programs, which nobody uses, is left out.
    A kernel that makes no arrays does not count references to those it is given: their owner waits for it, and
    counting would take more time than most moves of a game. Such a kernel must not return an array.
    """
    if not knows_numba():
        return _plain_kernel(function)
    makes_arrays = not _MAKERS.isdisjoint(function.__code__.co_names)
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": makes_arrays}
    compiled: Any = numba.njit(**options)(function)
    folder = kernel_folder(Path(function.__code__.co_filename).resolve())
    if folder is not None and not numba.config.DISABLE_JIT:
        compiled._cache = _KernelFiles(folder, function)
    if not numba.config.DISABLE_JIT:
        if knows_parts():
            link_parts(compiled, _widened)
        else:
            compile_for = compiled.compile
            compiled.compile = lambda signature: compile_for(_widened(signature))
    result: Kernel = compiled
    return result


def knows_numba() -> bool:
    """Whether the private parts of this Numba are known."""
    version = re.match(r"(\d+)\.(\d+)\.", numba.__version__)
    return version is not None and KNOWN_NUMBA[0] <= (int(version[1]), int(version[2])) <= KNOWN_NUMBA[1]


def _plain_kernel(function: Kernel) -> Kernel:
    """A kernel for a Numba that is not known, stored by Numba itself, in the folder for its source."""
    options = {"nogil": True, "error_model": "numpy"}
    folder, before = kernel_folder(Path(function.__code__.co_filename).resolve()), numba.config.CACHE_DIR
    try:
        numba.config.CACHE_DIR = str(folder or "")
        result: Kernel = numba.njit(cache=folder is not None, **options)(function)
    except RuntimeError:  # there is no place to store it
        result = numba.njit(**options)(function)
    finally:
        numba.config.CACHE_DIR = before
    return result


def _widened(signature: Any) -> Any:
    """A signature with 64 bits for each whole number: else every constant and every width is compiled once more."""
    if not isinstance(signature, tuple):
        return signature
    plain = (numba.types.unliteral(kind) for kind in signature)
    return tuple(
        numba.types.int64 if isinstance(kind, numba.types.Integer) and kind.bitwidth < 64 else kind for kind in plain
    )


def kernel_modules() -> list[Path]:
    """Every file of kernels in the package, in a fixed order."""
    return sorted(PACKAGE.rglob("*kernels.py"))


@cache
def kernel_folder(source: Path) -> Path | None:
    """The folder for the compiled kernels of a file, marked as used if it exists.

    None if nothing can be stored: there is no home folder, or the file is outside the package and not in the hash.
    """
    try:
        folder = cache_folder() / f"kernels-{source_hash(source)}"
    except (OSError, RuntimeError, ValueError):  # sources that cannot be read; no home folder; not in the package
        return None
    with suppress(OSError):
        os.utime(folder)
    return folder


def source_hash(source: Path) -> str:
    """A short hash of a file of the package, of the modules that it imports and of the versions that compile it."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {_relative(source)}".encode())
    for path in imported_sources(source):
        digest.update(f"{_relative(path)}\0".encode() + _read(path) + b"\0")
    return digest.hexdigest()[:16]


def imported_sources(source: Path) -> list[Path]:
    """A file and this one with all modules of ours that they import, directly or not, in a fixed order."""
    reached, waiting = set[Path](), [PACKAGE / "_jit.py", source]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += imports(path)
    return sorted(reached)


@cache
def imports(path: Path) -> list[Path]:
    """The modules of ours that a file imports; not the packages around them, which give it no values."""
    files = []
    for package, names, module in _IMPORT.findall(_read(path).decode()):
        if module:
            files.append(_module(module))
        for line in names.strip("()").splitlines():
            for name in filter(None, map(str.split, line.split("#")[0].split(","))):
                files.append(_module(f"{package}.{name[0]}") or _module(package))
    return [file for file in files if file is not None]


@cache
def _read(path: Path) -> bytes:
    return path.read_bytes()


def _relative(path: Path) -> str:
    """A file's name in the package: copies of the package in several places share their compiled kernels."""
    return path.relative_to(PACKAGE).as_posix()


def _module(name: str) -> Path | None:
    """The file of one of our modules; None for anything else."""
    package, *inside = name.split(".")
    path = PACKAGE.joinpath(*inside)
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if package == "felt" and file.is_file()), None)


def compiled_files() -> list[Path]:
    """The files of the kernels that are stored on disk, one for each kernel and signature."""
    folders = filter(None, map(kernel_folder, kernel_modules()))
    pattern = "*.bin" if knows_numba() else "**/*.nbc"
    return sorted(path for folder in folders for path in folder.glob(pattern))


def remove_stale(parent: Path, *, now: float | None = None) -> list[str]:
    """Remove folders of kernels that no process has used for a month; returns their names.

    Only real folders named as ours are touched. A process that still runs from one of them loses
    nothing but its next look-up.
    """
    oldest = (time.time() if now is None else now) - STALE_AFTER_DAYS * 86400
    removed = []
    for folder in parent.iterdir():
        ours = _FOLDER_NAME.fullmatch(folder.name)
        if ours and not folder.is_symlink() and folder.is_dir() and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder.name)
    return removed


class _KernelFiles:
    """What Numba asks for a kernel's compiled code: the interface of `numba.core.caching._Cache`.

    Numba's own keeps an index beside the code, which two processes that compile at once can leave
    pointing at the wrong file, and it raises when the disk fails.

    Some of what is used here is private to Numba and may change in any version: a dispatcher's ``_cache`` and
    what is asked of it, ``CompileResult._reduce`` and ``_rebuild``, ``numba.core.serialize.dumps``, and of a
    compiled library ``has_dynamic_globals``, ``can_cache`` and ``magic_tuple``. So it is used only with versions that
    are known (`KNOWN_NUMBA`), and nothing that goes wrong with it is more than a kernel compiled again.
    """

    def __init__(self, folder: Path, function: Kernel) -> None:
        code = function.__code__
        self.cache_path = str(folder)
        self._folder = folder
        self._name = f"{function.__module__}.{function.__qualname__}".replace("<", "(").replace(">", ")")
        self._place = (function.__module__, function.__qualname__, code.co_firstlineno)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """A program, as Numba asks for it."""
        return self._load("program", signature, target_context, _rebuild_program)

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Store a program, as Numba asks for it."""
        if all(loop.can_cache for loop in compiled.lifted):
            self._save("program", signature, compiled, lambda: compiled._reduce())

    def load_part(self, signature: Any, target_context: Any) -> Any:
        """A part, as `felt._parts` asks for it."""
        return self._load("part", signature, target_context, rebuild_part)

    def save_part(self, signature: Any, part: Any) -> None:
        """Store a part, as `felt._parts` asks for it."""
        self._save("part", signature, part, lambda: reduce_part(part))

    def _load(self, kind: str, signature: Any, target_context: Any, rebuild: Callable[..., Any]) -> Any:
        try:
            target_context.refresh()
            content = self._path(kind, signature, target_context.codegen()).read_bytes()
            digest, data = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
            if hashlib.sha256(data).digest() != digest:
                return None
            return rebuild(target_context, *pickle.loads(data))
        except Exception:  # whatever is wrong with the file or with Numba, compiling again mends it
            return None

    def _save(self, kind: str, signature: Any, compiled: Any, reduce: Callable[[], Any]) -> None:
        with suppress(Exception):  # the kernel is there and works; if it is not stored, the next process takes longer
            from numba.core.serialize import dumps

            if compiled.library.has_dynamic_globals:
                return  # holds addresses that mean nothing to another process
            data = dumps(reduce())
            if not self._folder.is_dir():
                self._folder.mkdir(parents=True, exist_ok=True)
                remove_stale(self._folder.parent)
            _write_whole(self._path(kind, signature, compiled.codegen), hashlib.sha256(data).digest() + data)

    def enable(self) -> None:
        """Asked by Numba; the files are always in use."""

    def disable(self) -> None:
        """Asked by Numba; the files are always in use."""

    def flush(self) -> None:
        """Forget what is kept for this kernel."""
        with suppress(OSError):
            for path in self._folder.glob(f"{self._name}-*.bin"):
                path.unlink(missing_ok=True)

    def _path(self, kind: str, signature: Any, codegen: Any) -> Path:
        options = (numba.config.OPT, numba.config.BOUNDSCHECK)
        key = repr((kind, self._place, str(signature), codegen.magic_tuple(), options))
        return self._folder / f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.bin"


def _rebuild_program(target_context: Any, *state: Any) -> Any:
    from numba.core.compiler import CompileResult

    return CompileResult._rebuild(target_context, *state)


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees all of it or none."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
