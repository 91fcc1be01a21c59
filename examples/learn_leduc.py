"""Learning Leduc poker from nothing but rewards, with NumPy: REINFORCE (Williams 1992) on the Gymnasium environment.

The policy gives every information set a chance for each action, all alike at first. After a hand the chances of the
actions taken are raised or lowered by what the hand won compared with the average. Run it to see the curve:

    python examples/learn_leduc.py --hands 20000 --opponent tag
"""

import argparse
from dataclasses import dataclass, field
from random import Random
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from felt.arena import Match
from felt.arena import play as play_match
from felt.games import load
from felt.learning.environments import PolicyAgent  # importing it makes felt/leduc-v0 known
from felt.stats import Rate, rate

Array = NDArray[Any]
CARDS = 6
"""Columns of a set of cards: three ranks in two suits. One's own come first, then the board."""

BLOCKS, MEASURED = 10, 4_000
"""How often the policy is measured, and in how many hands."""


@dataclass
class Softmax:
    """A policy with a weight for every action in every information set."""

    actions: int
    weights: dict[bytes, Array] = field(default_factory=dict)

    def at(self, observation: Array) -> Array:
        """The weights of an information set: all that was observed, but for suits, which count for nothing."""
        ranks = observation[: 2 * CARDS].reshape(-1, 2).sum(axis=1)
        known = ranks.tobytes() + observation[2 * CARDS :].tobytes()
        return self.weights.setdefault(known, np.zeros(self.actions))

    def chances(self, observation: Array, mask: Array) -> Array:
        """The more weight, the more chance."""
        chances: Array = np.exp(self.at(observation)) * mask
        return chances / chances.sum()

    def __call__(self, observation: Array, mask: Array, dice: Random) -> int:
        """An action by these chances."""
        return dice.choices(range(self.actions), self.chances(observation, mask))[0]


def play(env: Any, policy: Softmax, dice: Random) -> tuple[list[tuple[Array, Array, int]], float]:
    """One hand: what was seen, which actions were allowed, what was done; and what it won, in big blinds."""
    observation, info = env.reset()
    steps, over, reward = [], False, 0.0
    while not over:
        mask = info["action_mask"]
        action = policy(observation, mask, dice)
        steps.append((observation, mask, action))
        observation, reward, over, _, info = env.step(action)
    return steps, reward


def learn(env: Any, policy: Softmax, hands: int, dice: Random, step: float = 0.05) -> list[float]:
    """Play and learn; returns what each hand won."""
    average, rewards = 0.0, []
    for _ in range(hands):
        steps, reward = play(env, policy, dice)
        for observation, mask, action in steps:
            slope = -policy.chances(observation, mask)
            slope[action] += 1
            policy.at(observation)[:] += step * (reward - average) * slope
        average += 0.01 * (reward - average)
        rewards.append(reward)
    return rewards


def measure(env: Any, policy: Softmax, hands: int, dice: Random) -> Rate:
    """What a policy wins without learning on, with its interval."""
    return rate(np.array([play(env, policy, dice)[1] for _ in range(hands)]), hands_per_unit=1, big_blind=1)


def duel(policy: Softmax, hands: int, seed: int = 0) -> Rate:
    """A match between what was learned and the policy that it began with, both as agents of Felt."""
    agents = [lambda: PolicyAgent(policy), lambda: PolicyAgent(Softmax(policy.actions))]
    return play_match(Match.of(agents, load("leduc"), seed=seed, duplicate=True), hands, workers=1).rate(0)


def draw(curve: list[tuple[int, Rate]], opponent: str, file: str) -> None:
    """The curve with its intervals, as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.2), layout="constrained")
    axes = figure.add_subplot()
    hands, rates = zip(*curve, strict=True)
    axes.axhline(0, color="#999999", linewidth=0.8)
    axes.errorbar(hands, [one.mbb for one in rates], yerr=[one.half for one in rates], marker="o", capsize=3)
    axes.set(xlabel="hands to learn from", ylabel=f"mbb/hand against {opponent}")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file)


def main() -> None:
    """Learn, and print how it goes."""
    parser = argparse.ArgumentParser(description="Learn Leduc poker against an agent of Felt.")
    parser.add_argument("--hands", type=int, default=20_000, help="how many to learn from")
    parser.add_argument("--opponent", default="tag", help="an agent, as `felt match` takes it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", metavar="FILE", help="draw the curve, as .svg or .png")
    chosen = parser.parse_args()
    env, dice = gymnasium.make("felt/leduc-v0", opponents=chosen.opponent), Random(chosen.seed)
    env.reset(seed=chosen.seed)
    policy = Softmax(int(env.action_space.n))  # type: ignore[attr-defined]  # it is a Discrete
    curve = []
    for block in range(BLOCKS + 1):
        curve.append((block * chosen.hands // BLOCKS, measure(env, policy, MEASURED, dice)))
        print(f"after {curve[-1][0]:6,} hands: {curve[-1][1]}", flush=True)
        if block < BLOCKS:
            learn(env, policy, chosen.hands // BLOCKS, dice)
    if chosen.plot:
        draw(curve, chosen.opponent, chosen.plot)
    print(f"against the policy that it began with: {duel(policy, MEASURED)}")


if __name__ == "__main__":
    main()
