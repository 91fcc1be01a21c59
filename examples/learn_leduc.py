"""Learning Leduc poker from nothing but rewards, with NumPy: REINFORCE (Williams 1992) on the Gymnasium environment.

The policy gives every information set a chance for each action, all alike at first. After a hand the chances of the
actions taken are raised or lowered by what the hand won compared with the average. Run it to see the curve:

    python examples/learn_leduc.py --hands 40000 --opponent ehs
"""

import argparse
import math
from dataclasses import dataclass, field
from random import Random
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from felt.interop.envs import PolicyAgent  # importing it makes felt/leduc-v0 known

Array = NDArray[Any]
CARDS = 6
"""Columns of a set of cards: three ranks in two suits. One's own come first, then the board."""


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


def learn(env: Any, policy: Softmax, hands: int, dice: Random, rate: float = 0.05) -> list[float]:
    """Play and learn; returns what each hand won."""
    average, rewards = 0.0, []
    for _ in range(hands):
        steps, reward = play(env, policy, dice)
        for observation, mask, action in steps:
            slope = -policy.chances(observation, mask)
            slope[action] += 1
            policy.at(observation)[:] += rate * (reward - average) * slope
        average += 0.01 * (reward - average)
        rewards.append(reward)
    return rewards


def interval(rewards: list[float]) -> tuple[float, float]:
    """What was won a hand, in thousandths of a big blind, and how far the 95 % interval reaches to either side."""
    values = 1000 * np.array(rewards)
    return float(values.mean()), 1.96 * float(values.std(ddof=1)) / math.sqrt(len(values))


def measure(env: Any, policy: Softmax, hands: int, dice: Random) -> tuple[float, float]:
    """What a policy wins without learning on."""
    return interval([play(env, policy, dice)[1] for _ in range(hands)])


def main() -> None:
    """Learn, and print how it goes."""
    parser = argparse.ArgumentParser(description="Learn Leduc poker against an agent of Felt.")
    parser.add_argument("--hands", type=int, default=40_000, help="how many to learn from")
    parser.add_argument("--opponent", default="ehs", help="an agent, as `felt match` takes it")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    env, dice = gymnasium.make("felt/leduc-v0", opponents=chosen.opponent), Random(chosen.seed)
    env.reset(seed=chosen.seed)
    policy = Softmax(int(env.action_space.n))  # type: ignore[attr-defined]  # it is a Discrete
    print("hands    mbb/hand      95 % interval")
    for block in range(11):
        rate, reach = measure(env, policy, 4_000, dice)
        print(f"{block * chosen.hands // 10:6,}  {rate:+9,.0f}  {rate - reach:+,.0f} to {rate + reach:+,.0f}")
        if block < 10:
            learn(env, policy, chosen.hands // 10, dice)
    print(f"{len(policy.weights)} information sets seen")


if __name__ == "__main__":
    main()
