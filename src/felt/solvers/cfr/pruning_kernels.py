"""Compiled: CFR over the ends that are not pruned, and the review of what is (`felt.solvers.regret_pruning`)."""

from felt._jit import kernel
from felt.solvers.ends_kernels import back_up, clear, gather
from felt.solvers.update_kernels import AVERAGE, match_regrets, reach, update

LOST = -1e300
"""The regret of a pruned action: no iteration lifts it above 0."""

HARDLY = 1e-12
"""The regret of a best answer that is taken up: with all others below 0, it is played."""


@kernel
def sweep_active(sequences, gains, of_player, infosets, state, values, schedule, totals, seen):
    """As `felt.solvers.ends_kernels.sweep`, for two players.

    Beside it keeps what each information set was worth so far (`totals`) and how often the other was met with each of
    their sequences (`seen`), weighted as regrets are.
    """
    first, parent = infosets
    for t in range(len(schedule)):
        fading = schedule[t, AVERAGE]
        for player in range(2):
            other = 1 - player
            begin, end = of_player[player], of_player[player + 1]
            for s in range(first[of_player[other]], first[of_player[other + 1]]):
                seen[s] = seen[s] * fading + state[3][s]
            seen[first[len(first) - 1] + other] = seen[first[len(first) - 1] + other] * fading + 1
            clear(first, begin, end, player, values)
            gather(sequences, gains, player, state[3], values)
            back_up(first, parent, begin, end, state[2], values)
            for infoset in range(begin, end):
                total = totals[infoset] * fading
                for s in range(first[infoset], first[infoset + 1]):
                    total += state[2][s] * values[s]
                totals[infoset] = total
            update(infosets, begin, end, values, state, schedule[t], False)


@kernel
def review(begin, end, infosets, state, best, totals, most, scale, weight, pruned, dead, back):
    """Decide for one player what is pruned until the next review; `best` are the values of best answers so far.

    An action is pruned if it cannot come back before then: its regret against best answers, which fades by `scale`,
    stays below 0 even if it wins `most` in iterations that count `weight` together. ``dead[s]`` tells that nothing
    after a sequence is looked at, ``back[s]`` that it is looked at again.
    """
    first, parent = infosets
    regrets, strategy = state[0], state[2]
    for infoset in range(begin, end):
        above = parent[infoset]
        a, b = first[infoset], first[infoset + 1]
        if dead[above]:
            for s in range(a, b):
                dead[s] = True
                back[s] = False
            continue
        if back[above]:  # as if the best answer had been played here all the time
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
    match_regrets(first, begin, end, regrets, state[4], strategy)
    reach(first, parent, begin, end, strategy, state[3])
