"""Players by name, and training runs."""

import json
import threading
from pathlib import Path

import keisei
import numpy as np
import pytest
from keisei.names import GameName


@pytest.mark.parametrize("name", ["random", "mate1", "greedy", "ab:2", "ab:1,quiescence"])
@pytest.mark.parametrize("game", ["shogi", "chess", "animal"])
def test_classical_players_play_every_game(name: str, game: GameName) -> None:
    player = keisei.Player(name, game, seed=1)
    board = keisei.new_game(game)
    while board.ply < 8 and not board.is_over:
        answer = player.choose(board)
        assert answer.move is not None
        board.push(answer.move)
    assert (player.name, player.game) == (name, game)


def test_the_built_in_network_searches_and_tells_its_thoughts() -> None:
    player = keisei.Player("net:shipped,simulations=64,threads=1")
    answer = player.choose(keisei.Shogi())
    assert answer.move is not None
    report = answer.reports[-1]
    assert report.moves[0] == answer.move
    assert report.nodes > 0 and report.win_rate is not None


def test_a_mate_is_found() -> None:
    game = keisei.Shogi("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    answer = keisei.Player("ab:1").choose(game)
    assert str(answer.move) == "G*5b"


def test_players_refuse_what_they_cannot_do() -> None:
    with pytest.raises(keisei.PlayerError) as unknown:
        keisei.Player("nobody")
    assert unknown.value.value == "nobody"
    with pytest.raises(keisei.PlayerError, match="human"):
        keisei.Player("human")
    with pytest.raises(keisei.KeiseiError, match="a game of chess, not of shogi"):
        keisei.Player("random").choose(keisei.Chess())
    over = keisei.Shogi()
    over.resign()
    with pytest.raises(keisei.KeiseiError, match="the game is over"):
        keisei.Player("random").choose(over)


def test_two_threads_share_a_player() -> None:
    player = keisei.Player("ab:3", "chess")
    answers: list[keisei.Answer] = []
    games = [keisei.Chess(), keisei.Chess("startpos moves e2e4")]

    def think(game: keisei.Game) -> None:
        answers.append(player.choose(game))

    threads = [threading.Thread(target=think, args=[game]) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 2


def test_a_run_gives_settings_metrics_and_checkpoints(tmp_path: Path) -> None:
    folder = tmp_path / "first"
    (folder / "checkpoints" / "update-000002").mkdir(parents=True)
    (folder / "config.toml").write_text('[env]\ngame = "animal"\nseed = 7\n')
    lines = [{"update": 1, "step": 10, "a": 0.5}, {"update": 2, "step": 20, "a": 1.5, "b": 2.0}]
    (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (run,) = keisei.runs(tmp_path)
    assert (run.name, run.path, run.is_finished) == ("first", folder, False)
    assert run.settings == {"env": {"game": "animal", "seed": 7}}
    metrics = run.metrics()
    assert metrics["step"].tolist() == [10, 20] and metrics["a"].tolist() == [0.5, 1.5]
    assert np.isnan(metrics["b"][0]) and metrics["b"][1] == 2.0
    assert run.models == folder / "models"
    assert isinstance(run.checkpoints(), list)
    with pytest.raises(keisei.RunError) as error:
        keisei.Run(tmp_path)
    assert error.value.value == str(tmp_path)
