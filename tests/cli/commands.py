"""Every command of `felt`, as Typer has it."""

from collections.abc import Iterator
from typing import Any

import typer

from felt.cli.app import app


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """The words and the command of each, groups too."""
    yield from _below((), typer.main.get_command(app))


def _below(words: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield words, command
    if is_group(command):
        context = typer.Context(command)
        for name in command.list_commands(context):
            yield from _below((*words, name), command.get_command(context, name))


def is_group(command: Any) -> bool:
    """Whether commands stand below it."""
    return hasattr(command, "list_commands")
