"""Felt's agents at somebody else's table, and other people's players at ours."""

import re
import socket
import subprocess
import threading

import pytest

from felt.agents import Agent, entrant
from felt.agents.api import AgentFault
from felt.arena import Match
from felt.arena import play as play_match
from felt.arena.conductor.conduct import Penalty
from felt.arena.conductor.table import Late, Table
from felt.errors import FeltError
from felt.games import load
from felt.games.hand import Hand
from felt.games.views.view import View
from felt.interop.acpc.game import load_acpc_game
from felt.interop.acpc.hand import AcpcError, AcpcHand
from felt.interop.acpc.join import Guest, join
from felt.interop.acpc.log import read_acpc, stack_of, usual_game
from tests.interop.acpc_players import play, with_action
from tests.interop.test_acpc_dealer import acpc_server

__all__ = ["acpc_server"]


class Watcher(Agent):
    """Plays by chance and keeps all that it sees."""

    def __init__(self):
        self.seen = []

    def act(self, view):
        self.seen.append(("act", view.as_dict()))
        return entrant_of_chance(self, view)

    def hand_started(self, view):
        self.seen.append(("start", view.as_dict()))

    def action_seen(self, view, event):
        self.seen.append(("seen", view.as_dict(), event))

    def showdown(self, view):
        self.seen.append(("showdown", view.as_dict()))

    def hand_over(self, view):
        self.seen.append(("over", view.as_dict()))


def entrant_of_chance(agent, view):
    from felt.agents.basic.random_ import Random

    chance = Random()
    chance.dice = agent.dice
    return chance.act(view)


@pytest.mark.parametrize(("players", "limit"), [(2, False), (3, True), (4, False)])
def test_an_agent_sees_at_other_tables_what_it_sees_at_home(players, limit):
    rules = usual_game(players, limit=limit)
    guests = [Guest(entrant(Watcher), rules, seed=seat) for seat in range(players)]
    for number in range(12):
        hand = Hand.new(rules, stack_of(rules), seed=3, players=players, number=number)
        dealt, home = AcpcHand(hand, number), [[] for _ in range(players)]
        for seat in range(players):
            guests[seat]._agent.seen = []
            home[seat].append(("start", View(hand, seat).as_dict()))
        while True:
            turn = hand.turn
            answers = [guests[seat].hear(dealt.message(seat)) for seat in range(players)]
            assert [seat for seat, answer in enumerate(answers) if answer is not None] == ([turn] if turn >= 0 else [])
            if turn < 0:
                break
            home[turn].append(("act", View(hand, turn).as_dict()))
            message, _, action = answers[turn].rpartition(":")
            assert message == dealt.message(turn) and dealt.answer(action) is None
            for seat in range(players):
                home[seat].append(("seen", View(hand, seat).as_dict(), View(hand, seat).moves()[0][-1]))
        for seat in range(players):
            last = View(hand, seat).as_dict()
            home[seat] += [("showdown", last)] * bool(hand.showdown) + [("over", last)]
            assert guests[seat]._agent.seen == home[seat]
    assert all(guest.result.hands == 12 and guest.result.errors == 0 for guest in guests)
    assert sum(guest.result.chips for guest in guests) == 0


def test_an_agent_that_does_wrong_checks_or_folds_and_is_told():
    class Bad(Agent):
        def act(self, view):
            raise RuntimeError("no idea") if view.street == 0 else ValueError

    guest = Guest(entrant(Bad))
    assert guest.hear("MATCHSTATE:1:0::|9hQd") == "MATCHSTATE:1:0::|9hQd:f"
    assert guest.result.errors == 1 and "no idea" in guest.result.messages[0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("HELLO", "a message is MATCHSTATE"),
        ("MATCHSTATE:1:0:r:|9hQd", "give its game with --game"),
        ("MATCHSTATE:1:0:r30000:|9hQd", "no betting of"),
        ("MATCHSTATE:1:0:fc:|9hQd", "no betting of"),
        ("MATCHSTATE:1:0::|9h", "no hand of"),
        ("MATCHSTATE:5:0::|9hQd", "no hand of"),
        (f"MATCHSTATE:0:0::{'|' * 60}", "the dealer deals to 61 players"),
    ],
)
def test_dealers_of_other_games_are_found_out(line, said):
    with pytest.raises(AcpcError, match=re.escape(said)):
        Guest(entrant("call")).hear(line)


def test_a_dealer_that_changes_the_number_of_players_is_found_out():
    guest = Guest(entrant("call"))
    guest.hear("MATCHSTATE:1:0::|9hQd")
    with pytest.raises(AcpcError, match="deals to 4 players, and before to 2"):
        guest.hear("MATCHSTATE:1:1::|9hQd||")


def test_a_line_that_is_too_long_is_no_goodbye():
    with socket.create_server(("127.0.0.1", 0)) as door:

        def deals():
            with door.accept()[0] as connection:
                connection.recv(100)
                connection.sendall(b"x" * 5000)

        dealer = threading.Thread(target=deals, daemon=True)
        dealer.start()
        with pytest.raises(AcpcError, match="the dealer sent a line of over 4,096 bytes"):
            join("127.0.0.1", door.getsockname()[1], entrant("call"))
        dealer.join(10)


def test_an_agent_that_joins_loads_what_it_needs_before_it_connects(monkeypatch):
    prepared = []

    def refuse(*_):
        raise AcpcError(f"{prepared} and now")

    monkeypatch.setattr("felt.interop.acpc.join.prepare", lambda rules, agents: prepared.append((rules.name, *agents)))
    monkeypatch.setattr("felt.interop.acpc.join.connect", refuse)
    with pytest.raises(AcpcError, match="and now"):
        join("127.0.0.1", 1, entrant("call"))
    assert [agent.spec for _, agent in prepared] == ["call"]


def test_no_dealer_there(monkeypatch):
    monkeypatch.setattr("felt.interop.acpc.join.CONNECT_WITHIN", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(AcpcError, match="no dealer listens"):
        join("127.0.0.1", port, entrant("call"))


@pytest.mark.parametrize(("game", "agents"), [("holdem.nolimit.2p.reverse_blinds", 2), ("holdem.limit.3p", 3)])
def test_agents_join_the_dealer_of_the_competition(acpc_server, tmp_path, game, agents):
    file = acpc_server / f"{game}.game"
    names = [f"a{place}" for place in range(agents)]
    command = [acpc_server / "dealer", "m", file, "60", "5", *names, "-q"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as dealer:
        ports = [int(port) for port in dealer.stdout.readline().split()]
        results = [None] * agents

        def sit(place):
            rules = load_acpc_game(file)
            results[place] = join("127.0.0.1", ports[place], entrant("random"), rules=rules, seed=place)

        threads = [threading.Thread(target=sit, args=(place,)) for place in range(agents)]
        for thread in threads:
            thread.start()
        try:
            _, said = dealer.communicate(timeout=60)
        finally:
            dealer.kill()
    for thread in threads:
        thread.join(10)
    assert "WARNING" not in said and "ERROR" not in said and all(result.errors == 0 for result in results)
    found = read_acpc((tmp_path / "m.log").read_text(), game=load_acpc_game(file))
    assert len(found.hands) == 60
    if agents == 2:  # with more, pots are divided to fractions there and to chips here
        assert [found.scores[name] for name in names] == [result.chips for result in results]


# acpc:HOST:PORT in a match


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as door:
        return door.getsockname()[1]


def played(answer, hands=6, **more):
    """What a table counts of a player that connects and answers so, and the moves that were made."""
    port, rules = free_port(), usual_game(2, limit=False)
    agents = [entrant(f"acpc:127.0.0.1:{port}").make(), entrant("call").make()]
    table = Table(agents, seed=1, penalty=Penalty.FOLD, timeout=30)
    player = threading.Thread(target=play, args=(port, answer), kwargs=more, daemon=True)
    player.start()
    codes = []
    for number in range(hands):
        hand = Hand.new(rules, stack_of(rules), seed=1, number=number, button=number % 3 % 2)
        table.play(hand, number, (number % 2, 1 - number % 2), codes)
    table.over()
    player.join(10)
    return table.conduct, codes


def test_a_player_in_a_match():
    conduct, codes = played(with_action("r900"))
    assert not conduct.clean and conduct.counts[0]["illegal"]  # 900 is a raise once a hand only
    conduct, codes = played(with_action("c"))
    assert conduct.clean and set(codes) == {1} and len(codes) == 6 * 8


@pytest.mark.parametrize(
    ("answer", "fault", "said"),
    [
        (with_action("bet"), "illegal", "answered 'bet', which is no Action"),
        (with_action("r99999"), "illegal", "cannot raise to 99999"),
        (lambda message: None, "errors", "has closed the connection"),
        (lambda message: b"x" * 10_000, "errors", "a line of over 4,096 bytes"),
        (lambda message: b"noise\r\n" * 3000, "errors", "over 1,000 lines that answer nothing"),
    ],
)
def test_bad_players_are_judged_by_the_rules_of_the_match(answer, fault, said):
    conduct, codes = played(answer)
    assert conduct.counts[0][fault] >= 6 and any(said in one.message for one in conduct.incidents)
    assert not any(conduct.counts[1].values()) and len(codes) >= 6


def test_other_protocols_are_no_players():
    conduct, _ = played(with_action("c"), version=b"GET / HTTP/1.1\r\n")
    assert "not VERSION:2.0.0" in conduct.incidents[0].message


def test_an_address_and_a_game_are_checked_first():
    for agents, game, said in [
        (["acpc:nowhere", "call"], usual_game(2, limit=False), "is no address: write HOST:PORT"),
        (["acpc:127.0.0.1:99999", "call"], usual_game(2, limit=False), "is no address"),
        (["acpc:127.0.0.1:0", "call"], usual_game(2, limit=False), "is no address"),
        ([f"acpc:127.0.0.1:{'9' * 5000}", "call"], usual_game(2, limit=False), "is no address"),
        (["acpc:a..b:5000", "call"], usual_game(2, limit=False), "cannot listen at a..b:5000"),
        (["acpc:127.0.0.1:5000", "call"], load("stud"), "cannot be written as an ACPC game"),
        (["acpc:127.0.0.1:5000", "call"], load("kuhn"), "has another deck for it, 3 cards up to the ace"),
    ]:
        with pytest.raises(FeltError, match=said):
            Match.of(agents, game)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        at = f"acpc:127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(FeltError, match=r"in use .*; choose another port"):
            Match.of([at, "call"], usual_game(2, limit=False))
    found = entrant("acpc:127.0.0.1:5000")
    assert not found.trusted and found.named and found.place == "acpc:127.0.0.1:5000" and found.remembers


def test_nobody_comes(monkeypatch):
    monkeypatch.setattr("felt.interop.acpc.seat.ANSWER_WITHIN", 0.2)
    seat = entrant(f"acpc:127.0.0.1:{free_port()}").make()
    hand = Hand.new(usual_game(2, limit=False), seed=1)
    for _ in range(2):
        with pytest.raises(AgentFault, match="no ACPC player has connected"):
            seat.hand_started(View(hand, 0))
    seat.match_over()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        seat = entrant(f"acpc:127.0.0.1:{taken.getsockname()[1]}").make()
        with pytest.raises(AgentFault, match="in use"):
            seat.hand_started(View(hand, 0))


def test_a_player_that_hangs_is_not_asked_again(monkeypatch):
    lines = iter(["VERSION:2.0.0"])

    def hangs(wire, seconds):
        for line in lines:
            return line
        raise Late

    monkeypatch.setattr("felt.interop.acpc.wire.Wire.line", hangs)
    conduct, codes = played(with_action("c"))
    assert conduct.counts[0]["timeouts"] == 1 and conduct.counts[0]["errors"] >= 5 and len(codes) >= 6
    (said,) = {one.message for one in conduct.incidents if one.fault == "errors"}
    assert said.endswith("is gone: it did not answer in time") and not conduct.incidents[-1].details


def test_a_match_in_processes():
    port = free_port()
    player = threading.Thread(target=play, args=(port, with_action("c")), daemon=True)
    player.start()
    found = Match.of([f"acpc:127.0.0.1:{port}", "fold"], usual_game(2, limit=False), seed=1)
    result = play_match(found, hands=10, workers=1)
    player.join(10)
    at_home = play_match(Match.of(["call", "fold"], usual_game(2, limit=False), seed=1), hands=10, workers=1)
    assert result.conduct.clean and result.totals.tolist() == at_home.totals.tolist()
