"""The API tests of PettingZoo and Gymnasium, for every game of the catalogue."""

import copy
import pickle
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

from felt.games import load, names
from felt.learning.environments import PokerAEC, PokerEnv

EXCUSED = (  # PettingZoo says so of everybody but its own games with masks
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",  # of agents whose hand is over
)


@contextmanager
def excused() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in EXCUSED:
            warnings.filterwarnings("ignore", message)
        yield


def checked(game: str, players: int | None, times: int) -> None:
    """Some hands through PettingZoo's tests, each of which plays two, the same ones every time."""
    env = PokerAEC(game, players=players)
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)
    for _ in range(times):
        api_test(env)
    seed_test(lambda: PokerAEC(game, players=players))


@pytest.mark.parametrize("game", names())
def test_pettingzoo_agrees_with_every_game(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    with excused():
        checked(game, players=None, times=2)


@pytest.mark.long
@pytest.mark.parametrize("game", names())
def test_pettingzoo_agrees_for_long_and_at_full_tables(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    with excused():
        checked(game, players=None, times=50)
        checked(game, players=load(game).max_players, times=20)


@pytest.mark.parametrize("game", names())
def test_gymnasium_agrees_with_every_game(game: str) -> None:
    with excused():
        check_env(gymnasium.make(f"felt/{game}-v0", render_mode="ansi").unwrapped)


@pytest.mark.long
@pytest.mark.parametrize("game", names())
def test_gymnasium_agrees_at_full_tables(game: str) -> None:
    with excused():
        most = load(game).max_players
        check_env(gymnasium.make(f"felt/{game}-v0", players=most, opponents="call", render_mode="ansi").unwrapped)


def test_tables_are_rendered_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    with excused():
        render_test(lambda render_mode: PokerAEC("stud", render_mode=render_mode))
    assert "7-card stud" in capsys.readouterr().out.lower().replace("seven", "7")
    env = PokerEnv("nlhe", render_mode="ansi")
    env.reset(seed=1, options={"button": 0})
    shown = env.render()
    assert shown is not None and "(you)" in shown and "2 cards down" in shown


def test_games_are_known_to_gymnasium_by_name() -> None:
    env = gymnasium.make("felt/leduc-v0", opponents="call")
    observation, info = env.reset(seed=3)
    assert observation in env.observation_space and env.spec is not None
    env.step(env.action_space.sample(info["action_mask"]))
    assert isinstance(gymnasium.make("felt.learning.environments:felt/27-triple-draw-v0").unwrapped, PokerEnv)
    assert all(f"felt/{game}-v0" in gymnasium.registry for game in names())


def test_many_environments_play_side_by_side() -> None:
    many = gymnasium.make_vec("felt/kuhn-v0", num_envs=3, vectorization_mode="sync")
    _, info = many.reset(seed=5)
    ended, dice = 0, np.random.default_rng(1)
    for _ in range(30):
        masks = info["action_mask"]
        assert (masks.sum(axis=1) >= 1).all()  # after a hand too: vectors ask once more before the next
        actions = np.array([dice.choice(np.flatnonzero(mask)) for mask in masks])
        _, _, terminated, _, info = many.step(actions)
        ended += int(terminated.sum())
    assert ended > 10


def test_wrappers_of_pettingzoo_go_around_it() -> None:
    env = OrderEnforcingWrapper(TerminateIllegalWrapper(PokerAEC("nlhe"), illegal_reward=-100))
    env.reset(seed=1, options={"button": 0})
    assert env.agent_selection == "player_0"
    env.last()
    env.step(2)  # the least raise is half the pot here, and that has a number of its own
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env._cumulative_rewards["player_0"] == -100


@pytest.mark.parametrize("made", [lambda env: copy.deepcopy(env), lambda env: pickle.loads(pickle.dumps(env))])
def test_an_environment_is_copied_in_the_midst_of_a_hand(made) -> None:  # type: ignore[no-untyped-def]
    env = PokerEnv("27-triple-draw")
    env.reset(seed=4)
    env.step(1)
    twin = made(env)
    while True:
        ours, theirs = env.step(1 if env.action_masks()[1] else 3), twin.step(1 if twin.action_masks()[1] else 3)
        assert (ours[0] == theirs[0]).all() and ours[1:4] == theirs[1:4]
        if ours[2]:
            break
