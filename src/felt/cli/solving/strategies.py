"""`felt strategies …`: solved strategies that the service plays as agents."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.options import Database, Json
from felt.errors import FeltError, install_command

if TYPE_CHECKING:
    from felt.store.database.strategies import Strategies

app = typer.Typer(
    help="Solved strategies that felt serve offers as opponents, kept in its database.\n\n"
    "Example: `felt strategies add leduc.felt --name leduc`",
    rich_markup_mode="markdown",
)

Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="The data folder, as felt serve has it.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the strategy.")]


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def add(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What felt solve --save has written.")],
    name: Annotated[
        str | None, typer.Option("--name", "-n", metavar="NAME", help="Its name; that of the file if left out.")
    ] = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Keep a strategy, so that tables can invite it as the agent `strategy:NAME`; felt serve may be running.

    Example: `felt strategies add leduc.felt --name leduc`
    """
    with _opened(data, database) as strategies:
        strategy = strategies.add(file.stem if name is None else name, file)
    text = f"strategy:{strategy.name} plays {strategy.game} with {strategy.players} players ({strategy.origin})"
    output.say(output.plain(text))


@app.command("list")
def list_(data: Data = None, database: Database = None, json: Json = False) -> None:
    """The strategies that are kept.

    Example: `felt strategies list`
    """
    with _opened(data, database) as strategies:
        rows = strategies.all()
    if json:
        listing = [{**row._asdict(), "added": row.added.isoformat(timespec="seconds") + "Z"} for row in rows]
        output.print_json({"strategies": listing})
        return
    if not rows:
        output.say("There is none yet: felt strategies add FILE keeps one.")
        return
    table = output.table("name", "game", "players", "found by", "bytes", "added (UTC)", numbers=("players", "bytes"))
    for row in rows:
        cells = (row.name, row.game, str(row.players), row.origin, f"{row.size:,}", f"{row.added:%Y-%m-%d %H:%M}")
        table.add_row(*map(output.plain, cells))
    output.show(table)


@app.command()
def remove(name: Name, data: Data = None, database: Database = None) -> None:
    """Forget a strategy; nobody can invite it any more.

    Where it sits at a table it plays on until felt serve is started again; then a rule checks or folds for it.

    Example: `felt strategies remove leduc`
    """
    with _opened(data, database) as strategies:
        strategies.remove(name)


@contextmanager
def _opened(data: Path | None, database: str | None) -> Iterator["Strategies"]:
    from felt.store.private import data_folder

    try:
        from felt.store.database.engine import chosen_url
        from felt.store.database.strategies import opened
    except ModuleNotFoundError as missing:
        raise FeltError(f"{missing.name} is not installed: get it with {install_command('server')}") from None
    with opened(data or data_folder(), chosen_url(database)) as strategies:
        yield strategies
