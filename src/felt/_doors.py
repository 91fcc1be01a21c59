"""Front doors of packages: the nouns of a room, each imported when it is first asked for.

So `import felt.solvers` costs nothing, and `from felt.solvers import Solver` loads only what a solver needs.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def open_door(package: str, homes: dict[str, str]) -> tuple[list[str], Callable[[str], Any]]:
    """A package's `__all__` and `__getattr__`: by module inside it, the names that are exported from there.

    >>> names, find = open_door("felt.solvers", {"cfr.solver": "Solver", "registry": "METHODS begin"})
    >>> names, find("Solver").__module__
    (['METHODS', 'Solver', 'begin'], 'felt.solvers.cfr.solver')
    """
    modules = {name: f"{package}.{module}" for module, names in homes.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    return sorted(modules), find
