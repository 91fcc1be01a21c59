"""One history of a ring, from the first buy-in to the last hand."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from numbers import Integral
from time import perf_counter
from typing import TYPE_CHECKING, Any

from felt.agents.dice import Dice
from felt.arena.conductor.conduct import Fault, Incident
from felt.arena.conductor.table import IN_HAND, Table
from felt.arena.ring.policies import Offer, called, policy
from felt.arena.schedule.workplace import Record, hand_number
from felt.arena.tournament.play import NOT_A_PLAYER, Dealt, Seats
from felt.errors import short_repr

if TYPE_CHECKING:
    from felt.arena.ring.spec import Ring

POINTS = 60
"""Times at which everybody's wealth is written down, at most, beside the first and the last."""
IDLE = 20
"""Rounds without a hand after which no one is expected to meet any more."""
FIRST = -1 << 32
"""In place of the number of a decision: what a history asks policies is counted down from here, below all that has a
number by `felt.arena.conductor.table.beside`."""


def moments(rounds: int) -> list[int]:
    """After which rounds wealth is written down.

    >>> moments(5), len(moments(100_000)), moments(100_000)[-2:]
    ([0, 1, 2, 3, 4, 5], 61, [98333, 100000])
    """
    points = min(POINTS, rounds)
    return [rounds * point // points for point in range(points + 1)]


class _Place(Seats):
    """A table with its stakes."""

    def __init__(self, size: int, level: int) -> None:
        super().__init__(size, (), blind=0)
        self.level = level


class History:
    """All players, where they sit, and what they have."""

    def __init__(self, ring: "Ring", number: int, table: Table) -> None:
        self._ring, self._number, self._table = ring, number, table
        self._chance = Dice(ring.seed, NOT_A_PLAYER)
        self._chance.begin(number)
        players = range(ring.players)
        self._policies = Asking(ring, table)
        self._names = [ring.names[entry] for entry in ring.lineup]
        self._home = [ring.bankrolls[entry] for entry in ring.lineup]
        """Chips of each player that are not on a table."""
        self._stacks = [0 for _ in players]
        self._at: list[_Place | None] = [None for _ in players]
        self._tables: list[_Place] = []
        self._out: list[int | None] = [None for _ in players]
        self._first: list[int | None] = [None for _ in players]
        self._sat = [0 for _ in players]
        self._played = [[[0, 0, 0] for _ in ring.levels] for _ in players]
        """For each player and level: hands, chips won, and the sum of their squares."""
        self._hands = 0

    def play(self) -> Record:
        """Play rounds until time is up, or until nobody is left to play with: the record, as `result` reads it."""
        ring, when = self._ring, moments(self._ring.rounds)
        curve, done, idle = [self._wealth()], 0, 0
        while done < ring.rounds and idle < IDLE and self._out.count(None) > 1:
            before = self._hands
            self._choose()
            self._round(done)
            done += 1
            idle = 0 if self._hands > before else idle + 1
            if done == when[len(curve)]:
                curve.append(self._wealth())
        curve += [self._wealth()] * (len(when) - len(curve))
        return {
            "hands": self._hands,
            "rounds": done,
            "curve": curve,
            "out": self._out,
            "first": self._first,
            "sat": self._sat,
            "played": self._played,
        }

    def _wealth(self) -> list[int]:
        return [home + stack for home, stack in zip(self._home, self._stacks, strict=True)]

    # Sitting down

    def _choose(self) -> None:
        """Everybody without a seat chooses one, in an order that is drawn."""
        free = [player for player, at in enumerate(self._at) if at is None and self._out[player] is None]
        self._chance.shuffle(free)
        for player in free:
            home = self._home[player]
            tables = self._with_room(home)
            offers = [self._offer(table, player) for table in tables]
            wrong = partial(_wrong_seat, home=home, offers=offers)
            chosen = self._policies.ask(player, "sit", (home, list(offers)), wrong)
            if chosen is not None:
                place, chips = chosen
                self._sit(player, tables[place], chips)

    def _with_room(self, home: int) -> list[_Place]:
        """Tables that a player can pay for: by level, the fullest first; a new one where all are full."""
        ring, tables = self._ring, []
        for level in range(len(ring.levels)):
            if level and home < ring.buy_ins(level)[0]:
                break
            open_ = [table for table in self._tables if table.level == level and len(table) < ring.table_size]
            open_.sort(key=len, reverse=True)
            tables += open_ or [_Place(ring.table_size, level)]
        return tables

    def _offer(self, table: _Place, player: int) -> Offer:
        least, most = self._ring.buy_ins(table.level)
        wealth = self._home[player] + self._stacks[player]
        others = tuple(self._names[other] for other in table.players if other != player)
        least = min(least, wealth) if table.level == 0 else least
        return Offer(table.level, self._ring.big_blind(table.level), least, most, others)

    def _sit(self, player: int, table: _Place, chips: int) -> None:
        if table not in self._tables:
            self._tables.append(table)
        table.join(player)
        self._at[player] = table
        self._home[player] -= chips
        self._stacks[player] = chips
        self._sat[player] += 1
        if self._first[player] is None:
            self._first[player] = table.level

    # Playing

    def _round(self, done: int) -> None:
        """A hand at every table; then everybody goes on, adds chips or leaves, and tables that fit into one join."""
        for table in list(self._tables):
            if len(table) > 1:
                self._hand(table)
        for player, at in enumerate(self._at):
            if at is not None:
                self._go_on(player, at, done)
        self._tables = [table for table in self._tables if len(table)]
        for level in range(len(self._ring.levels)):
            self._break_tables(level)

    def _hand(self, table: _Place) -> None:
        stacks, level = self._stacks, table.level
        dealt = Dealt.at(table, self._ring.rules, level, stacks, hand_number(self._number, self._hands))
        after, before = dealt.play(self._ring.seed, self._table), dealt.stacks
        self._hands += 1
        if sum(after) > sum(before):
            raise AssertionError(f"{sum(before)} chips became {sum(after)} in hand {self._hands} of run {self._number}")
        for player, had, has in zip(dealt.players, before, after, strict=True):
            stacks[player] = has
            totals = self._played[player][level]
            totals[0] += 1
            totals[1] += has - had
            totals[2] += (has - had) ** 2

    def _go_on(self, player: int, table: _Place, done: int) -> None:
        home, stack = self._home[player], self._stacks[player]
        if home + stack == 0:
            self._out[player] = done + 1
            self._leave(player, table)
            return
        offer = self._offer(table, player)
        if not stack and home < offer.least:
            self._leave(player, table)
            return
        wrong = partial(_wrong_chips, home=home)
        add = self._policies.ask(player, "go_on", (home, stack, offer), wrong)
        add = add and min(add, max(0, offer.most - stack))
        if add is None or (stack == 0 and add < offer.least):
            self._leave(player, table)
        else:
            self._home[player] -= add
            self._stacks[player] += add

    def _leave(self, player: int, table: _Place) -> None:
        table.leave(player)
        self._at[player] = None
        self._home[player] += self._stacks[player]
        self._stacks[player] = 0

    def _break_tables(self, level: int) -> None:
        """Players of the smallest table move to others of the same stakes, if all of them have room there."""
        while True:
            tables = sorted((table for table in self._tables if table.level == level), key=len)
            if len(tables) < 2 or sum(map(len, tables)) > (len(tables) - 1) * self._ring.table_size:
                return
            broken, *others = tables
            self._tables.remove(broken)
            for player in broken.players:
                table = min(others, key=len)
                table.join(player)
                self._at[player] = table


def _wrong_seat(chosen: Any, home: int, offers: list[Offer]) -> str:
    """What is wrong with how a player wants to sit down; nothing for what can be done."""
    place, chips = chosen if isinstance(chosen, tuple | list) and len(chosen) == 2 else (None, None)
    if isinstance(place, Integral) and isinstance(chips, int) and 0 <= int(place) < len(offers):
        offer = offers[int(place)]
        if min(offer.least, home) <= chips <= min(offer.most, home):
            return ""
    return f"answered {short_repr(chosen)} (table, chips), where it has {home} chips and {len(offers)} offers"


def _wrong_chips(add: Any, home: int) -> str:
    """What is wrong with the chips that a player wants to add; nothing if they can be added."""
    return "" if isinstance(add, int) and 0 <= add <= home else f"adds {short_repr(add)} of {home} chips"


# Asking policies


class Asking:
    """The policies of all players of one history, asked whatever they do.

    What goes wrong is counted as a fault of the player, and nothing is risked for it: it waits instead of sitting down,
    and leaves instead of going on. A policy that was too late, or ended its process, is asked no more.
    """

    def __init__(self, ring: "Ring", table: Table) -> None:
        self._table, self._timeout = table, ring.timeout
        self._policies = [policy(ring.policies[entry]) for entry in ring.lineup]
        self._called = [called(ring.policies[entry]) for entry in ring.lineup]
        self._silent: set[int] = set()
        self._asked = 0

    def ask(self, player: int, method: str, arguments: tuple[Any, ...], wrong: Callable[[Any], str]) -> Any:
        """The answer of a player's policy; None in place of one that is `wrong`, in words."""
        table = self._table  # whoever watches over agents watches over policies too
        hand = table.marks[IN_HAND]  # the last that was played
        if player in self._silent or player in table.retired:
            return None
        decision = FIRST - self._asked
        self._asked += 1
        died = table.known.get((hand, decision))
        if died is not None:
            self._silent.add(player)
            return self._count(method, Incident(player, died[1], hand, died[2]))

        def decide() -> tuple[Any, str]:
            answer = getattr(self._policies[player], method)(*arguments)
            return answer, wrong(answer) if answer is not None else ""

        started = perf_counter()
        answered, incident = table.attempt(player, decision, decide, watched=True)
        if incident is None and perf_counter() - started > self._timeout:
            incident = Incident(player, Fault.TIMEOUT, hand, f"no answer within {self._timeout:g} s")
        if incident is None:
            answer, complaint = answered
            if not complaint:
                return answer
            incident = Incident(player, Fault.ILLEGAL, hand, complaint)
        if incident.fault == Fault.TIMEOUT:
            self._silent.add(player)
        return self._count(method, incident)

    def _count(self, method: str, incident: Incident) -> None:
        message = f"policy {self._called[incident.player]!r}, {method}: {incident.message}"
        self._table.conduct.add(replace(incident, message=message))
