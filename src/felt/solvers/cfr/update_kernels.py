"""Compiled: what all algorithms do with counterfactual values once they have them.

Everything is by sequence (`felt.solvers.tree.Infosets`). ``first`` and ``parent`` are the information sets, ``begin``
to ``end`` those of one player.
"""

from felt._jit import kernel

POSITIVE, NEGATIVE, AVERAGE = 0, 1, 2
"""Columns of a schedule: what regrets above 0, regrets below 0 and the average are multiplied by before they grow."""


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
def reach(first, parent, begin, end, strategy, reached):
    """The chance that a player plays each sequence, as far as it is up to them."""
    for infoset in range(begin, end):
        above = reached[parent[infoset]]
        for s in range(first[infoset], first[infoset + 1]):
            reached[s] = above * strategy[s]


@kernel
def update(infosets, begin, end, values, state, row, floor):
    """One player learns from the counterfactual values of their sequences, and changes their strategy.

    `state` is (regrets, averages, strategy, reach, predicted): `felt.solvers.solver.State`. The average takes in the
    strategy as it was played. With `floor`, regrets never stay below 0; where `predicted` is not empty, the next
    strategy counts the last regrets twice, as if they came again.
    """
    first, parent = infosets
    regrets, averages, strategy, reached, predicted = state
    for s in range(first[begin], first[end]):
        averages[s] = averages[s] * row[AVERAGE] + reached[s]
    for infoset in range(begin, end):
        a, b = first[infoset], first[infoset + 1]
        value = values[a] * 0
        for s in range(a, b):
            value += strategy[s] * values[s]
        for s in range(a, b):
            now = values[s] - value
            regret = regrets[s]
            regret = regret * (row[POSITIVE] if regret > 0 else row[NEGATIVE]) + now
            if floor and regret < 0:
                regret = 0 * regret
            regrets[s] = regret
            if len(predicted) > 0:
                predicted[s] = now
    match_regrets(first, begin, end, regrets, predicted, strategy)
    reach(first, parent, begin, end, strategy, reached)
