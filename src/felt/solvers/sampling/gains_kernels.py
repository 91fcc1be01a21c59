"""Compiled: what the betting of a game is worth to everybody, deal by deal, when all play a given strategy."""

from felt._jit import kernel
from felt.solvers.walk_kernels import pay


@kernel
def look_at_deals(nodes, cards, known, payments, first_sequence, strategy, answers, room, values, totals):
    """For each deal and player: what they win when all play `strategy`, and when they alone play `answers` instead.

    ``totals[deal, player]`` are these two. What each end brings a player who wants to come there is added to the value
    of the last sequence that they played (`felt.solvers.ends_kernels.gather`).
    """
    player, street, first, children, base, ends = nodes[:6]
    reached, answered, last = room
    players = known.shape[2]
    for seat in range(players):
        reached[0, seat] = 1
        answered[0, seat] = 1
        last[0, seat] = first_sequence[len(first_sequence) - 1] + seat
    for deal in range(len(known)):
        for seat in range(players):
            totals[deal, seat, 0] = 0
            totals[deal, seat, 1] = 0
        for node in range(len(player)):
            if ends[node] >= 0:
                absent = 0
                for seat in range(players):
                    absent += reached[node, seat] == 0
                if absent > 1:  # nobody can come here alone
                    continue
                pay(ends[node], cards[deal : deal + 1], payments)
                for me in range(players):
                    gain = payments[3][0, me]
                    for other in range(players):
                        if other != me:
                            gain *= reached[node, other]
                    values[last[node, me]] += gain
                    totals[deal, me, 0] += gain * reached[node, me]
                    totals[deal, me, 1] += gain * answered[node, me]
                continue
            acting, s = player[node], 0
            if acting >= 0:
                s = first_sequence[base[node] + known[deal, street[node], acting]]
            for a in range(first[node + 1] - first[node]):
                child = children[first[node] + a]
                for seat in range(players):
                    reached[child, seat] = reached[node, seat]
                    answered[child, seat] = answered[node, seat]
                    last[child, seat] = last[node, seat]
                if acting >= 0:
                    reached[child, acting] *= strategy[s + a]
                    answered[child, acting] *= answers[s + a]
                    last[child, acting] = s + a
