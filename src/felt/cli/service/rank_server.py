"""`felt rank-server`: ranks and strengths over TCP, for agents in any language."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from felt.cli.options import MOST_THREADS, Json, integer, large_number, number, option, port_number

DEFAULT_PORT = 7462
"""As many as there are hand ranks."""


def rank_server(
    host: Annotated[str, option("--host", "HOST", "Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, option("--port -p", "PORT", "Port; 0 takes a free one.", port_number)] = DEFAULT_PORT,
    answers: Annotated[
        Path | None, option("--answers", "FILE", "Keep slow answers in this file, for next time.")
    ] = None,
    workers: Annotated[
        int, option("--workers", "N", "Threads for slow requests; 0: per core.", integer(0, MOST_THREADS))
    ] = 0,
    max_clients: Annotated[int, option("--max-clients", "N", "Connections at a time.", large_number)] = 256,
    max_line: Annotated[int, option("--max-line", "BYTES", "Longest line that is read.", large_number)] = 512,
    max_queued: Annotated[int, option("--max-queued", "N", "Unanswered requests of a client.", large_number)] = 1024,
    idle: Annotated[float, option("--idle", "SECONDS", "Close silent clients; 0: never.", number)] = 600.0,
    grace: Annotated[float, option("--grace", "SECONDS", "Time to finish work when stopped.", number)] = 5.0,
    json: Json = False,
) -> None:
    """Serve hand ranks and strengths over TCP: one line in, one line out.

    RANK, HS, HP, EHS, CHEN and ARS are understood; HELP says how. Stop it with Ctrl-C.

    Example: `felt rank-server --port 7462`, then `echo "RANK AsAd7s4d2c" | nc -N localhost 7462`
    """
    from felt.server.rank.connection import Limits
    from felt.server.rank.server import run_rank_server

    limits = Limits(
        clients=max_clients,
        line_bytes=max_line,
        queued=max_queued,
        idle_seconds=idle,
        grace_seconds=grace,
        workers=workers,
    )
    answered = run_rank_server(
        _announce_json if json else _announce, host=host, port=port, limits=limits, answers=answers
    )
    if not json:
        typer.echo(f"stopped; requests answered: {answered:,}")


def _announce(addresses: list[tuple[str, int]]) -> None:
    for host, port in addresses:
        shown = f"[{host}]" if ":" in host else host
        typer.echo(f"listening on {shown}:{port} (Ctrl-C stops)")
    sys.stdout.flush()


def _announce_json(addresses: list[tuple[str, int]]) -> None:
    from felt.cli.output import print_json

    print_json({"port": addresses[0][1], "listening": [{"host": host, "port": port} for host, port in addresses]})
    sys.stdout.flush()
