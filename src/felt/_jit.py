"""The one place where Numba's options are decided.

Modules that hold kernels import `kernel` from here and are themselves imported only when a kernel is
needed, so a command with nothing to compile never loads Numba. Compiled code is kept in a folder named
after a hash of all kernel sources: Numba sees a change in the file of a kernel, but not in the kernels
that it calls. Where that folder cannot be written, kernels are compiled afresh; that only costs time.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def source_hash() -> str:
    """A short hash of every kernel source, of this file and of what compiles them."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    root = Path(__file__).parent
    for path in [Path(__file__), *sorted(root.rglob("*kernels.py"))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept: `FELT_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("FELT_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "felt"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "felt"


def _usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except (OSError, RuntimeError):  # RuntimeError: no home folder to be found
        return False


def _prepare_cache() -> bool:
    try:
        folder = cache_folder() / f"kernels-{source_hash()}"
    except (OSError, RuntimeError):
        return False
    if not _usable(folder):
        return False
    numba.config.CACHE_DIR = str(folder)
    return True


CACHED = _prepare_cache()
"""Whether compiled kernels are kept on disk on this machine."""


def kernel(function: F) -> F:
    """Compile a kernel: no Python objects, no GIL, kept on disk."""
    compiled: F = numba.njit(nogil=True, cache=CACHED, error_model="numpy")(function)
    return compiled


def inline(function: F) -> F:
    """Compile a small function that LLVM should fold into the kernels that call it."""
    compiled: F = numba.njit(nogil=True, cache=CACHED, error_model="numpy", inline="never")(function)
    return compiled
