"""What is on disk: the logs of matches and runs (`log`), and the service's database (`database`, `accounts`).

Read `log.schema` first. Names of the log are imported when they are first used; the database is for `felt.server`.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "connect": "felt.store.log.reading",
    "facts": "felt.store.log.reading",
    "open_match": "felt.store.log.matches",
    "open_runs": "felt.store.log.matches",
    "query": "felt.store.log.reading",
    "records": "felt.store.log.reading",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
