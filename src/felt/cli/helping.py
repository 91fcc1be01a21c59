"""What the help of the commands leaves out."""

import typer.core


def hide_python_types() -> None:
    """Keep Python's names of types (``<bool>``, ``<list[str]>``) out of the help, as some versions of Typer write them.

    What an option takes is said by its placeholder and by its text.
    """
    for kind in (typer.core.TyperArgument, typer.core.TyperOption):
        if hasattr(kind, "display_type"):
            setattr(kind, "display_type", lambda self, ctx: None)  # noqa: B010 - not every version of Typer has it
