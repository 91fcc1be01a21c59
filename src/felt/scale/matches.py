"""A match on a cluster: a crew for `felt.arena.play`."""

import pickle
from collections.abc import Iterator

import ray

import felt
from felt.arena.conduct import Conduct
from felt.arena.spec import Match
from felt.arena.watching import Indicators
from felt.arena.work import Done, Sink, Task
from felt.arena.worker import describe
from felt.scale.cluster import ScaleError
from felt.scale.seats import MatchSeat, files_of
from felt.scale.team import AT_A_TIME, Member, Team
from felt.store.log import PartWriter


class MatchCrew:
    """Seats on all machines. Each lane of agents that remember keeps to one seat, as long as it is there."""

    def __init__(self, match: Match, sink: Sink | None = None, watch: Indicators | None = None) -> None:
        if sink is not None and not isinstance(sink, PartWriter):
            raise ScaleError("only logs in folders can be kept of a match on a cluster")
        self._match, self._sink = match, sink
        self.conduct = Conduct.of(match.players)
        """What agents did wrong when the match was over."""
        files, told = files_of(match.entrants), pickle.dumps((describe(match), watch, sink is not None))
        seat = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(MatchSeat)
        self._team: Team[Task] = Team(
            lambda: seat.remote(felt.__version__, files, told), len(match.lanes) if match.remembers else None
        )
        self._seats: dict[int, Member[Task]] = {}
        self._again: list[Task] = []

    @property
    def busy(self) -> bool:
        """Whether any task is under way."""
        return self._team.busy or bool(self._again)

    def room(self, lane: int) -> bool:
        """Whether somebody could begin one more task of this lane soon."""
        return not self._again and (self._seat(lane) is not None or not self._team.members)

    def submit(self, task: Task) -> None:
        """Send a task to a seat, or put it down until there is one."""
        seat = self._seat(task.lane)
        if seat is None or any(one.lane == task.lane for one in self._again):
            self._again.append(task)
        else:
            self._team.give(seat, task, task)

    def results(self) -> Iterator[Done]:
        """Tasks that are done; those of seats that are gone are handed out again, in order."""
        for answer in self._team.answers():
            if answer.lost:
                self._again.append(answer.work)
                continue
            done, part = answer.result
            if part is not None and isinstance(self._sink, PartWriter):
                self._sink.put(part)
            yield done
        again, self._again = sorted(self._again, key=lambda one: (one.lane, one.first)), []
        for task in again:
            self.submit(task)

    def close(self) -> None:
        """Let everybody go."""
        for conduct in self._team.close(lambda actor: actor.over.remote()):
            self.conduct.join(conduct)

    def _seat(self, lane: int) -> Member[Task] | None:
        if not self._match.remembers:
            return self._team.free()
        seat = self._seats.get(lane)
        if seat is None or seat not in self._team.members:
            seat = self._team.free()
            if seat is None:
                return None
            self._seats[lane] = seat
        return seat if len(seat.pending) < AT_A_TIME else None
