"""Strategies on disk: the rules, how it was solved, how good it is, and the chance of every action."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from felt.abstraction.abstraction import Abstraction, UntrustedHookError, trusted
from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.moves import Move
from felt.games.pgdl import read_pgdl, write_pgdl
from felt.games.rules import GameRules
from felt.games.trees.tree import Sizes
from felt.games.views.view import View
from felt.solvers.best_response import Evaluation
from felt.solvers.cfr.algorithm import ALGORITHMS, Algorithm, find_algorithm
from felt.solvers.cfr.base import AnySolver, SavedSolver
from felt.solvers.files import StrategyFileError, check_arrays, check_fields, read_arrays, shown, write_arrays
from felt.solvers.memory import MEMORY
from felt.solvers.public_tree.build import vector_tree
from felt.solvers.public_tree.solver import VectorSolver
from felt.solvers.registry import PUBLIC, find_form
from felt.solvers.sampling.betting import betting_of
from felt.solvers.trees.build import Origin, build_tree
from felt.solvers.trees.dealt import seen_information
from felt.solvers.trees.tree import Array, GameTree, Infosets

MOST_WORDS = 300
"""Characters that are told of what is wrong with a file."""


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
    """What solved it: one of `felt.solvers.registry.SAVED_FORMS`."""
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
        """Of every sequence, as `felt.solvers.trees.tree.Infosets` orders them."""
        return self.arrays["chances"]

    @property
    def infosets(self) -> int:
        """How many information sets there are."""
        return len(self.arrays["first"]) - 1

    def at(self, seat: int, known: str) -> dict[Action, float] | None:
        """The chance of each action of a seat that knows this (`views.keys.information`); None if never solved."""
        sequences = self.sequences(seat, known)
        return None if sequences is None else {self.action(s): float(self.chances[s]) for s in sequences}

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
        solver: VectorSolver = self._resumed("vector", find_algorithm(self.algorithm), kind=kind, memory=memory)
        return solver

    def solver(
        self, tree: GameTree | None = None, method: Algorithm | None = None, *, memory: float = MEMORY,
        threads: int | None = None,
    ) -> Any:  # fmt: skip
        """The solver as it was when it was saved, to go on with: the same numbers as if it had never stopped.

        `method` is needed where the algorithm was one of the user's own. What was solved over the public tree goes on
        over a `tree` that is given, with numbers that are the same but for rounding, and else over the public tree.
        `threads` are for sweeps over terminals, and change no number.
        """
        if self.own and method is None:
            raise FeltError(f"this strategy was solved by an algorithm of one's own, {self.algorithm!r}: give it again")
        form = "ends" if self.form == "vector" and tree is not None else self.form
        if threads is not None and form != "ends":
            raise FeltError("--threads share out sweeps over ends, which this strategy was not solved by: leave it out")
        return self._resumed(form, method, tree, memory=memory, threads=threads)

    def _resumed(
        self, form: str, method: Algorithm | None, tree: Any = None, *, memory: float, kind: str | None = None,
        threads: int | None = None,
    ) -> Any:  # fmt: skip
        """A solver of a form, as the registry has it, with all that was saved."""
        number = kind or self.kind or str(self.arrays["regrets"].dtype)
        row = find_form(self.algorithm, form)
        if PUBLIC in row.trees:
            tree = vector_tree(
                self.rules, self.stacks, sizes=self.sizes, isomorphic=self.isomorphic, memory=memory, kind=number
            )  # fmt: skip
        elif not self.whole:
            tree = betting_of(self.rules, self.stacks, sizes=self.sizes, memory=memory)
        elif tree is None:
            tree = self.tree(memory=memory)
        options = {"form": form, "kind": number, "threads": threads}
        methods = () if form == "sampling" else (method or find_algorithm(self.algorithm),)
        solver: SavedSolver = row.make(tree, *methods, **{name: options[name] for name in row.options})
        self._check(solver.tree.infosets)
        solver.restore(self.arrays, self.iterations)
        try:
            solver.dice_state = None if self.dice is None else dict(self.dice)
        except (LookupError, TypeError, ValueError, ArithmeticError):
            raise StrategyFileError(
                f"the dice of this strategy, {shown(self.dice)}, are none of {self.algorithm}: solve the game again"
            ) from None
        return solver

    def _check(self, infosets: Infosets) -> None:
        if not np.array_equal(infosets.first, self.arrays["first"]):
            raise StrategyFileError(f"this strategy is of another tree of {self.rules.name}: solve the game again")


def save_strategy(path: str | Path, solver: AnySolver, evaluation: Evaluation | None) -> None:
    """Write what a solver has arrived at, and all that it needs to go on; None where nothing was measured."""
    method, saved, tree = solver.algorithm, cast(SavedSolver, solver), solver.tree
    if not solver.form:
        raise FeltError(f"what {method.title} finds here cannot be saved yet: choose another algorithm")
    about = {
        "rules": write_pgdl(tree.rules),
        "stacks": list(tree.stacks),
        "suits": tree.suits,
        "isomorphic": tree.isomorphic,
        "form": solver.form,
        "kind": saved.kind,
        "whole": tree.lists_deals,
        "dice": saved.dice_state,
        **(tree.origin or Origin()).as_dict(),
        "algorithm": method.name,
        "own": solver.form != "sampling" and ALGORITHMS.get(method.name) is not method,
        "iterations": solver.iterations,
        "exploitability": None if evaluation is None else evaluation.exploitability,
        "values": None if evaluation is None else list(evaluation.values),
    }
    arrays = saved.saved_arrays()
    chances = solver.average().astype(arrays["regrets"].dtype)
    write_arrays(Path(path), about, {**_layout(tree.infosets), "chances": chances, **arrays})


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
        origin, values = Origin.from_dict(about, rules, trust=trusted(trust)), about["values"]
        parts = {item.name: about.get(item.name) for item in fields(Strategy)}
        parts |= {"rules": rules, "stacks": tuple(about["stacks"]), "origin": origin, "arrays": arrays}
        return Strategy(**parts | {"values": None if values is None else tuple(values)})
    except UntrustedHookError as error:
        raise UntrustedHookError(f"{str(path)!r} is not trusted: {error}") from None
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError, FeltError) as error:
        text = f"a part of it, {error}, is missing" if isinstance(error, LookupError) else str(error)
        why = " ".join(text.split())
        raise StrategyFileError(
            f"{str(path)!r} is no strategy that this version of Felt can read: {why[:MOST_WORDS]}; solve the game again"
        ) from None
