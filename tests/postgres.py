"""A real PostgreSQL for tests: started in a folder of its own when the first test needs it, shared by all workers.

The programs are those on the path, or where Debian and macOS put them.
"""

import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

PLACES = ("/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin")
QUICK = ("fsync=off", "full_page_writes=off")
USER = "felt"


def programs() -> Path | None:
    """The folder with initdb and postgres; None where PostgreSQL is not installed."""
    found = [Path(at).resolve().parent for at in (shutil.which("initdb"),) if at]
    for place in PLACES:
        found += sorted(Path("/").glob(place.removeprefix("/")), reverse=True)
    return next((one for one in found if (one / "initdb").is_file() and (one / "postgres").is_file()), None)


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
    """PostgreSQL in a folder, listening on a socket there."""

    def __init__(self, folder: Path, settings: tuple[str, ...] = QUICK) -> None:
        self.folder, self._settings, self._bin = folder, settings, programs()
        self.process: subprocess.Popen[bytes] | None = None
        self._who = _as_somebody()

    def create(self) -> None:
        """Make the files of the server."""
        if self._who:
            os.chown(self.folder, self._who["user"], self._who["group"])
        command = [f"{self._bin}/initdb", "-D", "data", "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "-N"]
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True, **self._who)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = ("listen_addresses=", f"unix_socket_directories={self.folder}", "max_connections=60")
        options = [part for one in (*settings, *self._settings) for part in ("-c", one)]
        command = [f"{self._bin}/postgres", "-D", "data", *options]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, stdout=log, stderr=log, start_new_session=True, **self._who
            )
        (self.folder / "pid").write_text(str(self.process.pid))
        self.wait()

    def wait(self) -> None:
        """Until it answers."""
        import psycopg

        for _ in range(400):
            try:
                psycopg.connect(host=str(self.folder), user=USER, dbname="postgres").close()
                return
            except psycopg.OperationalError:
                time.sleep(0.02)
        raise RuntimeError((self.folder / "log").read_text())

    def end(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server that was started here or by another worker: quickly, or (SIGQUIT) as if it had crashed."""
        os.kill(int((self.folder / "pid").read_text()), how)
        if self.process is not None:
            self.process.wait(20)

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
