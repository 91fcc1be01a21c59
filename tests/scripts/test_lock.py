"""The lock: in step with pyproject.toml, complete for all machines that it is for, and without addresses."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts import lock

TEXTS = re.split(r"\n(?=[^\s#])", lock.LOCK.read_text(encoding="utf-8"))[1:]
PROJECT = tomllib.loads((lock.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS, GROUPS = PROJECT["project"]["optional-dependencies"], PROJECT["dependency-groups"]
ASKED = {
    "setup": [*GROUPS["setup"], *PROJECT["build-system"]["requires"]],
    "play": [*PROJECT["project"]["dependencies"], *EXTRAS["server"]],
    "dev": [line for name in ("dev", "arena", "envs", "postgres", "server") for line in EXTRAS[name]],
    "scale": EXTRAS["scale"],
    "bench": EXTRAS["bench"],
    "node": GROUPS["node"],
}


def sets_of(text: str) -> list[str]:
    return text.rpartition("# for ")[2].strip().split(", ")


def test_it_is_in_step_with_pyproject() -> None:
    assert lock.requirements_digest() in lock.LOCK.read_text(encoding="utf-8"), "run: make lock KEEP=1"


@pytest.mark.parametrize("name", lock.SETS)
def test_it_has_a_version_that_fits_for_every_requirement_on_every_machine(name: str) -> None:
    locked = [Requirement(lock.requirement_of(text)) for text in TEXTS if name in sets_of(text)]
    for line in ASKED[name]:
        asked = Requirement(line)
        if asked.name == "felt-poker":
            continue
        for machine in lock.environments():
            if asked.marker is not None and not asked.marker.evaluate(machine):
                continue
            fits = [
                one
                for one in locked
                if canonicalize_name(one.name) == canonicalize_name(asked.name)
                and (one.marker is None or one.marker.evaluate(machine))
            ]
            assert len(fits) == 1, (line, machine)
            assert asked.specifier.contains(str(fits[0].specifier).removeprefix("==")), (line, str(fits[0]))


def test_each_package_has_one_version_its_hashes_and_the_sets_that_need_it() -> None:
    for text in TEXTS:
        requirement, *rest = text.strip().splitlines()
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; .+)? \\", requirement), requirement
        *hashes, sets = rest
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in hashes), requirement
        assert hashes and sets_of(sets) and set(sets_of(sets)) <= set(lock.SETS), requirement


def test_it_names_no_address() -> None:
    content = lock.LOCK.read_text(encoding="utf-8")
    assert "://" not in content
    assert not re.search(r"^\s*-(?!-hash)", content, re.MULTILINE)


def test_what_is_installed_here_needs_nothing_that_is_not_locked() -> None:
    """For this machine: all that a locked package depends on is in its sets too."""
    from importlib.metadata import PackageNotFoundError, distribution

    by_name = {text.partition("==")[0]: set(sets_of(text)) for text in TEXTS}
    for name, sets in by_name.items():
        try:
            needs = distribution(name).requires or []
        except PackageNotFoundError:
            continue  # of a set that is not installed
        for need in map(Requirement, needs):
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                assert sets <= by_name.get(canonicalize_name(need.name), set()), f"{name} needs {need}"


UV = f"""#!/bin/sh
version=2
for word; do
    case $before in --output-file | -c) grep -q '^a==1' "$word" && version=1 ;; esac
    before=$word
done
echo "a==$version \\\\" && echo "    --hash=sha256:{"0" * 64}"
"""
"""Stands in for uv: knows two versions of one package, and keeps the older one if that is locked."""


@pytest.mark.parametrize(("keep", "version"), [(True, 1), (False, 2)])
def test_versions_are_kept_or_brought_up_to_date(
    keep: bool, version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".venv").mkdir()
    uv = tmp_path / "uv"
    uv.write_text(UV)
    uv.chmod(0o755)
    monkeypatch.setattr(lock, "requirements_digest", lambda: "sha256:0")
    for name, place in (("ROOT", tmp_path), ("UV", uv), ("LOCK", tmp_path / "requirements.lock")):
        monkeypatch.setattr(lock, name, place)
    lock.LOCK.write_text("# head\na==1 \\\n    --hash=sha256:1\n    # for dev\n")
    lock.main(keep=keep)
    assert re.findall(r"^(a==.) ", lock.LOCK.read_text(), re.MULTILINE) == [f"a=={version}"]
    assert f"    # for {', '.join(lock.SETS)}\n" in lock.LOCK.read_text()


def test_hashes_of_a_package_that_another_machine_needs_are_kept(tmp_path: Path) -> None:
    linux, windows = (
        f"a==1 ; sys_platform == '{name}' \\\n    --hash=sha256:{'0' * 64}" for name in ("linux", "win32")
    )
    assert any(lock.is_for(linux, machine) for machine in lock.environments())
    assert not any(lock.is_for(windows, machine) for machine in lock.environments())
