"""The rules as Python sees them."""

import copy
import pickle
import threading
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import get_args

import keisei
import numpy as np
import pytest
from keisei.names import GameName

GAMES: tuple[GameName, ...] = get_args(GameName)


def perft_table(name: GameName) -> list[tuple[str, int, int]]:
    """The shallow lines of the table that the rules themselves are tested with."""
    path = Path(__file__).parents[2] / name / "tests" / "data" / f"perft-{name}.txt"
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    rows = [line.split(";") for line in lines if line]
    return [(row[0], int(row[1]), int(row[2])) for row in rows if int(row[2]) < 1_000_000]


@pytest.mark.parametrize("name", GAMES)
def test_perft_counts_are_those_of_the_tables(name: GameName) -> None:
    table = perft_table(name)
    assert len(table) > 10
    for position, depth, count in table:
        assert keisei.perft(keisei.new_game(name, position), depth) == count, position


@pytest.mark.parametrize("name", GAMES)
def test_listing_by_hand_agrees_with_perft(name: GameName) -> None:
    def count(game: keisei.Game, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in game.legal_moves():
            game.push(move)
            total += count(game, depth - 1)
            game.pop()
        return total

    game = keisei.new_game(name)
    assert count(game, 2) == keisei.perft(game, 2)
    assert game == keisei.new_game(name)


@pytest.mark.parametrize("name", GAMES)
def test_random_games_go_back_move_by_move(name: GameName) -> None:
    for seed in range(20):
        game = keisei.new_game(name)
        positions = [game.position]
        played = keisei.new_game(name)
        played.playout(seed)
        for move in played.moves():
            assert game.is_legal(move)
            assert game.push(move) is move
            positions.append(game.position)
        assert game.outcome == played.outcome
        assert game.outcome is not None
        while positions:
            assert game.position == positions.pop()
            game.pop()


def test_moves_are_one_object_each() -> None:
    one, two = keisei.Shogi(), keisei.Shogi()
    assert all(a is b for a, b in zip(one.legal_moves(), two.legal_moves(), strict=True))
    assert keisei.Move("shogi", "7g7f") == one.parse("7g7f")
    assert keisei.Move("chess", "a2a3") != keisei.Move("animal", "2c2b")


def test_texts_in_every_notation_are_the_same_move() -> None:
    game = keisei.Shogi()
    texts = ["7g7f", "７六歩", "☗７六歩", "P-7f", "▲７六歩"]
    assert {game.parse(text) for text in texts} == {keisei.Move("shogi", "7g7f")}
    game.push("7g7f")
    game.push("3c3d")
    assert game.japanese("8h2b+") == "☗２二角成"
    assert game.western("8h2b+") == "Bx2b+"
    chess = keisei.Chess("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert chess.san("e1g1") == "O-O"
    assert chess.push("O-O-O") == keisei.Move("chess", "e1c1")


def test_a_refusal_carries_what_was_refused() -> None:
    game = keisei.Shogi()
    with pytest.raises(keisei.IllegalMoveError) as illegal:
        game.push(keisei.Move("shogi", "7g7e"))
    assert (illegal.value.value, illegal.value.position) == ("7g7e", game.sfen)
    assert pickle.loads(pickle.dumps(illegal.value)).position == game.sfen
    with pytest.raises(keisei.PositionError) as position:
        keisei.Chess("8/8/8 w - - 0 1")
    assert position.value.value == "8/8/8 w - - 0 1"
    with pytest.raises(keisei.ActionError) as action:
        game.push_action(-3)
    assert action.value.value == -3
    with pytest.raises(keisei.KeiseiError, match="a move of chess"):
        game.push(keisei.Move("chess", "e2e4"))
    with pytest.raises(ValueError, match="there is no game 'go'"):
        keisei.new_game("go")


def test_a_pawn_drop_that_mates_is_refused_with_its_rule() -> None:
    game = keisei.Shogi("7nk/7p1/7+B1/9/9/9/9/9/K8 b P 1")
    assert keisei.Move("shogi", "P*1b") not in game.legal_moves()
    with pytest.raises(keisei.IllegalMoveError, match="P\\*1b is illegal: .*mate"):
        game.push("P*1b")


def test_outcomes_say_who_won_and_why() -> None:
    mate = keisei.Shogi("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    mate.push("G*5b")
    assert mate.outcome == keisei.Outcome("black", "checkmate")
    assert mate.legal_moves() == []
    with pytest.raises(keisei.IllegalMoveError, match="the game is over"):
        mate.push("5a5b")
    repeated = keisei.Shogi()
    for _ in range(3):
        for move in ["2h3h", "8b7b", "3h2h", "7b8b"]:
            assert repeated.outcome is None
            repeated.push(move)
    assert repeated.outcome == keisei.Outcome(None, "repetition")
    limited = keisei.Shogi(rules=keisei.Rules(move_limit=1))
    limited.push("7g7f")
    assert limited.outcome is not None
    assert limited.outcome.truncated


def test_an_entered_king_is_declared() -> None:
    position = "KRRBB4/GGGGSSSS1/LLLLPPPPP/9/9/9/9/9/8k b 13P 1"
    game = keisei.Shogi(position, keisei.Rules(declaration="27"))
    account = game.declaration()
    assert account is not None
    assert account.king_entered and account.points >= account.points_to_win
    assert game.claimable() == keisei.Outcome("black", "declaration")
    assert game.claim() == game.outcome
    assert keisei.Shogi(position).declaration() is None


@pytest.mark.parametrize("name", GAMES)
def test_games_survive_pickling_and_copying(name: GameName) -> None:
    game = keisei.new_game(name, rules=keisei.Rules(move_limit=300))
    game.playout(3, 7)
    for twin in [pickle.loads(pickle.dumps(game)), copy.deepcopy(game), game.copy()]:
        assert twin == game
        assert type(twin) is type(game)
        assert twin.moves() == game.moves()
        twin.pop()
        assert twin != game
    game.resign()
    assert pickle.loads(pickle.dumps(game)).outcome == game.outcome
    for move in game.moves():
        assert pickle.loads(pickle.dumps(move)) == move


@pytest.mark.parametrize("name", GAMES)
def test_actions_and_moves_are_the_same_thing(name: GameName) -> None:
    game = keisei.new_game(name)
    game.playout(5, 2)
    actions = game.legal_actions()
    assert [game.move_of(int(action)) for action in actions] == game.legal_moves()
    assert [game.action(move) for move in game.legal_moves()] == actions.tolist()
    mask = game.action_mask()
    assert mask.dtype == np.int8
    assert np.flatnonzero(mask).tolist() == sorted(actions.tolist())
    assert game.planes().dtype == np.float32
    played = game.copy()
    assert played.push_action(int(actions[0])) == game.legal_moves()[0]


@pytest.mark.parametrize("name", GAMES)
def test_pictures_are_well_formed_and_have_every_piece(name: GameName) -> None:
    game = keisei.new_game(name)
    picture = ElementTree.fromstring(game._repr_svg_())
    pieces = {"shogi": 40, "chess": 32, "animal": 8}[name]
    large = [text for text in picture.iter() if text.get("font-size") == "30"]
    assert len(large) == pieces
    game.playout(1, 20)
    ElementTree.fromstring(game.svg())


def test_long_work_leaves_python_to_others() -> None:
    ticks = 0
    done = threading.Event()

    def work() -> None:
        keisei.perft(keisei.Shogi(), 5)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.001)
    worker.join()
    assert ticks > 5
