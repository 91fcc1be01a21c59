"""The `felt` command: which subcommands there are, and what a mistake looks like to the user.

The modules of the subcommands hold options and printing only, and load what they need when they run:
`felt --help` costs no NumPy, and only what calls a kernel pays for Numba.
"""

import contextlib
import os
import sys
import warnings
from collections.abc import Sequence

import typer

import felt
from felt.cli.loading import MARKUP, hide_python_types, lazy, read_plainly
from felt.cli.options import option
from felt.cli.output import complain, is_write_error, let_the_rest_go, open_closed_streams, show_traceback
from felt.errors import FeltError, FeltWarning

EXIT_CANNOT_WRITE = 1
EXIT_MISTAKE = 2
EXIT_INTERRUPTED = 130

ClickException: type[Exception] = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")
"""What Typer raises for a command line that it cannot read. Typer has moved it about; its name stays."""

COMMANDS = {
    "rank": "cards.rank:rank",
    "equity": "cards.odds:equity",
    "odds": "cards.odds:odds",
    "range": "cards.range_:range_",
    "pot": "cards.pot:pot",
    "agents": "arena.agents:agents",
    "solve": "solving.solve:solve",
    "exploitability": "solving.solve:exploitability",
    "verify-deal": "cards.rank:verify_deal",
    "match": "arena.match:match",
    "league": "arena.league:league",
    "competition": "arena.league:competition",
    "tournament": "arena.tournament:tournament",
    "ring": "arena.ring:ring",
    "evolve": "arena.evolve:evolve",
    "replay": "data.replay:replay",
    "convert": "data.convert:convert",
    "stats": "data.stats:stats",
    "tables": "cards.odds:tables",
    "serve": "service.serve:serve",
    "rank-server": "service.serve:rank_server",
    "tour": "service.tour:tour",
    "pushfold": "solving.pushfold:app",
    "game": "games.game:app",
    "acpc": "arena.acpc:app",
    "log": "data.log:app",
    "strategies": "service.serve:strategies",
}
"""Every command, in the order of `felt --help`: where it is in `felt.cli`."""

app = typer.Typer(
    name="felt",
    cls=lazy(COMMANDS),
    help="An open laboratory for poker: hand ranks, odds, and a table for every game. Try: felt tour",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=MARKUP,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: bool = option(False, "--version", "", "Show the version and exit."),
) -> None:
    if version:
        typer.echo(f"felt {felt.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0; after one line on stderr 2 for a mistake, 1 where nothing can be written."""
    open_closed_streams()
    sys.excepthook = show_traceback
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
        warnings.showwarning = lambda message, kind, *place: (
            complain(f"warning: {message}") if issubclass(kind, FeltWarning) else show_others(message, kind, *place)
        )
        return _run(args)


def _run(args: Sequence[str] | None) -> int:
    read_plainly()
    try:
        code = typer.main.get_command(app).main(args, prog_name="felt", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except FeltError as mistake:
        return _complain(str(mistake))
    except ClickException as mistake:  # one line, with the way to the help of the command that it is about
        message = getattr(mistake, "format_message", mistake.__str__)()
        context = getattr(mistake, "ctx", None)
        command = context.command_path if context is not None else "felt"
        return _complain(f"{message.rstrip('.')} (see {command} --help)")
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
