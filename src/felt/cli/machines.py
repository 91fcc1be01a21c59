"""`--ray`: the same command, played by all machines of a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena.match import CrewMaker
    from felt.arena.runs import Crew
    from felt.scale import Cluster

Ray = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help="Play on a Ray cluster: HOST:6379 as ray start tells it, or auto."),
]


@contextmanager
def match_crew(address: str | None, workers: int | None) -> "Iterator[CrewMaker | None]":
    """Who plays matches: the cluster at an address, or None for this machine."""
    if address is None:
        yield None
        return
    with _joined(address, workers) as cluster:
        yield cluster.match_crew


@contextmanager
def run_crew(address: str | None, workers: int | None) -> "Iterator[Crew | None]":
    """Who plays the runs of competitions."""
    if address is None:
        yield None
        return
    with _joined(address, workers) as cluster:
        crew = cluster.run_crew()
        try:
            yield crew
        finally:
            crew.close()


def _joined(address: str, workers: int | None) -> "Cluster":
    if workers is not None:
        raise FeltError(f"--workers {workers}: with --ray every core of the cluster plays; leave it out")
    from felt.scale import Cluster

    return Cluster(address)
