"""The API reference: a page for each room, made from what its front door exports and from the docstrings.

`mkdocs.yml` names this file twice. As a hook of MkDocs it adds a page for each room to the section "Reference", and a
table of the rooms to its first page (``<!-- rooms -->``). As an extension of Griffe, which reads the docstrings, it
puts examples (``>>>``) into fences, so that they are shown as code.
"""

import ast
import importlib
import inspect
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
FELT = ROOT / "src" / "felt"
ROOMS = "<!-- rooms -->"


def on_config(config: MkDocsConfig) -> None:
    """Called by MkDocs: lists the pages in the section "Reference"."""
    (section,) = (entry["Reference"] for entry in config.nav or [] if "Reference" in entry)
    section.extend({f"felt.{room}": f"reference/{room}.md"} for room in rooms())


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Called by MkDocs: adds the pages."""
    for room in rooms():
        files.append(File.generated(config, f"reference/{room}.md", content=describe_room(f"felt.{room}")))


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for each page: fills in the table of rooms."""
    return markdown.replace(ROOMS, packages_table("room", [f"felt.{room}" for room in rooms()], link=True))


def rooms() -> list[str]:
    """The packages of Felt, from the innermost layer to the outermost.

    >>> rooms()[0]
    'cards'
    """
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    modules = [name.strip().removeprefix("felt.") for layer in reversed(layers) for name in layer.split("|")]
    return [name for name in modules if (FELT / name / "__init__.py").is_file()]


def describe_room(room: str) -> str:
    """The Markdown of one room's page: docstring, sub-packages, and an entry for each exported name."""
    options = "{members: false, show_root_heading: false, show_root_toc_entry: false}"
    page = [f"# {room}\n", f"::: {room}\n    options: {options}\n"]
    folder = FELT.joinpath(*room.split(".")[1:])
    packages = sorted(".".join(path.parent.relative_to(FELT.parent).parts) for path in folder.glob("*/**/__init__.py"))
    if packages:
        page.append(packages_table("sub-package", packages))
    entries = exports(room)
    if entries:
        page += [f"Import these names from the room itself: `from {room} import …`.\n"]
        page += [f"::: {path}\n" for path in entries.values()]
    listed = set(entries.values())
    for package in packages:
        paths = [path for path in exports(package).values() if path not in listed and path.startswith(f"{room}.")]
        if paths:
            page += [f"## {package}\n", *(f"::: {path}\n    options: {{heading_level: 3}}\n" for path in paths)]
            listed.update(paths)
    return "\n".join(page)


def packages_table(title: str, packages: list[str], *, link: bool = False) -> str:
    """A table of packages, each with the first sentence of its docstring."""
    rows = [f"| {title} | holds |", "|---|---|"]
    for package in packages:
        docstring = inspect.getdoc(importlib.import_module(package)) or ""
        summary = " ".join(docstring.split("\n\n")[0].split())
        name = f"[`{package}`]({package.removeprefix('felt.')}.md)" if link else f"`{package}`"
        rows.append(f"| {name} | {summary} |")
    return "\n".join([*rows, ""])


def exports(room: str) -> dict[str, str]:
    """The names that a room exports, each with the path of its definition: classes, then functions, then constants.

    >>> exports("felt.cards")["Range"]
    'felt.cards.ranges.range.Range'
    """
    module = importlib.import_module(room)

    def order(name: str) -> tuple[int, str]:
        value = getattr(module, name)
        return (0 if isinstance(value, type) else 1 if callable(value) else 2), name.lower()

    return {name: definition(module, name) for name in sorted(getattr(module, "__all__", []), key=order)}


def definition(module: ModuleType, name: str) -> str:
    """The dotted path where an exported name is defined; a front door may import it when it is first asked for."""
    value = getattr(module, name)
    if isinstance(value, ModuleType):
        return value.__name__
    home = getattr(value, "__module__", None)
    if isinstance(home, str) and home.startswith("felt") and getattr(value, "__name__", None) == name:
        return f"{home}.{name}"
    for file in sorted(FELT.joinpath(*module.__name__.split(".")[1:]).rglob("*.py")):
        if name in assigned_names(file):  # two files may use one name
            parts = [part for part in file.relative_to(FELT.parent).with_suffix("").parts if part != "__init__"]
            if getattr(importlib.import_module(".".join(parts)), name) is value:
                return ".".join([*parts, name])
    raise LookupError(f"{module.__name__} exports {name}, and no file of the room defines it")


def assigned_names(file: Path) -> set[str]:
    """The names that a file assigns at its top level: constants and aliases of types."""
    names = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


class Examples(griffe.Extension):
    """Puts the examples of docstrings into fences: in Markdown, ``>>>`` alone would be a quotation."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring and ">>>" in obj.docstring.value:
            obj.docstring.value = fence_examples(obj.docstring.value)


def fence_examples(docstring: str) -> str:
    """The docstring with each block of examples, up to the next empty line, in a fence."""
    lines: list[str] = []
    in_example = False
    for line in docstring.splitlines():
        if not in_example and line.lstrip().startswith(">>>"):
            lines.append("```pycon")
            in_example = True
        elif in_example and not line.strip():
            lines.append("```")
            in_example = False
        lines.append(line)
    return "\n".join([*lines, "```"] if in_example else lines)
