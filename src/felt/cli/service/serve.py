"""`felt serve`: play in the browser."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from felt.cli.options import Database, number, port_number
from felt.errors import FeltError, install_command

DEFAULT_PORT = 5252


def serve(
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", "-p", metavar="PORT", parser=port_number, help="Port; 0 takes a free one.")
    ] = DEFAULT_PORT,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="Where players, tables and hands are kept.")
    ] = None,
    database: Database = None,
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="NAME=AGENT", help="A further opponent, like rock=cmd:./rock or bo=./bot.py."),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="A further name that the service answers to."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            metavar="ADDRESS",
            help="A proxy in front, whose X-Forwarded-For or Forwarded is believed; limits then count those addresses.",
        ),
    ] = None,
    decide_rate: Annotated[
        float | None,
        typer.Option(
            "--decide-rate",
            metavar="RATE",
            parser=number,
            help="Questions to /decide a second for each client, 0 for any number. By default 5, and any number where "
            "only this machine can ask.",
        ),
    ] = None,
    tls: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--tls", metavar="CERT KEY", help="Serve HTTPS with this certificate and private key (PEM)."),
    ] = None,
    tls_self: Annotated[
        bool, typer.Option("--tls-self", help="Serve HTTPS with a certificate of its own making.")
    ] = False,
) -> None:
    """Play in the browser, against agents and with others.

    Everything is kept in one folder (by default your own data folder) or in a database; stopped at any moment and
    started again, every table is as it was. Stop it with Ctrl-C.

    Example: `felt serve --port 5252`
    """
    from felt.store.folder import data_folder

    if tls and tls_self:
        raise FeltError("--tls and --tls-self exclude each other: choose one")
    try:
        from felt.server import tls as certificates
        from felt.server.proxies import Proxies
        from felt.server.serving import run_service
        from felt.server.shelf import guests
        from felt.store.engine import chosen_url
    except ModuleNotFoundError as missing:
        raise FeltError(f"{missing.name} is not installed: get it with {install_command('server')}") from None

    def announce(address: str) -> None:
        typer.echo(f"Felt is served at {address} (Ctrl-C stops)")
        if open_page:
            import webbrowser

            webbrowser.open(address)

    os.umask(0o077)  # whatever is written is for whoever serves only
    folder = data or data_folder()
    certificate = certificates.given(*tls) if tls else None
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
