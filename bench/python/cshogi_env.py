"""Measures random games with cshogi, one process, one thread.

Usage: python cshogi_env.py GAMES SECONDS

Prints a name, plies/s with the labels of all legal moves, a mask and a packed position, and plies/s
with dlshogi's input planes written as well. Processor time; the best of many turns counts.
"""

import random
import sys
import time
from importlib.metadata import version

PLY_LIMIT = 500
SPREAD = 500
STEPS_A_TURN = 4


def main(games, seconds):
    try:
        import cshogi
        import numpy as np
        from cshogi import dlshogi
    except ImportError:
        return
    rng = random.Random(0)

    def play(board, moves):
        """Plays one of `moves`; begins anew if the game is over."""
        board.push(rng.choice(moves))
        repeated = board.is_draw() != cshogi.NOT_REPETITION
        if repeated or board.is_game_over() or board.move_number > PLY_LIMIT:
            board.reset()

    def rate(with_planes):
        boards = [cshogi.Board() for _ in range(games)]
        for index, board in enumerate(boards):
            for _ in range(index * SPREAD // games):
                play(board, list(board.legal_moves))
        masks = np.zeros((games, 27 * 81), dtype=bool)
        packed = np.zeros(games, dtype=cshogi.HuffmanCodedPos)
        features1 = np.zeros((games, dlshogi.FEATURES1_NUM, 9, 9), dtype=np.float32)
        features2 = np.zeros((games, dlshogi.FEATURES2_NUM, 9, 9), dtype=np.float32)
        best = 0.0
        start = time.monotonic()
        while best == 0.0 or time.monotonic() - start < seconds:
            before = time.process_time()
            for _ in range(STEPS_A_TURN):
                masks.fill(False)
                for index, board in enumerate(boards):
                    turn, moves = board.turn, list(board.legal_moves)
                    masks[index, [dlshogi.make_move_label(mv, turn) for mv in moves]] = True
                    board.to_hcp(packed[index : index + 1])
                    if with_planes:
                        dlshogi.make_input_features(board, features1[index], features2[index])
                    play(board, moves)
            best = max(best, STEPS_A_TURN * games / (time.process_time() - before))
        return best

    print(f"cshogi {version('cshogi')} (Python)", rate(False), rate(True), sep="\t")


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
