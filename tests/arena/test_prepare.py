"""Compiling is nobody's thinking time: after `prepare`, hands need no kernel and no module that is not there."""

import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import numba
import pytest

from felt import _jit
from felt.agents.naming import BUILT_IN, entrant
from felt.arena._warm import FIRST_AGENT, FIRST_GAME, first_hand
from felt.arena.conductor import prepare as preparing
from felt.arena.conductor.prepare import is_prepared, prepare
from felt.arena.conductor.table import Table
from felt.arena.match.run import play
from felt.arena.match.spec import Match
from felt.arena.ring.spec import Ring
from felt.arena.schedule.runs import play_runs
from felt.arena.tournament.spec import Tournament
from felt.games import Hand, load, names
from felt.games.rules import GameRules
from felt.odds import equity
from felt.odds.state import from_view
from felt.stats.records import count_hand
from tests.kernel_counts import asked_alone, forget_kernels, loaded, no_kernel_is_new

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is switched off")

OWN = tuple(name for name in BUILT_IN if name != "strategy")


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has not called a kernel yet."""
    monkeypatch.setattr(preparing, "_prepared", set())
    forget()


def forget() -> None:
    preparing._prepared.clear()
    from_view._remembered.clear()
    from_view._holdem_strength.cache_clear()
    forget_kernels()


def check(rules: GameRules, agent: str) -> None:
    """Prepare, then play hands in both ways."""
    others = ["random"] * (rules.min_players - 1)
    matches = [Match.of([first, *others], rules, seed=3) for first in (agent, asked_alone(agent))]
    prepare(rules, [agent])
    assert is_prepared(rules, [agent])
    with no_kernel_is_new():
        for match in matches:
            assert play(match, 4, workers=1, watch=True).conduct.clean


@pytest.mark.parametrize("game", names())
def test_cold_kernels_change_no_result_since_none_is_compiled_in_a_hand(game: str, new_process: None) -> None:
    check(load(game), "ehs:samples=5")


@pytest.mark.parametrize("agent", OWN)
def test_every_agent_is_prepared(agent: str, new_process: None) -> None:
    for game in ("nlhe", "leduc"):
        if entrant(agent).reason_not_to_play(load(game), 2) is None:
            check(load(game), agent)


@pytest.mark.long
@pytest.mark.parametrize("game", names())
def test_every_agent_is_prepared_for_every_game(game: str, new_process: None) -> None:
    rules = load(game)
    for agent in OWN:
        if entrant(agent).reason_not_to_play(rules, rules.min_players) is None:
            forget()
            check(rules, agent)


def test_a_single_table_needs_less_than_a_match(new_process: None) -> None:
    rules = load(FIRST_GAME)
    prepare(rules, [FIRST_AGENT], lockstep=False)
    assert is_prepared(rules, [FIRST_AGENT], lockstep=False)
    assert not is_prepared(rules, [FIRST_AGENT])
    agent, hands = entrant(FIRST_AGENT).make(), [Hand.new(rules, seed=seed) for seed in range(4)]
    with no_kernel_is_new():
        for hand in hands:
            while not hand.over:
                agent.act(hand.view(hand.turn))
                hand.call()
            count_hand(hand)
    with pytest.raises(AssertionError, match="batch_kernels"), no_kernel_is_new():
        play(Match.of([FIRST_AGENT, "call"], rules), 4, workers=1)


def test_what_is_compiled_apart_for_the_first_hand_is_what_a_hand_needs(new_process: None) -> None:
    first, *others = first_hand().values()
    first()
    with no_kernel_is_new():
        for part in others:
            part()


def test_the_first_hand_is_what_the_page_offers_first() -> None:
    page = Path(__file__).parents[2] / "web" / "src"
    assert f'let game = $state("{FIRST_GAME}")' in (page / "ui" / "Lobby.svelte").read_text(encoding="utf-8")
    assert f'FIRST = ["{FIRST_AGENT}"' in (page / "lib" / "rivals.ts").read_text(encoding="utf-8")


def test_without_prepare_kernels_are_loaded_in_the_middle_of_hands(new_process: None) -> None:
    match = Match.of([asked_alone("ehs"), "random"], load("leduc"))
    preparing._prepared.update(preparing._steps(match.rules, list(match.entrants), 2))  # as if it had been done
    with pytest.raises(AssertionError, match="odds"), no_kernel_is_new():
        play(match, 4, workers=1)


def tournament() -> Tournament:
    return Tournament.of(["ehs", "random", "tag"], load("nlhe"), stack=10)


def ring() -> Ring:
    return Ring.of(["ehs", "random"], load("limit-holdem"), table_size=2, rounds=4)


@pytest.mark.parametrize("competition", [tournament, ring], ids=lambda make: make.__name__)
def test_tournaments_and_rings_are_prepared(competition, new_process, monkeypatch) -> None:
    started: list[set[tuple[str, str]]] = []
    begin = Table.play

    def noted(self, hand, *rest):
        if type(self.agents[0]).__name__ not in ("_Rehearsal", "_RehearsalInStep"):
            started.append(loaded())
        return begin(self, hand, *rest)

    monkeypatch.setattr(Table, "play", noted)
    play_runs(competition(), 1, workers=1)
    assert started and loaded() - started[0] == set()


def test_agents_in_files_find_what_they_have_imported_compiled(tmp_path: Path, new_process: None) -> None:
    file = tmp_path / "asks_for_odds.py"
    file.write_text(
        "from felt.odds import equity\n\n\nclass Bot:\n    def act(self, view):\n        raise NotImplementedError\n"
    )
    prepare(load("nlhe"), [f"{file}:Bot"])
    hand = Hand.new(load("nlhe"))
    with no_kernel_is_new():
        equity(["AsAd", "KK"], board="2c7d9h")
        from_view.expected_strength(hand.view(0))


def test_agents_in_files_are_not_tried_out(new_process: None) -> None:
    calls = []

    class Counts:
        def __init__(self) -> None:
            calls.append("made")

        def act(self, view):
            calls.append("asked")

    prepare(load("kuhn"), [Counts])
    assert calls == []


def test_what_was_prepared_is_not_rehearsed_again(new_process, monkeypatch) -> None:
    prepare(load("kuhn"), ["random"])
    monkeypatch.setattr(preparing, "_rehearse", lambda *_: pytest.fail("it is rehearsed again"))
    prepare(load("kuhn"), ["random", "call"])


def test_it_is_said_when_compiling_takes_long(new_process, monkeypatch) -> None:
    said, kept = [], [[Path("a")], [Path("a"), Path("b")]]
    monkeypatch.setattr(preparing, "PATIENCE", 0.01)
    monkeypatch.setattr(_jit, "compiled_files", lambda: kept[0] if len(kept) == 1 else kept.pop(0))
    monkeypatch.setattr(preparing, "_rehearse", lambda *_: wait_for(said))
    prepare(load("kuhn"), say=said.append)
    assert said == ["Compiling …"]


def wait_for(said: list[str]) -> None:
    until = monotonic() + 20
    while not said and monotonic() < until:
        sleep(0.01)


@pytest.mark.long
def test_a_match_with_an_empty_cache_has_the_results_of_a_warm_one(tmp_path: Path) -> None:
    command = (
        "from felt.cli.app import main; main(['match', 'ehs', 'random', '-g', 'leduc', '--hands', '200', '--json'])"
    )
    results = []
    for cache in ({"FELT_CACHE": str(tmp_path)}, {}):
        ran = subprocess.run(
            [sys.executable, "-c", command], env=os.environ | cache, capture_output=True, text=True, timeout=900
        )
        assert ran.returncode == 0, ran.stderr
        results.append(json.loads(ran.stdout)["players"])
    cold, warm = results
    assert cold == warm
    assert [player["timeouts"] for player in cold] == [0, 0]
