"""Compiled sweeps over the betting of a game, for one deal after the other."""

from felt._jit import kernel
from felt.solvers.update_kernels import reach, update


@kernel
def sweep_deals(spots, known, ends, payoffs, infosets, state, room, values, row, floor):
    """One iteration for each deal: every player learns from what the betting is worth with these cards.

    `spots` are (player, street, first child, children, first information set); ``known[deal, street, player]`` is which
    of a spot's sets a player is in; `ends` the row of each spot's payoffs.
    """
    player, street, first, children, base = spots
    first_sequence, parent = infosets
    numbers, others, worth = room
    for deal in range(len(known)):
        for me in range(known.shape[2]):
            others[0] = 1
            for spot in range(len(player)):
                acting = player[spot]
                count = first[spot + 1] - first[spot]
                if acting < 0:
                    for c in range(first[spot], first[spot + 1]):
                        others[children[c]] = others[spot]
                    continue
                infoset = base[spot] + known[deal, street[spot], acting]
                numbers[spot] = infoset
                if acting == me:
                    reach(first_sequence, parent, infoset, infoset + 1, state[2], state[3])
                for a in range(count):
                    chance = state[2][first_sequence[infoset] + a] if acting != me else others[0]
                    others[children[first[spot] + a]] = others[spot] * chance
            for spot in range(len(player) - 1, -1, -1):
                acting = player[spot]
                if first[spot] == first[spot + 1]:
                    worth[spot] = payoffs[deal, ends[spot], me]
                elif acting < 0:
                    worth[spot] = worth[children[first[spot]]]
                else:
                    begin = first_sequence[numbers[spot]]
                    total = worth[0] * 0
                    for a in range(first[spot + 1] - first[spot]):
                        below = worth[children[first[spot] + a]]
                        total += state[2][begin + a] * below
                        if acting == me:
                            values[begin + a] = others[spot] * below
                    worth[spot] = total
            for spot in range(len(player)):
                if player[spot] == me:
                    infoset = numbers[spot]
                    update(infosets, infoset, infoset + 1, values, state, row, floor)
