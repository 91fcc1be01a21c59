# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled: what everybody wins in the betting of a game, deal by deal, when all play a given strategy."""

from felt._jit import kernel
from felt.solvers.sampling.walk_kernels import pay


@kernel
def look_at_deals(nodes, cards, known, payments, first_sequence, strategy, responses, room, cfv, totals):
    """For each deal and player: what they win when all play `strategy`, and when they alone play `responses` instead.

    ``totals[deal, player]`` are these two. What each terminal pays a player who wants to come there is added to the
    value of the last sequence that they played (`felt.solvers.cfr.terminal_kernels.gather`).
    """
    player, street, first, children, base, terminals, _ = nodes
    reach, response_reach, last = room
    _, _, _, paid = payments
    players = known.shape[2]
    for seat in range(players):
        reach[0, seat] = 1
        response_reach[0, seat] = 1
        last[0, seat] = first_sequence[len(first_sequence) - 1] + seat
    for deal in range(len(known)):
        for seat in range(players):
            totals[deal, seat, 0] = 0
            totals[deal, seat, 1] = 0
        for node in range(len(player)):
            if terminals[node] >= 0:
                absent = 0
                for seat in range(players):
                    absent += reach[node, seat] == 0
                if absent > 1:  # nobody can come here alone
                    continue
                pay(terminals[node], cards[deal : deal + 1], payments)
                for me in range(players):
                    gain = paid[0, me]
                    for other in range(players):
                        if other != me:
                            gain *= reach[node, other]
                    cfv[last[node, me]] += gain
                    totals[deal, me, 0] += gain * reach[node, me]
                    totals[deal, me, 1] += gain * response_reach[node, me]
                continue
            acting, s = player[node], 0
            if acting >= 0:
                s = first_sequence[base[node] + known[deal, street[node], acting]]
            for a in range(first[node + 1] - first[node]):
                child = children[first[node] + a]
                for seat in range(players):
                    reach[child, seat] = reach[node, seat]
                    response_reach[child, seat] = response_reach[node, seat]
                    last[child, seat] = last[node, seat]
                if acting >= 0:
                    reach[child, acting] *= strategy[s + a]
                    response_reach[child, acting] *= responses[s + a]
                    last[child, acting] = s + a
