"""Keisei beside other packages, on the same work, in one process.

Usage: python compare.py [ROUNDS] [SECONDS]

The packages take turns; time is the processor's, of all threads. Shown is the median turn in
thousands of plies a second, and how many times as fast Keisei's median is. Before anything is
timed, the legal moves in random games are compared, ply by ply.

Playouts: random games, chosen beforehand and the same for all. At every ply the legal moves are
listed, a move is played, and the game is asked whether it is over.

Steps: many games side by side. At every step each game gives a position and the mask of its legal
actions to numpy, plays a random legal action, and begins anew if it is over.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from importlib.metadata import version

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import chess
import cshogi
import jax
import jax.numpy as jnp
import keisei
import numpy as np
import pgx
import pyspiel
import rsshogi.policy
import shogi
from cshogi import dlshogi
from pgx.experimental import auto_reset
from rsshogi.core import Board as RsshogiBoard

GAMES, PLIES = 40, 100
LANES = 256
LIMIT = 500


def random_lines(name):
    """Random games as lists of moves, without a repetition and without an end."""
    lines, seed = [], 0
    while len(lines) < GAMES:
        seed += 1
        game = keisei.new_game(name, rules=keisei.Rules())
        positions = {game.key}
        while game.outcome is None and game.ply < PLIES:
            game.playout(1000 * seed + game.ply, 1)
            positions.add(game.key)
        if game.outcome is None and len(positions) == PLIES + 1:
            lines.append([str(move) for move in game.moves()])
    return lines


# Playouts: each package gives a line as its own moves, and follows it.


def keisei_line(name, texts):
    game = keisei.new_game(name)
    return [game.push(text) for text in texts]


def keisei_follow(name, line):
    game, counts = keisei.new_game(name), []
    for move in line:
        counts.append(len(game.legal_moves()))
        game.push(move)
        assert game.outcome is None
    return counts


def cshogi_line(_, texts):
    board, line = cshogi.Board(), []
    for text in texts:
        line.append(board.move_from_usi(text))
        board.push(line[-1])
    return line


def cshogi_follow(_, line):
    board, counts = cshogi.Board(), []
    for move in line:
        counts.append(len(list(board.legal_moves)))
        board.push(move)
        # It also knows positions that are better or worse than an earlier one.
        assert board.is_draw() != cshogi.REPETITION_DRAW and not board.is_game_over()
    return counts


def rsshogi_line(_, texts):
    board, line = RsshogiBoard(), []
    for text in texts:
        line.append(next(move for move in board.legal_moves() if str(move) == text))
        board.push_move(line[-1])
    return line


def rsshogi_follow(_, line):
    board, counts = RsshogiBoard(), []
    for move in line:
        counts.append(len(board.legal_moves()))
        board.push_move(move)
        assert not board.is_repetition() and not board.is_mated()
    return counts


def python_shogi_line(_, texts):
    return [shogi.Move.from_usi(text) for text in texts]


def python_shogi_follow(_, line):
    board, counts = shogi.Board(), []
    for move in line:
        counts.append(len(list(board.legal_moves)))
        board.push(move)
        assert not board.is_game_over()
    return counts


def python_chess_line(_, texts):
    return [chess.Move.from_uci(text) for text in texts]


def python_chess_follow(_, line):
    board, counts = chess.Board(), []
    for move in line:
        counts.append(len(list(board.legal_moves)))
        board.push(move)
        assert not board.is_game_over()
    return counts


def open_spiel_line(name, texts):
    state, line = pyspiel.load_game(name).new_initial_state(), []
    game = keisei.new_game(name)
    for text in texts:
        game.push(text)
        # The move that leads to the same board.
        board = game.position.split()[0]
        actions = state.legal_actions()
        same = [a for a in actions if str(state.child(a)).split()[0] == board]
        if len(same) > 1:
            same = [a for a in same if state.action_to_string(a) == text] or same[:1]
        line.append(same[0])
        state.apply_action(same[0])
    return line


def open_spiel_follow(name, line):
    state, counts = pyspiel.load_game(name).new_initial_state(), []
    for action in line:
        counts.append(len(state.legal_actions()))
        state.apply_action(action)
        assert not state.is_terminal()
    return counts


PLAYOUTS = {
    "shogi": {
        f"keisei {version('keisei')}": (keisei_line, keisei_follow),
        f"cshogi {version('cshogi')}": (cshogi_line, cshogi_follow),
        f"rsshogi {version('rsshogi')}": (rsshogi_line, rsshogi_follow),
        f"OpenSpiel {version('open_spiel')}": (open_spiel_line, open_spiel_follow),
        f"python-shogi {version('python-shogi')}": (python_shogi_line, python_shogi_follow),
    },
    "chess": {
        f"keisei {version('keisei')}": (keisei_line, keisei_follow),
        f"OpenSpiel {version('open_spiel')}": (open_spiel_line, open_spiel_follow),
        f"python-chess {version('chess')}": (python_chess_line, python_chess_follow),
    },
}


# Steps: each package gives a function that plays one step in all lanes.


def keisei_steps(name, observations, masks):
    env = keisei.VecEnv(name, LANES, observations=observations, masks=masks, threads=1)
    return lambda: env.step(env.sample())


def cshogi_steps(planes):
    rng, boards = random.Random(0), [cshogi.Board() for _ in range(LANES)]
    masks = np.zeros((LANES, 27 * 81), dtype=bool)
    packed = np.zeros(LANES, dtype=cshogi.HuffmanCodedPos)
    ours = np.zeros((LANES, dlshogi.FEATURES1_NUM, 9, 9), dtype=np.float32)
    hands = np.zeros((LANES, dlshogi.FEATURES2_NUM, 9, 9), dtype=np.float32)

    def step():
        masks.fill(False)
        for index, board in enumerate(boards):
            moves = list(board.legal_moves)
            turn = board.turn
            masks[index, [dlshogi.make_move_label(move, turn) for move in moves]] = True
            if planes:
                dlshogi.make_input_features(board, ours[index], hands[index])
            else:
                board.to_hcp(packed[index : index + 1])
            board.push(rng.choice(moves))
            repeated = board.is_draw() != cshogi.NOT_REPETITION
            if repeated or board.is_game_over() or board.move_number > LIMIT:
                board.reset()

    return step


def rsshogi_steps():
    rng, boards = random.Random(0), [RsshogiBoard() for _ in range(LANES)]
    masks = np.zeros((LANES, rsshogi.policy.MOVE_LABEL_COUNT), dtype=bool)
    packed = [b""] * LANES
    label = rsshogi.policy.move_label

    def step():
        masks.fill(False)
        for index, board in enumerate(boards):
            moves, turn = board.legal_moves(), board.turn
            masks[index, [label(move, turn) for move in moves]] = True
            packed[index] = board.to_packed_sfen()
            board.push_move(rng.choice(moves))
            if board.is_repetition() or board.is_mated() or board.game_ply > LIMIT:
                board.reset()

    return step


def open_spiel_steps(name):
    rng, game = random.Random(0), pyspiel.load_game(name)
    states = [game.new_initial_state() for _ in range(LANES)]
    masks = np.zeros((LANES, game.num_distinct_actions()), dtype=bool)
    shape = game.observation_tensor_shape()
    planes = np.zeros((LANES, int(np.prod(shape))), dtype=np.float32)

    def step():
        masks.fill(False)
        for index, state in enumerate(states):
            actions = state.legal_actions()
            masks[index, actions] = True
            planes[index] = state.observation_tensor(state.current_player())
            state.apply_action(rng.choice(actions))
            if state.is_terminal() or state.move_number() > LIMIT:
                states[index] = game.new_initial_state()

    return step


def pgx_steps(name):
    env = pgx.make(name)
    play = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def turn(state, key):
        key, choice, reset = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choice, logits, axis=-1)
        return play(state, actions, jax.random.split(reset, LANES)), key

    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, LANES))

    def step():
        nonlocal state, key
        state, key = turn(state, key)
        np.asarray(state.legal_action_mask), np.asarray(state.observation)

    step()
    start = int(np.asarray(env.init(key).legal_action_mask).sum())
    ours = keisei.new_game({"animal_shogi": "animal"}.get(name, name)).count_legal_moves()
    assert start == ours, (name, start, ours)
    return step


# Pgx has no lists of moves: its legal actions are compared along random games of their own.


def pgx_shogi(positions):
    """Follows random games. Both number their actions alike, so that whole masks are compared."""
    env, compared, seed = pgx.make("shogi"), 0, 0
    init, play = jax.jit(env.init), jax.jit(env.step)
    while compared < positions:
        state, seed = init(jax.random.PRNGKey(0)), seed + 1
        game = keisei.Shogi(rules=keisei.Rules())
        while not game.is_over and not bool(state.terminated) and game.ply < PLIES:
            assert (np.asarray(state.legal_action_mask) == game.action_mask()).all(), game
            compared += 1
            action = random.Random(1000 * seed + game.ply).choice(game.legal_actions().tolist())
            state = play(state, action)
            game.push_action(action)
    return compared


def safe_moves(game):
    """The moves of animal shogi after which the lion cannot be taken: Pgx allows no others."""

    def is_safe(move):
        after = game.copy()
        after.push(move)
        for reply in after.legal_moves():
            after.push(reply)
            end = after.outcome
            taken = end is not None and end.reason == "capture of the king"
            after.pop()
            if taken:
                return False
        return True

    return [move for move in game.legal_moves() if is_safe(move)]


def pgx_animal(positions):
    """Follows random games by the boards that actions lead to, and counts their legal moves."""
    env, compared, seed = pgx.make("animal_shogi"), 0, 0
    every = jnp.arange(132)
    init, play = jax.jit(env.init), jax.jit(jax.vmap(env.step, in_axes=(None, 0)))
    while compared < positions:
        state, game, seed = init(jax.random.PRNGKey(0)), keisei.Animal(), seed + 1
        while not game.is_over and not bool(state.terminated):
            moves = safe_moves(game)
            mask = np.asarray(state.legal_action_mask)
            assert mask.sum() == len(moves), game
            compared += 1
            game.push(random.Random(1000 * seed + game.ply).choice(moves))
            # Both number pieces as the side to move sees them; files count from its right.
            pieces = game.planes()[:10]
            board = np.where(pieces.any(axis=0), pieces.argmax(axis=0), -1)[:, ::-1].T.flatten()
            after = play(state, every)
            (action,) = np.flatnonzero(mask & (np.asarray(after._board) == board).all(axis=1))
            state = jax.tree.map(lambda array: array[action], after)
    return compared


STEPS = {
    "shogi, masks and packed positions": {
        f"keisei {version('keisei')}": lambda: keisei_steps("shogi", "packed", "bytes"),
        f"cshogi {version('cshogi')}": lambda: cshogi_steps(False),
        f"rsshogi {version('rsshogi')}": rsshogi_steps,
    },
    "shogi, masks and planes": {
        f"keisei {version('keisei')}": lambda: keisei_steps("shogi", "float32", "bytes"),
        f"cshogi {version('cshogi')}": lambda: cshogi_steps(True),
        f"OpenSpiel {version('open_spiel')}": lambda: open_spiel_steps("shogi"),
        f"Pgx {version('pgx')}, CPU": lambda: pgx_steps("shogi"),
    },
    "chess, masks and planes": {
        f"keisei {version('keisei')}": lambda: keisei_steps("chess", "float32", "bytes"),
        f"OpenSpiel {version('open_spiel')}": lambda: open_spiel_steps("chess"),
        f"Pgx {version('pgx')}, CPU": lambda: pgx_steps("chess"),
    },
    "animal shogi, masks and planes": {
        f"keisei {version('keisei')}": lambda: keisei_steps("animal", "float32", "bytes"),
        f"Pgx {version('pgx')}, CPU": lambda: pgx_steps("animal_shogi"),
    },
}


def rate(work, seconds):
    """Plies a second of processor time; `work` plays some plies and says how many."""
    start, plies = time.process_time(), 0
    while time.process_time() - start < seconds or not plies:
        plies += work()
    return plies / (time.process_time() - start)


def measure(title, contestants, rounds, seconds):
    rates = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, work in contestants.items():
            rates[name].append(rate(work, seconds))
    medians = {name: statistics.median(one) for name, one in rates.items()}
    best = medians[next(iter(medians))]
    for name, median in medians.items():
        ratio = "" if median == best else f"{best / median:.1f} ×"
        print(f"| {title} | {name} | {median / 1000:,.1f} | {ratio} |", flush=True)


def main(rounds, seconds):
    for follow in (pgx_shogi, pgx_animal):
        print(f"<!-- {follow.__name__}: legal actions agree in {follow(300)} positions -->")
    print("| Work | Package | Thousand plies/s | Keisei is |\n|---|---|---|---|", flush=True)
    for game, packages in PLAYOUTS.items():
        texts = random_lines(game)
        contestants, reference = {}, None
        for name, (line, follow) in packages.items():
            lines = [line(game, one) for one in texts]
            counts = [follow(game, one) for one in lines]
            reference = reference or counts
            assert counts == reference, f"{name} counts other legal moves"

            def work(follow=follow, lines=lines, number=[0], game=game):
                number[0] = (number[0] + 1) % len(lines)
                return len(follow(game, lines[number[0]]))

            contestants[name] = work
        plies = sum(len(one) for one in texts)
        print(f"<!-- {game}: {plies} plies, {sum(map(sum, reference))} legal moves agree -->")
        measure(f"{game}, playouts", contestants, rounds, seconds)
    for title, makers in STEPS.items():
        contestants = {}
        for name, make in makers.items():
            step = make()

            def work(step=step):
                step()
                return LANES

            contestants[name] = work
        measure(title, contestants, rounds, seconds)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(
        int(arguments[0]) if arguments else 7,
        float(arguments[1]) if len(arguments) > 1 else 0.5,
    )
