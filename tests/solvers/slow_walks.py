"""External and outcome sampling by plain recursion over the nodes of a tree, with the same dice as the kernels."""

from collections.abc import Iterator

import numpy as np

from felt._chance import block_seed
from felt.solvers.sampling.base import STREAM
from felt.solvers.trees.tree import CHANCE, TERMINAL, GameTree

MASK = (1 << 64) - 1


def dice(seed: int) -> Iterator[float]:
    """splitmix64 in whole numbers of Python."""
    state = int(block_seed(seed, 0, STREAM))
    while True:
        state = state + 0x9E3779B97F4A7C15 & MASK
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        yield ((z ^ z >> 31) >> 11) * 2.0**-53


class SlowWalks:
    """What `ExternalSampling` (without `explore`) and `OutcomeSampling` do on a tree."""

    def __init__(self, tree: GameTree, seed: int, explore: float | None = None) -> None:
        self.tree, self.explore, self.dice = tree, explore, dice(seed)
        self.regrets = np.zeros(tree.infosets.sequences)
        self.averages = np.zeros(tree.infosets.sequences)
        self.strategy = tree.infosets.uniform()

    def iterate(self) -> None:
        """A walk for every player, and one more for their averages among more than two."""
        for me in range(self.tree.players):
            drawn = self._draw(me)
            now = np.zeros_like(self.regrets)
            self._learn(0, me, drawn, 1.0, now)
            self.regrets += now
            self.strategy = self.tree.infosets.normalised(self.regrets)
        if self.tree.players > 2:
            for me in range(self.tree.players):
                self._average(me)

    def _below(self, node: int) -> list[int]:
        begin = int(self.tree.first_child[node])
        return list(range(begin, begin + int(self.tree.children[node])))

    def _chances(self, node: int) -> list[float]:
        below = self._below(node)
        if self.tree.player[node] == CHANCE:
            return [float(self.tree.chance[child]) for child in below]
        return [float(self.strategy[self.tree.sequence[child]]) for child in below]

    def _pick(self, chances: list[float]) -> int:
        left = next(self.dice)
        for i, chance in enumerate(chances):
            left -= chance
            if left < 0:
                return i
        return max(i for i, chance in enumerate(chances) if chance > 0)

    def _draw(self, me: int) -> dict[int, int]:
        """The choice at every node of a walk at which there is one, level by level."""
        drawn: dict[int, int] = {}
        waiting = [0]
        while waiting:
            node = waiting.pop(0)
            below = self._below(node)
            if self.tree.player[node] == TERMINAL:
                continue
            if self.tree.player[node] == me and self.explore is None:
                waiting += below
                continue
            if self.tree.player[node] == me and next(self.dice) < (self.explore or 0):
                drawn[node] = int(next(self.dice) * len(below))
            else:
                drawn[node] = self._pick(self._chances(node))
            waiting.append(below[drawn[node]])
        return drawn

    def _learn(self, node: int, me: int, drawn: dict[int, int], sampled: float, now: np.ndarray) -> float:
        """The sampled value of a node; `sampled` is how likely the player's own part of the walk was."""
        tree = self.tree
        if tree.player[node] == TERMINAL:
            return float(tree.payoffs[np.searchsorted(tree.terminals, node), me]) / sampled
        below, chances = self._below(node), self._chances(node)
        if tree.player[node] != me:
            if tree.players == 2 and tree.player[node] >= 0:
                for child in below:
                    self.averages[tree.sequence[child]] += self.strategy[tree.sequence[child]] / sampled
            return self._learn(below[drawn[node]], me, drawn, sampled, now)
        values = [0.0] * len(below)
        for i, child in enumerate(below):
            if self.explore is None:
                values[i] = self._learn(child, me, drawn, sampled, now)
            elif i == drawn[node]:
                likely = self.explore / len(below) + (1 - self.explore) * chances[i]
                values[i] = self._learn(child, me, drawn, sampled * likely, now)
        value = sum(chance * one for chance, one in zip(chances, values, strict=True))
        for child, one in zip(below, values, strict=True):
            now[tree.sequence[child]] += one - value
        return value

    def _average(self, me: int) -> None:
        node = 0
        while self.tree.player[node] != TERMINAL:
            below, acting = self._below(node), self.tree.player[node]
            if acting == me:
                for child in below:
                    self.averages[self.tree.sequence[child]] += self.strategy[self.tree.sequence[child]]
            by_chance = acting in (me, CHANCE)
            node = below[self._pick(self._chances(node)) if by_chance else int(next(self.dice) * len(below))]
