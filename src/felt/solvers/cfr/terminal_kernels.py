# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled sweeps over the terminals of a game (`felt.solvers.trees.tree.SequenceForm`): the fast form."""

from felt._jit import kernel
from felt.solvers.cfr.update_kernels import update_regrets


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
