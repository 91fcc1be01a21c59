"""Playing a match: hands out its sets as tasks, keeps the books, and knows when it is over."""

from collections.abc import Callable
from time import perf_counter

from felt._pool import default_threads
from felt.arena.crew import Crew, Threads
from felt.arena.ledger import Ledger, Width, looks
from felt.arena.prepare import prepare
from felt.arena.result import Result
from felt.arena.spec import Match
from felt.arena.watching import Indicators, Stretches
from felt.arena.work import Log, Sink, Task, first_sets, settle, take_note
from felt.errors import FeltError

FIRST_HANDS, MOST_HANDS = 64, 16384
"""Hands of the first tasks, and the most of any."""
FIRST_IN_STEP, LEAST_IN_STEP = 4096, 256
"""Hands of the first tasks that are played in step, and the fewest that are worth it."""
SECONDS = 1.0
"""What a task should take: no more than that is played again after a crash."""

Progress = Callable[[Ledger], None]
"""Told whenever a part of the match is done."""
CrewMaker = Callable[[Match, Sink | None, Indicators | None], Crew]
"""Finds those who play a match, keep its hands in the sink and count what players do."""


def play(
    match: Match,
    hands: int | None = None,
    *,
    until: float | None = None,
    workers: int | None = None,
    log: Log | None = None,
    watch: bool = False,
    progress: Progress | None = None,
    crew: CrewMaker | None = None,
) -> Result:
    """Play a match of `hands` hands, duplicates included and rounded up to whole sets.

    `until`: stop as soon as every player's 95 % interval is at most so many mbb/hand to either side, looked at after
    fixed numbers of sets; without `hands` there is no other end. `workers`: as many as there are cores unless told;
    they change no result, nor does a `crew` that is brought, like that of a cluster. With a `log` every hand is kept,
    and what is there already is not played again. `watch` has what players do counted, for a report.

    >>> from felt.games import load
    >>> result = play(Match.of(["fold", "raise"], load("nlhe"), seed=1), hands=100)
    >>> print(result.rate(0))
    -750 ± 0.0 mbb/hand
    """
    return _Course(match, hands, until, workers, log, watch, progress, crew).run()


class _Course:
    """The course of one match."""

    def __init__(
        self,
        match: Match,
        hands: int | None,
        until: float | None,
        workers: int | None,
        log: Log | None,
        watch: bool,
        progress: Progress | None,
        crew: CrewMaker | None,
    ) -> None:
        if hands is None and until is None:
            raise FeltError("say how long to play: a number of hands, or until which width of the interval")
        if hands is not None and hands < 1:
            raise FeltError(f"hands={hands}: a match has at least one")
        if until is not None and not until > 0:
            raise FeltError(f"until={until}: give a width in mbb/hand, more than 0")
        if workers is not None and workers < 1:
            raise FeltError(f"workers={workers}: give 1 or more")
        self.match, self.log, self.progress, self.hire = match, log, progress, crew
        self.watch = Indicators(match.names) if watch else None
        self.workers = workers or default_threads()
        self.sets = None if hands is None else -(-hands // match.plan.size)
        self.width = None if until is None else Width(match, until)
        self.ledger = Ledger(match)
        self.size = FIRST_IN_STEP if match.in_step else FIRST_HANDS
        self.next = [0 for _ in match.lanes]
        self.gaps: list[list[tuple[int, int]]] = [[] for _ in match.lanes]

    def run(self) -> Result:
        """Play until the end."""
        self._resume()
        kept, started = self.ledger.hands, perf_counter()
        cut, crew = self._end(), None
        if cut is None:
            prepare(self.match.rules, self.match.entrants, players=self.match.players)
            started = perf_counter()
            crew = self._crew()
            try:
                cut = self._work(crew)
            finally:
                crew.close()
        sets, why = cut
        conduct = self.ledger.conduct_before(sets)
        if crew is not None:
            conduct.join(crew.conduct)
        seconds, played = perf_counter() - started, self.ledger.hands - kept
        if why:
            self._cut(sets)
        totals, adjusted = self.ledger.totals(sets)
        counted = [found for first, found in self.ledger.counted if first < sets]
        return Result(
            self.match,
            totals,
            adjusted,
            conduct,
            self.ledger.actions,
            seconds,
            played,
            why,
            Stretches.joined(counted) if counted else None,
        )

    def _crew(self) -> Crew:
        from felt.arena.processes import Processes

        sink = self.log.sink if self.log else None
        if self.hire is not None:
            return self.hire(self.match, sink, self.watch)
        apart = all(isinstance(one.spec, str) and one.named for one in self.match.entrants)
        if apart and not (self.match.trusted and self.match.in_step):
            return Processes(self.match, self.workers, sink, self.watch)
        return Threads(self.match, self.workers, sink, self.watch)

    def _work(self, crew: Crew) -> tuple[int, str]:
        while True:
            under_way = self._hand_out(crew)
            for done in crew.results():
                under_way = True
                self.ledger.add(done)
                self._pace(done.hands, done.seconds)
                if self.progress is not None:
                    self.progress(self.ledger)
            cut = self._end()
            if cut is not None:
                return cut
            if not under_way:
                raise AssertionError("nobody plays, and the match is not over")

    def _end(self) -> tuple[int, str] | None:
        """How many sets count and why the match ended before its time, once that is known."""
        size, ledger = self.match.plan.size, self.ledger
        ends = []
        if ledger.conduct.forfeits:
            player, hand = min(ledger.conduct.forfeits.items(), key=lambda one: one[1])
            if hand // size < ledger.whole:
                ends.append((hand // size + 1, f"{self.match.names[player]} forfeited it in hand {hand + 1:,}"))
        if self.width is not None:
            reached = self.width.reached(ledger)
            if reached is not None:
                ends.append((reached, "its interval was narrow enough"))
        if self.sets is not None and ledger.whole >= self.sets:
            ends.append((self.sets, ""))
        return min(ends) if ends else None

    # Handing out

    def _hand_out(self, crew: Crew) -> bool:
        """Give the crew what it can take; whether it was given anything."""
        given, lanes = False, set(range(len(self.match.lanes)))
        while lanes:
            lane = min(lanes, key=self._place)  # who is behind comes first, else some would never begin
            task = self._next_task(lane) if crew.room(lane) else None
            if task is None:
                lanes.remove(lane)
            else:
                crew.submit(task)
                given = True
        return given or crew.busy

    def _place(self, lane: int) -> tuple[int, int]:
        """The next set of a lane, by which lanes take turns."""
        return (self.gaps[lane][0][0] if self.gaps[lane] else self.next[lane]), lane

    def _next_task(self, lane: int) -> Task | None:
        most = max(1, self.size // len(self.match.lanes[lane]))
        if self.gaps[lane]:
            first, count = self.gaps[lane][0]
            taken = min(count, self._before_look(first, most))
            self.gaps[lane][:1] = [(first + taken, count - taken)] if count > taken else []
        else:
            first = self.next[lane]
            taken = self._before_look(first, most if self.sets is None else min(most, self.sets - first))
            if taken <= 0:
                return None
            self.next[lane] += taken
        memory = self.ledger.memory(lane) if first == self.ledger.reached(lane) else None
        return Task(first, taken, lane, memory=memory)

    def _before_look(self, first: int, count: int) -> int:
        """As many sets as lie before the next look at the width: so a match that ends there ends with a task."""
        if self.width is None:
            return count
        return min(count, next(look for look in looks() if look > first) - first)

    def _pace(self, hands: int, seconds: float) -> None:
        """Make tasks as large as they can be without taking long."""
        if seconds > 0:
            wanted = int(hands / seconds * SECONDS)
            self.size = max(LEAST_IN_STEP if self.match.in_step else 1, min(MOST_HANDS, wanted, self.size * 4))

    # The log

    def _resume(self) -> None:
        """Enter what a log has already."""
        for name in sorted(self.log.parts()) if self.log else ():
            assert self.log is not None
            hands, note = self.log.read(name)
            self._check_lane(hands.task, len(hands.numbers))
            take_note(hands, note)
            self.ledger.add(settle(self.match, hands, watch=self.watch))
        for lane in range(len(self.match.lanes)):
            self.gaps[lane] = list(self.ledger.gaps(lane))
            self.next[lane] = self.ledger.end(lane)
            if self.match.remembers:  # hands after a gap were played by agents that are gone
                self.gaps[lane], self.next[lane] = [], self.ledger.reached(lane)

    def _check_lane(self, task: Task, hands: int) -> None:
        """Refuse what was kept when seatings were shared out otherwise among copies of the agents."""
        lanes = self.match.lanes
        if task.lane >= len(lanes) or hands != task.count * len(lanes[task.lane]):
            raise FeltError(
                f"part {task.name!r} of the log was played by other copies of the agents, by an older version of Felt "
                "or before a program said otherwise of its memory: choose another folder"
            )

    def _cut(self, sets: int) -> None:
        """Take out of the log what was played beyond the end of the match."""
        for name in self.log.parts() if self.log else ():
            assert self.log is not None
            task = Task.named(name)
            if task.first + task.count <= sets:
                continue
            if task.first < sets:
                hands, note = self.log.read(name)
                take_note(hands, note)
                settle(self.match, first_sets(hands, sets - task.first), self.log.sink)
            self.log.remove(name)
