"""Old paths of modules that have moved: imported as the new ones, with a warning that says where they are now."""

import importlib
import sys

import pytest

from felt._moved import MOVED


@pytest.mark.parametrize("old", MOVED)
def test_an_old_path_is_the_new_module(old: str) -> None:
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"{old} is {MOVED[old]} now") as caught:
        module = importlib.import_module(old)
    assert module is importlib.import_module(MOVED[old])
    assert module.__name__ == MOVED[old]
    assert caught[0].filename == importlib.__file__ or caught[0].filename == __file__
    sys.modules.pop(old)


def test_a_path_that_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match="nothing"):
        importlib.import_module("felt.solvers.nothing")


def test_an_old_path_leaves_what_a_package_exports_under_the_same_name() -> None:
    with pytest.warns(DeprecationWarning, match="sampled_gains"):
        sys.modules.pop("felt.solvers.sampled_gains", None)
        importlib.import_module("felt.solvers.sampled_gains")
    from felt.solvers import sampled_gains
    from felt.solvers.sampling import gains

    assert sampled_gains is gains.sampled_gains
    sys.modules.pop("felt.solvers.sampled_gains")
