"""Agents for the tests of the arena; also loaded from this file by name, in processes of their own."""

import os
import time

import numpy as np

from felt.agents import Agent, check_or_call, check_or_fold, raise_to
from felt.agents.basic.random_ import Random
from felt.games import Action, Move


class Caller(Agent):
    """Calls, one table at a time."""

    remembers = False

    def act(self, view):
        return check_or_call(view)


class Chancer(Agent):
    """Acts at random, one table at a time."""

    remembers = False
    act = Random.act


class Learner(Agent):
    """Raises more the more it has won: every hand depends on all before it."""

    def __init__(self):
        self.won = 0
        self.hands = 0

    def act(self, view):
        return raise_to(view, 0) if (self.won + self.hands) % 3 == 0 else check_or_call(view)

    def hand_over(self, view):
        self.won += view.payoffs[view.seat]
        self.hands += 1


class Saver(Learner):
    """A learner that can say what it has learnt."""

    def save(self):
        return f"{self.won} {self.hands}".encode()

    def load(self, memory):
        self.won, self.hands = map(int, memory.split())


class Wrong(Agent):
    """Does a thing wrong by the number of the hand: `what` says which."""

    remembers = False

    def __init__(self, what="raise", every=5):
        self.what, self.every = what, every

    def act(self, view):
        if self.dice.hand % self.every == 0:
            if self.what == "raise":
                raise RuntimeError("<lost my mind>")
            if self.what == "exit":
                raise SystemExit(3)
            if self.what == "illegal":
                return Action(Move.RAISE, 10**9)
            if self.what == "nothing":
                return None
            if self.what == "sleep":
                time.sleep(60)
            if self.what == "loop":
                while True:
                    pass
            if self.what == "die":
                os._exit(7)
        return check_or_fold(view)


class Beside(Agent):
    """Calls, and does a thing wrong where no decision is asked for: when it is made for the third time, at the end of a
    run, or when a hand begins."""

    made = 0

    def __init__(self, where="made", what="raise"):
        self.where, self.what = where, what
        Beside.made += 1
        if where == "made" and Beside.made == 3:
            self._wrong()

    def act(self, view):
        return check_or_call(view)

    def hand_started(self, view):
        if self.where == "starts" and self.dice.hand & 1:
            self._wrong()

    def match_over(self):
        if self.where == "ends":
            self._wrong()

    def _wrong(self):
        if self.what == "raise":
            raise RuntimeError("<not now>")
        if self.what == "sleep":
            time.sleep(60)
        os._exit(7)


class Listener(Agent):
    """Writes down what it is told."""

    def __init__(self):
        self.told = []

    def act(self, view):
        self.told.append(("act", view.street))
        return check_or_call(view)

    def hand_started(self, view):
        self.told.append(("started", len(view.own)))

    def action_seen(self, view, event):
        self.told.append(("seen", str(event.kind), event.seat, event.amount, event.cards))

    def showdown(self, view):
        self.told.append(("showdown", view.shown))

    def hand_over(self, view):
        self.told.append(("over", view.payoffs))

    def match_over(self):
        self.told.append(("match over",))


class WrongInStep:
    """Folds at many tables at once; in its third call something happens to it."""

    def __init__(self, what="die"):
        self.what, self.calls = what, 0

    def act_batch(self, tables):
        self.calls += 1
        if self.calls == 3:
            if self.what == "die":
                os._exit(7)
            if self.what == "sleep":
                time.sleep(60)
            while True:
                pass
        moves = np.where((tables.legal[:, 0] == 1) & (tables.legal[:, 1] > 0), 0, 1)
        return moves, np.zeros(len(tables), dtype=np.int64)
