"""`felt serve`: play in the browser."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from felt.cli.options import Database, number, option, port_number
from felt.errors import FeltError, install_command

DEFAULT_PORT = 5252


def serve(
    host: Annotated[str, option("--host", "HOST", "Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, option("--port -p", "PORT", "Port; 0 takes a free one.", port_number)] = DEFAULT_PORT,
    open_page: Annotated[bool, option("--open/--no-open", "", "Open the page in the browser.")] = True,
    data: Annotated[Path | None, option("--data", "DIR", "Where players, tables and hands are kept.")] = None,
    database: Database = None,
    agent: Annotated[
        list[str] | None, option("--agent", "NAME=AGENT", "A further opponent, like rock=cmd:./rock or bo=./bot.py.")
    ] = None,
    allow_host: Annotated[
        list[str] | None, option("--allow-host", "NAME", "A further name that the service answers to.")
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        option(
            "--trusted-proxy",
            "ADDRESS",
            "A proxy in front, whose X-Forwarded-For or Forwarded is believed; limits then count those addresses.",
        ),
    ] = None,
    decide_rate: Annotated[
        float | None,
        option(
            "--decide-rate",
            "RATE",
            "Questions to /decide a second for each client, 0 for any number. By default 5, and any number where "
            "only this machine can ask.",
            number,
        ),
    ] = None,
    tls: Annotated[
        tuple[Path, Path] | None,
        option("--tls", "CERT KEY", "Serve HTTPS with this certificate and private key (PEM)."),
    ] = None,
    tls_self: Annotated[bool, option("--tls-self", "", "Serve HTTPS with a certificate of its own making.")] = False,
) -> None:
    """Play in the browser, against agents and with others.

    Everything is kept in one folder (by default your own data folder) or in a database; stopped at any moment and
    started again, every table is as it was. Stop it with Ctrl-C.

    Example: `felt serve --port 5252`
    """
    from felt.store.private import data_folder

    if tls and tls_self:
        raise FeltError("--tls and --tls-self exclude each other: choose one")
    try:
        from felt.server.agents.library import guests
        from felt.server.net import tls as certificates
        from felt.server.net.proxies import Proxies
        from felt.server.web.serving import run_service
        from felt.store.database.engine import chosen_url
    except ModuleNotFoundError as missing:
        raise FeltError(f"{missing.name} is not installed: get it with {install_command('server')}") from None

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
