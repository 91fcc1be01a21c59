"""What environments play is what the engine plays: masks, hidden cards, payoffs and seeds."""

import random
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from felt.agents import Agent
from felt.agents.api import AgentFault
from felt.agents.contract import check_agent
from felt.errors import FeltError
from felt.features.menu import Mask
from felt.features.observation import Floats, History, with_streets
from felt.games import Action, Hand, Move, load, names
from felt.games.actions import IllegalAction
from felt.games.trees.tree import actions, menu_amounts
from felt.games.views.view import View
from felt.learning.environments import PokerAEC, PokerEnv, PolicyAgent
from felt.learning.environments.playing import Playing
from felt.odds.state.from_view import possible_hand


def random_states(playing: Playing, hands: int, dice: random.Random) -> Iterator[Playing]:
    """Every state in which somebody decides, in some hands of random moves."""
    for _ in range(hands):
        playing.deal()
        while not playing.hand.over:
            yield playing
            playing.act(playing.chosen(dice.choice(np.flatnonzero(playing.mask()).tolist())))
    assert sum(playing.hand.payoffs) == 0


def moves_of(hand: Hand, sizes: tuple[float, ...]) -> list[tuple[Move, int, frozenset[int]]]:
    """The menu as the tree of the game has it, raises by size only."""
    found = [(one.move, 0, frozenset(one.cards)) for one in actions(hand) if one.move != Move.RAISE]
    legal = hand.legal()
    if legal.raise_to:
        call = legal.call or 0
        totals = menu_amounts(sizes, *legal.raise_to, high=hand.bets[hand.turn] + call, pot=hand.pot + call)
        found += [(Move.RAISE, total, frozenset()) for total in totals]
    return found


@pytest.mark.parametrize("game", names())
def test_a_mask_allows_each_move_of_the_menu_once_and_nothing_else(game: str) -> None:
    playing = Playing(game, players=min(3, load(game).max_players))
    menu = playing.menu
    playing.begin(7)
    for number, state in enumerate(random_states(playing, 3, random.Random(game))):
        hand, mask = state.hand, state.mask()
        allowed = [state.chosen(index) for index in np.flatnonzero(mask)]
        told = [(one.move, one.amount, frozenset(one.cards)) for one in allowed]
        assert len(set(told)) == len(told)
        assert set(told) == set(moves_of(hand, menu.sizes))
        if number % 5 == 0:
            for one in allowed:
                hand.copy().act(one)  # raises if it is not legal
            for index in np.flatnonzero(mask == 0):
                with pytest.raises(IllegalAction, match=f"action {index} "):
                    state.chosen(index)


@pytest.mark.parametrize("game", names())
def test_limit_games_have_one_raise_and_it_is_the_one_allowed(game: str) -> None:
    playing = Playing(game)
    if len(playing.menu.sizes) > 1:
        return
    for state in random_states(playing, 10, random.Random(1)):
        raises = state.hand.legal().raise_to
        assert raises is None or raises[0] == raises[1]


@pytest.mark.parametrize("game", names())
def test_hidden_cards_cannot_be_told_from_an_observation(game: str) -> None:
    playing = Playing(game, players=min(3, load(game).max_players))
    playing.begin(11)
    seen = differed = 0
    for state in random_states(playing, 2, random.Random(game)):
        seat, hand = state.hand.turn, state.hand
        other = possible_hand(hand.view(seat))
        before, mask = state.observe(seat), state.mask()
        assert (state.layout.observe(hand.view(seat), state.history) == before).all()
        state.hand, state._now = other, None
        try:
            assert (state.observe(seat) == before).all() and (state.mask() == mask).all()
        finally:
            state.hand, state._now = hand, None
        differed += bytes(other) != bytes(hand)
        seen += 1
        assert (before >= 0).all() and (before <= state.layout.most).all()
    assert seen and differed


def test_columns_mean_what_they_say() -> None:
    playing = Playing("nlhe", players=3)
    rules = playing.rules
    playing.deal({"button": 2, "deck": rules.deck.parse("AsAhAdKsKhKd") + rules.deck.without("AsAhAdKsKhKd")})
    part = playing.layout.parts
    playing.act(Action(Move.RAISE, 6))  # seat 2, the button
    playing.act(Action(Move.FOLD))
    seen = playing.observe(1)
    own = [rules.deck.cards[column] for column in np.flatnonzero(seen[part["own"]])]
    assert sorted(playing.hand.cards(1)) == own and len(own) == 2
    assert seen[part["stacks"]].tolist() == [99, 97, 99.5]  # one's own, then those to the left
    assert seen[part["bets"]].tolist() == [1, 3, 0.5] and seen[part["pot"]].tolist() == [4.5]
    assert seen[part["call"]].tolist() == [2] and seen[part["raise"]].tolist() == [5, 100]
    assert seen[part["folded"]].tolist() == [0, 0, 1] and seen[part["turn"]].tolist() == [1, 0, 0]
    assert seen[part["position"]].tolist() == [0, 1, 0] and seen[part["round"]].tolist() == [1, 0, 0, 0]
    history = seen[part["history"]].reshape(3, 4, 2)
    assert history[1, 0].tolist() == [0, 1] and history.sum() == 1
    playing.act(Action(Move.CALL))
    board = np.flatnonzero(playing.observe(1)[part["board"]])
    assert [rules.deck.cards[column] for column in board] == sorted(playing.hand.board)


def test_draws_are_counted_and_cards_have_places() -> None:
    playing = Playing("five-card-draw-jokers")
    deck = playing.rules.deck
    first = "2c3c4c5c6c7c8c9cTcJk"
    playing.deal({"button": 1, "deck": deck.parse(first) + deck.without(first)})
    playing.act(Action(Move.CALL))
    playing.act(Action(Move.CALL))
    seat, menu, part = playing.hand.turn, playing.menu, playing.layout.parts
    held = sorted(playing.hand.cards(seat))
    action = playing.chosen(menu.first_exchange + 0b10001)
    assert action.cards == (held[0], held[4])
    places = playing.observe(seat)[part["places"]].reshape(5, 18)
    joker = places[4, 17] == 1
    assert joker == (held[4] >= 52) and places.sum() == 10 - joker
    assert places[0, held[0] >> 2] == 1 and places[0, 13 + (held[0] & 3)] == 1
    playing.act(action)
    drawn = playing.observe(1 - seat)[part["history"]].reshape(2, 2, 3)
    assert drawn[1, 1, 2] == 2  # the other one drew two in the second round
    gone = [np.flatnonzero(playing.observe(one)[part["gone"]]) for one in (seat, 1 - seat)]
    assert [deck.cards[column] for column in gone[0]] == [held[0], held[4]] and not len(gone[1])


@pytest.mark.parametrize("game", names())
def test_a_hand_in_the_environment_is_a_hand_of_the_engine(game: str) -> None:
    env, dice = PokerAEC(game, players=min(4, load(game).max_players)), random.Random(game)
    env.reset(seed=21)
    for number in range(3):
        rewards = {}
        for player in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            if over:
                rewards[player] = reward
            env.step(None if over else dice.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        record, rules, ended = env.playing.hand.record(), env.playing.rules, env.playing.hand
        again = Hand.new(rules, record.stacks, 21, number=number, button=record.button)
        for event in record.events:
            match event.kind:
                case "fold":
                    again.fold()
                case "call":
                    again.call()
                case "raise":
                    again.raise_to(event.amount)
                case "draw" | "discard" | "pass" | "roll":
                    again.exchange(event.cards)
        assert again.over and again.payoffs == ended.payoffs and sum(ended.payoffs) == 0
        assert [rewards[player] * rules.big_blind for player in env.possible_agents] == pytest.approx(ended.payoffs)
        env.reset()


def test_seeds_reproduce_hands_and_no_seed_is_fresh() -> None:
    env, twin = PokerEnv("nlhe"), PokerEnv("nlhe")
    hands = [[one.reset(seed=5)[0], one.reset()[0], one.reset()[0]] for one in (env, twin)]
    assert np.array_equal(hands[0], hands[1])
    assert not np.array_equal(hands[0][0], hands[0][1])  # without a seed the stream goes on
    assert np.array_equal(env.reset(seed=5)[0], hands[0][0])
    fresh = {PokerEnv("nlhe").reset()[0].tobytes() for _ in range(4)}
    assert len(fresh) == 4
    table, other = PokerAEC("nlhe"), PokerAEC("nlhe")
    table.reset()
    other.reset()
    assert table.playing.hand.cards(0) != other.playing.hand.cards(0) or table.playing.seed != other.playing.seed
    buttons = {(env.reset(seed=seed), env.playing.hand.button)[1] for seed in range(20)}
    assert buttons == {0, 1}  # every position is played


def test_what_is_not_allowed_is_refused_or_folded() -> None:
    table = PokerAEC("nlhe")
    table.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"action 2 \(raise the least\) is not allowed; legal now: fold, call 1"):
        table.step(2)
    with pytest.raises(IllegalAction, match=r"99 is no action: actions are whole numbers from 0 to 5"):
        table.step(99)
    env = PokerEnv("nlhe", opponents="call")
    env.reset(seed=1, options={"button": 0})
    _, reward, over, _, info = env.step(2)
    assert info["illegal"] and over and reward == -0.5
    env = PokerEnv("nlhe", opponents="call", illegal="raise")
    env.reset(seed=1, options={"button": 0})
    with pytest.raises(IllegalAction):
        env.step(2)
    with pytest.raises(IllegalAction):
        env.step("call")  # type: ignore[arg-type]


def test_a_hand_that_ends_before_the_learner_acts_still_counts() -> None:
    env = PokerEnv("nlhe", opponents="fold")
    _, info = env.reset(seed=1, options={"button": 1})  # the other one folds its small blind
    assert info["action_mask"].tolist() == [0, 1, 0, 0, 0, 0]
    _, reward, over, _, _ = env.step(1)
    assert over and reward == 0.5


def test_mistakes_are_told_in_a_line() -> None:
    for wrong, words in (
        ({"game": "nhle"}, "did you mean 'nlhe'"),
        ({"opponents": "rndom"}, "did you mean random"),
        ({"opponents": ["call"], "players": 3}, "1 opponents for 3 players"),
        ({"opponents": "pushfold", "game": "stud"}, "does not play stud"),
        ({"sizes": [-1]}, "raise of -1 pots"),
        ({"illegal": "ignore"}, "use one of fold, raise"),
        ({"render_mode": "rgb_array"}, "use 'ansi'"),
        ({"players": 11}, "2 to 10 players"),
        ({"stack": 1}, "nobody at nlhe has anything to decide"),
    ):
        with pytest.raises(FeltError, match=words):
            PokerEnv(**wrong)  # type: ignore[arg-type]
    with pytest.raises(FeltError, match="call reset"):
        PokerEnv().step(1)
    with pytest.raises(FeltError, match="call reset"):
        PokerAEC().step(1)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Action(Move.RAISE, 3), "opponent 'Wrong': seat 1 cannot raise to 3"),
        (Action(Move.EXCHANGE), "opponent 'Wrong': seat 1 cannot exchange no cards"),
        (None, "opponent 'Wrong': None is no action"),
    ],
)
def test_an_opponent_that_answers_with_no_legal_move_is_named(answer: Action | None, words: str) -> None:
    class Wrong(Agent):
        def act(self, view: View) -> Action:
            return answer  # type: ignore[return-value]  # that is what is wrong

    env = PokerEnv("nlhe", opponents=Wrong)
    with pytest.raises(FeltError, match=words):
        env.reset(seed=1, options={"button": 1})


def test_a_policy_keeps_the_contract_of_agents() -> None:
    def last(observation: Floats, mask: Mask, dice: random.Random) -> int:
        return int(dice.choice(mask.nonzero()[0].tolist()))

    checked = check_agent(lambda: PolicyAgent(last), ["leduc", "badugi", "stud"])
    assert not checked.refused


@pytest.mark.parametrize("game", ["leduc", "27-triple-draw", "anaconda", "roll-your-own", "stud", "plo"])
def test_a_policy_sees_at_the_table_what_it_saw_in_the_environment(game: str) -> None:
    dice, asked = random.Random(3), []

    def spy(observation: Floats, mask: Mask, own_dice: random.Random) -> int:
        playing = env.playing
        assert (observation == playing.observe(playing.hand.turn)).all() and (mask == playing.mask()).all()
        asked.append(own_dice.random())
        return int(dice.choice(np.flatnonzero(mask).tolist()))

    env = PokerEnv(game, opponents=lambda: PolicyAgent(spy), players=2)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, info = env.step(dice.choice(np.flatnonzero(info["action_mask"]).tolist()))
    assert len(asked) > 10


def test_what_was_done_in_each_round_is_told_from_a_view_alone() -> None:
    dice = random.Random(1)
    for game in names():
        for stack in (None, 8 * load(game).big_blind):  # some are soon all in, and still exchange cards
            playing = Playing(game, None, stack)
            playing.begin(5)
            for _ in range(4):
                playing.deal()
                while not playing.hand.over:
                    seat, seen = playing.hand.turn, playing.hand.view(playing.hand.turn)
                    found = History(playing.rules, playing.players)
                    for street, event in with_streets(seen):
                        found.note(street, event)
                    assert found.counts == playing.history.counts, game
                    assert not found.gone or found.gone[seat] == playing.history.gone[seat]
                    playing.act(playing.chosen(dice.choice(np.flatnonzero(playing.mask()).tolist())))


def test_an_opponent_that_fails_is_named_and_the_hand_is_over() -> None:
    for method, button in ("act", 0), ("action_seen", 0), ("hand_started", 0):

        def fails(self: Agent, *_: object) -> None:
            raise AgentFault("errors", "it has gone")

        def act(self: Agent, view: View) -> Action:
            return Action(Move.CALL)

        env = PokerEnv("nlhe", opponents=type("Fails", (Agent,), {"act": act, method: fails}))
        with pytest.raises(FeltError, match="opponent 'Fails': it has gone"):
            env.reset(seed=1, options={"button": button})
            env.step(1)
        with pytest.raises(FeltError, match="call reset"):
            env.step(1)


def test_a_program_that_plays_against_a_learner_ends_with_the_environment(tmp_path: Path) -> None:
    there = tmp_path / "pid"
    code = tmp_path / "bot.py"
    code.write_text(
        "import json, os, sys\n"
        f"open({str(there)!r}, 'w').write(str(os.getpid()))\n"
        "for line in sys.stdin:\n"
        "    told = json.loads(line)\n"
        "    if told['type'] == 'hello':\n"
        "        print(json.dumps(dict(type='hello', protocol=1, name='b', remembers=False)), flush=True)\n"
        "    if told['type'] == 'act':\n"
        "        print(json.dumps(dict(id=told['id'], move='call')), flush=True)\n"
    )
    env = PokerEnv("nlhe", opponents=f"cmd:{shlex.join([sys.executable, '-S', str(code)])}")
    env.reset(seed=1, options={"button": 1})
    running = Path(f"/proc/{there.read_text()}")
    assert running.exists()
    env.close()
    assert not running.exists()
    with pytest.raises(FeltError, match="call reset"):
        env.step(1)


@pytest.mark.parametrize("game", ["kuhn", "leduc", "leduc-one-raise"])
def test_as_many_play_as_are_asked_for_where_their_number_is_a_parameter(game):
    table = PokerAEC(game, players=3)
    assert table.playing.rules.max_players == 3 and len(table.possible_agents) == 3
    learner = gymnasium.make(f"felt/{game}-v0", players=3, opponents=["call", "fold"])
    assert learner.unwrapped.playing.players == 3
    for seed in range(5):
        table.reset(seed=seed)
        for player in table.agent_iter():
            seen, _, over, _, _ = table.last()
            table.step(None if over else table.action_space(player).sample(seen["action_mask"]))
        learner.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, _ = learner.step(1)


def test_a_game_that_was_loaded_for_others_says_how_to_load_it():
    with pytest.raises(FeltError, match=r"kuhn is for 2 players, not 3: load\('kuhn', players=3\) is"):
        PokerAEC(load("kuhn"), players=3)
    with pytest.raises(FeltError, match=r"nlhe is for 2 to 10 players, not 11$"):
        PokerAEC("nlhe", players=11)
