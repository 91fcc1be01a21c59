"""The tables that ship with the package, each loaded once, when it is first asked for.

They are made by ``scripts/build_tables.py`` from nothing but the rules of poker, and the tests build
them again in part and compare.
"""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parent / "data"


@cache
def load(name: str, *, mapped: bool = False) -> NDArray[Any]:
    """The shipped array ``data/NAME.npy``; `mapped` leaves it on disk until it is read."""
    table: NDArray[Any] = np.load(FOLDER / f"{name}.npy", mmap_mode="r" if mapped else None)
    if not mapped:
        table = np.ascontiguousarray(table)
    table.flags.writeable = False
    return table


@cache
def load_archive(name: str) -> dict[str, NDArray[Any]]:
    """The shipped arrays of ``data/NAME.npz``, which is compressed."""
    with np.load(FOLDER / f"{name}.npz") as archive:
        arrays = {key: archive[key] for key in archive.files}
    for array in arrays.values():
        array.flags.writeable = False
    return arrays
