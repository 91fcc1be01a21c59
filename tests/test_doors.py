"""Front doors: a package exports the nouns that it lists, and loads nothing before somebody asks for one."""

import importlib
import subprocess
import sys

import pytest

PACKAGES = [
    "felt.abstraction", "felt.solvers", "felt.solvers.cfr", "felt.solvers.public_tree", "felt.solvers.pushfold",
    "felt.solvers.sampling", "felt.solvers.trees",
]  # fmt: skip


@pytest.mark.parametrize("package", PACKAGES)
def test_a_room_exports_its_nouns(package: str) -> None:
    door = importlib.import_module(package)
    assert door.__all__
    for name in door.__all__:
        noun = getattr(door, name)
        assert getattr(noun, "__module__", package).startswith((package, "builtins", "felt"))
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        door.nothing  # noqa: B018 - asked for its error


def test_a_door_that_is_not_passed_loads_nothing() -> None:
    line = f"import sys, {', '.join(PACKAGES)}; print([name for name in ('numpy', 'numba') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
