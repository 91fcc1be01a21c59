"""Compiled sweeps over the ends of a game (`felt.solvers.tree.Ends`): the fast form."""

from felt._jit import kernel
from felt.solvers.update_kernels import update


@kernel
def gather(sequences, gains, player, reached, values):
    """Add what each end brings a player to the value of the last sequence that they played, others playing theirs."""
    gather_part(sequences, gains[player], player, reached, values)


@kernel
def gather_part(sequences, gains, player, reached, values):
    """The same with the gains of this player alone."""
    players, count = sequences.shape
    if players == 2:
        other = 1 - player
        for i in range(count):
            values[sequences[player, i]] += gains[i] * reached[sequences[other, i]]
        return
    for i in range(count):
        gain = gains[i]
        for other in range(players):
            if other != player:
                gain *= reached[sequences[other, i]]
        values[sequences[player, i]] += gain


@kernel
def back_up(first, parent, begin, end, strategy, values):
    """Bring the values of later sequences back to earlier ones, by the player's own strategy."""
    for infoset in range(end - 1, begin - 1, -1):
        total = values[0] * 0
        for s in range(first[infoset], first[infoset + 1]):
            total += strategy[s] * values[s]
        values[parent[infoset]] += total


@kernel
def back_up_best(first, parent, begin, end, values, best):
    """The same by the best action at every information set, which `best` tells."""
    for infoset in range(end - 1, begin - 1, -1):
        a, b = first[infoset], first[infoset + 1]
        top = a
        for s in range(a, b):
            best[s] = 0
            if values[s] > values[top]:
                top = s
        best[top] = 1
        values[parent[infoset]] += values[top]


@kernel
def clear(first, begin, end, player, values):
    """Forget the values of one player's sequences."""
    for s in range(first[begin], first[end]):
        values[s] = 0
    values[first[len(first) - 1] + player] = 0


@kernel
def sweep(sequences, gains, of_player, infosets, state, values, schedule, floor):
    """As many iterations as the schedule has rows; players are updated in turn, each against the others' newest."""
    first, parent = infosets
    for t in range(len(schedule)):
        for player in range(len(of_player) - 1):
            begin, end = of_player[player], of_player[player + 1]
            clear(first, begin, end, player, values)
            gather(sequences, gains, player, state[3], values)
            back_up(first, parent, begin, end, state[2], values)
            update(infosets, begin, end, values, state, schedule[t], floor)
