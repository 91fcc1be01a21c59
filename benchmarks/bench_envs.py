"""Environments for learners: steps a second, beside RLCard's environment of the same game."""

import random
from collections.abc import Callable

from benchmarks import peers
from benchmarks.measure import Contestant, race
from benchmarks.rows import Row, Section, rate
from felt.learning.environments import PokerAEC, PokerEnv

STACK = 200
"""A hundred big blinds."""

Hands = Callable[[], int]
"""Plays a number of hands; returns the steps."""


def bench(quick: bool = False) -> Section:
    hands, rounds = (20, 3) if quick else (200, 15)
    rows = [*all_seats("nlhe", hands, rounds), *all_seats("limit-holdem", hands, rounds)]
    rows += [*all_seats("leduc", hands, rounds), *one_seat("nlhe", hands, rounds)]
    missing = "" if peers.installed("rlcard") else " RLCard is not installed, so not compared."
    return Section(
        "Environments",
        tuple(rows),
        note="Two players, random actions among those that the mask allows; a step is one decision with its"
        " observation, the deals included. In the Gymnasium environment one of the two is the agent `random`, whose"
        " decisions are not counted. RLCard's environments observe less: no history, stacks only at no limit."
        + missing,
        order=38,
    )


def all_seats(game: str, hands: int, rounds: int) -> list[Row]:
    """PettingZoo's way: every seat decides."""
    contestants = [_contestant("Felt", aec_hands(game), hands)]
    theirs = {"nlhe": "no-limit-holdem", "limit-holdem": "limit-holdem", "leduc": "leduc-holdem"}[game]
    if peers.installed("rlcard"):
        contestants.append(_contestant("RLCard", rlcard_hands(theirs), hands))
    found = {name: rate(seconds, "steps/s") for name, seconds in race(contestants, rounds=rounds).items()}
    name = f"{game}, PettingZoo environment"
    if len(found) == 1:
        return [Row(name, found["Felt"])]
    return [Row(name, found["Felt"], "RLCard", found["RLCard"])]


def one_seat(game: str, hands: int, rounds: int) -> list[Row]:
    """Gymnasium's way: one seat decides, an agent sits in the other."""
    found = race([_contestant("Felt", gymnasium_hands(game), hands)], rounds=rounds)
    return [Row(f"{game}, Gymnasium environment against random", rate(found["Felt"], "steps/s"))]


def _contestant(name: str, play: Hands, hands: int) -> Contestant:
    steps = sum(play() for _ in range(300)) / 300
    return Contestant(name, lambda: [play() for _ in range(hands)], round(steps * hands))


def aec_hands(game: str) -> Hands:
    """A hand in our environment of all seats."""
    env, dice = PokerAEC(game, stack=STACK if game == "nlhe" else None), random.Random(1)
    env.reset(seed=1)

    def play() -> int:
        env.reset()
        steps = 0
        for agent in env.agent_iter():
            if env.terminations[agent]:
                env.step(None)
                continue
            seen, *_ = env.last()
            env.step(dice.choice(seen["action_mask"].nonzero()[0]))
            steps += 1
        return steps

    return play


def gymnasium_hands(game: str) -> Hands:
    """A hand in our environment of one seat."""
    env, dice = PokerEnv(game, stack=STACK), random.Random(1)
    env.reset(seed=1)

    def play() -> int:
        _, info = env.reset()
        steps, over = 0, False
        while not over:
            _, _, over, _, info = env.step(dice.choice(info["action_mask"].nonzero()[0]))
            steps += 1
        return steps

    return play


def rlcard_hands(game: str) -> Hands:
    """A hand in RLCard's environment."""
    import rlcard

    config = {"seed": 1} | ({"chips_for_each": STACK} if game.startswith("no-limit") else {})
    env, dice = rlcard.make(game, config=config), random.Random(1)

    def play() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            state, _ = env.step(dice.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return play
