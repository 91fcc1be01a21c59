"""What a command with nothing to compile must never pay for."""

import subprocess
import sys

import pytest

HEAVY = ("numba", "llvmlite", "torch", "ray", "fastapi", "scipy", "pandas")


@pytest.mark.parametrize("module", ["felt", "felt.cards", "felt.odds", "felt.server", "felt.cli.app"])
def test_importing_loads_nothing_heavy(module: str) -> None:
    program = f"import sys, {module}; print(*[name for name in {HEAVY} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert loaded.returncode == 0, loaded.stderr
    assert loaded.stdout.split() == []


def modules_after(arguments: list[str]) -> set[str]:
    """What has been imported when a command is done, in a process of its own."""
    program = (
        "import sys; from felt.cli.app import main; sys.argv[0] = 'felt'\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return set(ran.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [["--help"], ["rank", "--help"], ["range", "TT+"], ["rank", "AhAh"]])
def test_a_command_with_nothing_to_compile_never_loads_the_compiler(arguments: list[str]) -> None:
    assert "numba" not in modules_after(arguments)


@pytest.mark.parametrize(
    "arguments", [["rank", "AsAd", "KhKs", "--board", "QsJh2h7c3d"], ["equity", "AsKs", "QQ+,AKs", "--board", "QhJs2c"]]
)
def test_rank_and_equity_begin_soon_since_they_load_nothing_of_other_commands(arguments: list[str]) -> None:
    loaded = modules_after(arguments)
    assert not {"numba", "llvmlite", "pydantic", "rich.progress", "asyncio", "sqlite3"} & loaded
    commands = {name for name in loaded if name.startswith("felt.cli.")}
    own = {"app", "loading", "options", "output", "cards", {"rank": "cards.rank", "equity": "cards.odds"}[arguments[0]]}
    assert commands <= {f"felt.cli.{name}" for name in own}
