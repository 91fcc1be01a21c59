"""Every error that Felt raises for a user's mistake.

The message is one line: it quotes the input, says where it broke and what to do. The command line
prints it as it stands and exits with 2; a traceback always means a fault of ours.
"""


class FeltError(ValueError):
    """Something in the input cannot be used; the message says what and how to mend it."""


class CardError(FeltError):
    """Text or numbers that are not cards, or the same card twice."""


class RangeError(FeltError):
    """Range text that cannot be read, or a range with nothing in it."""


class OddsError(FeltError):
    """A question about odds that has no answer: too many cards, nobody left to play."""


def counted(number: int, noun: str) -> str:
    """A number with its noun, for messages.

    >>> counted(1, "card"), counted(1234, "deal")
    ('1 card', '1,234 deals')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
