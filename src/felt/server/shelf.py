"""Solved strategies as agents: ``strategy:NAME`` plays the strategy that is kept under this name."""

from pathlib import Path
from tempfile import NamedTemporaryFile

from felt.agents.strategy import FromFile
from felt.server.table_settings import TableError
from felt.store.kept import KeptStrategy
from felt.store.strategies import Strategies

PREFIX = "strategy:"


class Shelf:
    """The strategies of the store, whose contents are copied to files when they are first played."""

    def __init__(self, strategies: Strategies, folder: Path) -> None:
        self._strategies, self._folder = strategies, folder
        known = {one.digest for one in strategies.all()}
        for file in folder.glob("*.felt"):
            if file.stem not in known:
                file.unlink(missing_ok=True)

    def all(self) -> list[KeptStrategy]:
        """Every strategy."""
        return self._strategies.all()

    def agent(self, name: str) -> FromFile:
        """The agent ``strategy:NAME``. May take a while, so it is nothing for the event loop."""
        kept = self._strategies.get(name.removeprefix(PREFIX))
        if kept is None:
            names = ", ".join(one.name for one in self.all()) or "none yet"
            raise TableError("no_agent", f"there is no strategy {name.removeprefix(PREFIX)!r} here: there are {names}")
        return FromFile(str(self._file(kept)))

    def _file(self, kept: KeptStrategy) -> Path:
        file = self._folder / f"{kept.digest}.felt"
        if not file.is_file():
            self._folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._folder, prefix=".", delete=False) as new:
                new.write(self._strategies.content(kept.name) or b"")
            Path(new.name).rename(file)
        return file
