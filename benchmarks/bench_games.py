"""Playing hands: in batches, one by one from Python, beside other engines; and what millions of hands have shown."""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from multiprocessing import get_context
from typing import TypeVar

import numpy as np

from benchmarks import peers
from benchmarks.machine import cores
from benchmarks.measure import Contestant, race, timed
from benchmarks.rows import Figure, Row, Section, Target, figure, rate
from benchmarks.words import digits
from felt.games import Action, Hand, Legal, Move, load, names
from felt.games.engine.batch import play_random
from felt.games.engine.record import HAND

NLHE = load("nlhe")
STACK = 200
"""A hundred big blinds: the blinds are 1 and 2."""

Job = TypeVar("Job")
Result = TypeVar("Result")

MANY = 100_000
CALLERS = 4
CHUNK = 1_000


def bench(quick: bool = False) -> Section:
    rounds = 3 if quick else 15
    known, compared = beside_pokerkit(20 if quick else 10_000)
    checked = checks(2_000 if quick else 1_000_000, 2 if quick else 500)
    rows = [
        *random_play(20_000 if quick else 200_000, rounds, quick),
        *one_by_one(100 if quick else 1_000, rounds),
        *always_call(rounds),
        *state(rounds),
        *growth(20_000 if quick else 200_000, rounds),
        *compared,
        *checked,
    ]
    missing = [name for name, module in peers.ENGINES.items() if not peers.installed(module)]
    return Section(
        "Playing hands",
        tuple(rows),
        note="No-limit hold'em, blinds of 1 and 2, stacks of 200. Random play chooses first among folding, calling and"
        " raising, whichever the engine allows, then an amount, all alike. Engines differ in one thing: ours lets"
        " players fold where they could check, so its hands are shorter, and moves are counted, not hands. OpenSpiel's"
        " own rollouts run inside its C++, from after the deal, and choose among all amounts and calling and folding"
        " alike. RLCard knows three raises: half the pot, the pot, all in."
        + known
        + (f" Not installed, so not compared: {', '.join(missing)}." if missing else ""),
        order=35,
    )


# Random play


def random_play(hands: int, rounds: int, quick: bool) -> list[Row]:
    """Two players who choose at random, one thread: in batches, beside engines that play hand by hand."""
    seeds = count(1)
    moves = play_random(NLHE, hands, stack=STACK, seed=0, threads=1).moves
    contestants = [
        Contestant("Felt", lambda: play_random(NLHE, hands, stack=STACK, seed=next(seeds), threads=1), moves)
    ]
    fewer = 10 if quick else 1
    wanted: dict[str, Target | None] = {}
    for name, make, number, target in (
        ("OpenSpiel, from Python", peers.openspiel_hands, 1_000, Target(10, "at least", "ratio")),
        ("OpenSpiel, its own C++ rollouts", peers.openspiel_rollouts, 20_000, None),
        ("PokerKit", peers.pokerkit_hands, 100, Target(500, "at least", "ratio")),
    ):
        if peers.installed(peers.ENGINES[name.partition(",")[0]]):
            call, per_hand = make(number // fewer, STACK)
            contestants.append(Contestant(name, call, round(per_hand * (number // fewer))))
            wanted[name] = target
    found = {name: rate(seconds, "moves/s") for name, seconds in race(contestants, rounds=rounds).items()}
    note = f"{digits(found['Felt'].value * hands / moves)} hands/s"
    name = "two players at random, in batch, one thread"
    return _rows(name, found, wanted, note)


def _rows(name: str, found: dict[str, Figure], wanted: dict[str, Target | None], note: str) -> list[Row]:
    ours = found.pop("Felt")
    if not found:
        return [Row(name, ours, note=note)]
    return [
        Row(name, ours, peer, theirs, wanted[peer], note if index == 0 else "")
        for index, (peer, theirs) in enumerate(found.items())
    ]


def one_by_one(hands: int, rounds: int) -> list[Row]:
    """The same from Python, every move through the checked door."""
    dice, numbers = random.Random(1), count()
    moves = sum(play_one(number, dice) for number in range(2_000)) / 2_000
    contestants = [
        Contestant("Felt", lambda: [play_one(next(numbers), dice) for _ in range(hands)], round(moves * hands))
    ]
    wanted: dict[str, Target | None] = {}
    if peers.installed(peers.ENGINES["RLCard"]):
        call, per_hand = peers.rlcard_hands(hands, STACK)
        contestants.append(Contestant("RLCard", call, round(per_hand * hands)))
        wanted["RLCard"] = Target(4, "at least", "ratio")
    found = {name: rate(seconds, "moves/s") for name, seconds in race(contestants, rounds=rounds).items()}
    note = f"{digits(found['Felt'].value / moves)} hands/s"
    return _rows("two players at random, hand by hand from Python", found, wanted, note)


FOLD, CALL, RAISE = Move.FOLD, Move.CALL, Move.RAISE


def play_one(number: int, dice: random.Random) -> int:
    """A random hand through `Hand`; returns its moves."""
    hand, moves = Hand.new(NLHE, STACK, players=2, seed=1, number=number), 0
    while not hand.over:
        hand.act(random_action(hand.legal(), dice))
        moves += 1
    assert sum(hand.payoffs) == 0
    return moves


def random_action(legal: Legal, dice: random.Random) -> Action:
    kinds = [FOLD, CALL] if legal.fold else [CALL]
    if legal.raise_to:
        kinds.append(RAISE)
    move = dice.choice(kinds)
    return Action(move, dice.randint(*legal.raise_to)) if move == RAISE and legal.raise_to else Action(move)


def always_call(rounds: int) -> list[Row]:
    """Every hand to the showdown, with nothing to decide: what dealing and comparing cost."""
    rows = []
    for threads, target in ((None, Target(0.3, "under")), (1, None)):
        call = partial(play_random, NLHE, MANY, players=CALLERS, stack=STACK, always_call=True, threads=threads)
        played = call()
        assert not played.payoffs.sum(axis=1).any() and played.payoffs.any(axis=1).mean() > 0.9
        on = "one thread" if threads else "all threads"
        name = f"four players who always call, {MANY:,} hands in batch, {on}"
        rows.append(Row(name, figure(timed(call, rounds=rounds), "s"), target=target))
    return rows


def state(rounds: int) -> list[Row]:
    """The state of a hand, and copies of it."""
    hand = Hand.new(NLHE, STACK, players=9)
    one = np.frombuffer(b"".join(part.tobytes() for part in hand.arrays), dtype=np.uint8)
    assert len(one) == HAND.itemsize
    many, room = np.tile(one, (MANY, 1)), np.empty((MANY, HAND.itemsize), dtype=np.uint8)

    def copy_all() -> None:
        room[:] = many

    return [
        Row("state of a hand, its history apart", figure([HAND.itemsize], "B"), target=Target(769, "under")),
        Row("copy of one state, as bytes", figure(timed(one.copy, rounds=rounds), "s")),
        Row(f"copies of {MANY:,} states, each", figure(timed(copy_all, rounds=rounds, items=MANY), "s")),
        Row("copy of a `Hand` with its history", figure(timed(hand.copy, rounds=rounds), "s")),
    ]


def growth(hands: int, rounds: int) -> list[Row]:
    """What more players cost, and what more threads buy."""
    rows = []
    for players in (2, 4, 6, 9):
        call = partial(play_random, NLHE, hands, players=players, stack=STACK, threads=1)
        rows.append(_growing(f"{players} players at random, in batch, one thread", call, hands, rounds))
    single = play_random(NLHE, hands, players=6, stack=STACK, threads=1)
    for threads in sorted({1, 2, cores()}):
        call = partial(play_random, NLHE, hands, players=6, stack=STACK, threads=threads)
        assert np.array_equal(call().payoffs, single.payoffs), "threads must not change what is played"
        rows.append(
            _growing(f"6 players at random, in batch, {threads} thread{'s' * (threads > 1)}", call, hands, rounds)
        )
    return rows


def _growing(name: str, call: Callable[[], object], hands: int, rounds: int) -> Row:
    moves = call().moves  # type: ignore[attr-defined]
    found = rate(timed(call, rounds=rounds, items=hands), "hands/s")
    return Row(name, found, note=f"{moves / hands:.1f} moves a hand, {digits(found.value * moves / hands)} moves/s")


# What many hands have shown


def beside_pokerkit(hands: int) -> tuple[str, list[Row]]:
    """The same hands in both engines, move by move, in every variant that both have. Stops at any difference that is
    not one of the known ones; returns what is to be said of those, and the row."""
    if not peers.installed("pokerkit"):
        return "", []
    from tests.reference.pokerkit_games import NOT_THERE

    variants = [name for name in names() if name not in NOT_THERE]
    jobs = [(name, min(CHUNK, hands - begin), begin) for begin in range(0, hands, CHUNK) for name in variants]
    found: Counter[str] = Counter()
    seconds = 0.0
    for differences, took in _in_processes(_lockstep, jobs, "hands beside PokerKit"):
        found += differences
        seconds += took
    total = hands * len(variants)
    told = ", ".join(f"{name} ({number:,})" for name, number in found.most_common())
    row = Row(
        f"in lockstep with PokerKit, {len(variants)} variants, {hands:,} hands each: no difference but the known ones",
        figure([total / seconds], "hands/s"),
        note=f"{total:,} hands, a thread",
    )
    return f" What PokerKit is known to do otherwise, and how often it came up in lockstep: {told}.", [row]


def _in_processes(work: Callable[[Job], Result], jobs: Sequence[Job], what: str) -> Iterator[Result]:
    """Do jobs on all cores, and say how far they are."""
    with ProcessPoolExecutor(cores(), mp_context=get_context("spawn")) as pool:
        for done, result in enumerate(pool.map(work, jobs), start=1):
            if done % max(1, len(jobs) // 10) == 0:
                print(f"  {what}: {done} of {len(jobs)} parts", file=sys.stderr, flush=True)
            yield result


def _timed(call: Callable[[], Result]) -> tuple[Result, float]:
    """What a call gives, and the processor time it took."""
    began = time.process_time()
    return call(), time.process_time() - began


def _lockstep(job: tuple[str, int, int]) -> tuple[Counter[str], float]:
    from tests.reference.lockstep import play_lockstep

    name, hands, seed = job
    return _timed(lambda: play_lockstep(load(name), hands, seed=f"{name} {seed}"))


def checks(hands: int, single: int) -> list[Row]:
    """Random hands in every variant: chips kept, no card twice, an end; and for some no secret in any view, the same
    again from the record and from a snapshot. Stops at the first violation."""
    jobs = [(name, hands) for name in names()]
    seconds = sum(took for _, took in _in_processes(_check_many, jobs, "hands checked in batches"))
    rows = [
        Row(
            f"checked in batch, {len(jobs)} variants: chips kept, no card twice, every hand ends; 0 violations",
            figure([hands * len(jobs) / seconds], "hands/s"),
            note=f"{hands * len(jobs):,} hands, a thread",
        )
    ]
    jobs = [(name, single) for name in names()]
    seconds = sum(took for _, took in _in_processes(_check_single, jobs, "hands checked one by one"))
    rows.append(
        Row(
            f"checked one by one, {len(jobs)} variants: also views, records and snapshots; 0 violations",
            figure([single * len(jobs) / seconds], "hands/s"),
            note=f"{single * len(jobs):,} hands, a thread",
        )
    )
    return rows


def _check_many(job: tuple[str, int]) -> tuple[int, float]:
    from tests.reference.invariants import CheckedBatch, random_stacks, seats

    name, hands = job
    rules, rng = load(name), random.Random(name)

    def play() -> int:
        moves, left, players = 0, hands, seats(rules)
        for seed in count():
            some = min(4_096, left)
            stacks = random_stacks(rules, rng, players[seed % len(players)])
            moves += CheckedBatch(rules, some, stacks, seed, card_checks=0.1).play()
            left -= some
            if not left:
                break
        return moves

    return _timed(play)


def _check_single(job: tuple[str, int]) -> tuple[int, float]:
    from tests.reference.invariants import Checked, random_stacks, seats

    name, hands = job
    rules, rng = load(name), random.Random(name)

    def play() -> int:
        for _ in range(hands):
            Checked(rules, random_stacks(rules, rng, rng.choice(seats(rules))), rng).play()
        return hands

    return _timed(play)
