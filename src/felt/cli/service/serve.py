"""`felt serve`, `felt rank-server`, and `felt strategies …`: what is served over the network, and to whom."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.loading import group
from felt.cli.options import (
    MOST_THREADS,
    Database,
    Json,
    argument,
    integer,
    large_number,
    number,
    option,
    port_number,
    shared_option,
)
from felt.errors import FeltError, install_command

if TYPE_CHECKING:
    from felt.store.database.strategies import Strategies

DEFAULT_PORT = 5252
RANK_PORT = 7462
"""As many as there are hand ranks."""

strategies = group(
    "Solved strategies that felt serve offers as opponents, kept in its database.\n\n"
    "Example: `felt strategies add leduc.felt --name leduc`"
)

Data = Annotated[Path | None, shared_option("--data", "DIR", "The data folder, as felt serve has it.")]


@contextmanager
def _installed() -> Iterator[None]:
    """Imports of what comes with an extra."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise FeltError(f"{missing.name} is not installed: get it with {install_command('server')}") from None


def serve(
    host: str = option("127.0.0.1", "--host", "HOST", "Address to listen on."),
    port: int = option(DEFAULT_PORT, "--port -p", "PORT", "Port; 0 takes a free one.", port_number),
    open_page: bool = option(True, "--open/--no-open", "", "Open the page in the browser."),
    data: Path | None = option(None, "--data", "DIR", "Where players, tables and hands are kept."),
    database: Database = None,
    agent: list[str] | None = option(
        None, "--agent", "NAME=AGENT", "A further opponent, like rock=cmd:./rock or bo=./bot.py."
    ),
    allow_host: list[str] | None = option(None, "--allow-host", "NAME", "A further name that the service answers to."),
    trusted_proxy: list[str] | None = option(
        None,
        "--trusted-proxy",
        "ADDRESS",
        "A proxy in front, whose X-Forwarded-For or Forwarded is believed; limits then count those addresses.",
    ),
    decide_rate: float | None = option(
        None,
        "--decide-rate",
        "RATE",
        "Questions to /decide a second for each client, 0 for any number. By default 5, and any number where "
        "only this machine can ask.",
        number,
    ),
    tls: tuple[Path, Path] | None = option(
        None, "--tls", "CERT KEY", "Serve HTTPS with this certificate and private key (PEM)."
    ),
    tls_self: bool = option(False, "--tls-self", "", "Serve HTTPS with a certificate of its own making."),
) -> None:
    """Play in the browser, against agents and with others.

    Everything is kept in one folder (by default your own data folder) or in a database; stopped at any moment and
    started again, every table is as it was. Stop it with Ctrl-C.

    Example: `felt serve --port 5252`
    """
    from felt.store.private import data_folder

    if tls and tls_self:
        raise FeltError("--tls and --tls-self exclude each other: choose one")
    with _installed():
        from felt.server.agents.library import guests
        from felt.server.net import tls as certificates
        from felt.server.net.proxies import Proxies
        from felt.server.web.serving import run_service
        from felt.store.database.engine import chosen_url

    def announce(address: str) -> None:
        typer.echo(f"Felt is served at {address} (Ctrl-C stops)")
        if open_page:
            import webbrowser

            webbrowser.open(address)

    os.umask(0o077)  # whatever is written is for whoever serves only
    folder = data or data_folder()
    certificate = certificates.load_certificate(*tls) if tls else None
    if tls_self:
        certificate = certificates.self_made(folder, host, allow_host or ())
    ended = run_service(
        folder,
        host=host,
        port=port,
        announce=announce,
        database=chosen_url(database),
        allow_hosts=allow_host or (),
        tls=certificate,
        guests=guests(agent or ()),
        proxies=Proxies(trusted_proxy or ()),
        decide_rate=decide_rate,
    )
    if not ended:  # all is on disk: Python would wait for that agent for ever
        typer.echo("felt: an agent did not come to an end; it is left behind", err=True)
        sys.stdout.flush()
        os._exit(0)


def rank_server(
    host: str = option("127.0.0.1", "--host", "HOST", "Address to listen on."),
    port: int = option(RANK_PORT, "--port -p", "PORT", "Port; 0 takes a free one.", port_number),
    answers: Path | None = option(None, "--answers", "FILE", "Keep slow answers in this file, for next time."),
    workers: int = option(0, "--workers", "N", "Threads for slow requests; 0: per core.", integer(0, MOST_THREADS)),
    max_clients: int = option(256, "--max-clients", "N", "Connections at a time.", large_number),
    max_line: int = option(512, "--max-line", "BYTES", "Longest line that is read.", large_number),
    max_queued: int = option(1024, "--max-queued", "N", "Unanswered requests of a client.", large_number),
    idle: float = option(600.0, "--idle", "SECONDS", "Close silent clients; 0: never.", number),
    grace: float = option(5.0, "--grace", "SECONDS", "Time to finish work when stopped.", number),
    json: Json = False,
) -> None:
    """Serve hand ranks and strengths over TCP: one line in, one line out.

    RANK, HS, HP, EHS, CHEN and ARS are understood; HELP says how. Stop it with Ctrl-C.

    Example: `felt rank-server --port 7462`, then `echo "RANK AsAd7s4d2c" | nc -N localhost 7462`
    """
    from felt.server.rank.connection import Limits
    from felt.server.rank.server import run_rank_server

    def announce(addresses: list[tuple[str, int]]) -> None:
        if json:
            listening = [{"host": host, "port": port} for host, port in addresses]
            output.print_json({"port": addresses[0][1], "listening": listening})
        for host, port in addresses if not json else ():
            shown = f"[{host}]" if ":" in host else host
            typer.echo(f"listening on {shown}:{port} (Ctrl-C stops)")
        sys.stdout.flush()

    limits = Limits(
        clients=max_clients, line_bytes=max_line, queued=max_queued, idle_seconds=idle, grace_seconds=grace,
        workers=workers,
    )  # fmt: skip
    answered = run_rank_server(announce, host=host, port=port, limits=limits, answers=answers)
    if not json:
        typer.echo(f"stopped; requests answered: {answered:,}")


@strategies.command()
def add(
    file: Path = argument("FILE", "What felt solve --save has written."),
    name: str | None = option(None, "--name -n", "NAME", "Its name; that of the file if left out."),
    data: Data = None,
    database: Database = None,
) -> None:
    """Keep a strategy, so that tables can invite it as the agent `strategy:NAME`; felt serve may be running.

    Example: `felt strategies add leduc.felt --name leduc`
    """
    with _opened(data, database) as stored:
        strategy = stored.add(file.stem if name is None else name, file)
    text = f"strategy:{strategy.name} plays {strategy.game} with {strategy.players} players ({strategy.origin})"
    output.say(output.plain(text))


@strategies.command("list")
def list_(data: Data = None, database: Database = None, json: Json = False) -> None:
    """The strategies that are kept.

    Example: `felt strategies list`
    """
    with _opened(data, database) as stored:
        rows = stored.all()
    if json:
        listing = [{**row._asdict(), "added": row.added.isoformat(timespec="seconds") + "Z"} for row in rows]
        output.print_json({"strategies": listing})
        return
    if not rows:
        output.say("There is none yet: felt strategies add FILE keeps one.")
        return
    cells = (
        (row.name, row.game, str(row.players), row.origin, f"{row.size:,}", f"{row.added:%Y-%m-%d %H:%M}")
        for row in rows
    )
    heads = ("name", "game", "players", "found by", "bytes", "added (UTC)")
    output.show_table(heads, (map(output.plain, row) for row in cells), numbers=("players", "bytes"))


@strategies.command()
def remove(
    name: str = argument("NAME", "The name of the strategy."),
    data: Data = None,
    database: Database = None,
) -> None:
    """Forget a strategy; nobody can invite it any more.

    Where it sits at a table it plays on until felt serve is started again; then a rule checks or folds for it.

    Example: `felt strategies remove leduc`
    """
    with _opened(data, database) as stored:
        stored.remove(name)


@contextmanager
def _opened(data: Path | None, database: str | None) -> Iterator["Strategies"]:
    from felt.store.private import data_folder

    with _installed():
        from felt.store.database.engine import chosen_url
        from felt.store.database.strategies import opened
    with opened(data or data_folder(), chosen_url(database)) as stored:
        yield stored
