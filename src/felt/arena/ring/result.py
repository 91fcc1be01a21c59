"""The results of many histories of a ring: bankrolls over time, and how often each agent was ruined."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from felt._moved import renamed_arguments
from felt.arena.ring.play import moments
from felt.arena.ring.spec import Ring
from felt.arena.ring.theory import ruin_by
from felt.arena.schedule.runs import RunOptions, time_runs
from felt.arena.schedule.workplace import RunResult
from felt.stats.means import Mean, mean, ratio, wilson

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
Ends = tuple[float, float]


@renamed_arguments(crew="executor", kept="log")
def play_rings(ring: Ring, repeat: int = 1, **options: Unpack[RunOptions]) -> "RingResult":
    """Play so many histories; see `felt.arena.schedule.runs.play_runs` for `workers`, `log` and `executor`.

    >>> from felt.games import load
    >>> ring = Ring.of(["call*2"], load("nlhe"), bankroll=5, policy="never", rounds=1000)
    >>> result = play_rings(ring, 50, workers=1)
    >>> result.ruin(0)[0]  # one of the two
    0.5
    """
    return RingResult(ring, *time_runs(ring, repeat, **options))


@dataclass(frozen=True)
class Walk:
    """What the wealth of an agent does while it plays."""

    drift: float
    """Big blinds of its table, won per hand."""
    ends: Ends | None
    """The 95 % interval of the drift over histories, not over hands, which share players; None with one history."""
    variance: float
    """The variance of that, per hand."""
    hands: int
    pace: float
    """Hands in a round, before it is ruined."""


class RingResult(RunResult[Ring]):
    """The records of a ring."""

    run_name = "history"

    @property
    def ring(self) -> Ring:
        """The ring itself."""
        return self.competition

    @property
    def speed(self) -> str:
        """How fast, in words."""
        played = sum(record["hands"] for record in self.records[self.known :])
        return f"{played / self.seconds:,.0f} hands a second" if played else "all of it was in the log"

    @cached_property
    def moments(self) -> list[int]:
        """The rounds after which wealth is known."""
        return moments(self.ring.rounds)

    @cached_property
    def wealth(self) -> NDArray[np.int64]:
        """``[histories, moments, players]``: chips at the tables and at home."""
        return np.array([record["curve"] for record in self.records], dtype=np.int64)

    @cached_property
    def _out(self) -> NDArray[np.float64]:
        """``[histories, players]``: the round of ruin, or infinity."""
        rows = [[np.inf if at is None else at for at in record["out"]] for record in self.records]
        return np.array(rows, dtype=np.float64)

    def quantiles(self, agent: int) -> NDArray[np.float64]:
        """``[quantiles, moments]``: of an agent's wealth over all histories, in big blinds of the smallest stakes."""
        own = self.wealth[:, :, self._players(agent)] / self.ring.big_blind(0)
        quantiles: NDArray[np.float64] = np.quantile(own, QUANTILES, axis=(0, 2))
        return quantiles

    def growth(self, agent: int) -> Mean:
        """What an agent's wealth is at the end, as a multiple of what it was."""
        own = self.wealth[:, -1, self._players(agent)] / self.ring.bankrolls[agent]
        return mean(own.mean(axis=1).tolist())

    def ruin(self, agent: int, by: float | None = None) -> tuple[float, Ends]:
        """How likely an agent is to be ruined, by the end or after so many rounds, with the 95 % interval.

        By Wilson where it plays once; else over histories, since those who play together share their luck.
        """
        own = self._out[:, self._players(agent)] <= (self.ring.rounds if by is None else by)
        share = float(own.mean())
        if own.shape[1] == 1:
            return share, wilson(int(own.sum()), self.repeats)
        half = mean(own.mean(axis=1).tolist()).half
        if half is None or share in (0.0, 1.0):  # no spread to go by: as if all who play together had one fate
            return share, wilson(share * self.repeats, self.repeats)
        return share, (max(0.0, share - half), min(1.0, share + half))

    def walk(self, agent: int) -> Walk:
        """The drift and spread of an agent's wealth, from all that play as it does, whatever they began with.

        Between those who play alike and nobody else, the drift is exactly nothing but for the rake.
        """
        return self._walks[agent]

    @cached_property
    def _walks(self) -> list[Walk]:
        return [self._walk(agent) for agent in range(len(self.ring.entrants))]

    def _walk(self, agent: int) -> Walk:
        ring, hands, won, squares, rounds = self.ring, [], [], 0.0, 0
        like = ring.entrants[agent], ring.policies[agent]
        alike = [number for number, pair in enumerate(zip(ring.entrants, ring.policies, strict=True)) if pair == like]
        players = [player for player, entry in enumerate(ring.lineup) if entry in alike]
        for record in self.records:
            hands.append(0)
            won.append(0.0)
            for player in players:
                rounds += record["rounds"] if record["out"][player] is None else record["out"][player]
                for level, (count, chips, square) in enumerate(record["played"][player]):
                    blind = ring.big_blind(level)
                    hands[-1] += count
                    won[-1] += chips / blind
                    squares += square / blind**2
        total = sum(hands)
        if not total:
            return Walk(0.0, None, 0.0, 0, 0.0)
        drift = ratio(won, hands)
        variance = max(0.0, squares / total - drift.value**2)
        return Walk(drift.value, drift.ci95, variance, total, total / rounds)

    def theory(self, agent: int, by: float | None = None) -> float:
        """The chance of ruin of an agent that stays at the stakes at which it began: a walk with the drift and spread
        that were measured. Between two players all chips of both are where it ends well; among more, nothing is."""
        return self._theory(agent, by, self.walk(agent).drift)

    def theory_ends(self, agent: int, by: float | None = None) -> Ends | None:
        """The chance of ruin for both ends of the drift's interval, since the drift was measured."""
        ends = self.walk(agent).ends
        return None if ends is None else (self._theory(agent, by, ends[1]), self._theory(agent, by, ends[0]))

    def _theory(self, agent: int, by: float | None, drift: float) -> float:
        ring, walk = self.ring, self.walk(agent)
        blind = ring.big_blind(self._begun[agent])
        total = ring.chips / blind if ring.players == 2 else float("inf")
        hands = walk.pace * (ring.rounds if by is None else by)
        return ruin_by(hands, ring.bankrolls[agent] / blind, drift, walk.variance, total)

    @property
    def table(self) -> list[int]:
        """The agents, those whose wealth grew most first."""
        return sorted(range(len(self.ring.entrants)), key=lambda agent: -self.growth(agent).value)

    def as_dict(self) -> dict[str, Any]:
        """The result as plain values, for JSON."""
        ring = self.ring
        return {
            "game": ring.games[0].name,
            "repeats": self.repeats,
            "players": ring.players,
            "table_size": ring.table_size,
            "levels": list(ring.levels),
            "buy_in": ring.buy_in,
            "rounds": ring.rounds,
            "seed": ring.seed,
            "hands": self.hands,
            "moments": self.moments,
            "quantiles": list(QUANTILES),
            "agents": [self._agent(agent) for agent in self.table],
        }

    def _agent(self, agent: int) -> dict[str, Any]:
        ring, walk, growth = self.ring, self.walk(agent), self.growth(agent)
        share, ends = self.ruin(agent)
        curve = [self.ruin(agent, by) for by in self.moments]
        return {
            "name": ring.names[agent],
            "players": ring.copies[agent],
            "bankroll": ring.bankrolls[agent],
            "growth": growth.as_dict(),
            "ruin": {"share": share, "ci95": list(ends), **self._told_theory(agent)},
            "walk": {
                "mbb_per_hand": 1000 * walk.drift,
                "ci95": walk.ends and [1000 * end for end in walk.ends],
                "variance_bb2": walk.variance,
                "hands": walk.hands,
            },
            "bankroll_quantiles_bb": self.quantiles(agent).tolist(),
            "ruin_curve": [
                {"round": by, "share": share, "ci95": list(ends), **self._told_theory(agent, by)}
                for by, (share, ends) in zip(self.moments, curve, strict=True)
            ],
            **self.faults_to_dict(agent),
        }

    def _told_theory(self, agent: int, by: float | None = None) -> dict[str, Any]:
        ends = self.theory_ends(agent, by)
        return {"theory": self.theory(agent, by), "theory_ci95": ends and list(ends)}

    def _players(self, agent: int) -> list[int]:
        return [player for player, entry in enumerate(self.ring.lineup) if entry == agent]

    @cached_property
    def _begun(self) -> list[int]:
        """The level at which each agent sat down first in most histories."""
        levels = []
        for agent in range(len(self.ring.entrants)):
            first = [record["first"][player] for record in self.records for player in self._players(agent)]
            common = Counter(level for level in first if level is not None).most_common(1)
            levels.append(common[0][0] if common else 0)
        return levels
