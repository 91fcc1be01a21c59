"""Write docs/project/licences.md: the licence of every package that Felt uses, as the package itself states it.

Run by `make licences`, which installs all sets of the lock first.
"""

import json
import re
from importlib.metadata import Distribution, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "project" / "licences.md"
TEXTS = {
    "Permission is hereby granted, free of charge": "MIT License",
    "Apache License": "Apache Software License",
    "PostgreSQL License": "PostgreSQL License",
}
"""Words by which a licence is known where a package has only its text."""

HEAD = """\
# Licences of dependencies

Felt is under the MIT licence. What it uses is listed here with the licence that each package states; `make licences`
writes this page. Felt's own files include none of these packages but Svelte, whose runtime is part of the page.

## Python packages

The last column has the sets of `requirements.lock` that need a package: `play` is for players, `dev` for `make test`,
`scale` and `bench` are extras, and `setup` and `node` build the environment and the page.

| package | licence | for |
|---|---|---|
"""
PAGE_HEAD = """
## The page

The packages that check and build the page, by licence; `svelte` alone is built into it.

| licence | packages |
|---|---|
"""


def locked() -> dict[str, str]:
    """The packages of the lock and the sets that need them."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w-]+)==[^#]+# for ([\w, ]+)$", lock, re.MULTILINE))


def licence(package: Distribution) -> str:
    """What a package says of its licence, in a few words."""
    about = package.metadata
    named = [line.rpartition("::")[2].strip() for line in about.get_all("Classifier") or [] if "License ::" in line]
    texts = [about.get("License") or "", *(_text(package, str(name)) for name in package.files or [])]
    known = [name for words, name in TEXTS.items() if any(words in text for text in texts)]
    stated = about.get("License-Expression") or " or ".join(name for name in named if name != "OSI Approved")
    return stated or (texts[0] if 0 < len(texts[0]) < 40 else "") or (known[0] if known else "not stated")


def _text(package: Distribution, name: str) -> str:
    path = Path(str(package.locate_file(name)))
    return path.read_text(encoding="utf-8", errors="replace") if re.match(r"LICEN[CS]E|COPYING", path.name) else ""


def page_packages() -> dict[str, list[str]]:
    """The packages of the page's lock, by licence."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    by_licence: dict[str, set[str]] = {}
    for path, entry in packages.items():
        if path:
            by_licence.setdefault(entry["license"], set()).add(path.rpartition("node_modules/")[2])
    return {name: sorted(by_licence[name]) for name in sorted(by_licence)}


def main() -> None:
    """Write the page."""
    rows = [f"| {name} | {licence(distribution(name))} | {sets} |\n" for name, sets in locked().items()]
    of_page = [f"| {name} | {', '.join(packages)} |\n" for name, packages in page_packages().items()]
    PAGE.write_text(HEAD + "".join(rows) + PAGE_HEAD + "".join(of_page), encoding="utf-8")


if __name__ == "__main__":
    main()
