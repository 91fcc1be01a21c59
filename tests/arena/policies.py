"""Policies for the tests of rings; also loaded from this file by name, in processes of their own."""

import os
import time

from felt.arena.ring import Never


class Wrong(Never):
    """Does wrong in one of its methods: raises, ends the program, answers nonsense, or takes its time."""

    def __init__(self, method="sit", what="raise"):
        super().__init__()
        self.wrong = method, what

    def sit(self, bankroll, offers):
        return self._do("sit", (0, bankroll + 1)) or super().sit(bankroll, offers)

    def go_on(self, bankroll, stack, table):
        return self._do("go_on", "all") or super().go_on(bankroll, stack, table)

    def _do(self, method, nonsense):
        if self.wrong[0] != method:
            return None
        match self.wrong[1]:
            case "raise":
                raise KeyError("mine")
            case "exit":
                raise SystemExit(3)
            case "nonsense":
                return nonsense
            case "dawdle":
                time.sleep(0.06)
            case "hang":
                while True:
                    time.sleep(1)
            case "die":
                os._exit(5)
        return None
