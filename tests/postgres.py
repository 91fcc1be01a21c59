"""A real PostgreSQL for tests: started in a folder of its own when the first test needs it, shared by all workers.

The programs are those on the path, or where Debian and macOS put them, or those that the package pgserver brings.
"""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

PLACES = ("/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin")
QUICK = ("fsync=off", "full_page_writes=off")
USER = "felt"


@cache
def programs() -> Path | None:
    """The folder with initdb and postgres; None where there is none that can be run."""
    found = [Path(at).resolve().parent for at in (shutil.which("initdb"),) if at]
    for place in PLACES:
        found += sorted(Path("/").glob(place.removeprefix("/")), reverse=True)
    if (package := find_spec("pgserver")) and package.origin:
        found.append(Path(package.origin).parent / "pginstall" / "bin")
    return next((one for one in found if (one / "initdb").is_file() and _runs(one / "postgres")), None)


def _runs(program: Path) -> bool:
    """Whether the program can be run as whom it has to be."""
    try:
        return subprocess.run([program, "--version"], capture_output=True, cwd="/", **_as_somebody()).returncode == 0
    except OSError:
        return False


def missing() -> str:
    """Why there can be no PostgreSQL; empty if there can."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    return "" if programs() else "PostgreSQL (initdb, postgres) is not installed"


def _as_somebody() -> dict[str, Any]:
    """How to start programs as somebody else than root, as whom PostgreSQL does not run."""
    if os.geteuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        try:
            who = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
    raise RuntimeError("there is no user as whom PostgreSQL could be started")


class Server:
    """PostgreSQL in a folder, listening on a socket there; it outlives the process that starts it."""

    def __init__(self, folder: Path, settings: tuple[str, ...] = QUICK) -> None:
        self.folder, self._settings = folder, settings
        self._who = _as_somebody()

    def create(self) -> None:
        """Make the files of the server."""
        if self._who:
            os.chown(self.folder, self._who["user"], self._who["group"])
        self._run("initdb", "-D", "data", "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
        settings = ("listen_addresses=''", f"unix_socket_directories='{self.folder}'", "max_connections=60")
        with (self.folder / "data" / "postgresql.conf").open("a") as file:
            file.writelines(f"{one}\n" for one in (*settings, *self._settings))

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._run("pg_ctl", "start", "-w", "-D", "data", "-l", "log")

    def end(self, how: str = "fast") -> None:
        """Stop it: fast, or immediate as if it had crashed."""
        self._run("pg_ctl", "stop", "-w", "-D", "data", "-m", how)

    def _run(self, program: str, *options: str) -> None:
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([f"{programs()}/{program}", *options], cwd=self.folder, check=True, **quiet, **self._who)

    def database(self) -> str:
        """A new database: its URL."""
        import psycopg

        name = f"felt_{uuid4().hex[:12]}"
        with psycopg.connect(host=str(self.folder), user=USER, dbname="postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
        return f"postgresql://{USER}@/{name}?host={self.folder}"


@contextmanager
def shared_server(place: Path) -> Iterator[Server]:
    """The server of this run of the tests; who comes first starts it, who goes last stops it."""
    with _users(place) as (folder, users):
        if not folder:
            folder = tempfile.mkdtemp(prefix="felt-pg-")
            Server(Path(folder)).create()
        server = Server(Path(folder))
        if not users:
            server.start()
        _note(place, folder, users + 1)
    try:
        yield server
    finally:
        with _users(place) as (folder, users):
            _note(place, folder, users - 1)
            if users == 1:
                server.end()
                shutil.rmtree(folder, ignore_errors=True)
                _note(place, "", 0)


@contextmanager
def _users(place: Path) -> Iterator[tuple[str, int]]:
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder, users = place.read_text().split("\n") if place.is_file() else ("", "0")
        yield folder, int(users)


def _note(place: Path, folder: str, users: int) -> None:
    place.write_text(f"{folder}\n{users}")
