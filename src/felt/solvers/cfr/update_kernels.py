# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled: what all algorithms do with counterfactual values once they have them.

Everything is by sequence (`felt.solvers.trees.tree.Infosets`). ``first`` and ``parent`` are the information sets,
``begin`` to ``end`` those of one player.
"""

from felt._jit import kernel

POSITIVE, NEGATIVE, AVERAGE = 0, 1, 2
"""Columns of a schedule: what regrets above 0, regrets below 0 and the average are multiplied by before they grow."""


@kernel
def grow_regret(regret, instant, weights):
    """A regret after one more iteration: what the weights leave of it, and the regret of this iteration."""
    return regret * (weights[POSITIVE] if regret > 0 else weights[NEGATIVE]) + instant


@kernel
def match_regrets(first, begin, end, regrets, predicted, strategy):
    """Play each action in proportion to its regret above 0, or all alike where there is none (Hart & Mas-Colell 2000).

    `predicted` is added to the regrets; it may be empty.
    """
    for infoset in range(begin, end):
        a, b = first[infoset], first[infoset + 1]
        total = strategy[a] * 0
        for s in range(a, b):
            regret = regrets[s]
            if len(predicted) > 0:
                regret += predicted[s]
            if regret > 0:
                strategy[s] = regret
                total += regret
            else:
                strategy[s] = 0
        if total > 0:
            for s in range(a, b):
                strategy[s] /= total
        else:
            for s in range(a, b):
                strategy[s] = 1 / (b - a)


@kernel
def update_reach(first, parent, begin, end, strategy, reach):
    """The chance that a player plays each sequence, as far as it is up to them."""
    for infoset in range(begin, end):
        above = reach[parent[infoset]]
        for s in range(first[infoset], first[infoset + 1]):
            reach[s] = above * strategy[s]


@kernel
def update_regrets(infosets, begin, end, cfv, state, weights, floor):
    """One player learns from the counterfactual values of their sequences, and changes their strategy.

    `state` is a `felt.solvers.cfr.base.State`. The average takes in the strategy as it was played. With `floor`,
    regrets never stay below 0; where `predicted` is not empty, the next strategy counts the last regrets twice, as if
    they came again.
    """
    first, parent = infosets
    regrets, averages, strategy, reach, predicted = state
    for s in range(first[begin], first[end]):
        averages[s] = averages[s] * weights[AVERAGE] + reach[s]
    for infoset in range(begin, end):
        a, b = first[infoset], first[infoset + 1]
        expected = cfv[a] * 0
        for s in range(a, b):
            expected += strategy[s] * cfv[s]
        for s in range(a, b):
            instant = cfv[s] - expected
            regret = grow_regret(regrets[s], instant, weights)
            if floor and regret < 0:
                regret = 0 * regret
            regrets[s] = regret
            if len(predicted) > 0:
                predicted[s] = instant
    match_regrets(first, begin, end, regrets, predicted, strategy)
    update_reach(first, parent, begin, end, strategy, reach)
