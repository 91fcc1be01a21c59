"""Asking a program outside: with deadlines, and with a new copy of it after it broke the rules of talking."""

import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from felt.agents.api import AgentFault
from felt.agents.outside import messages
from felt.agents.outside.connections import Door, Visit
from felt.agents.outside.lines import plain, shown_line
from felt.agents.outside.messages import Greeting

START_WITHIN = 10.0
"""Seconds until a program has to say hello."""
MOST_STARTS = 20
"""How often a program is started again before it is not asked any more."""
LOOK_EVERY = 0.05
"""Seconds after which we look whether a process that says nothing is still there: a child of its own may keep its
output open."""
AT_ONCE = 512
"""Questions that are on their way at a time, where a program takes several."""

Told = dict[str, Any] | AgentFault
"""An answer, or what was wrong instead."""


class Talk:
    """A conversation with one program: it is started when it is needed."""

    def __init__(self, door: Door) -> None:
        self.patience = 10.0
        """Seconds for an answer."""
        self.broken = 0
        """How often it had to be ended."""
        self.asked = 0
        """Questions so far."""
        self.greeting: Greeting | None = None
        self._door = door
        self._visit: Visit | None = None
        self._game = b""
        self._told = b""
        self._at_once = AT_ONCE
        self._why = ""
        self._heard: deque[bytes] = deque()
        """Lines that have come, and that nobody has looked at."""
        self._since = 0
        """The first question that this copy of the program was asked; -1 before it."""
        self._repeated = 0

    def begin(self) -> Greeting:
        """Start the program, unless it runs, and hear its hello."""
        if self._visit is None:
            if self.broken > MOST_STARTS:
                raise AgentFault("errors", f"not asked: it was started again {MOST_STARTS} times; lastly, {self._why}")
            try:
                self._visit = self._door.open()
            except AgentFault as fault:
                self.broken += 1
                self._why = str(fault)
                raise
            self._end = weakref.finalize(self, self._visit.leave)
            self._told, self._since = b"", -1
            self._heard.clear()
            self._visit.lines.put(messages.hello())
            line = self._first_line()
            try:
                self.greeting = Greeting.read(line)
            except AgentFault as fault:
                raise self._break(fault) from None
            if not self.greeting.several:
                self._at_once = 1
        assert self.greeting is not None
        return self.greeting

    def _first_line(self) -> bytes:
        until = monotonic() + START_WITHIN
        while True:
            lines = self._pump(until, f"it did not say hello within {START_WITHIN:g} s")
            if len(lines) > 1:
                raise self._break(AgentFault("illegal", f"it said more than hello: {shown_line(lines[1])}"))
            if lines:
                return lines[0]

    def game(self, line: bytes) -> None:
        """What is played from now on."""
        self._game = line

    def tell(self, line: bytes) -> None:
        """Say something that wants no answer. Who is not asked any more is told nothing."""
        if self._visit is None and self.broken > MOST_STARTS:
            return
        self.begin()
        self._put(line)

    def ask(self, questions: Sequence[bytes]) -> list[Told]:
        """The answers to questions that are numbered from `asked` on; ``questions`` has them as lines.

        If something goes wrong while several are on their way, those without an answer are asked again one by one:
        whose fault it was shows then, however the program buffers what it says.
        """
        first, answers = self.asked, dict[int, Told]()
        self.asked += len(questions)
        if self.greeting is None:
            with suppress(AgentFault):  # shows again when it is asked
                self.begin()
        begin = 0
        while begin < len(questions):
            part = range(begin, min(begin + self._at_once, len(questions)))
            if len(part) == 1 or not self._together(questions, part, first, answers):
                self._one_by_one(questions, part, first, answers)
            begin = part.stop
        return [answers[place] for place in range(len(questions))]

    def _together(self, questions: Sequence[bytes], part: range, first: int, answers: dict[int, Told]) -> bool:
        """Ask some questions without waiting between them; whether all went well. If not, it is nobody's fault yet."""
        broken = self.broken
        try:
            self._exchange(questions, part, first, answers)
        except AgentFault:
            self.broken = broken
            return False
        return True

    def _one_by_one(self, questions: Sequence[bytes], part: range, first: int, answers: dict[int, Told]) -> None:
        faults = 0
        for place in part:
            if place not in answers:
                try:
                    self._exchange(questions, range(place, place + 1), first, answers)
                except AgentFault as fault:
                    answers[place] = fault
                    faults += 1
        if len(part) > 1 and not faults:  # then it cannot do with several at a time
            self._at_once = 1

    def over(self) -> None:
        """The match is over: say so, and let the program go."""
        if self._visit is not None:
            visit = self._visit
            with suppress(AgentFault):
                visit.lines.put(messages.match_over())
            self.let_go(kindly=True)
            self._heard.extend(visit.last)
            self._count_repeated()

    def take_repeated(self) -> int:
        """How many answers came after the first to the same question, since this was last asked for."""
        if self._visit is not None:
            with suppress(AgentFault):  # shows again when it is asked
                self._heard.extend(self._visit.lines.pump(0))
            self._count_repeated()
        count, self._repeated = self._repeated, 0
        return count

    def _count_repeated(self) -> None:
        while self._heard:
            try:
                number = messages.answer(self._heard[0])["id"]
            except AgentFault:
                return
            if not 0 <= self._since <= number < self.asked:
                return
            self._heard.popleft()
            self._repeated += 1

    def _exchange(self, questions: Sequence[bytes], part: range, first: int, answers: dict[int, Told]) -> None:
        """Ask some questions, and wait for as many answers, in any order.

        What comes after the last of them is looked at when the program is asked again, however it was buffered.
        """
        self.begin()
        heard, start = self._heard, first + part.start
        if self._since < 0:
            self._since = start
        self._put(questions[part.start] if len(part) == 1 else b"".join(questions[part.start : part.stop]))
        left, until = len(part), monotonic() + self.patience
        late = f"no answer within {self.patience:g} s"
        if left == 1 and not heard and self._visit is not None:
            heard.extend(self._visit.lines.look())
        while left:
            if not heard:
                heard.extend(self._pump(until, late))
                continue
            line = heard.popleft()
            try:
                reply = messages.answer(line)
            except AgentFault as fault:
                raise self._break(fault) from None
            place = reply["id"] - first
            if self._since <= reply["id"] < start or place in answers:  # the first answer stands
                self._repeated += 1
                if monotonic() > until:
                    raise self._break(AgentFault("timeouts", late))
            elif place in part:
                answers[place] = reply
                left -= 1
                until = monotonic() + self.patience
            else:
                message = f"it said {shown_line(line)}, and nobody asked that question"
                raise self._break(AgentFault("illegal", message))

    def _put(self, line: bytes) -> None:
        assert self._visit is not None
        text = line if self._told == self._game else self._game + line
        try:
            self._visit.lines.put(text)
        except AgentFault as fault:
            raise self._break(fault) from None
        self._told = self._game

    def _pump(self, until: float, late: str) -> list[bytes]:
        """The lines that come next; none after a short while, and an error when it is too late or nobody is there."""
        assert self._visit is not None
        visit, left = self._visit, until - monotonic()
        try:
            lines = visit.lines.pump(min(left, LOOK_EVERY))
        except AgentFault as fault:
            raise self._break(fault) from None
        except BaseException:  # interrupted: nobody knows what was said
            self.let_go()
            raise
        if lines:
            return lines
        if visit.lines.closed:
            raise self._break(AgentFault("errors", visit.ended(LOOK_EVERY * 10) or "it closed its output"))
        if left <= 0:
            raise self._break(AgentFault("timeouts", late))
        how = visit.ended()
        return [] if how is None else self._last_lines(visit, how)

    def _last_lines(self, visit: Visit, how: str) -> list[bytes]:
        """What a process that has ended had still said."""
        try:
            lines = visit.lines.pump(0)
        except AgentFault as fault:
            raise self._break(fault) from None
        if not lines:
            raise self._break(AgentFault("errors", how))
        return lines

    def _break(self, fault: AgentFault) -> AgentFault:
        """End the program after a fault; the fault with what it said on its standard error."""
        self.broken += 1
        tail = self.let_go()
        message = str(fault)
        if fault.kind == "errors" and tail:
            message += f"; its last words: {shown_line(tail.splitlines()[-1].encode())}"
        self._why = message
        return AgentFault(fault.kind, message, plain(tail))

    def let_go(self, *, kindly: bool = False) -> str:
        """End the program; what it last said on its standard error."""
        visit, self._visit = self._visit, None
        if visit is None:
            return ""
        self._end.detach()
        visit.leave(kindly=kindly)
        return visit.lines.tail
