"""The one place where Numba's options are decided, and where compiled kernels are kept.

Modules that hold kernels (``kernels.py``, ``*_kernels.py``) import `kernel` from here and are themselves
imported only when a kernel is needed, so a command with nothing to compile never loads Numba.

Compiled kernels are kept on disk in a folder named after a hash of all kernel sources: Numba by itself
sees a change in the file of a kernel, but not in the kernels that it calls. Each kernel and signature is
one file that is put in place whole, so any number of processes may fill the folder at once. Whatever is
wrong with the folder (absent, read-only, full, damaged), the kernel is compiled afresh: it only costs time.
"""

import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba

from felt._cache import cache_folder

Kernel = Callable[..., Any]

STALE_AFTER_DAYS = 30
"""Folders of other versions that nobody used for so long are removed when a new one is made."""

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
    makes_arrays = not _MAKERS.isdisjoint(function.__code__.co_names)
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": makes_arrays}
    compiled: Any = numba.njit(**options)(function)
    if not numba.config.DISABLE_JIT:
        compile_for = compiled.compile
        compiled.compile = lambda signature: compile_for(_widened(signature))
    hashed = Path(function.__code__.co_filename).resolve() in _SOURCES  # a kernel elsewhere could go stale unseen
    if hashed and _FOLDER is not None and not numba.config.DISABLE_JIT:
        compiled._cache = _KernelFiles(_FOLDER, function)
    result: Kernel = compiled
    return result


def _widened(signature: Any) -> Any:
    """A signature with 64 bits for each whole number: else every constant and every width is compiled once more."""
    if not isinstance(signature, tuple):
        return signature
    plain = (numba.types.unliteral(kind) for kind in signature)
    return tuple(
        numba.types.int64 if isinstance(kind, numba.types.Integer) and kind.bitwidth < 64 else kind for kind in plain
    )


def kernel_sources() -> list[Path]:
    """This file, every file of kernels and every module of ours that they import, in a fixed order."""
    found = {PACKAGE / "_jit.py"}
    waiting = list(PACKAGE.rglob("*kernels.py"))
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path)
    return sorted(found)


def _imported(path: Path) -> list[Path]:
    """The modules of ours that a file imports; not the packages around them, which give it no values."""
    files = []
    for module, names, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
        if plain:
            files.append(_module(plain))
        for name in names.strip("()").split(","):
            word = name.split("#")[0].split()
            files.append((_module(f"{module}.{word[0]}") if word else None) or _module(module))
    return [file for file in files if file is not None]


def _module(name: str) -> Path | None:
    """The file of one of our modules; None for anything else."""
    package, *inside = name.split(".")
    path = PACKAGE.joinpath(*inside)
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if package == "felt" and file.is_file()), None)


def source_hash(sources: Iterable[Path]) -> str:
    """A short hash of these sources and of the versions that compile them."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in sources:
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def kept() -> list[Path]:
    """The files of the kernels that are on disk, one for each kernel and signature."""
    return [] if _FOLDER is None else sorted(_FOLDER.glob("*.bin"))


def remove_stale(parent: Path, *, keep: str, now: float | None = None) -> list[str]:
    """Remove folders of kernels that nobody used for a month, but for `keep`; returns their names.

    Only real folders named as ours are touched. A process that still runs from one of them loses
    nothing but its next look-up.
    """
    oldest = (time.time() if now is None else now) - STALE_AFTER_DAYS * 86400
    removed = []
    for folder in parent.iterdir():
        ours = _FOLDER_NAME.fullmatch(folder.name) and folder.name != keep
        if ours and not folder.is_symlink() and folder.is_dir() and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder.name)
    return removed


def _open_cache() -> Path | None:
    """The folder for these sources, made and marked as used where that is possible; None without a place."""
    try:
        folder = cache_folder() / f"kernels-{source_hash(_SOURCES)}"
    except (OSError, RuntimeError):  # sources that cannot be read; no home folder
        return None
    with suppress(OSError):
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            remove_stale(folder.parent, keep=folder.name)
        os.utime(folder)
    return folder


class _KernelFiles:
    """What Numba asks for a kernel's compiled code: the interface of `numba.core.caching._Cache`.

    Numba's own keeps an index beside the code, which two processes that compile at once can leave
    pointing at the wrong file, and it raises when the disk fails.

    Some of what is used here is private to Numba and may change in any version: a dispatcher's ``_cache`` and
    what is asked of it, ``CompileResult._reduce`` and ``_rebuild``, ``numba.core.serialize.dumps``, and of a
    compiled library ``has_dynamic_globals``, ``can_cache`` and ``magic_tuple``. So nothing that goes wrong with
    them is more than a kernel compiled again.
    """

    def __init__(self, folder: Path, function: Kernel) -> None:
        code = function.__code__
        self.cache_path = str(folder)
        self._folder = folder
        self._name = f"{function.__module__}.{function.__qualname__}".replace("<", "(").replace(">", ")")
        self._place = (function.__module__, function.__qualname__, code.co_firstlineno)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        try:
            from numba.core.compiler import CompileResult

            target_context.refresh()
            content = self._path(signature, target_context.codegen()).read_bytes()
            digest, data = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
            if hashlib.sha256(data).digest() != digest:
                return None
            return CompileResult._rebuild(target_context, *pickle.loads(data))
        except Exception:  # whatever is wrong with the file or with Numba, compiling again mends it
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        with suppress(Exception):  # the kernel is there and works; that it is not kept costs the next process time
            from numba.core.serialize import dumps

            if compiled.library.has_dynamic_globals or any(not part.can_cache for part in compiled.lifted):
                return  # holds addresses that mean nothing to another process
            data = dumps(compiled._reduce())
            _write_whole(self._path(signature, compiled.codegen), hashlib.sha256(data).digest() + data)

    def enable(self) -> None:
        """Asked by Numba; the files are always in use."""

    def disable(self) -> None:
        """Asked by Numba; the files are always in use."""

    def flush(self) -> None:
        """Forget what is kept for this kernel."""
        with suppress(OSError):
            for path in self._folder.glob(f"{self._name}-*.bin"):
                path.unlink(missing_ok=True)

    def _path(self, signature: Any, codegen: Any) -> Path:
        options = (numba.config.OPT, numba.config.BOUNDSCHECK)
        key = repr((self._place, str(signature), codegen.magic_tuple(), options))
        return self._folder / f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.bin"


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


_SOURCES = kernel_sources()
_FOLDER = _open_cache()
