"""What sampling costs: the error of E[HS] from 10 to 10,000 random runouts, before the flop and on it.

Teófilo 2016 (table 26) prints errors of 0.151, 0.012, 0.001 and 0.0005 for 10, 100, 1,000 and 10,000 samples. Here
each of 200 random hands is estimated once for each number of runouts (every opposing hand is counted on each) and
compared with its exact E[HS]. Beside the mean error stands what theory says of it: where a hand's strength varies over
runouts with standard deviation s, the mean of n runouts is off by s √(2 / πn) on average; s is known exactly, it is
√(E[HS²] − E[HS]²).

python experiments/sampled_ehs.py     about a minute; writes sampled_ehs.json and sampled_ehs.md beside itself
"""

import json
from pathlib import Path

import numpy as np

from felt.cards.card import format_cards, parse_cards
from felt.cards.combos import COMBO_MASKS
from felt.cards.ranking.evaluator import tables
from felt.odds import strength
from felt.odds.equity.question import MASKS
from felt.odds.strength.calculate import sampled_expected_hs

HANDS = 200
RUNOUTS = (10, 100, 1_000, 10_000)
PUBLISHED = {10: 0.151, 100: 0.012, 1_000: 0.001, 10_000: 0.0005}
STREETS = {"before the flop": 0, "flop": 3}

Row = dict[str, float]


def measure(board_size: int) -> dict[int, Row]:
    """Mean error with its 95 % interval, largest error and expected mean error, by number of runouts."""
    chance = np.random.default_rng([board_size, 2016])
    dealt = [chance.choice(52, 2 + board_size, replace=False).tolist() for _ in range(HANDS)]
    hands = [(format_cards(cards[:2]), format_cards(cards[2:])) for cards in dealt]
    exact = [strength(*hand) for hand in hands]
    spread = np.array([(found.expected_hs2 - found.expected_hs**2) ** 0.5 for found in exact])
    rows = {}
    for runouts in RUNOUTS:
        errors = np.array(
            [
                abs(sampled_expected_hs(*hand, samples=runouts, seed=number) - found.expected_hs)
                for number, (hand, found) in enumerate(zip(hands, exact, strict=True))
            ]
        )
        rows[runouts] = {
            "mean": float(errors.mean()),
            "interval": float(1.96 * errors.std(ddof=1) / HANDS**0.5),
            "max": float(errors.max()),
            "expected": float(spread.mean() * (2 / (np.pi * runouts)) ** 0.5),
        }
        print(board_size, runouts, rows[runouts], flush=True)
    return rows


def prefer_high_cards(hand: str, runouts: int = 20_000) -> Row:
    """E[HS] before the flop when a card's chance to be drawn grows with the square of its rank, 2 to 14.

    The thesis draws boards by "quadratic random sampling (with higher probability for higher cards)" and says no more;
    this is one reading of it.
    """
    from felt.odds.strength.kernels import runout_strength

    hole = parse_cards(hand)
    hero = np.bitwise_or.reduce(MASKS[list(hole)])
    deck = np.array([card for card in range(52) if card not in hole])
    waits = np.random.default_rng(2016).exponential(size=(runouts, 50)) / (deck // 4 + 2.0) ** 2
    boards = np.bitwise_or.reduce(MASKS[deck[waits.argpartition(5, axis=1)[:, :5]]], axis=1)
    others = COMBO_MASKS[COMBO_MASKS & hero == 0]
    ends, weights, sums = np.array([len(others)] * 3), np.ones(len(others)), np.zeros(4)
    runout_strength(hero, boards, 5, others, ends, weights, 1.0, tables(), np.zeros((3, 3)), sums)
    mean, square = sums[1] / sums[0], sums[2] / sums[0]
    error = float((square - mean**2) / runouts) ** 0.5
    return {"sampled": float(mean), "stderr": error, "exact": strength(hand).expected_hs}


def report(found: dict[str, dict[int, Row]]) -> str:
    """The table of the documentation."""
    lines = [
        "| runouts | "
        + " | ".join(f"{s}: mean error | by theory | largest of {HANDS}" for s in found)
        + " | published |",
        "|---:|" + "---:|---:|---:|" * len(found) + "---:|",
    ]
    for runouts in RUNOUTS:
        cells = []
        for rows in found.values():
            row = rows[runouts]
            cells += [f"{row['mean']:.5f} ± {row['interval']:.5f}", f"{row['expected']:.5f}", f"{row['max']:.4f}"]
        lines.append(f"| {runouts:,} | {' | '.join(cells)} | {PUBLISHED[runouts]} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, and write what was found."""
    place = Path(__file__)
    found = {street: measure(size) for street, size in STREETS.items()}
    biased = {hand: prefer_high_cards(hand) for hand in ("AsAd", "AsKd", "JsTs", "2c2d", "7c2d")}
    place.with_suffix(".json").write_text(json.dumps({**found, "high cards preferred": biased}, indent=1) + "\n")
    place.with_suffix(".md").write_text(report(found))
    print(report(found), json.dumps(biased, indent=1))


if __name__ == "__main__":
    main()
