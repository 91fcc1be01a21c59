"""What an agent can do wrong that is no Python exception of its own: a program outside that hangs, lies or dies."""

from felt.errors import FeltError


class AgentFault(FeltError):  # noqa: N818 - named after what the agent did
    """What an agent did wrong, told in one line; the arena counts it."""

    def __init__(self, kind: str, message: str, details: str = "") -> None:
        """`kind` is ``illegal``, ``timeouts`` or ``errors``; `details` what is known beyond one line."""
        super().__init__(message)
        self.kind, self.details = kind, details
