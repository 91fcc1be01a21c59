"""The runs of competitions on a cluster: a crew for `felt.arena.runs.play_runs`."""

import pickle
from collections.abc import Iterator
from dataclasses import replace

import ray

import felt
from felt.arena.runs import Competition, Done, Lost, Parcel
from felt.scale.seats import Files, RunSeat, files_of_runs
from felt.scale.team import Team


class RunsCrew:
    """Seats on all machines, which play whatever competition comes."""

    def __init__(self) -> None:
        seat = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(RunSeat)
        self._team: Team[Parcel] = Team(lambda: seat.remote(felt.__version__))
        self._told: tuple[Competition, bytes, Files] | None = None
        self._waiting: list[Parcel] = []
        """What was put down while there was nobody to play it."""

    @property
    def busy(self) -> bool:
        """Whether any parcel is under way."""
        return self._team.busy or bool(self._waiting)

    def room(self) -> bool:
        """Whether somebody could begin one more parcel soon."""
        return not self._waiting and (self._team.free() is not None or not self._team.members)

    def submit(self, parcel: Parcel) -> None:
        """Send a parcel to whoever has least to do, or put it down until there is somebody."""
        seat = self._team.free()
        if seat is None:
            self._waiting.append(parcel)
            return
        told, files = self._pickled(parcel.competition)
        self._team.give(
            seat, parcel, told, files, parcel.first, parcel.count, parcel.known, parcel.retired, parcel.with_hands
        )

    def results(self) -> Iterator[Done | Lost]:
        """Parcels that are done or lost."""
        for answer in self._team.answers():
            if answer.lost:
                yield Lost((answer.work,))
            elif isinstance(answer.result, Done):
                yield replace(answer.result, parcel=answer.work)
            else:
                yield Lost((answer.work,), answer.result.death)
        waiting, self._waiting = self._waiting, []
        for parcel in waiting:
            self.submit(parcel)

    def close(self) -> None:
        """Let everybody go."""
        self._team.close()

    def _pickled(self, competition: Competition) -> tuple[bytes, Files]:
        """A competition as it is sent: the same bytes as long as it is the same."""
        if self._told is None or self._told[0] is not competition:
            files = files_of_runs(competition)  # first: what cannot be pickled is told there
            self._told = competition, pickle.dumps(competition), files
        return self._told[1], self._told[2]
