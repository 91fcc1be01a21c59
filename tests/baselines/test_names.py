"""The Python names that the docs of 0.1 show can still be imported, or warn and are listed as moved or renamed."""

import json
import warnings
from importlib import import_module
from pathlib import Path

import pytest

from tests.baselines.running import FILES

NAMES: dict[str, list[str]] = json.loads((FILES / "names-0.1.0.json").read_text(encoding="utf-8"))
UPGRADING = [*(Path(__file__).parent.parent.parent / "docs").glob("**/upgrading.md")]


@pytest.mark.parametrize(("module", "name"), [(module, name) for module in NAMES for name in NAMES[module]])
def test_a_name_of_the_docs_can_be_imported(module, name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert getattr(import_module(module), name) is not None
    assert {warning.category for warning in caught} <= {DeprecationWarning}
    if caught and UPGRADING:
        listed = "".join(page.read_text(encoding="utf-8") for page in UPGRADING)
        assert f"`{module}`" in listed or f"`{module}.{name}`" in listed, "docs/upgrading.md has not got it"
