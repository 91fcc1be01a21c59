"""Which kernels are compiled or loaded while something is done: each kernel for each combination of types counts."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from felt import _warm
from felt.agents.api import Agent
from felt.agents.naming import entrant
from felt.games.actions import Action
from felt.games.views.view import View


def asked_alone(name: str) -> type[Agent]:
    """An agent of ours as one that is asked at one table at a time, as if it kept something from hand to hand."""

    class Alone(Agent):
        def __init__(self) -> None:
            self.agent = entrant(name).make()

        def act(self, view: View) -> Action:
            self.agent.dice = self.dice
            action: Action = self.agent.act(view)
            return action

    return Alone


class _Kept:
    """In place of a kernel's files: what was loaded or compiled once in this process is not read again."""

    def __init__(self, files: Any) -> None:
        self._files = files
        self._kept: dict[str, Any] = {}

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        if str(signature) not in self._kept:
            loaded = self._files.load_overload(signature, target_context)
            if loaded is None:
                return None
            self._kept[str(signature)] = loaded
        return self._kept[str(signature)]

    def save_overload(self, signature: Any, compiled: Any) -> None:
        self._files.save_overload(signature, compiled)
        self._kept[str(signature)] = compiled

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)


def forget_kernels() -> None:
    """As in a new process: every kernel has to be asked for again, which is then quick."""
    for kernel in _warm.kernels().values():
        if not isinstance(kernel._cache, _Kept):
            kernel._cache = _Kept(kernel._cache)
        kernel._reset_overloads()
        kernel.overloads.clear()


def loaded() -> set[tuple[str, str]]:
    """Every kernel that has been called, with the types that it was called with."""
    return {(name, str(types)) for name, kernel in _warm.kernels().items() for types in kernel.overloads}


@contextmanager
def no_kernel_is_new() -> Iterator[None]:
    """Fails if a kernel is compiled or loaded meanwhile, and names it."""
    before = loaded()
    yield
    new = sorted(loaded() - before)
    assert not new, f"compiled or loaded meanwhile: {new}"
