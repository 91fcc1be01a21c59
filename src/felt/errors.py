"""Every error that Felt raises for a user's mistake.

The message is one line: it quotes the input, says where it broke and what to do. The command line
prints it as it stands and exits with 2; a traceback always means a fault of ours.
"""

MOST_TOLD = 300
"""Letters of what others say, such as the message of an error in an agent, that are passed on."""


class FeltError(ValueError):
    """Something in the input cannot be used; the message says what and how to mend it."""


class FeltWarning(UserWarning):
    """Something in the input is used, but is probably not what was meant; the command line prints it and goes on."""


class CardError(FeltError):
    """Text or numbers that are not cards, or the same card twice."""


class RangeError(FeltError):
    """Range text that cannot be read, or a range with nothing in it."""


class OddsError(FeltError):
    """A question about odds that has no answer: too many cards, nobody left to play."""


def printable(text: str, keep: str = "") -> str:
    """Text that may be shown in a terminal: what it would obey, or not show, is written out; `keep` stays as it is.

    Names and messages come from files, programs and strangers: sequences in them could clear the screen, hide what was
    printed before, or set the title of the window.

    >>> print(printable("Ada\\x1b[2J"), printable("Zoë"))
    Ada\\x1b[2J Zoë
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter in keep else ascii(letter)[1:-1] for letter in text)


def describe_error(error: BaseException) -> str:
    """An error in one line: its kind, its message, and the last place in the agent's own file."""
    import traceback
    from pathlib import Path

    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    message = error_text(error)
    return f"{type(error).__name__}{': ' if message else ''}{message}{where}"


def error_text(error: BaseException) -> str:
    """The message of an error in one line, not too long a one; whatever its ``__str__`` does."""
    try:
        return printable(" ".join(str(error).split())[:MOST_TOLD])
    except Exception:
        return "(its message cannot be shown)"


def short_repr(value: object) -> str:
    """A value in one line, not too long a one; whatever its ``__repr__`` does."""
    try:
        return printable(" ".join(repr(value).split())[:MOST_TOLD])
    except Exception:
        return f"a {type(value).__name__} that cannot be shown"


def counted(number: int, noun: str) -> str:
    """A number with its noun, for messages.

    >>> counted(1, "card"), counted(1234, "deal")
    ('1 card', '1,234 deals')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def install_command(extra: str) -> str:
    """The command that installs an extra of Felt from where this Felt came: a copy of the repository, or the index.

    Before a release there is nothing on the index, so a copy is named by its folder.
    """
    return f"pip install {_source(extra)!r}"


def _source(extra: str) -> str:
    import json
    from importlib import metadata
    from pathlib import Path
    from urllib.parse import unquote, urlsplit

    try:
        origin = json.loads(metadata.distribution("felt-poker").read_text("direct_url.json") or "{}")  # PEP 610
    except metadata.PackageNotFoundError:  # run from its folder, without being installed
        origin = {"url": Path(__file__).parents[2].as_uri(), "dir_info": {}}
    url = str(origin.get("url", ""))
    if "dir_info" in origin:
        return f"{unquote(urlsplit(url).path)}[{extra}]"
    if "vcs_info" in origin:
        url = f"{origin['vcs_info']['vcs']}+{url}"
    return f"felt-poker[{extra}] @ {url}" if url else f"felt-poker[{extra}]"
