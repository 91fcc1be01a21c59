"""The `felt` command: which subcommands there are, and what a mistake looks like to the user.

The modules of the subcommands hold options and printing only, and load what they need when they run:
`felt --help` costs no NumPy, and only what calls a kernel pays for Numba.
"""

import contextlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated

import typer

import felt
from felt.cli import (
    acpc,
    agents,
    competition,
    convert,
    equity,
    evolve,
    exploitability,
    game,
    league,
    log,
    match,
    odds,
    pot,
    pushfold,
    range_,
    rank,
    rank_server,
    replay,
    ring,
    serve,
    solve,
    stats,
    strategies,
    tables,
    tour,
    tournament,
    verify_deal,
)
from felt.cli.helping import hide_python_types
from felt.cli.streams import complain, is_write_error, let_the_rest_go, open_closed_streams
from felt.errors import FeltError, FeltWarning

EXIT_CANNOT_WRITE = 1
EXIT_MISTAKE = 2
EXIT_INTERRUPTED = 130

ClickException: type[Exception] = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")
"""What Typer raises for a command line that it cannot read. Typer has moved it about; its name stays."""

app = typer.Typer(
    name="felt",
    help="An open laboratory for poker: hand ranks, odds, and a table for every game. Try: felt tour",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("rank")(rank.rank)
app.command("equity")(equity.equity)
app.command("odds")(odds.odds)
app.command("range")(range_.range_)
app.command("pot")(pot.pot)
app.add_typer(pushfold.app, name="pushfold")
app.add_typer(game.app, name="game")
app.command("agents")(agents.agents)
app.command("solve")(solve.solve)
app.command("exploitability")(exploitability.exploitability)
app.command("verify-deal")(verify_deal.verify_deal)
app.command("match")(match.match)
app.command("league")(league.league)
app.command("competition")(competition.competition)
app.command("tournament")(tournament.tournament)
app.add_typer(acpc.app, name="acpc")
app.command("ring")(ring.ring)
app.command("evolve")(evolve.evolve)
app.command("replay")(replay.replay)
app.command("convert")(convert.convert)
app.command("stats")(stats.stats)
app.add_typer(log.app, name="log")
app.command("tables")(tables.tables)
app.command("serve")(serve.serve)
app.add_typer(strategies.app, name="strategies")
app.command("rank-server")(rank_server.rank_server)
app.command("tour")(tour.tour)


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"felt {felt.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0; after one line on stderr 2 for a mistake, 1 where nothing can be written."""
    open_closed_streams()
    # Numba loads SciPy where it is installed, for matrix products that no kernel of ours has: a fifth of a second
    sys.modules.setdefault("scipy", None)  # type: ignore[arg-type]  # None says that there is no such module
    code = run(args)
    if code == EXIT_INTERRUPTED:  # threads inside kernels cannot be stopped: leave without them
        with contextlib.suppress(OSError):
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def run(args: Sequence[str] | None = None) -> int:
    """Run one command line (`sys.argv` when none is given) and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a stream that cannot show ♠ shows ? and goes on
            stream.reconfigure(errors="replace")
    hide_python_types()
    with warnings.catch_warnings():
        warnings.simplefilter("always", FeltWarning)
        show_others = warnings.showwarning
        warnings.showwarning = lambda told, kind, *place: (
            complain(f"warning: {told}") if issubclass(kind, FeltWarning) else show_others(told, kind, *place)
        )
        return _run(args)


def _run(args: Sequence[str] | None) -> int:
    try:
        code = typer.main.get_command(app).main(args, prog_name="felt", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except FeltError as mistake:
        return _complain(str(mistake))
    except ClickException as mistake:
        return _complain(_usage(mistake))
    except (typer.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except (BrokenPipeError, SystemExit) as stop:
        if not isinstance(stop, BrokenPipeError) and not isinstance(stop.__context__, BrokenPipeError):
            raise
        let_the_rest_go()  # Typer and Rich exit with 1 here; a reader who has seen enough is no failure
        return 0
    except OSError as error:
        return _failed(error)


def _complain(message: str) -> int:
    complain(message)
    return EXIT_MISTAKE


def _failed(error: OSError) -> int:
    """The system refuses something: what is open cannot be written, or a file is not to be had."""
    reason = (error.strerror or str(error)).lower()
    if is_write_error(error):
        let_the_rest_go()
        complain(f"cannot write ({reason}): make room, or send the output somewhere else")
        return EXIT_CANNOT_WRITE
    if error.filename is None:
        return _complain(f"the system refuses something ({reason}): see what is missing, and try again")
    return _complain(f"cannot use {str(error.filename)!r} ({reason}): choose another place, or change who may use it")


def _usage(mistake: Exception) -> str:
    """A usage error in one line, with the way to the help of the command that it is about."""
    message = getattr(mistake, "format_message", mistake.__str__)()
    context = getattr(mistake, "ctx", None)
    command = context.command_path if context is not None else "felt"
    return f"{message.rstrip('.')} (see {command} --help)"
