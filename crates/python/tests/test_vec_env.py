"""Many games at once."""
# pyright: basic

from typing import Any, Literal

import keisei
import numpy as np
import pytest
from keisei.names import Color, GameName

GAMES: tuple[GameName, ...] = ("shogi", "chess", "animal")


@pytest.mark.parametrize("name", GAMES)
def test_games_are_those_that_boards_play_alone(name: GameName) -> None:
    count = 8
    env = keisei.VecEnv(name, count, max_moves=80, seed=3)
    alone = [env.game(index) for index in range(count)]
    for _ in range(200):
        for index, game in enumerate(alone):
            np.testing.assert_array_equal(env.observations[index], game.planes())
            np.testing.assert_array_equal(env.masks[index], game.action_mask())
        assert env.players().tolist() == [game.player for game in alone]
        actions = env.sample()
        before: list[Color] = [game.turn for game in alone]
        _, rewards, terminated, truncated = env.step(actions)
        for index, game in enumerate(alone):
            game.push_action(int(actions[index]))
            outcome = game.outcome
            assert terminated[index] == (outcome is not None)
            assert truncated[index] == (outcome is None and game.ply >= 80)
            assert rewards[index] == (outcome.reward(before[index]) if outcome else 0.0)
            if outcome is not None or game.ply >= 80:
                game.reset()


@pytest.mark.parametrize("name", GAMES)
def test_all_forms_say_the_same(name: GameName) -> None:
    def env(
        observations: Literal["float32", "uint8", "packed"],
        masks: Literal["bytes", "bits", "indices"],
    ) -> keisei.VecEnv:
        return keisei.VecEnv(name, 64, observations=observations, masks=masks, seed=5)

    floats, octets, packed = env("float32", "bytes"), env("uint8", "bits"), env("packed", "indices")
    for _ in range(60):
        actions = floats.sample()
        for one in (floats, octets, packed):
            one.step(actions)
        scaled = np.minimum(255 * floats.observations + 0.5, 255).astype(np.uint8)
        np.testing.assert_array_equal(octets.observations, scaled)
        expected = np.stack([floats.game(index).packed() for index in range(64)])
        np.testing.assert_array_equal(packed.observations, expected)
        words = octets.masks.view(np.uint8)
        bits = np.unpackbits(words, axis=1, bitorder="little")[:, : floats.action_count]
        np.testing.assert_array_equal(bits.astype(bool), floats.masks)
        for row, mask in zip(packed.masks, floats.masks, strict=True):
            assert sorted(row[row >= 0].tolist()) == np.flatnonzero(mask).tolist()


def test_arrays_of_the_caller_are_filled_in_place() -> None:
    env = keisei.VecEnv("animal", 16, seed=1)
    rollout = np.zeros((4, 16, 18, 4, 3), np.float32)
    masks = np.zeros((4, 16, 132), np.bool_)
    kept = env.observations.copy()
    for step in range(4):
        given, *_ = env.step(env.sample(), rollout[step], masks[step])
        assert np.shares_memory(given, rollout)
    np.testing.assert_array_equal(env.observations, kept)
    out = np.zeros_like(kept)
    env.observe(out)
    np.testing.assert_array_equal(out, rollout[3])
    wrong: list[np.ndarray[Any, Any]] = [
        np.zeros((16, 18, 4, 3), np.float64),
        np.zeros((15, 18, 4, 3), np.float32),
        np.zeros((16, 18, 4, 6), np.float32)[..., ::2],
    ]
    for array in wrong:
        with pytest.raises((TypeError, ValueError)):
            env.observe(array)


def test_an_illegal_action_moves_no_game() -> None:
    env = keisei.VecEnv("shogi", 4)
    actions = env.sample()
    actions[2] = 2186
    with pytest.raises(keisei.ActionError) as error:
        env.step(actions)
    assert (error.value.value, error.value.game) == (2186, 2)
    assert [env.game(index).ply for index in range(4)] == [0] * 4
    with pytest.raises(ValueError, match="3 actions for 4 games"):
        env.step([0, 0, 0])
    with pytest.raises(IndexError):
        env.game(4)


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    one, two = (keisei.VecEnv("chess", 100, threads=threads, seed=2) for threads in (1, 2))
    for _ in range(50):
        actions = one.sample()
        np.testing.assert_array_equal(actions, two.sample())
        one.step(actions)
        two.step(actions)
    np.testing.assert_array_equal(one.observations, two.observations)


def test_finished_games_are_handed_out_with_their_moves() -> None:
    env = keisei.VecEnv("animal", 32, max_moves=40, random_plies=6, seed=9)
    ended = 0
    for _ in range(100):
        env.step(env.sample())
        finished = env.finished()
        assert [index for index, _ in finished] == np.flatnonzero(
            env.terminated | env.truncated
        ).tolist()
        for index, game in finished:
            ended += 1
            assert game.outcome is not None
            assert game.outcome.truncated == env.truncated[index]
            assert game.ply <= 40
    assert ended > 10
    env.reset(seed=1)
    assert not env.terminated.any()


def test_shogi_has_two_numberings() -> None:
    assert keisei.VecEnv("shogi", 1, actions=13527).masks.shape == (1, 13527)
    with pytest.raises(keisei.KeiseiError, match="no numbering of shogi has 5 actions"):
        keisei.VecEnv("shogi", 1, actions=5)
