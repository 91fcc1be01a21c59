"""A program: a service that has just been started plays hands, and says what was imported or loaded in the midst of it.

``python -m tests.server.plays_prepared FOLDER GAME …``; prints a JSON list of what was, with the thread that did it.
"""

import json
import sys
import threading
import time
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

from felt import _jit
from felt.agents.naming import entrant
from felt.cards.card import format_cards
from felt.games import load
from felt.server.agents.preparing import OFFERED
from tests.server.live_helpers import BASE, Guest, plain_move, service

PATIENCE = 120.0
OFF_THE_CLOCK = ("felt-preparing", "felt-slow")
"""Threads that nobody's time waits for: who prepares, and who works out odds for `/decide` and replays."""
late: list[tuple[str, str]] = []


class Watching(MetaPathFinder):
    """Asked for every module that is not there yet."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        note(name)


def note(name: str) -> None:
    thread = threading.current_thread().name
    if not thread.startswith(OFF_THE_CLOCK):
        late.append((name, thread))


def watch() -> None:
    """Note from now on what is imported, and which kernels are loaded."""
    load_kernel = _jit._KernelFiles.load_overload

    def load_noted(self: Any, signature: Any, context: Any) -> Any:
        note(self._name)
        return load_kernel(self, signature, context)

    _jit._KernelFiles.load_overload = load_noted  # type: ignore[method-assign]
    sys.meta_path.insert(0, Watching())


def wait(what: Any, until: Any) -> Any:
    end = time.monotonic() + PATIENCE
    while not until(found := what()):
        assert time.monotonic() < end, "nothing happens any more"
        time.sleep(0.01)
    return found


def play(guest: Guest, game: str, agents: list[str]) -> None:
    """Two hands of somebody and these agents: raises where it can, then plain moves, then a fold."""
    table = guest.table(game=game, agents=agents, seats=len(agents) + 1, stack=load(game).stack or 200)
    moves, waits, end = 0, 0, time.monotonic() + PATIENCE
    while (state := guest.state(table))["hand"] <= 2:
        assert time.monotonic() < end, f"{game} with {agents} stands still"
        if state["legal"] and state["turn"] == state["you"]:
            legal, body = state["legal"], plain_move(state)
            if legal["raise_to"] and moves % 4 == 0:
                body |= {"move": "raise", "amount": legal["raise_to"]["least"]}
            elif legal["fold"] and moves % 4 == 3:
                body |= {"move": "fold"}
            moves += 1
            answer = guest.post(f"/tables/{table}/act", **body)
            assert answer.status_code in (200, 409), answer.text
        else:
            time.sleep(0.01)
            waits += 1
            if waits % 20 == 0:  # who has lost all chips buys new ones; to others that is refused
                guest.post(f"/tables/{table}/rebuy")
    faults = [line for line in state["log"] if "time" in line or "failed" in line]
    assert not faults, faults
    assert guest.post(f"/tables/{table}/leave").status_code == 200
    guest.post(f"/tables/{table}/close")


def decide(guest: Guest, game: str, agent: str) -> None:
    rules = load(game)
    if rules.rounds[0].up or rules.rounds[0].board:
        return
    cards = format_cards([*rules.deck][: rules.rounds[0].down])
    state = {"game": game, "stacks": [rules.stack or 200] * rules.min_players, "cards": cards}
    told = guest.client.post(f"{BASE}/decide", json={"agent": agent, "state": state})
    assert told.status_code == 200 and told.json()["fallback"] is None, told.text


def main(folder: Path, games: list[str]) -> None:
    with service(folder) as client:
        guest = Guest(client)
        guest.get("/tables")
        wait(client.app.state.warming.done, bool)  # type: ignore[attr-defined]
        watch()
        for game in games:
            rules = load(game)
            agents = [name for name in OFFERED if not entrant(name).reason_not_to_play(rules, rules.max_players)]
            size = min(rules.max_players, 6) - 1
            for first in range(0, len(agents), size):
                some = agents[first : first + size]
                play(guest, game, some + ["call"] * (rules.min_players - 1 - len(some)))
            decide(guest, game, "ehs")
        if "nlhe" in games:
            play(guest, "nlhe", ["pushfold"])
    print(json.dumps(sorted(set(late))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
