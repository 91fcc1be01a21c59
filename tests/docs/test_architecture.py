"""docs/architecture.md has every room and sub-package, and names only files and functions that are there."""

import ast
import re
from pathlib import Path

from scripts.docs_reference import rooms

ROOT = Path(__file__).parents[2]
FELT = ROOT / "src" / "felt"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `felt\.([\w.]+)` \| `([\w./]+)` \| .+ \|$", PAGE, re.MULTILINE)
PLACES = re.findall(r"^\| [^|`]+ \| `([\w./]+)` \| (.*) \|$", PAGE, re.MULTILINE)


def folder(package: str) -> Path:
    return FELT.joinpath(*package.split("."))


def test_the_rooms_are_those_of_the_contract_in_its_order() -> None:
    """`rooms` reads the layers contract; that it has every folder is tested with the reference."""
    assert [name for name, _ in ROWS if "." not in name] == list(reversed(rooms()))


def test_every_sub_package_has_its_row() -> None:
    packages = {".".join(path.parent.relative_to(FELT).parts) for path in FELT.rglob("__init__.py")} - {""}
    listed = [name for name, _ in ROWS]
    assert len(set(listed)) == len(listed), "docs/architecture.md lists a package twice"
    assert sorted(packages - set(listed)) == [], "docs/architecture.md needs a row for these"
    assert sorted(set(listed) - packages) == [], "docs/architecture.md lists what is not there"


def test_every_single_file_has_its_row() -> None:
    files = {path.name for path in FELT.glob("*.py")} - {"__init__.py"}
    assert {name for name in files if f"`{name}`" not in PAGE} == set()


def test_the_files_to_read_first_are_there() -> None:
    assert [f"felt.{name}: {file}" for name, file in ROWS if not (folder(name) / file).is_file()] == []


def test_what_is_said_to_be_somewhere_is_there() -> None:
    assert len(PLACES) >= 15
    missing = []
    for path, functions in PLACES:
        if not (FELT / path).exists():
            missing.append(path)
            continue
        names = re.findall(r"`(\w+)`", functions)
        if names:
            tree = ast.walk(ast.parse((FELT / path).read_text(encoding="utf-8")))
            known = {getattr(node, "name", None) or getattr(node, "attr", None) for node in tree}
            missing += [f"{path}: {name}" for name in names if name not in known]
    assert missing == [], "docs/architecture.md names what is not there"


def test_modules_that_the_text_names_are_there() -> None:
    names = set(re.findall(r"`felt\.([\w.]+)", PAGE))
    assert [name for name in sorted(names) if not is_there(name)] == []


def is_there(name: str) -> bool:
    """Whether a dotted name is a package, a module, or a name in a module."""
    return (
        any(path.with_suffix(".py").is_file() for path in (folder(name), folder(name).parent)) or folder(name).is_dir()
    )
