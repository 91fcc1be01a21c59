"""What a solver of a public tree remembers, in the numbers that were chosen for it."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.solvers.public_tree.tree import VectorTree

Array = NDArray[Any]
Floats = NDArray[np.float64]

MOST = 32766
"""The largest of a node's numbers in 16 bits."""


class StoredRows(NamedTuple):
    """Numbers by row and hand, in the form that was chosen; in this order for the kernels."""

    floats: Array
    shorts: NDArray[np.int16]
    """Instead of floats: shares of the largest number of a node."""
    scales: Array
    """By node, for `shorts`."""
    dice: NDArray[np.int64]
    """One number, from which the chances of rounding come."""

    @classmethod
    def empty(cls, shape: tuple[int, int], nodes: int, kind: str) -> "StoredRows":
        """All 0."""
        number, short = np.float64 if kind == "float64" else np.float32, kind == "int16"
        return cls(
            np.zeros((0, 0) if short else shape, dtype=number),
            np.zeros(shape if short else (0, 0), dtype=np.int16),
            np.zeros(nodes if short else 0, dtype=number),
            np.ones(1, dtype=np.int64),
        )

    def rows(self, tree: VectorTree) -> Floats:
        """As floats."""
        if len(self.scales) == 0:
            return self.floats.astype(np.float64)
        return np.asarray(self.shorts * self.scales[tree.node_of_row][:, None], dtype=np.float64)

    def store(self, tree: VectorTree, rows: Floats) -> None:
        """Take other numbers."""
        if len(self.scales) == 0:
            self.floats[:] = rows
            return
        nodes = np.flatnonzero(tree.row >= 0)
        self.scales[nodes] = np.maximum.reduceat(np.abs(rows).max(axis=1), tree.row[nodes]) / MOST
        scale = self.scales[tree.node_of_row][:, None]
        self.shorts[:] = np.round(np.divide(rows, scale, out=np.zeros_like(rows), where=scale > 0))
