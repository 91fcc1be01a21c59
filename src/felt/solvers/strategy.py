"""Strategies on disk: the rules, how it was solved, how good it is, and the chance of every action."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.pgdl import read_pgdl, write_pgdl
from felt.games.record import Move
from felt.games.rules import GameRules
from felt.games.tree import Sizes
from felt.games.view import View
from felt.solvers.abstraction import Abstraction
from felt.solvers.algorithm import ALGORITHMS, Algorithm, algorithm
from felt.solvers.best_response import Evaluation
from felt.solvers.build import build_tree
from felt.solvers.files import StrategyFileError, read_arrays, write_arrays
from felt.solvers.memory import MEMORY
from felt.solvers.origin import Origin
from felt.solvers.own_hooks import UntrustedHookError, trusted
from felt.solvers.renaming import seen_information
from felt.solvers.solver import FORMS, Solver, State
from felt.solvers.strategy_fields import check_arrays, check_fields, shown
from felt.solvers.tree import GameTree, Infosets
from felt.solvers.vector import VectorSolver
from felt.solvers.vector_build import vector_tree

if TYPE_CHECKING:
    from felt.solvers.any_solver import AnySolver

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Strategy:
    """What to do in every information set of a game."""

    rules: GameRules
    stacks: tuple[int, ...]
    origin: Origin
    """What the tree was built from beside the rules."""
    suits: bool
    algorithm: str
    form: str
    """What solved it: one of `felt.solvers.solver.FORMS`, ``vector``, ``forgetful`` or ``sampling``."""
    iterations: int
    exploitability: float | None
    """Chips a hand; None where it could not be measured."""
    values: tuple[float, ...] | None
    """Chips that each seat wins on average."""
    dice: Mapping[str, Any] | None
    """The state of chance, where something is left to it."""
    whole: bool
    """Whether it was solved over the whole tree, and not over the betting with cards dealt."""
    own: bool
    """Whether the algorithm was one of the user's own, which no name finds again."""
    arrays: Mapping[str, Array] = field(repr=False)
    isomorphic: bool = False
    """Whether suits are mere names in it."""
    kind: str | None = None
    """What a solver of the public tree kept its numbers in."""

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.stacks)

    @property
    def chances(self) -> Array:
        """Of every sequence, as `felt.solvers.tree.Infosets` orders them."""
        return self.arrays["chances"]

    @property
    def infosets(self) -> int:
        """How many information sets there are."""
        return len(self.arrays["first"]) - 1

    def at(self, seat: int, known: str) -> dict[Action, float] | None:
        """The chance of each action of a seat that knows this (`felt.games.keys.information`); None if never solved."""
        found = self.sequences(seat, known)
        return None if found is None else {self.action(s): float(self.chances[s]) for s in found}

    def sequences(self, seat: int, known: str) -> range | None:
        """Where the chances of a seat that knows this stand among all `chances`; None if it was never solved."""
        number = self._numbers.get((seat, known))
        return None if number is None else range(*map(int, self.arrays["first"][number : number + 2]))

    def knows(self, view: View) -> str:
        """What the seat of a view knows, as this strategy names it; not that of an abstraction."""
        return seen_information(view, suits=self.suits, isomorphic=self.isomorphic)

    def action(self, sequence: int) -> Action:
        """The action that a sequence ends with."""
        cards = int(self.arrays["cards"][sequence])
        held = tuple(card for card in range(cards.bit_length()) if cards >> card & 1)
        return Action(Move(int(self.arrays["moves"][sequence])), int(self.arrays["amounts"][sequence]), held)

    def labels(self) -> Iterator[str]:
        """What is known at each information set."""
        text, ends = bytes(self.arrays["labels"]), self.arrays["label_ends"].tolist()
        return (text[begin:end].decode(errors="replace") for begin, end in zip([0, *ends], ends, strict=False))

    @cached_property
    def _numbers(self) -> dict[tuple[int, str], int]:
        seats = np.searchsorted(self.arrays["of_player"], np.arange(self.infosets), side="right") - 1
        return {(seat, text): i for i, (seat, text) in enumerate(zip(seats.tolist(), self.labels(), strict=True))}

    @property
    def sizes(self) -> Sizes:
        """The menu of raises."""
        return self.origin.sizes

    @property
    def abstraction(self) -> Abstraction | None:
        """What was left of the game, if not all."""
        return self.origin.abstraction

    def tree(self, *, memory: float = MEMORY) -> GameTree:
        """The tree that was solved, built again."""
        origin = self.origin
        game, stacks = (self.rules, self.stacks) if origin.start is None else (origin.start, None)
        if origin.abstraction is not None:
            tree = build_tree(game, stacks, suits=self.suits, abstraction=origin.abstraction, memory=memory)
        else:
            tree = build_tree(
                game, stacks, suits=self.suits, sizes=origin.sizes, key=origin.key, isomorphic=self.isomorphic,
                memory=memory,
            )  # fmt: skip
        self._check(tree.infosets)
        return tree

    def vector_solver(self, *, kind: str | None = None, memory: float = MEMORY) -> VectorSolver:
        """A solver of the public tree that goes on from what was saved, whichever form it was solved in.

        What such a solver has saved goes on to the last bit; of other forms, or in numbers of another `kind`, it is the
        same but for rounding.
        """
        number = kind or self.kind or str(self.arrays["regrets"].dtype)
        tree = vector_tree(
            self.rules, self.stacks, sizes=self.sizes, isomorphic=self.isomorphic, memory=memory, kind=number
        )  # fmt: skip
        made = VectorSolver(tree, self.algorithm, kind=number)
        self._check(made.infosets)
        made.restore(self.arrays, self.iterations)
        return made

    def solver(self, tree: GameTree | None = None, method: Algorithm | None = None, *, memory: float = MEMORY) -> Any:
        """The solver as it was when it was saved, to go on with: the same numbers as if it had never stopped.

        `method` is needed where the algorithm was one of the user's own. What was solved over the public tree goes on
        over a `tree` that is given, with numbers that are the same but for rounding, and else over the public tree.
        """
        if self.own and method is None:
            raise FeltError(f"this strategy was solved by an algorithm of one's own, {self.algorithm!r}: give it again")
        made: Any
        if self.form == "vector" and tree is None:
            return self.vector_solver(memory=memory)
        if self.form == "sampling":
            from felt.solvers.methods import begin

            game = (tree or self.tree(memory=memory)) if self.whole else self.rules
            table: dict[str, Any] = {} if self.whole else {"stacks": self.stacks, "sizes": self.sizes}
            made = begin(game, self.algorithm, memory=memory, **table)
            self._check(made.tree.infosets)
            try:
                made.dice_state = dict(self.dice or {})
            except (LookupError, TypeError, ValueError, ArithmeticError):
                raise StrategyFileError(
                    f"the dice of this strategy, {shown(self.dice)}, are none of {self.algorithm}: solve the game again"
                ) from None
        elif self.form == "forgetful":
            from felt.solvers.forgetful import ForgetfulSolver

            made = ForgetfulSolver(tree or self.tree(memory=memory), method or self.algorithm)
        else:
            made = Solver(
                tree or self.tree(memory=memory),
                method or self.algorithm,
                form=self.form if self.form in FORMS else "ends",
                kind=str(self.arrays["regrets"].dtype),
            )
        for name in _KEPT:
            if name in self.arrays:
                getattr(made.state, name)[:] = self.arrays[name]
        made.iterations = self.iterations
        if isinstance(made, Solver):
            made.reset_reach()
        return made

    def _check(self, infosets: Infosets) -> None:
        if not np.array_equal(infosets.first, self.arrays["first"]):
            raise StrategyFileError(f"this strategy is of another tree of {self.rules.name}: solve the game again")


MOST_WORDS = 300
"""Characters that are told of what is wrong with a file."""

_KEPT = tuple(name for name in State._fields if name != "reach")
"""What a solver goes on from; reach follows from the strategy."""


def save_strategy(path: str | Path, solver: "AnySolver", evaluation: Evaluation | None) -> None:
    """Write what a solver has arrived at, and all that it needs to go on; None where nothing was measured."""
    method = solver.algorithm
    about = {
        **_origin_of(solver),
        "algorithm": method.name,
        "own": not hasattr(solver, "dice_state") and not _known(method),
        "iterations": solver.iterations,
        "exploitability": None if evaluation is None else evaluation.exploitability,
        "values": None if evaluation is None else list(evaluation.values),
    }
    write_arrays(Path(path), about, {**_layout(solver.tree.infosets), **_learned(solver)})


def _known(method: Algorithm) -> bool:
    """Whether its name says all about an algorithm."""
    return method.name in ALGORITHMS and algorithm(method.name) is method


def _origin_of(solver: Any) -> dict[str, Any]:
    """All that is needed to make the solver again, but for what it has learned."""
    tree, dice = solver.tree, getattr(solver, "dice_state", None)
    form = "sampling" if dice is not None else getattr(solver, "form", "")
    plain = type(solver).__name__ in ("Solver", "ForgetfulSolver", "VectorSolver") or dice is not None
    if not plain or form not in (*FORMS, "forgetful", "sampling", "vector"):
        raise FeltError(f"what {type(solver).__name__} has found cannot be saved yet: choose another algorithm")
    if form == "vector" and tree.from_hand:
        raise FeltError("what follows a state of a hand is kept in a file only of a whole tree: use form='ends' for it")
    whole = form != "sampling" or isinstance(tree, GameTree)
    if isinstance(tree, GameTree):
        origin, isomorphic = tree.origin or Origin(), tree.isomorphic
        rules, stacks, suits = tree.rules, tree.stacks, tree.suits
    else:
        origin, game = Origin(tree.sizes if form == "vector" else solver.sizes), tree.game
        rules, stacks, suits, isomorphic = game.rules, game.hand.starting_stacks, game.suits, len(game.renamings) > 1
    about = {"rules": write_pgdl(rules), "stacks": list(stacks), "suits": suits, "isomorphic": isomorphic}
    return {
        **about,
        "form": form,
        "kind": getattr(solver, "kind", None),
        "whole": whole,
        "dice": dice,
        **origin.as_dict(),
    }


def _layout(infosets: Infosets) -> dict[str, Array]:
    labels, ends = bytearray(), np.zeros(infosets.count, dtype=np.int64)
    for i, text in enumerate(infosets.labels):  # one by one: all of them as texts would take more than the solver
        labels += text.encode()
        ends[i] = len(labels)
    actions, count = infosets.actions, infosets.sequences
    return {
        "first": infosets.first,
        "of_player": infosets.of_player,
        "moves": np.fromiter((action.move for action in actions), np.uint8, count),
        "amounts": np.fromiter((action.amount for action in actions), np.int32, count),
        "cards": np.fromiter((sum(1 << card for card in action.cards) for action in actions), np.uint64, count),
        "labels": np.frombuffer(labels, dtype=np.uint8),
        "label_ends": ends,
    }


def _learned(solver: Any) -> dict[str, Array]:
    state = solver.state._asdict()
    return {
        "chances": solver.average().astype(solver.state.regrets.dtype),
        **{name: state[name] for name in _KEPT if len(state[name])},
        **(solver.kept() if isinstance(solver, VectorSolver) else {}),
    }


def load_strategy(path: str | Path, *, verify: bool = True, trust: bool | None = None) -> Strategy:
    """A strategy from its file, which stays mapped into memory.

    A file may name functions of somebody's own, which are imported and run: that is refused unless `trust` allows it,
    or, where it is not said, FELT_TRUST_HOOKS=1 in the environment.
    """
    about, arrays = read_arrays(Path(path), verify=verify)
    try:
        check_fields(about)
        check_arrays(arrays, len(about["stacks"]), contents=verify)
        rules = read_pgdl(about["rules"])
        return Strategy(
            rules=rules,
            stacks=tuple(about["stacks"]),
            origin=Origin.from_dict(about, rules, trust=trusted(trust)),
            suits=about["suits"],
            isomorphic=about["isomorphic"],
            kind=about["kind"],
            algorithm=about["algorithm"],
            form=about["form"],
            iterations=about["iterations"],
            exploitability=about["exploitability"],
            values=None if about["values"] is None else tuple(about["values"]),
            dice=about["dice"],
            whole=about["whole"],
            own=about["own"],
            arrays=arrays,
        )
    except UntrustedHookError as error:
        raise UntrustedHookError(f"{str(path)!r} is not trusted: {error}") from None
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError, FeltError) as error:
        why = f"a part of it, {error}, is missing" if isinstance(error, LookupError) else str(error)
        why = " ".join(why.split())
        raise StrategyFileError(
            f"{str(path)!r} is no strategy that this version of Felt can read: {why[:MOST_WORDS]}; solve the game again"
        ) from None
