# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Push/fold as two matrices, and the loops that solve it.

``gain_sb = sum(call[j] * a[j]) + u`` is what each class of the small blind gains by shoving instead of folding, times
the chance of the class; ``gain_bb = sum(shove[i] * b[i])`` what each class of the big blind gains by calling instead of
folding. The rows of both matrices are the opponent's classes, so that sums run along memory.
"""

from felt._jit import kernel
from felt.solvers.cfr.update_kernels import grow_regret

UNDISCOUNTED = (1.0, 1.0, 1.0)


@kernel
def gains(rows, offset, opponent, out):
    """What each class gains by going all in against the opponent's frequencies."""
    for i in range(len(out)):
        out[i] = offset[i]
    for j in range(len(opponent)):
        often = opponent[j]
        if often != 0.0:
            for i in range(len(out)):
                out[i] += often * rows[j, i]


@kernel
def regret_of(gain, played):
    """What the best response wins more than what is played, against the same opponent."""
    total = 0.0
    for i in range(len(gain)):
        total += max(gain[i], 0.0) - played[i] * gain[i]
    return total


@kernel
def exploitability(a, u, b, v, shove, call, gain):
    """The mean of what both players' best responses would win more."""
    gains(a, u, call, gain)
    total = regret_of(gain, shove)
    gains(b, v, shove, gain)
    return (total + regret_of(gain, call)) / 2


@kernel
def match_regret(gain, yes, no, now):
    """One update of regret matching+ with two actions; `now` is played next."""
    for i in range(len(gain)):
        yes[i] = max(grow_regret(yes[i], (1 - now[i]) * gain[i], UNDISCOUNTED), 0.0)
        no[i] = max(grow_regret(no[i], -now[i] * gain[i], UNDISCOUNTED), 0.0)
        both = yes[i] + no[i]
        if both > 0:
            now[i] = yes[i] / both


@kernel
def blend(share, mean, new):
    """Move a mean towards the newest."""
    for i in range(len(mean)):
        mean[i] += share * (new[i] - mean[i])


@kernel
def cfr_plus(a, u, b, v, target, most, every, head, shove, call, work):
    """CFR+ (Tammelin 2014): alternating updates, averages weighted by the iteration.

    `shove` and `call` are the averages of the first `head` iterations and then of all. `work` is ``[7, 169]``: a row to
    work in, regrets of shoving and of folding, of calling and of folding, and what both play now. Looks at the
    exploitability once in `every` iterations. Returns the iterations made and the exploitability reached.
    """
    gain, sb_yes, sb_no, bb_yes, bb_no, sb_now, bb_now = work[0], work[1], work[2], work[3], work[4], work[5], work[6]
    reached = exploitability(a, u, b, v, shove, call, gain)
    done = 0
    while reached > target and done < most:
        for _ in range(every):
            done += 1
            gains(a, u, bb_now, gain)
            match_regret(gain, sb_yes, sb_no, sb_now)
            gains(b, v, sb_now, gain)
            match_regret(gain, bb_yes, bb_no, bb_now)
            share = 2.0 / (head + done + 1)
            blend(share, shove, sb_now)
            blend(share, call, bb_now)
        reached = exploitability(a, u, b, v, shove, call, gain)
    return done, reached


@kernel
def respond(rows, mean, response, theirs):
    """Make `response` the best one to a gain; `theirs`, the opponent's gain against it, follows the changes."""
    for i in range(len(response)):
        best = 1.0 if mean[i] > 0 else 0.0
        if best != response[i]:
            change = best - response[i]
            response[i] = best
            for j in range(len(theirs)):
                theirs[j] += change * rows[i, j]


@kernel
def fictitious_play(a, u, b, v, target, most, head, shove, call, work):
    """Fictitious play (Brown 1951): each best response to the other's mean joins its mean, later ones count more.

    Gains are linear, so the gains against a mean are means of gains, and a best response that differs from the last
    one in a few classes changes them by a few rows: an iteration costs hundreds of steps, not 169 × 169, and the
    exploitability of the means is known at every one. `shove` and `call` are as for CFR+; `work` is ``[6, 169]``, two
    rows to work in, the gains against the last best responses (`u` and `v` at first), and these (0 at first).
    """
    sb_mean, bb_mean, sb_new, bb_new, sb_best, bb_best = work[0], work[1], work[2], work[3], work[4], work[5]
    gains(a, u, call, sb_mean)
    gains(b, v, shove, bb_mean)
    reached = (regret_of(sb_mean, shove) + regret_of(bb_mean, call)) / 2
    done = 0
    while reached > target and done < most:
        done += 1
        share = 2.0 / (head + done + 1)
        respond(b, sb_mean, sb_best, bb_new)
        blend(share, shove, sb_best)
        blend(share, bb_mean, bb_new)
        respond(a, bb_mean, bb_best, sb_new)
        blend(share, call, bb_best)
        blend(share, sb_mean, sb_new)
        reached = (regret_of(sb_mean, shove) + regret_of(bb_mean, call)) / 2
    return done, reached


@kernel
def add_orders(tensor, second, third, seconds, thirds, out):
    """Add up the three-way all-ins of the classes that two others play, `seconds` and `thirds`, as often as they do."""
    for m in range(len(seconds)):
        j = seconds[m]
        for n in range(len(thirds)):
            k = thirds[n]
            often = second[j] * third[k]
            for i in range(len(out)):
                out[i] += often * tensor[j, k, i]
