"""Compiling before any clock starts.

Kernels are compiled, or loaded from disk, when they are first called, and modules are imported when they are first
needed. In the middle of a hand both would count as somebody's thinking time. `prepare` rehearses a game beforehand:
hands of it are played by the loops that play all hands, and the agents are asked at every decision, whatever they
answer. So nothing has to be listed that a new variant or a new agent could forget to add.
"""

import math
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from threading import Event, RLock, Thread
from typing import Any, ClassVar

import numpy as np

from felt.agents.adapters import as_agent
from felt.agents.api import Agent, check_or_call, check_or_fold, raise_to
from felt.agents.naming import Entrant, entrant
from felt.agents.tables import BatchAgent, Moves, OneTable, Tables, few_cards
from felt.arena.match.hands import MatchWorkplace
from felt.arena.match.result import Indicators
from felt.arena.match.spec import MOST_SECONDS, Match
from felt.arena.schedule.tasks import Task
from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.engine.fields import MOST_RAISE
from felt.games.hand import Hand
from felt.games.moves import CALL, FOLD, RAISE, EventKind, Move
from felt.games.rules import GameRules
from felt.games.views.view import View, made_hand
from felt.stats.records import count_hand

PATIENCE = 2.0
"""Seconds after which it is said that something is being compiled."""

ROOMS = ("cards", "odds", "stats")
"""Rooms whose functions agents in files call. What those need is asked for by the room's own ``_warm.py``."""

NOBODY, STAND_IN = "call", "ehs"
"""Who sits where there is no agent to rehearse with, and who rehearses in place of agents in files that ask for odds:
they are not ours to try out."""

Say = Callable[[str], None]

CALLS, ALL_IN, LATER, RAISES, WRONG = "calls", "all in", "all in later", "raises", "wrong"
"""Hands that are rehearsed: all call to the end, with usual or with short stacks; they are all in on the second street;
somebody raises; or all make moves that are not allowed."""
_ENGINE, _AGENT = (CALLS, ALL_IN, LATER, WRONG), (CALLS, RAISES)
_SHORT = {ALL_IN: 1, LATER: 3}
"""Big blinds that everybody has in hands in which they shall be all in."""
_prepared: set[Hashable] = set()
_rehearsing = RLock()


def prepare(
    rules: GameRules,
    agents: Iterable[Any] = (),
    *,
    players: int | None = None,
    lockstep: bool = True,
    say: Say | None = None,
) -> None:
    """Compile, load and import all that hands of a game need, and these agents in it.

    `agents` as `felt.agents.entrant` takes them, `players` at a table if that matters to them. Of agents of ours a copy
    is tried out; for classes in files, what they have imported from Felt is prepared. A single table needs much less
    than matches do: `lockstep=False` leaves out what many tables in lockstep and the sums of a match need. What was
    prepared before in this process costs next to nothing. `say` is told when compiling takes long: unless it is given,
    whoever looks at a terminal.

    >>> from felt.games import load
    >>> prepare(load("kuhn"), ["call", "random"])
    """
    steps = _steps(rules, [entrant(agent) for agent in agents], players, lockstep)
    if steps.keys() <= _prepared:
        return
    with _rehearsing, _saying(say or _say_on_terminal):
        for key, step in steps.items():
            if key not in _prepared:
                with suppress(FeltError):  # what cannot be played is refused where it is to be played
                    step()
                _prepared.add(key)


def is_prepared(
    rules: GameRules, agents: Iterable[Any] = (), *, players: int | None = None, lockstep: bool = True
) -> bool:
    """Whether `prepare` would have nothing to do."""
    return _steps(rules, [entrant(agent) for agent in agents], players, lockstep).keys() <= _prepared


def _steps(
    rules: GameRules, entrants: list[Entrant], players: int | None, lockstep: bool = True
) -> dict[Hashable, Callable[[], None]]:
    """What to do, each by what it is known by afterwards."""
    game = _kind_of_game(rules)
    forms = (_Rehearsal, _RehearsalInStep) if lockstep else (_Rehearsal,)
    steps: dict[Hashable, Callable[[], None]] = {
        (game, form): partial(_rehearse, rules, entrant(NOBODY), rules.min_players, _ENGINE, form) for form in forms
    }
    for entered in entrants:
        rooms = _rooms_used(entered)
        steps |= {room: partial(_ask_room, room) for room in rooms}
        stand_in = entered if entered.trusted else entrant(STAND_IN) if "odds" in rooms else None
        if stand_in is not None and stand_in.spec != NOBODY:
            counts = (rules.min_players, rules.min_players if players is None else players)
            playable = [count for count in counts if stand_in.reason_not_to_play(rules, count) is None]
            for form in forms if playable else ():  # else it does not play the game
                steps[game, stand_in.place, form] = partial(_rehearse, rules, stand_in, playable[0], _AGENT, form)
    return steps


def _kind_of_game(rules: GameRules) -> Hashable:
    """What kernels and agents can tell games apart by; stakes change neither what is compiled nor what is imported."""
    rounds = (
        (part.down, part.up, part.board, part.rolls, part.passes, part.discards, part.draw_most, part.betting is None)
        for part in rules.rounds
    )
    structures = {part.betting.structure for part in rules.rounds if part.betting}
    return tuple(rounds), frozenset(structures), rules.showdown, tuple(rules.deck)


def _rehearse(rules: GameRules, entered: Entrant, count: int, scripts: Sequence[str], form: "type[_Rehearsal]") -> None:
    """Play a few hands, one by one or in step, with an agent in every seat."""
    for script in scripts:
        kind = type(form.__name__, (form,), {"entrant": entered, "script": script})
        short = rules.big_blind * _SHORT[script] if script in _SHORT else None
        stack = Hand.new(rules, short, players=count).starting_stacks[0]
        match = Match(rules, (Entrant(entered.spec, kind, named=False),) * count, stack, timeout=MOST_SECONDS)
        workplace = MatchWorkplace(match, indicators=Indicators(match.names))
        hands = workplace.play(Task(0, 1))
        if scripts is _ENGINE and form is _RehearsalInStep:
            workplace.settle(hands)
    if scripts is _ENGINE and form is _Rehearsal:
        count_hand(called_down(rules))  # for the statistics at a table


def called_down(rules: GameRules) -> Hand:
    """A hand that everybody calls to the end."""
    hand = Hand.new(rules, players=rules.min_players)
    while not hand.over:
        hand.act(check_or_call(hand.view(hand.turn)))
    return hand


class _Rehearsal(Agent):
    """Asks an agent at every decision, and does what its script says whatever the answer: so it sees every street."""

    entrant: ClassVar[Entrant]
    script: ClassVar[str]
    remembers = False

    def __init__(self) -> None:
        made = self.entrant.make()
        if hasattr(made, "samples"):
            made.samples = 1  # it is not for the answer
        self._agent = as_agent(made)
        self._in_step = made if isinstance(made, BatchAgent) else None

    def act(self, view: View) -> Action:
        """Ask, and go by the script."""
        self._consult(view)
        if self.script == WRONG:
            return Action(Move.RAISE, -1)
        if self.script == LATER and view.street > 0:
            return raise_to(view, math.inf)
        if self.script == RAISES:
            opened = any(event.kind == EventKind.RAISE for event in view.history)
            return check_or_fold(view) if opened else raise_to(view, 0)
        return check_or_call(view)

    def _consult(self, view: View) -> None:
        """All that agents are asked for at a decision."""
        agent = self._agent
        agent.dice = self.dice
        with suppress(Exception):  # what goes wrong will go wrong in play too, and is counted there
            agent.act(view)
            agent.probabilities(view)
            agent.values(view)
        view.as_dict()
        made_hand(view)
        OneTable(view, self.dice)


class _RehearsalInStep(_Rehearsal):
    """The same at many tables."""

    def act_batch(self, tables: Tables) -> Moves:
        """Ask, both ways, and go by the script."""
        if self._in_step is not None:
            with suppress(Exception):
                self._in_step.act_batch(tables)
        with tables.dice(0) as self.dice:
            self._consult(tables.view(0))
        may_fold, to_call, least = tables.legal.T[:3]
        if self.script == WRONG:
            return np.full(len(tables), 9), np.zeros(len(tables), dtype=np.int64)
        if self.script == LATER:
            raises = (least > 0) & (tables.street > 0)
            return few_cards(tables, np.where(raises, RAISE, CALL), tables.legal[:, MOST_RAISE])
        if self.script == RAISES:
            folds = (may_fold == 1) & (to_call > 0)
            raises = (least > 0) & (tables.raises < 2) & (tables.street == 0)
            return few_cards(tables, np.where(raises, RAISE, np.where(folds, FOLD, CALL)), least)
        return few_cards(tables, np.full(len(tables), CALL))


def _rooms_used(entered: Entrant) -> list[str]:
    """Of a class in a file: the rooms of Felt that its module has imported something from."""
    module = sys.modules.get(getattr(entered.kind, "__module__", ""))
    if entered.trusted or entered.outside or module is None or module.__name__.startswith("felt."):
        return []
    homes = {getattr(value, "__module__", None) or getattr(value, "__name__", "") for value in vars(module).values()}
    return [room for room in ROOMS if any(str(home).startswith(f"felt.{room}") for home in homes)]


def _ask_room(room: str) -> None:
    for ask in import_module(f"felt.{room}._warm").steps().values():
        ask()


# Telling that it takes long


@contextmanager
def _saying(say: Say) -> Iterator[None]:
    """Say after a while that something is being compiled, if it is."""
    from felt import _jit

    over, before = Event(), len(_jit.compiled_files())

    def look() -> None:
        while not over.wait(PATIENCE):
            if not before or len(_jit.compiled_files()) > before:
                say("Compiling …")
                return

    watching = Thread(target=look, name="felt compiling", daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()


def _say_on_terminal(text: str) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"felt: {text}", file=sys.stderr, flush=True)
