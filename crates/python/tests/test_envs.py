"""The environments by the tests of the projects whose form they have."""
# pyright: basic

import copy
import pickle
from typing import Literal

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from keisei.envs import AECEnv, SingleEnv, VectorEnv
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

GAMES = ["shogi", "chess", "animal"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("make", [AECEnv, AECEnv.wrapped])
# PettingZoo exempts its own games of this form from its warnings by their names.
@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo_accepts_the_api(game, make):
    api_test(make(game), num_cycles=300)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_sees_the_same_games_for_the_same_seed(game):
    seed_test(lambda: AECEnv(game), num_cycles=200)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_converts_to_parallel(game):
    parallel_api_test(turn_based_aec_to_parallel(AECEnv(game)), num_cycles=200)


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_accepts_the_single_environment(game):
    check_env(SingleEnv(game, max_moves=60), skip_render_check=True)


def test_the_learner_is_rewarded_whichever_side_it_plays():
    sides: list[Literal["first", "second", "either"]] = ["first", "second", "either"]
    for side in sides:
        env = SingleEnv("animal", "random", side=side, max_moves=200)
        rewards = []
        for seed in range(40):
            _, info = env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            ended = False
            while not ended:
                legal = np.flatnonzero(info["action_mask"])
                _, reward, terminated, truncated, info = env.step(rng.choice(legal))
                ended = terminated or truncated
            rewards.append(reward)
        # Random play wins and loses.
        assert {1.0, -1.0} <= set(rewards)


def test_opponents_are_players_or_functions():
    env = SingleEnv("chess", "greedy", side="second", max_moves=20)
    env.reset(seed=1)
    assert env.game.ply == 1
    env = SingleEnv("chess", lambda game: int(game.legal_actions()[0]), side="second")
    env.reset(seed=1)
    assert env.game.moves() == env.game.moves()[:1]
    assert env.step(np.int64(0))[1] in (-1.0, 0.0)


@pytest.mark.parametrize("observations", ["float32", "uint8", "packed"])
def test_the_vector_environment_has_gymnasiums_form(observations):
    env = VectorEnv("animal", 16, observations=observations, max_moves=30)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    seen, infos = env.reset(seed=3)
    assert env.observation_space.contains(seen)
    ends = 0
    for _ in range(120):
        actions = env.games.sample()
        assert env.action_space.contains(actions)
        assert infos["action_mask"][np.arange(16), actions].all()
        seen, rewards, terminated, truncated, infos = env.step(actions)
        assert env.observation_space.contains(seen)
        ended = terminated | truncated
        if ended.any():
            np.testing.assert_array_equal(infos["_final_obs"], ended)
            for index in np.flatnonzero(ended):
                ends += 1
                assert env.single_observation_space.contains(infos["final_obs"][index])
                outcome = infos["final_info"]["outcome"][index]
                assert outcome.truncated == truncated[index]
                assert (rewards[index] == 0) == outcome.is_draw
    assert ends > 20
    env = VectorEnv("animal", 8)
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    wrapped.reset(seed=1)
    for _ in range(60):
        wrapped.step(env.games.sample())
    assert len(wrapped.return_queue) > 0


@pytest.mark.parametrize("duplicate", [lambda env: pickle.loads(pickle.dumps(env)), copy.deepcopy])
def test_copies_go_on_with_the_same_steps(duplicate):
    env = VectorEnv("chess", 8, max_moves=30, random_plies=4)
    env.reset(seed=5)
    for _ in range(20):
        env.step(env.games.sample())
    again = duplicate(env)
    for _ in range(60):
        actions = env.games.sample()
        ours, theirs = env.step(actions), again.step(actions)
        for one, other in zip(ours[:4], theirs[:4]):
            np.testing.assert_array_equal(one, other)
    alone = SingleEnv("animal", "mate1", side="first")
    _, info = alone.reset(seed=2)
    again = duplicate(alone)
    action = np.flatnonzero(info["action_mask"])[0]
    np.testing.assert_array_equal(alone.step(action)[0], again.step(action)[0])
    two = AECEnv("shogi")
    two.reset()
    two.step(int(two.game.legal_actions()[0]))
    assert duplicate(two).game == two.game
