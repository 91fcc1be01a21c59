"""Commands are loaded when they are called for: `felt rank` reads nothing of what the others need."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import typer
import typer.core
from typer.core import TyperGroup

MARKUP: Any = "markdown"


class LazyGroup(TyperGroup):
    """A group whose commands are imported one by one: the one that is called, or all of them for a list."""

    places: dict[str, str]
    """Of each command, in the order of the list: its module in `felt.cli`, and its function or Typer there."""

    def list_commands(self, ctx: Any) -> list[str]:
        """All names."""
        return list(self.places)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by its name; None if there is none."""
        place = self.places.get(cmd_name)
        if place is None:
            everything: Any = dict.fromkeys(self.places)
            self.commands = everything  # among these Typer looks for what may have been meant
            return None
        if self.commands.get(cmd_name) is None:
            self.commands[cmd_name] = _loaded(cmd_name, place)
        return self.commands[cmd_name]


def lazy(places: dict[str, str]) -> type[LazyGroup]:
    """A group with these commands."""
    return type("Commands", (LazyGroup,), {"places": places})


def group(help: str) -> typer.Typer:
    """A group of commands, which alone prints its help."""
    app = typer.Typer(help=help, rich_markup_mode=MARKUP)

    @app.callback(invoke_without_command=True)
    def start(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            typer.echo(context.get_help())

    return app


def _loaded(name: str, place: str) -> Any:
    module, _, attribute = place.partition(":")
    loaded = getattr(import_module(f"felt.cli.{module}"), attribute)
    alone = typer.Typer(rich_markup_mode=MARKUP, add_completion=False)
    if isinstance(loaded, typer.Typer):
        alone.add_typer(loaded, name=name)
    else:
        alone.command(name)(loaded)
        alone.callback()(lambda: None)  # with one command alone there would be no group to take it from
    commands: Any = typer.main.get_group(alone)
    return commands.commands[name]


@cache
def read_plainly() -> None:
    """Have texts, and values with a parser of ours, read without Pydantic.

    Typer reads all values through it since 0.28, and to load it takes longer than a short command. What is used here is
    private to Typer: where it is not as expected, values are read as Typer does.
    """
    try:
        from typer import _coercion, core

        usual: Callable[[Any], Any] = core.build_runtime_param  # type: ignore[attr-defined]
        base: Any = _coercion.RuntimeParam
    except (ImportError, AttributeError):
        return

    class Plain(base):  # type: ignore[misc]  # it is whatever Typer has there
        descriptor: Any

        def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
            if not _is_plain(self.descriptor):
                return usual(self.descriptor)._coerce_value(value, param=param, ctx=ctx)
            read = self.parameter_info.parser or str
            try:
                return [read(item) for item in value] if isinstance(value, list | tuple) else read(value)
            except ValueError as error:
                raise typer.BadParameter(str(error), ctx=ctx, param=param) from None

    def build(descriptor: Any) -> Any:
        made = Plain(descriptor.parameter_info, descriptor.annotation)
        object.__setattr__(made, "descriptor", descriptor)  # it is frozen
        return made

    core.build_runtime_param = build  # type: ignore[attr-defined]


def _is_plain(descriptor: Any) -> bool:
    """Whether a value is a text, several of them, or what a parser makes of it."""
    if descriptor.is_file or descriptor.is_path or descriptor.is_choice or descriptor.is_tuple:
        return False
    return descriptor.parameter_info.parser is not None or descriptor.annotation in (str, list[str])


def hide_python_types() -> None:
    """Keep Python's names of types (``<bool>``, ``<list[str]>``) out of the help, as some versions of Typer write them.

    What an option takes is said by its placeholder and by its text.
    """
    for kind in (typer.core.TyperArgument, typer.core.TyperOption):
        if hasattr(kind, "display_type"):
            setattr(kind, "display_type", lambda self, ctx: None)  # noqa: B010 - not every version of Typer has it
