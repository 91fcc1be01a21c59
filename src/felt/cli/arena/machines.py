"""`--ray`: the same command, played by all machines of a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena.schedule.tasks import Executor


@contextmanager
def executor_at(address: str | None, workers: int | None) -> "Iterator[Executor | None]":
    """The executor of the cluster at an address; None for this machine."""
    if address is None:
        yield None
        return
    if workers is not None:
        raise FeltError(f"--workers {workers}: with --ray every core of the cluster plays; leave it out")
    from felt.scale import Cluster

    with Cluster(address) as cluster:
        yield cluster.executor
