"""Strategies on disk: the rules, how it was solved, how good it is, and the chance of every action."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.pgdl import read_pgdl, write_pgdl
from felt.games.record import Move
from felt.games.rules import GameRules
from felt.games.tree import SIZES, Sizes
from felt.solvers.best_response import Evaluation
from felt.solvers.build import MEMORY, build_tree
from felt.solvers.files import StrategyFileError, read_arrays, write_arrays
from felt.solvers.solver import Solver
from felt.solvers.tree import GameTree

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Strategy:
    """What to do in every information set of a game."""

    rules: GameRules
    stacks: tuple[int, ...]
    sizes: Sizes
    """The menu of raises."""
    suits: bool
    algorithm: str
    iterations: int
    exploitability: float
    """Chips a hand."""
    values: tuple[float, ...]
    """Chips that each seat wins on average."""
    arrays: Mapping[str, Array] = field(repr=False)

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
        number = self._numbers.get((seat, known))
        if number is None:
            return None
        begin, end = map(int, self.arrays["first"][number : number + 2])
        return {self.action(s): float(self.chances[s]) for s in range(begin, end)}

    def action(self, sequence: int) -> Action:
        """The action that a sequence ends with."""
        cards = int(self.arrays["cards"][sequence])
        held = tuple(card for card in range(cards.bit_length()) if cards >> card & 1)
        return Action(Move(int(self.arrays["moves"][sequence])), int(self.arrays["amounts"][sequence]), held)

    def labels(self) -> Iterator[str]:
        """What is known at each information set."""
        text, ends = bytes(self.arrays["labels"]), self.arrays["label_ends"].tolist()
        return (text[begin:end].decode() for begin, end in zip([0, *ends], ends, strict=False))

    @cached_property
    def _numbers(self) -> dict[tuple[int, str], int]:
        seats = np.searchsorted(self.arrays["of_player"], np.arange(self.infosets), side="right") - 1
        return {(seat, text): i for i, (seat, text) in enumerate(zip(seats.tolist(), self.labels(), strict=True))}

    def tree(self, *, memory: float = MEMORY) -> GameTree:
        """The tree that was solved, built again."""
        tree = build_tree(self.rules, self.stacks, sizes=self.sizes, suits=self.suits, memory=memory)
        if not np.array_equal(tree.infosets.first, self.arrays["first"]):
            raise StrategyFileError(f"this strategy is of another tree of {self.rules.name}: solve the game again")
        return tree

    def solver(self, tree: GameTree | None = None, *, form: str = "ends") -> Solver:
        """The solver as it was when it was saved, to go on with."""
        made = Solver(tree or self.tree(), self.algorithm, form=form, kind=str(self.arrays["regrets"].dtype))
        for name in ("regrets", "averages", "strategy"):
            getattr(made.state, name)[:] = self.arrays[name]
        made.iterations = self.iterations
        made.reset_reach()
        return made


def save_strategy(path: str | Path, solver: Solver, evaluation: Evaluation, *, sizes: Sizes = SIZES) -> None:
    """Write what a solver has arrived at, and all that it needs to go on."""
    tree, infosets = solver.tree, solver.tree.infosets
    labels = [text.encode() for text in infosets.labels]
    about = {
        "rules": write_pgdl(tree.rules),
        "stacks": list(tree.stacks),
        "sizes": None if sizes is None else [str(size) for size in sizes],
        "suits": tree.suits,
        "algorithm": solver.algorithm.name,
        "iterations": solver.iterations,
        "exploitability": evaluation.exploitability,
        "values": list(evaluation.values),
    }
    actions = list(infosets.actions)
    arrays = {
        "chances": solver.average().astype(solver.state.regrets.dtype),
        "first": infosets.first,
        "of_player": infosets.of_player,
        "moves": np.array([action.move for action in actions], dtype=np.uint8),
        "amounts": np.array([action.amount for action in actions], dtype=np.int32),
        "cards": np.array([sum(1 << card for card in action.cards) for action in actions], dtype=np.uint64),
        "labels": np.frombuffer(b"".join(labels), dtype=np.uint8),
        "label_ends": np.cumsum([len(label) for label in labels], dtype=np.int64),
        "regrets": solver.state.regrets,
        "averages": solver.state.averages,
        "strategy": solver.state.strategy,
    }
    write_arrays(Path(path), about, arrays)


def load_strategy(path: str | Path, *, verify: bool = True) -> Strategy:
    """A strategy from its file, which stays mapped into memory."""
    about, arrays = read_arrays(Path(path), verify=verify)
    try:
        sizes = None if about["sizes"] is None else tuple(map(float, about["sizes"]))
        return Strategy(
            rules=read_pgdl(about["rules"]),
            stacks=tuple(about["stacks"]),
            sizes=sizes,
            suits=about["suits"],
            algorithm=about["algorithm"],
            iterations=about["iterations"],
            exploitability=about["exploitability"],
            values=tuple(about["values"]),
            arrays=arrays,
        )
    except (KeyError, TypeError, ValueError, FeltError) as error:
        raise StrategyFileError(f"{str(path)!r} is no strategy that this version of Felt can read: {error}") from None
