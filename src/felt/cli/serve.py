"""`felt serve`: play in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from felt.cli.options import whole_number
from felt.errors import FeltError

DEFAULT_PORT = 5252


def serve(
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", "-p", metavar="PORT", parser=whole_number, help="Port; 0 takes a free one.")
    ] = DEFAULT_PORT,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="Where players, tables and hands are kept.")
    ] = None,
) -> None:
    """Play in the browser, against agents and with others.

    Everything is kept in one folder (by default your own data folder); stopped at any moment and started again, every
    table is as it was. Stop it with Ctrl-C.

    Example: `felt serve --port 5252`
    """
    from felt.store.folder import data_folder

    try:
        from felt.server.serving import run_service
    except ModuleNotFoundError as missing:
        raise FeltError(f"{missing.name} is not installed: get it with pip install 'felt-poker[server]'") from None

    def announce(address: str) -> None:
        typer.echo(f"Felt is served at {address} (Ctrl-C stops)")
        if open_page:
            import webbrowser

            webbrowser.open(address)

    run_service(data or data_folder(), host=host, port=port, announce=announce)
