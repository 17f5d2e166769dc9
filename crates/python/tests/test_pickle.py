"""Everything that can be pickled or copied goes on as the original would."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import keisei
import numpy as np
import pytest
from keisei.names import GameName

GAMES: tuple[GameName, ...] = ("shogi", "chess", "animal")


def pickled(value: Any) -> Any:
    """The value as another process would get it."""
    return pickle.loads(pickle.dumps(value))


COPIES: list[Callable[[Any], Any]] = [pickled, copy.copy, copy.deepcopy]

KIF = """手合割：平手
先手：Alice
後手：Bob
*開始
   1 ７六歩(77)   ( 0:05/00:00:05)
*角道を開ける
   2 ３四歩(33)
&しおり
   3 ２二角成(88)
   4 投了

変化：2手
   2 ８四歩(83)
   3 ２六歩(27)
   4 中断

変化：3手
   3 ６八銀(79)
"""


def noted_record() -> keisei.Record:
    (record,) = keisei.read_records(KIF.encode())
    first, second, *_ = record.main_line()
    first.clock = 297.125
    first.nags = [1, 14]
    second.evaluate(-120, depth=9, nodes=12345, engine="somebody")
    record.set_header("棋戦", "試合")
    return record


@pytest.mark.parametrize("duplicate", COPIES)
def test_a_record_keeps_its_tree_and_all_its_notes(
    duplicate: Callable[[keisei.Record], keisei.Record],
) -> None:
    record = noted_record()
    # A deleted node leaves a gap in the numbers of those that stay.
    assert record.main_line()[0].play("１四歩").delete()
    again = duplicate(record)
    assert again == record and again is not record
    assert list(again.headers.items()) == list(record.headers.items())
    assert [node.position for node in again.nodes()] == [node.position for node in record.nodes()]
    first, second, *_ = again.main_line()
    assert (first.seconds, first.clock, first.nags) == (5.0, 297.125, [1, 14])
    evaluation = second.evaluations[0]
    assert (evaluation.centipawns, evaluation.nodes) == (-120, 12345)
    assert again.root.comment == record.root.comment == "開始"
    # Both go on alone, and in the same way.
    for one in (record, again):
        one.main_line()[0].children[1].children[0].make_main()
    assert again == record
    again.root.comment = "別"
    assert again != record and record.root.comment == "開始"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("duplicate", COPIES)
def test_records_of_every_game(
    name: GameName, duplicate: Callable[[keisei.Record], keisei.Record]
) -> None:
    game = keisei.new_game(name)
    game.playout(seed=5, plies=60)
    if not game.is_over:
        game.resign()
    record = keisei.Record.of_game(game)
    again = duplicate(record)
    assert again == record
    assert (again.outcome, again.game) == (record.outcome, name)
    begun = keisei.Record(name)
    assert duplicate(begun) == begun and duplicate(begun).nodes() == []


def test_a_match_keeps_its_thoughts_when_its_record_is_pickled() -> None:
    (record, *_) = keisei.play_match("ab:1", "mate1", "chess", rounds=1, max_moves=30).records
    assert any(node.evaluations for node in record.nodes())
    assert pickled(record) == record


def test_nodes_stay_with_their_record() -> None:
    record = noted_record()
    node = record.nodes()[5]
    other, moved = pickled((record, node))
    assert moved.record is other and moved.position == node.position
    assert copy.copy(node) == node
    assert copy.deepcopy(node) != node and copy.deepcopy(node).move == node.move
    assert keisei.Node(record, [0, 1]).move == record.main_line()[0].children[1].move
    assert keisei.Node(record) == record.root
    with pytest.raises(keisei.KeiseiError, match="leads to no node"):
        keisei.Node(record, [0, 7])


def same_state(one: keisei.VecEnv, two: keisei.VecEnv) -> None:
    for field in ("observations", "masks", "rewards", "terminated", "truncated"):
        np.testing.assert_array_equal(getattr(one, field), getattr(two, field), field)
    assert one.players().tolist() == two.players().tolist()
    assert [one.game(index) for index in range(len(one))] == [
        two.game(index) for index in range(len(two))
    ]


@pytest.mark.parametrize("duplicate", COPIES)
@pytest.mark.parametrize(
    ("name", "observations", "masks"),
    [("shogi", "packed", "indices"), ("chess", "uint8", "bits"), ("animal", "float32", "bytes")],
)
def test_an_environment_goes_on_with_the_same_steps(
    duplicate: Callable[[keisei.VecEnv], keisei.VecEnv],
    name: GameName,
    observations: Literal["float32", "uint8", "packed"],
    masks: Literal["bytes", "bits", "indices"],
) -> None:
    env = keisei.VecEnv(
        name,
        24,
        observations=observations,
        masks=masks,
        max_moves=50,
        random_plies=6,
        rules=keisei.Rules(auto_claim=True, move_limit=45),
        seed=11,
        threads=1,
    )
    ended = 0
    while not ended:
        _, _, terminated, truncated = env.step(env.sample())
        ended = int((terminated | truncated).sum())
    again = duplicate(env)
    assert again is not env and (again.name, again.action_count) == (name, env.action_count)
    same_state(env, again)
    # What ended in the last step can be taken from each of them.
    taken = env.finished()
    assert len(taken) == ended and again.finished() == taken
    for _ in range(120):
        actions = env.sample()
        np.testing.assert_array_equal(again.sample(), actions)
        env.step(actions)
        again.step(actions)
        same_state(env, again)
        assert env.finished() == again.finished()
    # Each has arrays of its own.
    again.step(again.sample())
    assert not np.array_equal(again.observations, env.observations)
    env.reset(seed=3)
    again.reset(seed=3)
    same_state(env, again)


def test_the_numbering_and_the_seed_are_kept() -> None:
    env = keisei.VecEnv("shogi", 2, actions=13527, seed=1)
    env.reset(seed=9)
    env.step(env.sample())
    again = pickled(env)
    assert again.masks.shape == (2, 13527)
    np.testing.assert_array_equal(env.sample(), again.sample())


def test_a_state_that_does_not_fit_is_refused() -> None:
    rounds, state = keisei.VecEnv("animal", 3).__getstate__()
    with pytest.raises(keisei.KeiseiError, match="no state of 4 games"):
        keisei.VecEnv("animal", 4).__setstate__((rounds, state))
    state["games"][0] = "startpos moves 9z9z"
    with pytest.raises(keisei.IllegalMoveError):
        keisei.VecEnv("animal", 3).__setstate__((rounds, state))


def test_players_networks_and_runs_are_made_anew(tmp_path: Path) -> None:
    player = pickled(keisei.Player("mate1", "chess", seed=5))
    assert (player.name, player.game) == ("mate1", "chess")
    board = keisei.Chess()
    assert player.choose(board).move == keisei.Player("mate1", "chess", seed=5).choose(board).move
    network = keisei.Network("shipped", precision="f32")
    board = keisei.Shogi()
    assert pickled(network).evaluate(board) == network.evaluate(board)
    (tmp_path / "config.toml").write_text("")
    assert pickled(keisei.Run(tmp_path)).path == tmp_path
