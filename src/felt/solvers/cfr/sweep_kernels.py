# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled sweeps: over the terminals of a game (`felt.solvers.trees.tree.SequenceForm`), the fast form; over levels
of a tree; and over the terminals that pruning leaves (`felt.solvers.cfr.regret_pruning`).

`nodes` are arrays of a `felt.solvers.trees.tree.GameTree`: parent, first child, children, player, sequence, chance.
"""

from felt._jit import kernel
from felt.solvers.cfr.update_kernels import AVERAGE, match_regrets, update_reach, update_regrets


@kernel
def gather(sequences, gains, player, reach, cfv):
    """Add what each terminal pays a player to the value of their last sequence, others playing theirs."""
    gather_part(sequences, gains[player], player, reach, cfv)


@kernel
def gather_part(sequences, gains, player, reach, cfv):
    """The same with the gains of this player alone."""
    players, count = sequences.shape
    if players == 2:
        other = 1 - player
        for i in range(count):
            cfv[sequences[player, i]] += gains[i] * reach[sequences[other, i]]
        return
    for i in range(count):
        gain = gains[i]
        for other in range(players):
            if other != player:
                gain *= reach[sequences[other, i]]
        cfv[sequences[player, i]] += gain


@kernel
def back_up(first, parent, begin, end, strategy, cfv):
    """Bring the values of later sequences back to earlier ones, by the player's own strategy."""
    for infoset in range(end - 1, begin - 1, -1):
        total = cfv[0] * 0
        for s in range(first[infoset], first[infoset + 1]):
            total += strategy[s] * cfv[s]
        cfv[parent[infoset]] += total


@kernel
def back_up_best(first, parent, begin, end, cfv, best):
    """The same by the best action at every information set, for which `best` is 1."""
    for infoset in range(end - 1, begin - 1, -1):
        a, b = first[infoset], first[infoset + 1]
        top = a
        for s in range(a, b):
            best[s] = 0
            if cfv[s] > cfv[top]:
                top = s
        best[top] = 1
        cfv[parent[infoset]] += cfv[top]


@kernel
def clear(first, begin, end, player, cfv):
    """Forget the values of one player's sequences."""
    for s in range(first[begin], first[end]):
        cfv[s] = 0
    cfv[first[len(first) - 1] + player] = 0


@kernel
def sweep(sequences, gains, of_player, infosets, state, cfv, schedule, floor):
    """As many iterations as the schedule has rows; players are updated in turn, each against the others' newest."""
    first, parent = infosets
    _, _, strategy, reach, _ = state
    for t in range(len(schedule)):
        for player in range(len(of_player) - 1):
            begin, end = of_player[player], of_player[player + 1]
            clear(first, begin, end, player, cfv)
            gather(sequences, gains, player, reach, cfv)
            back_up(first, parent, begin, end, strategy, cfv)
            update_regrets(infosets, begin, end, cfv, state, schedule[t], floor)


@kernel
def go_down(nodes, player, strategy, chances, reach):
    """The chance of each node given its parent, and how likely all but the player bring it about."""
    parent, _, _, acting, sequence, chance = nodes
    reach[0] = 1
    for node in range(1, len(parent)):
        above = parent[node]
        if sequence[node] < 0:
            chances[node] = chance[node]
            reach[node] = reach[above] * chance[node]
        else:
            chances[node] = strategy[sequence[node]]
            reach[node] = reach[above] if acting[above] == player else reach[above] * chances[node]


@kernel
def go_up(nodes, payoffs, player, chances, reach, node_values, cfv):
    """The value of every node to the player, and of their sequences."""
    _, first_child, children, acting, sequence, _ = nodes
    terminal = len(payoffs)
    for node in range(len(node_values) - 1, -1, -1):
        if children[node] == 0:
            terminal -= 1
            node_values[node] = payoffs[terminal, player]
            continue
        begin = first_child[node]
        total = node_values[0] * 0
        for child in range(begin, begin + children[node]):
            total += chances[child] * node_values[child]
        node_values[node] = total
        if acting[node] == player:
            for child in range(begin, begin + children[node]):
                cfv[sequence[child]] += reach[node] * node_values[child]


@kernel
def sweep_levels(nodes, payoffs, of_player, infosets, state, room, cfv, schedule, floor):
    """As `felt.solvers.cfr.sweep_kernels.sweep`, over every node; `room` has three numbers for each."""
    first, _ = infosets
    _, _, strategy, _, _ = state
    chances, reach, node_values = room
    for t in range(len(schedule)):
        for player in range(len(of_player) - 1):
            begin, end = of_player[player], of_player[player + 1]
            for s in range(first[begin], first[end]):
                cfv[s] = 0
            go_down(nodes, player, strategy, chances, reach)
            go_up(nodes, payoffs, player, chances, reach, node_values, cfv)
            update_regrets(infosets, begin, end, cfv, state, schedule[t], floor)


LOST = -1e300
"""The regret of a pruned action: no iteration lifts it above 0."""

HARDLY = 1e-12
"""The regret of a best response that is taken up: with all others below 0, it is played."""


@kernel
def sweep_active(sequences, gains, of_player, infosets, state, cfv, schedule, totals, seen):
    """As `felt.solvers.cfr.sweep_kernels.sweep`, for two players.

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
