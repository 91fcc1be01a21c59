"""The page of licences names every package that is locked, with the licence that it states."""

import re
from importlib.metadata import PackageNotFoundError, distribution

from scripts import licences

LOCK = (licences.ROOT / "requirements.lock").read_text(encoding="utf-8")
CONTENT = licences.PAGE.read_text(encoding="utf-8")
ROWS = {name: (licence, sets) for name, licence, sets in re.findall(r"^\| (\S+) \| (.+) \| (.+) \|$", CONTENT, re.M)}


def test_every_locked_package_is_listed_with_its_sets() -> None:
    locked = licences.locked()
    assert len(locked) > 100
    assert {name: ROWS.get(name, ("", ""))[1] for name in locked} == locked, "run: make licences"


def test_the_licence_is_what_the_package_states() -> None:
    installed = 0
    for name in licences.locked():
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue  # of a set that is not installed
        if f"\n{name}=={package.version} " not in LOCK:
            continue  # another version than the lock's may state it in other words
        installed += 1
        assert ROWS[name][0] == licences.licence(package) != "not stated", name
    assert installed > 80


def test_every_package_of_the_page_is_listed() -> None:
    for licence, packages in licences.page_packages().items():
        assert f"| {licence} | {', '.join(packages)} |" in CONTENT, "run: make licences"
