# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled: CFR over the terminals that are left, and the review of what is pruned: see `regret_pruning`."""

from felt._jit import kernel
from felt.solvers.cfr.terminal_kernels import back_up, clear, gather
from felt.solvers.cfr.update_kernels import AVERAGE, match_regrets, update_reach, update_regrets

LOST = -1e300
"""The regret of a pruned action: no iteration lifts it above 0."""

HARDLY = 1e-12
"""The regret of a best response that is taken up: with all others below 0, it is played."""


@kernel
def sweep_active(sequences, gains, of_player, infosets, state, cfv, schedule, totals, seen):
    """As `felt.solvers.cfr.terminal_kernels.sweep`, for two players.

    It also adds up the value of each information set so far (`totals`) and how often the other player was met with each
    of their sequences (`seen`), weighted as regrets are.
    """
    first, parent = infosets
    _, _, strategy, reach, _ = state
    for t in range(len(schedule)):
        fading = schedule[t, AVERAGE]
        for player in range(2):
            other = 1 - player
            begin, end = of_player[player], of_player[player + 1]
            for s in range(first[of_player[other]], first[of_player[other + 1]]):
                seen[s] = seen[s] * fading + reach[s]
            seen[first[len(first) - 1] + other] = seen[first[len(first) - 1] + other] * fading + 1
            clear(first, begin, end, player, cfv)
            gather(sequences, gains, player, reach, cfv)
            back_up(first, parent, begin, end, strategy, cfv)
            for infoset in range(begin, end):
                total = totals[infoset] * fading
                for s in range(first[infoset], first[infoset + 1]):
                    total += strategy[s] * cfv[s]
                totals[infoset] = total
            update_regrets(infosets, begin, end, cfv, state, schedule[t], False)


@kernel
def review(begin, end, infosets, state, best, totals, most, scale, weight, pruned, dead, back):
    """Decide for one player what is pruned until the next review; `best` are the values of best responses so far.

    An action is pruned if it cannot come back before then: its regret against best responses, which fades by `scale`,
    stays below 0 even if it wins `most` in iterations that count `weight` together. ``dead[s]`` tells that nothing
    after a sequence is looked at, ``back[s]`` that it is looked at again.
    """
    first, parent = infosets
    regrets, _, strategy, reach, predicted = state
    for infoset in range(begin, end):
        above = parent[infoset]
        a, b = first[infoset], first[infoset + 1]
        if dead[above]:
            for s in range(a, b):
                dead[s] = True
                back[s] = False
            continue
        if back[above]:  # as if the best response had been played here all the time
            totals[infoset] = best[a]
            for s in range(a, b):
                totals[infoset] = max(totals[infoset], best[s])
            for s in range(a, b):
                regrets[s] = best[s] - totals[infoset] if best[s] < totals[infoset] else HARDLY
        for s in range(a, b):
            gap = best[s] - totals[infoset]
            lost = gap < 0 and gap * scale + most[s] * weight <= 0
            back[s] = back[above] or (pruned[s] and not lost)
            if lost:
                regrets[s] = LOST
            elif pruned[s] and not back[above]:
                regrets[s] = gap
            pruned[s] = lost
            dead[s] = lost
    match_regrets(first, begin, end, regrets, predicted, strategy)
    update_reach(first, parent, begin, end, strategy, reach)
