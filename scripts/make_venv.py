"""Build .venv with Felt and its development tools. Run by `make setup`; needs nothing but Python.

Debian splits `ensurepip` off its Python, so where it is missing pip is taken from the nearest place that
has it: the system's pip, Debian's wheel of it, and last, for root, apt. Where none has it, the message says
which package to install.
"""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


def run(*command: str | Path, **environment: str) -> bool:
    """Run a command with its output hidden; whether it went well."""
    try:
        done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True)
    except OSError:
        return False
    return done.returncode == 0


def has_pip() -> bool:
    """Whether .venv is there, not left over from a Python that is gone, and able to install."""
    return run(PYTHON, "-c", "import sys, pip; sys.exit(sys.version_info < (3, 11))")


def make_venv() -> None:
    shutil.rmtree(VENV, ignore_errors=True)
    if find_spec("ensurepip") and run(sys.executable, "-m", "venv", VENV) and has_pip():
        return
    shutil.rmtree(VENV, ignore_errors=True)
    if not run(sys.executable, "-m", "venv", "--without-pip", VENV):
        sys.exit(
            f"{sys.executable} cannot make a virtual environment at {VENV}: install python{VERSION}-venv, then again."
        )
    for way in (pip_of_system, pip_of_debian, pip_of_apt):
        if way() and has_pip():
            return
    shutil.rmtree(VENV, ignore_errors=True)
    sys.exit(f"This Python comes without pip: run 'sudo apt-get install python{VERSION}-venv', then again.")


def pip_of_system() -> bool:
    return run(sys.executable, "-m", "pip", "--python", PYTHON, "install", "pip")


def pip_of_debian() -> bool:
    """Install pip from a wheel of itself: a wheel is a zip file that Python can run."""
    wheels = Path("/usr/share/python-wheels").glob("pip-*.whl")
    return any(run(PYTHON, "-m", "pip", "install", "--no-index", wheel, PYTHONPATH=str(wheel)) for wheel in wheels)


def pip_of_apt() -> bool:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    install = ("apt-get", "install", "-y", "--no-install-recommends", f"python{VERSION}-venv")
    if not run(*install, DEBIAN_FRONTEND="noninteractive"):
        run("apt-get", "update")
        run(*install, DEBIAN_FRONTEND="noninteractive")
    return run(sys.executable, "-m", "venv", "--clear", VENV)


def install() -> None:
    # Modules are compiled when they are first used: most of what tools bring never is
    options = ("--quiet", "--disable-pip-version-check", "--no-compile")
    command = [PYTHON, "-m", "pip", "install", *options, "--editable", ".[dev]"]
    if subprocess.run(command, cwd=ROOT).returncode:
        sys.exit("Could not install what Felt needs (see above): check the connection, then 'make setup' again.")


if __name__ == "__main__":
    if not has_pip():
        print(f"Making .venv with Python {VERSION} …", flush=True)
        make_venv()
    print("Installing Felt and its tools into .venv (a minute or two the first time) …", flush=True)
    install()
