"""Set-up on a machine whose Python has no pip: the nearest place that has it, or the package to install."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def make_venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, let loose on a folder of its own, for a Python without `ensurepip`."""
    spec = importlib.util.spec_from_file_location("make_venv", ROOT / "scripts" / "make_venv.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    return module


def only(module: ModuleType, monkeypatch: pytest.MonkeyPatch, working: str) -> list[str]:
    """Let commands that hold the word `working` succeed, once .venv is made; returns the commands that are run."""
    asked: list[str] = []

    def run(*command: str | Path, **_: str) -> bool:
        asked.append(" ".join(map(str, command)))
        return "--without-pip" in command or working in command

    monkeypatch.setattr(module, "run", run)
    monkeypatch.setattr(module, "has_pip", lambda: working in asked[-1].split())
    return asked


def test_the_pip_of_the_system_is_enough(make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = only(make_venv, monkeypatch, working="--python")
    make_venv.make_venv()
    assert ["--without-pip" in asked[0], "--python" in asked[1]] == [True, True]
    assert len(asked) == 2


def test_root_gets_it_from_apt_last(make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make_venv.os, "geteuid", lambda: 0)
    monkeypatch.setattr(make_venv.shutil, "which", lambda name: f"/usr/bin/{name}")
    asked = only(make_venv, monkeypatch, working="--clear")
    make_venv.make_venv()
    assert any(command.startswith("apt-get install") and "-venv" in command for command in asked)
    assert "--clear" in asked[-1]


def test_where_no_place_has_it_the_message_names_the_package(
    make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_venv.os, "geteuid", lambda: 1000)
    asked = only(make_venv, monkeypatch, working="nothing")
    with pytest.raises(SystemExit, match=r"apt-get install python3\.\d+-venv"):
        make_venv.make_venv()
    assert not any("apt-get" in command for command in asked)
