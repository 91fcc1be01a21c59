"""Agents in plain Python, as somebody would write them: what the arena makes of these is what most users get."""

import time

from felt.agents import Agent, check_or_call, check_or_fold, raise_to


class Caller(Agent):
    """Always calls."""

    remembers = False

    def act(self, view):
        return check_or_call(view)


class Chancer(Agent):
    """Folds, calls or raises by chance."""

    remembers = False

    def act(self, view):
        choice = self.dice.randrange(3)
        if choice == 0:
            return check_or_fold(view)
        if choice == 1 or view.legal.raise_to is None:
            return check_or_call(view)
        return raise_to(view, self.dice.randint(*view.legal.raise_to))


class Waiter(Caller):
    """Always calls, after a while in which it uses no core: as agents do that ask another machine."""

    def act(self, view):
        time.sleep(0.005)
        return check_or_call(view)
