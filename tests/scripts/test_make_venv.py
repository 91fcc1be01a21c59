"""Set-up: the nearest pip is found, even for a Python without one; what is installed is what the lock has for it."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
Answer = Callable[[str], bool]


@pytest.fixture
def make_venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, let loose on a folder of its own."""
    spec = importlib.util.spec_from_file_location("make_venv", ROOT / "scripts" / "make_venv.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path)
    monkeypatch.setattr(module, "UV", tmp_path / "bin" / "uv")
    monkeypatch.setattr(module, "OWN_PIP", (["own-pip"], {}))
    monkeypatch.setattr(module.shutil, "rmtree", lambda *_, **__: None)
    return module


def answer(module: ModuleType, monkeypatch: pytest.MonkeyPatch, goes_well: Answer, prints: str = "") -> list[str]:
    """Let some commands go well; returns all commands that are run, with their variables."""
    commands: list[str] = []

    def run(command: list[str], environment: dict[str, str]) -> "CompletedProcess[str]":
        variables = [f"{name}={value}" for name, value in environment.items()]
        commands.append(" ".join([*variables, *command]))
        return CompletedProcess(command, 0 if goes_well(commands[-1]) else 1, prints, "it failed")

    monkeypatch.setattr(module, "run", run)
    return commands


# Which pip


def test_the_pip_of_the_system_is_enough(make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = answer(make_venv, monkeypatch, lambda command: True)
    assert make_venv.make_venv()[0][1:4] == ["-m", "pip", "--python"]
    assert "--without-pip" in commands[0] and len(commands) == 2


def test_without_it_the_wheel_beside_python_does(make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(make_venv, monkeypatch, lambda command: "--python" not in command)
    bundled = (["own-pip"], {"PYTHONPATH": "pip.whl"})
    monkeypatch.setattr(make_venv, "bundled_pips", lambda: iter([bundled]))
    assert make_venv.make_venv() == bundled


def test_this_python_has_such_a_wheel_or_a_pip(make_venv: ModuleType) -> None:
    wheels = [Path(environment["PYTHONPATH"]) for _, environment in make_venv.bundled_pips()]
    assert all(wheel.is_file() for wheel in wheels)
    assert wheels or importlib.util.find_spec("pip")


def test_root_gets_it_from_apt_last(make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make_venv.os, "geteuid", lambda: 0)
    monkeypatch.setattr(make_venv.shutil, "which", lambda name: f"/usr/bin/{name}")
    installed: list[str] = []

    def goes_well(command: str) -> bool:
        if "apt-get" in command:
            installed.append(command)
        return "--without-pip" in command or "apt-get" in command or "PYTHONPATH" in command

    answer(make_venv, monkeypatch, goes_well)
    wheels = lambda: iter([(["own-pip"], {"PYTHONPATH": "pip.whl"})] if installed else [])  # noqa: E731
    monkeypatch.setattr(make_venv, "bundled_pips", wheels)
    assert make_venv.make_venv()[1] == {"PYTHONPATH": "pip.whl"}
    assert len(installed) == 1 and "-venv" in installed[0]


def test_where_no_place_has_it_the_message_names_the_package(
    make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_venv.os, "geteuid", lambda: 1000)
    commands = answer(make_venv, monkeypatch, lambda command: "--without-pip" in command)
    with pytest.raises(SystemExit, match=r"apt-get install python3\.\d+-venv"):
        make_venv.make_venv()
    assert not any("apt-get" in command for command in commands)


# What is installed


def test_uv_installs_from_where_pip_would(make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    make_venv.UV.parent.mkdir()
    make_venv.UV.touch()
    settings = "global.index-url='https://pip.example/simple'\n:env:.find-links='/wheels /more'\nglobal.timeout='9'\n"
    commands = answer(make_venv, monkeypatch, lambda command: True, prints=settings)
    make_venv.grow(make_venv.OWN_PIP, "play")
    _, packages, felt = commands
    assert "UV_DEFAULT_INDEX=https://pip.example/simple UV_FIND_LINKS=/wheels /more" in packages
    assert "uv pip install" in packages and "--no-deps --require-hashes" in packages
    assert felt.endswith("--no-build-isolation --editable .")


def test_pip_brings_uv_and_does_without_it(make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    brought: list[str] = []

    def goes_well(command: str) -> bool:
        brought.append((make_venv.VENV / "requirements.txt").read_text())
        return len(brought) > 1  # there is no uv for this machine

    commands = answer(make_venv, monkeypatch, goes_well)
    make_venv.grow(make_venv.OWN_PIP, "play")
    assert brought[0].startswith("uv==") and brought[0].count("==") == 1
    assert brought[1].count("\nnumpy==") == 2 and "\nuv==" not in brought[1]  # a version for each Python
    assert all(command.startswith("own-pip install") for command in commands) and len(commands) == 3


def test_where_uv_fails_pip_does_it(make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    make_venv.UV.parent.mkdir()
    make_venv.UV.touch()
    commands = answer(make_venv, monkeypatch, lambda command: "uv pip" not in command)
    make_venv.grow(make_venv.OWN_PIP, "play")
    assert ["own-pip install" in command for command in commands] == [False, False, True, True]


def test_without_a_connection_it_ends_in_a_line_that_says_so(
    make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(make_venv, monkeypatch, lambda command: False)
    with pytest.raises(SystemExit, match=r"(?s)it failed\n.*check the connection"):
        make_venv.grow(make_venv.OWN_PIP, "play")


def names(packages: list[str]) -> set[str]:
    return {package.partition("==")[0] for package in packages}


def test_a_player_gets_no_tools(make_venv: ModuleType) -> None:
    play, dev = names(make_venv.locked("play")), names(make_venv.locked("dev"))
    assert {"numba", "fastapi", "uvicorn"} <= play < dev
    assert {"mypy", "mkdocs", "playwright", "pytest", "ruff"} <= dev - play
    assert names(make_venv.locked("play", "scale")) == play | names(make_venv.locked("scale"))
