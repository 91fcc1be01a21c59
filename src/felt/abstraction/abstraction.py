"""Abstraction: what players of a smaller game tell apart, in place of all that they see (D 4.2.3.7).

Three hooks, each of which changes nothing unless told: what becomes of a player's cards, what becomes of the moves
so far, and which raises there are. Hands whose texts are the same are one information set of the smaller game. Ready
hooks have names with parameters, like ``ehs:5``; one's own are functions that can be imported, which a strategy's
file names as ``module:function``. Whoever writes a file could name any function there is, which would be imported and
called when the file is used: so only what Felt itself has is taken, unless the reader says that the file is trusted.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Any

from felt.abstraction.buckets import CARD_HOOKS, CardHook
from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.moves import LETTERS, MOVE_LETTERS, MOVE_OF_EVENT, EventKind
from felt.games.rules import GameRules
from felt.games.trees.tree import SIZES, Sizes, actions, plain_deals
from felt.games.views.keys import information

TRUST = "FELT_TRUST_HOOKS"
"""Set to 1, all files are trusted."""

FELTS_OWN: dict[str, Callable[..., Any]] = {"felt.games.keys:information": information}
"""Functions that any file may name. These names are in files: they stay when the function moves."""


class UntrustedHookError(FeltError):
    """A file that names a function which nobody has said may be run."""


def trusted(trust: bool | None) -> bool:
    """Whether files may name any function; None for what the environment says."""
    return os.environ.get(TRUST, "") == "1" if trust is None else trust


def check_trust(name: str, *, ready: bool, trust: bool) -> str:
    """The name of a hook in a file, if it may be used: of one that is `ready`, or in a file that is trusted."""
    if ready or trust or name in FELTS_OWN:
        return name
    raise UntrustedHookError(
        f"it names the function {name!r}, which would be run: if you trust the file, set {TRUST}=1 or load it with "
        "trust=True"
    )


def imported(path: str, option: str, ready: Iterable[str] = ()) -> Any:
    """A function by its name, ``module:function``."""
    if path in FELTS_OWN:
        return FELTS_OWN[path]
    module, _, name = path.partition(":")
    choices = ", ".join(ready)
    remedy = f"use {f'one of {choices}, or ' if choices else ''}a function as module:function that can be imported"
    if not module or not name:
        raise FeltError(f"{option}={path!r} cannot be found: {remedy}")
    try:
        function: Any = import_module(module)
        for part in name.split("."):
            function = getattr(function, part)
    except Exception as error:  # a module may raise anything when it is imported
        raise FeltError(f"{option}={path!r} cannot be found ({error}): {remedy}") from error
    if not callable(function):
        raise FeltError(f"{option}={path!r} is no function: {remedy}")
    return function


def named(hook: Any) -> str:
    """The name of a hook, by which `imported` finds it again."""
    if isinstance(hook, str):
        return hook
    for name, function in FELTS_OWN.items():
        if hook is function:
            return name
    path = f"{getattr(hook, '__module__', '?')}:{getattr(hook, '__qualname__', '?')}"
    same = False
    with suppress(FeltError):
        same = imported(path, "it") is hook
    if not same or path.startswith("__main__:"):
        raise FeltError(
            f"{path!r} cannot be imported, so no file can name it: define the function in a module of its own"
        )
    return path


def called(hook: Callable[..., Any], option: str, hook_name: Any, *about: Any) -> str:
    """What a hook says; if it raises, that is told with its name."""
    try:
        return str(hook(*about))
    except FeltError:
        raise
    except Exception as error:
        arguments = ", ".join(map(repr, about))
        why = f"{type(error).__name__}: {error}"
        raise FeltError(f"{option}={describe_hook(hook_name)!r} fails for ({arguments}): {why}") from error


def describe_hook(hook: Any) -> str:
    """A hook in words."""
    return hook if isinstance(hook, str) else getattr(hook, "__qualname__", repr(hook))


HistoryHook = Callable[[Sequence[str]], str]
"""From the moves of each street so far (``"c r4"``) to what is remembered of them."""


def _raises(streets: Sequence[str]) -> str:
    """How often it was raised on each street, and the moves of this one without amounts."""
    counts = "".join(str(street.count("r")) for street in streets[:-1])
    return f"{counts}/{' '.join(move[0] for move in streets[-1].split())}"


HISTORY_HOOKS: dict[str, HistoryHook] = {"all": "/".join, "street": lambda streets: streets[-1], "raises": _raises}
"""Ready hooks for moves: all of them; those of the present street; and those without amounts, with how often each
street before was raised."""


@dataclass(frozen=True)
class Abstraction:
    """What a smaller game leaves of a game.

    `cards` is asked on every street with what the player sees by then, so that players of the smaller game remember
    what they knew, unless `forget` says that they need not: then only the present counts, and `history` may leave
    out what is past, but for what may be done now: with other choices, or more raises to choose from, a hand is told
    apart. Such games can be solved too (`felt.solvers.cfr.imperfect_recall`), with no guarantee.

    >>> Abstraction(cards="ehs:5")
    Abstraction(cards='ehs:5', history='all', sizes=(1.0, inf), forget=False)
    """

    cards: str | CardHook = "all"
    history: str | HistoryHook = "all"
    sizes: Sizes = SIZES
    """The menu of raises."""
    forget: bool = False

    def __post_init__(self) -> None:
        self._hooks  # noqa: B018 - a name that is not known is told at once
        if self.history != "all" and not self.forget:
            raise FeltError(f"history={describe_hook(self.history)!r} leaves out moves: say forget=True with it")

    @cached_property
    def _hooks(self) -> tuple[Callable[[GameRules], Callable[..., str]] | CardHook, HistoryHook, bool]:
        cards, ready = _card_hook(self.cards)
        return cards, _history_hook(self.history), ready

    def key(self, rules: GameRules, *, suits: bool = True) -> Callable[[Hand, int], str]:
        """What a seat of a hand remembers: for `felt.solvers.trees.build.build_tree`."""
        if self.cards == "all" and self.history == "all" and not self.forget:
            return lambda hand, seat: information(hand, seat, suits=suits)
        if not plain_deals(rules):
            raise FeltError(
                f"{rules.name}: cards and moves can be put together only where cards are dealt face down first and to "
                "the board later; sizes of raises can in every game"
            )
        made, history, ready = self._hooks
        if self.cards == "all" and not suits:
            made = CARD_HOOKS["ranks"]("")
        cards: Any = made(rules) if ready else made  # type: ignore[call-arg,arg-type]  # a factory, or the hook itself

        @cache
        def text(own: tuple[int, ...], boards: tuple[tuple[int, ...], ...]) -> str:
            return called(cards, "cards", self.cards, own, boards)

        def key(hand: Hand, seat: int) -> str:
            own = tuple(sorted(hand.cards(seat), reverse=True))
            boards, streets = _streets(hand)
            if self.forget:
                moves = called(history, "history", self.history, streets)
                choices = "".join(MOVE_LETTERS[action.move] for action in actions(hand, sizes=self.sizes))
                return f"{text(own, boards)} {moves}".rstrip() + f" ({choices})"  # without amounts, like fcrr
            parts = [f"{text(own, boards[: i + len(boards) - len(streets) + 1])} {moves}".rstrip()
                     for i, moves in enumerate(streets)]  # fmt: skip
            return " / ".join(parts)

        return key

    @property
    def by_rank(self) -> bool:
        """Whether the hook for cards asks for no suits where suits never matter."""
        return self.cards in ("all", "ranks")

    def as_dict(self) -> dict[str, Any]:
        """For files. One's own functions are named by where they can be imported from."""
        return {
            "cards": named(self.cards),
            "history": named(self.history),
            "sizes": None if self.sizes is None else [str(size) for size in self.sizes],
            "forget": self.forget,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any], *, trust: bool = False) -> "Abstraction":
        """As a file has it; only if it is trusted, functions that it names are imported."""
        sizes = None if data["sizes"] is None else tuple(map(float, data["sizes"]))
        cards, history = str(data["cards"]), str(data["history"])
        check_trust(cards, ready=cards.partition(":")[0] in CARD_HOOKS, trust=trust)
        check_trust(history, ready=history in HISTORY_HOOKS, trust=trust)
        return cls(cards=cards, history=history, sizes=sizes, forget=data["forget"])


def _streets(hand: Hand) -> tuple[tuple[tuple[int, ...], ...], list[str]]:
    """What fell on the board, deal by deal, and the moves after each deal; before the first, those without a board."""
    boards: list[tuple[int, ...]] = []
    streets: list[list[str]] = [[]]
    for event in hand.events:
        if event.kind == EventKind.BOARD:
            boards.append(tuple(sorted(event.cards, reverse=True)))
            if any(streets):  # not the board of the first round
                streets.append([])
        elif event.kind in MOVE_OF_EVENT:
            streets[-1].append(LETTERS[event.kind] + (str(event.amount) if event.kind == EventKind.RAISE else ""))
    return tuple(boards), [" ".join(moves) for moves in streets]


def _card_hook(hook: str | CardHook) -> tuple[Any, bool]:
    """The hook, and whether it is made for a game first."""
    if callable(hook):
        return hook, False
    name, _, parameter = hook.partition(":")
    if name in CARD_HOOKS:
        return CARD_HOOKS[name](parameter), True
    return imported(hook, "cards", CARD_HOOKS), False


def _history_hook(hook: str | HistoryHook) -> HistoryHook:
    if callable(hook):
        return hook
    function: HistoryHook = HISTORY_HOOKS.get(hook) or imported(hook, "history", HISTORY_HOOKS)
    return function
