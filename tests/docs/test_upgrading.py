"""docs/upgrading.md lists each Python name that has moved, and no other."""

import importlib
import re
from pathlib import Path

from felt._moved import MOVED

PAGE = (Path(__file__).parents[2] / "docs" / "upgrading.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(felt[\w.]*)` \| `(felt[\w.]*)` \|$", re.MULTILINE)


def test_the_table_is_that_of_the_aliases() -> None:
    listed = dict(ROW.findall(PAGE))
    assert len(listed) == len(ROW.findall(PAGE)), "a name is listed twice"
    missing = "\n".join(f"| `{old}` | `{new}` |" for old, new in MOVED.items() if listed.get(old) != new)
    assert not missing, f"docs/upgrading.md needs these rows:\n{missing}"
    assert set(listed) == set(MOVED), "docs/upgrading.md lists names without an alias in felt/_moved.py"


def test_the_new_names_are_there() -> None:
    for new in MOVED.values():
        module, _, name = new.rpartition(".")
        try:
            importlib.import_module(new)
        except ModuleNotFoundError:
            assert hasattr(importlib.import_module(module), name), new
