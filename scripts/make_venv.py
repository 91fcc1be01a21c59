"""Build .venv from requirements.lock, or let it grow: ``make_venv.py SET…``, run by ``make``. Needs nothing but Python.

`lock.py` lists the sets: ``play`` is what a player needs, ``dev`` adds the tools behind ``make test``.

Debian splits `ensurepip` off its Python, so pip is taken from the nearest place that has it: the system's pip, the
wheel of pip that came with this Python, and last, for root, apt. Where none has it, the message says which package to
install. pip brings uv, which installs the rest in a tenth of pip's time; where uv cannot be had or fails, pip does it.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
UV = VENV / "bin" / "uv"
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"

Pip = tuple[list[str], dict[str, str]]
"""A pip, or a uv that is called like it: the beginning of its command line, and variables for it."""

OWN_PIP: Pip = [str(PYTHON), "-m", "pip"], {}

SETTINGS = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}
"""pip's settings for where packages come from, which uv does not read, and uv's variables for the same."""


def run(command: list[str], environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run a command; what it prints is kept."""
    try:
        return subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)
    except OSError as error:
        return subprocess.CompletedProcess(command, 127, "", str(error))


def succeeds(*command: str | Path, **environment: str) -> bool:
    """Whether a command goes well."""
    return run([str(word) for word in command], environment).returncode == 0


def locked(*sets: str) -> list[str]:
    """The packages of the lock that some sets need, each with its version and hashes."""
    packages = re.split(r"\n(?=[^\s#])", LOCK.read_text(encoding="utf-8"))[1:]
    return [package for package in packages if set(sets) & set(package.rpartition("# for ")[2].strip().split(", "))]


# The environment and its pip


def has_pip() -> bool:
    """Whether .venv is there, not left over from a Python that is gone, and able to install."""
    return succeeds(PYTHON, "-c", "import sys, pip; sys.exit(sys.version_info < (3, 11))")


def make_venv() -> Pip:
    """An empty environment; returns a pip that installs into it."""
    shutil.rmtree(VENV, ignore_errors=True)
    if not succeeds(sys.executable, "-m", "venv", "--without-pip", VENV):
        sys.exit(
            f"{sys.executable} cannot make a virtual environment at {VENV}: install python{VERSION}-venv, then again."
        )
    for pip in pips():
        if succeeds(*pip[0], "--version", **pip[1]):
            return pip
    shutil.rmtree(VENV, ignore_errors=True)
    sys.exit(f"This Python comes without pip: run 'sudo apt-get install python{VERSION}-venv', then again.")


def pips() -> Iterator[Pip]:
    """Where there may be a pip that can install into .venv, the nearest place first."""
    yield [sys.executable, "-m", "pip", "--python", str(PYTHON)], {}
    yield from bundled_pips()
    if get_by_apt():
        yield from bundled_pips()


def bundled_pips() -> Iterator[Pip]:
    """The wheels of pip beside this Python: a wheel is a zip file that Python can run."""
    for place in (Path(sysconfig.get_path("stdlib"), "ensurepip", "_bundled"), Path("/usr/share/python-wheels")):
        for wheel in place.glob("pip-*.whl"):
            yield OWN_PIP[0], {"PYTHONPATH": str(wheel)}


def get_by_apt() -> bool:
    """Install the package that brings pip's wheel, where that needs nobody's password."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    install = ("apt-get", "install", "-y", "--no-install-recommends", f"python{VERSION}-venv")
    if succeeds(*install, DEBIAN_FRONTEND="noninteractive"):
        return True
    return succeeds("apt-get", "update") and succeeds(*install, DEBIAN_FRONTEND="noninteractive")


# Packages


def uv_like(pip: Pip) -> Pip:
    """uv, told what this pip is told about where packages come from."""
    command, environment = pip
    lines = run([*command, "config", "list"], environment).stdout
    variables = {
        SETTINGS[name]: " ".join(ast.literal_eval(value).split())
        for name, value in re.findall(r"^\S+\.([\w-]+)=(.+)$", lines, re.MULTILINE)
        if name in SETTINGS
    }
    # Every file is known by its hash, so it does not matter which index has it
    return [str(UV), "pip"], variables | {
        "VIRTUAL_ENV": str(VENV), "UV_NO_CONFIG": "1", "UV_INDEX_STRATEGY": "unsafe-best-match"
    }  # fmt: skip


def install_packages(pip: Pip, packages: list[str]) -> str:
    """Install packages of the lock; returns what went wrong."""
    requirements = VENV / "requirements.txt"
    requirements.write_text("\n".join(packages) + "\n", encoding="utf-8")
    return install(pip, "--require-hashes", "--requirement", str(requirements))


def install(pip: Pip, *what: str) -> str:
    """Install something without what it depends on; returns what went wrong."""
    command, environment = pip
    # Modules are compiled when they are first used: most of what tools bring never is
    done = run([*command, "install", "--quiet", "--no-compile", "--no-deps", *what], environment)
    return done.stderr.strip() or f"exit status {done.returncode}" if done.returncode else ""


def grow(pip: Pip, *sets: str) -> None:
    """Install what some sets need, and link Felt itself; by pip only where uv does not do it."""
    packages, of_uv = [], []
    for package in locked("setup", *sets):
        (of_uv if package.startswith("uv==") else packages).append(package)
    if not UV.exists():
        install_packages(pip, of_uv)  # for some machines there is none
    for tool in (uv_like(pip), pip) if UV.exists() else (pip,):
        errors = install_packages(tool, packages) or install(tool, "--no-build-isolation", "--editable", ".")
        if not errors:
            return
    sys.exit(f"{errors}\nCould not install what Felt needs (see above): check the connection, then again.")


if __name__ == "__main__":
    pip = OWN_PIP
    if not has_pip():
        print(f"Making .venv with Python {VERSION} …", flush=True)
        pip = make_venv()
    print("Installing Felt into .venv …", flush=True)
    grow(pip, *sys.argv[1:])
