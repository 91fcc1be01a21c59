"""Write requirements.lock: one version of every package that Felt's own work needs, with the hash of each of its files.

Run by `make lock`, which takes the newest versions; with ``--keep`` those that are locked and still fit stay. The
package itself keeps the open ranges of pyproject.toml. The lock holds no addresses: it works with whatever index pip is
set up for.

The lock is a requirements file that pip reads as it is. A line under each package names the sets that need it; which
sets there are is said below, and `make_venv.py` installs one or more of them.
"""

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
UV = Path(sys.prefix) / "bin" / "uv"

SETS = {
    "setup": ("--group", "setup"),
    "play": ("pyproject.toml", "--extra", "server"),
    "dev": ("pyproject.toml", "--extra", "dev"),
    "scale": ("pyproject.toml", "--extra", "scale"),
    "bench": ("pyproject.toml", "--extra", "bench"),
    "node": ("--group", "node"),
}
"""What is installed together, and where pyproject.toml lists it."""

PYTHONS = ("3.11.0", "3.11.99", "3.12.99", "3.13.99")
PLATFORMS = (("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"), ("darwin", "x86_64"))
"""What the lock is for."""

HEADER = """\
# One version of every package that `make` installs, with the hashes of its files. Written by `make lock`.
# For Python {pythons}, on Linux and macOS. After each package: the sets that need it (scripts/lock.py).
# Requirements in pyproject.toml: {digest}
"""


def environments() -> Iterator[dict[str, str]]:
    """The machines that the lock is for, as markers see them."""
    for version, (platform, machine) in product(PYTHONS, PLATFORMS):
        yield {
            "python_version": version.rpartition(".")[0],
            "python_full_version": version,
            "sys_platform": platform,
            "platform_system": {"linux": "Linux", "darwin": "Darwin"}[platform],
            "platform_machine": machine,
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
            "os_name": "posix",
        }


def requirements_digest() -> str:
    """A hash of what pyproject.toml asks for: a lock with another one is out of step."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = [project["project"][part] for part in ("requires-python", "dependencies", "optional-dependencies")]
    asked += [project["build-system"]["requires"], project["dependency-groups"]]
    return "sha256:" + hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def compile_requirements(*options: str | Path) -> list[str]:
    """Resolve for all machines at once; one text for each package and version, with its hashes."""
    command = [UV, "pip", "compile", "--universal", "--python-version", PYTHONS[0], "--no-header"]
    command += ["--no-annotate", "--no-emit-index-url", "--no-emit-find-links", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"The requirements of pyproject.toml cannot be resolved:\n{done.stderr.strip()}")
    texts = re.split(r"\n(?=\S)", done.stdout.strip())
    return [text for text in texts if any(is_for(text, machine) for machine in environments())]


def is_for(text: str, machine: dict[str, str]) -> bool:
    """Whether a machine needs a package."""
    marker = Requirement(requirement_of(text)).marker
    return marker is None or marker.evaluate(machine)


def requirement_of(text: str) -> str:
    """The requirement at the beginning of a package's text."""
    return text.split("\\")[0].split("--hash")[0].strip()


def main(*, keep: bool) -> None:
    everything = [
        "pyproject.toml",
        *(word for options in SETS.values() for word in options if word != "pyproject.toml"),
    ]
    written = ROOT / ".venv" / "locked.txt"  # uv keeps the versions that it finds in the file that it writes
    pins = re.findall(r"^\w[^\\\n]*", LOCK.read_text(encoding="utf-8"), re.MULTILINE) if keep else []
    written.write_text("\n".join(pins), encoding="utf-8")
    locked = compile_requirements("pyproject.toml", *everything, "--generate-hashes", "--output-file", written)
    pinned = {requirement_of(text) for text in locked}
    constraints = ROOT / ".venv" / "constraints.txt"
    constraints.write_text("\n".join(sorted(pinned)) + "\n", encoding="utf-8")
    members = {
        name: {requirement_of(text).split(" ;")[0] for text in compile_requirements(*options, "-c", constraints)}
        for name, options in SETS.items()
    }
    lines = [HEADER.format(pythons="3.11 to 3.13", digest=requirements_digest())]
    for text in locked:
        sets = [name for name, packages in members.items() if requirement_of(text).split(" ;")[0] in packages]
        lines.append(f"{text.rstrip()}\n    # for {', '.join(sets)}\n")
    LOCK.write_text("".join(lines), encoding="utf-8")
    print(f"{LOCK.name}: {len(locked)} packages.")


if __name__ == "__main__":
    main(keep="--keep" in sys.argv)
