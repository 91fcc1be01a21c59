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


@pytest.mark.parametrize("arguments", [["--help"], ["rank", "--help"], ["range", "TT+"], ["rank", "AhAh"]])
def test_a_command_with_nothing_to_compile_never_loads_the_compiler(arguments: list[str]) -> None:
    program = (
        "import sys; from felt.cli.app import main; sys.argv[0] = 'felt'\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "sys.exit('numba' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
