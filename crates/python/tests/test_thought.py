"""Mates, networks and matches."""

import signal
import threading
import time

import keisei
import numpy as np
import pytest
from keisei.names import GameName

# A knight mates in five plies.
LONGER = "2kl5/5p3/9/3+R5/9/9/9/5K3/9 b RNPs 1"


def test_a_mate_is_proven_with_its_shortest_line() -> None:
    game = keisei.Shogi(LONGER)
    solution = keisei.solve_mate(game)
    assert (solution.verdict, solution.plies, solution.shortest) == ("mate", 5, True)
    assert len(solution.moves) == 5 and solution.nodes > 0
    for move in solution.moves:
        game.push(move)
    assert game.outcome == keisei.Outcome("black", "checkmate")


def test_no_mate_is_proven_and_limits_leave_it_open() -> None:
    assert keisei.solve_mate(keisei.Shogi()).verdict == "no mate"
    game = keisei.Shogi(LONGER)
    limited = keisei.solve_mate(game, nodes=1)
    assert (limited.verdict, limited.plies, limited.moves) == ("unknown", None, [])
    assert keisei.solve_mate(game, plies=3).verdict == "no mate"


def test_mates_of_other_games_and_of_none() -> None:
    chess = keisei.Chess("8/7k/R7/1R6/8/8/8/7K w - - 0 1")
    assert [str(move) for move in keisei.solve_mate(chess).moves][0] == "b5b7"
    over = keisei.Animal()
    over.resign()
    with pytest.raises(keisei.KeiseiError, match="the game is over"):
        keisei.solve_mate(over)
    with pytest.raises(ValueError):
        keisei.solve_mate(keisei.Shogi(), seconds=-1)


def random_games(name: GameName, count: int) -> list[keisei.Game]:
    games: list[keisei.Game] = []
    for seed in range(count):
        game = keisei.new_game(name)
        game.playout(seed, seed % 40)
        if not game.is_over:
            games.append(game)
    return games


@pytest.mark.parametrize("name", ["shogi", "chess"])
def test_a_batch_says_what_each_position_alone_does(name: GameName) -> None:
    network = keisei.Network("shipped", name)
    games = random_games(name, 60)
    policies, values = network.evaluate_games(games)
    assert policies.shape == (len(games), games[0].action_count)
    assert (policies.dtype, values.dtype) == (np.float32, np.float32)
    for game, row, value in zip(games, policies, values, strict=True):
        policy, alone = network.evaluate(game)
        assert set(policy) == set(game.legal_moves())
        assert list(policy.values()) == sorted(policy.values(), reverse=True)
        assert alone == value
        by_action = {game.action(move): chance for move, chance in policy.items()}
        assert by_action == {int(action): float(row[action]) for action in game.legal_actions()}
        assert float(row.sum()) == pytest.approx(1.0, abs=1e-5)
        assert np.flatnonzero(row).size <= len(policy)


def test_an_environment_is_evaluated_as_its_games_are() -> None:
    network = keisei.Network("shipped")
    env = keisei.VecEnv("shogi", 20, observations="packed", masks="bits", seed=4)
    for _ in range(30):
        env.step(env.sample())
    policies, values = network.evaluate_env(env)
    expected = network.evaluate_games([env.game(index) for index in range(20)])
    np.testing.assert_array_equal(policies, expected[0])
    np.testing.assert_array_equal(values, expected[1])
    with pytest.raises(keisei.KeiseiError, match="for shogi with 2187 actions"):
        network.evaluate_env(keisei.VecEnv("chess", 2))
    with pytest.raises(keisei.KeiseiError, match="for shogi with 2187 actions"):
        network.evaluate_env(keisei.VecEnv("shogi", 2, actions=13527))


def test_the_policy_of_a_network_is_what_its_player_plays() -> None:
    network = keisei.Network("shipped", precision="f32")
    player = keisei.Player("policy:shipped,greedy")
    for game in random_games("shogi", 10):
        policy, value = network.evaluate(game)
        answer = player.choose(game)
        assert answer.move == next(iter(policy))
        win_rate = answer.reports[-1].win_rate
        assert win_rate == pytest.approx((value + 1) / 2, abs=1e-6)


def test_networks_refuse_what_they_cannot_judge() -> None:
    with pytest.raises(keisei.PlayerError, match="no built-in network"):
        keisei.Network("shipped", "animal")
    with pytest.raises(keisei.PlayerError) as missing:
        keisei.Network("no/such.safetensors")
    assert missing.value.value == "no/such.safetensors"
    network = keisei.Network()
    assert (str(network.path), network.game) == ("shipped", "shogi")
    assert network.action_count == 2187 and network.step > 0
    with pytest.raises(keisei.KeiseiError, match="a game of chess, not of shogi"):
        network.evaluate(keisei.Chess())
    over = keisei.Shogi()
    over.resign()
    with pytest.raises(keisei.KeiseiError, match="the game is over"):
        network.evaluate_games([keisei.Shogi(), over])
    policies, values = network.evaluate_games([])
    assert policies.shape == (0, 2187) and values.shape == (0,)


@pytest.mark.parametrize("game", ["shogi", "chess", "animal"])
def test_a_match_gives_score_interval_and_games(game: GameName) -> None:
    result = keisei.play_match("mate1", "random", game, rounds=3, max_moves=60, concurrency=2)
    assert result.players == ("mate1", "random")
    points = 0.0
    for record in result.records:
        ours = "black" if record.player("black") == "mate1" else "white"
        assert {record.player("black"), record.player("white")} == {"mate1", "random"}
        outcome = record.outcome
        points += 0.5 if outcome is None else (1 + outcome.reward(ours)) / 2
    assert len(result.records) == result.wins + result.draws + result.losses == 6
    assert result.score == pytest.approx(points / 6)
    assert result.interval is not None and result.score is not None
    assert result.interval[0] <= result.score <= result.interval[1]
    # The same seed gives the same games, however many are played at once.
    again = keisei.play_match("mate1", "random", game, rounds=3, max_moves=60)
    assert again.records == result.records
    assert keisei.play_match("mate1", "random", game, rounds=3, max_moves=60, seed=2).records != (
        result.records
    )


def test_a_test_may_end_a_match_early() -> None:
    result = keisei.play_match(
        "ab:2", "random", "animal", rounds=200, sprt="elo0=0 elo1=100 alpha=0.05 beta=0.05"
    )
    assert result.verdict == "H1" and len(result.records) < 400
    assert "H1 is accepted" in str(result)


def test_matches_refuse_what_cannot_be_played() -> None:
    with pytest.raises(keisei.PlayerError) as unknown:
        keisei.play_match("random", "nobody")
    assert unknown.value.value == "nobody"
    with pytest.raises(keisei.PlayerError, match="human"):
        keisei.play_match("human", "random", rounds=1)
    with pytest.raises(keisei.KeiseiError, match="no limit"):
        keisei.play_match("random", "random", limits="forever=1")
    with pytest.raises(keisei.KeiseiError):
        keisei.play_match("random", "random", sprt="elo9=1")


def test_python_goes_on_while_a_match_is_played_and_ctrl_c_stops_it() -> None:
    # A shell that starts Python in the background has it ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.main_thread().ident
    assert main is not None
    seen: list[float] = []

    def interrupt() -> None:
        for _ in range(5):
            time.sleep(0.05)
            seen.append(time.monotonic())
        signal.pthread_kill(main, signal.SIGINT)

    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        keisei.play_match("ab:4", "ab:4", "chess", rounds=10_000)
    other.join()
    assert len(seen) == 5
