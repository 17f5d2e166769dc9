"""Compares packed positions, planes and labels with cshogi's and rsshogi's.

    cargo build --release -p keisei-bench
    python bench/python/agreement.py --count 100000

`keisei-bench positions` writes positions of random games. For each, cshogi and rsshogi must pack it
to the same bytes and unpack ours to the same position, and cshogi must give the same planes for
dlshogi and the same label for every legal move. cshogi is under the GPL: it runs here, in a program
of its own.
"""

import argparse
import subprocess
import sys

import cshogi
import numpy as np
from cshogi.dlshogi import FEATURES1_NUM, FEATURES2_NUM, make_input_features, make_move_label
from rsshogi.core import Board

BENCH = "target/release/keisei-bench"
PLANES = FEATURES1_NUM + FEATURES2_NUM
BYTES = (PLANES * 81 + 7) // 8


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, help="how many positions")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other games")
    options = parser.parse_args()
    command = [BENCH, "positions", "--count", str(options.count), "--seed", str(options.seed)]
    program = subprocess.Popen(command, stdout=subprocess.PIPE)
    counts = {"positions": 0, "labels": 0}
    wrong = {}
    board = cshogi.Board()
    for _ in range(options.count):
        position = read(program.stdout)
        for what in disagreements(board, *position):
            wrong.setdefault(what, []).append(position[0])
        counts["positions"] += 1
        counts["labels"] += len(position[4])
    if program.wait() != 0 or counts["positions"] != options.count:
        sys.exit("keisei-bench failed")
    for what, where in wrong.items():
        print(f"{what}: {len(where)} positions, the first is {where[0]}")
    if wrong:
        sys.exit(1)
    print(
        f"{counts['positions']} positions agree with cshogi and rsshogi in both packed forms, with "
        f"cshogi in {PLANES} planes and {counts['labels']} labels"
    )


def read(stream):
    sfen = read_text(stream)
    hcp, psfen, planes = stream.read(32), stream.read(32), stream.read(BYTES)
    bits = np.unpackbits(np.frombuffer(planes, np.uint8))[: PLANES * 81].reshape(PLANES, 9, 9)
    moves = [(read_text(stream), read_number(stream)) for _ in range(read_number(stream))]
    return sfen, hcp, psfen, bits, moves


def read_text(stream):
    return stream.read(stream.read(1)[0]).decode()


def read_number(stream):
    return int.from_bytes(stream.read(2), "little")


def disagreements(board, sfen, hcp, psfen, planes, moves):
    board.set_sfen(sfen)
    packed = np.zeros(1, cshogi.HuffmanCodedPos)
    board.to_hcp(packed)
    if packed["hcp"][0].tobytes() != hcp:
        yield "HCP of cshogi"
    packed = np.zeros(1, cshogi.PackedSfen)
    board.to_psfen(packed)
    if packed["sfen"][0].tobytes() != psfen:
        yield "packed SFEN of cshogi"
    other = Board(sfen)
    if bytes(other.to_hcp()) != hcp:
        yield "HCP of rsshogi"
    if bytes(other.to_packed_sfen()) != psfen:
        yield "packed SFEN of rsshogi"
    back = Board()
    back.set_packed_sfen(psfen)
    if back.to_sfen().split()[:3] != sfen.split()[:3]:
        yield "our packed SFEN read by rsshogi"
    first = np.zeros((FEATURES1_NUM, 9, 9), np.float32)
    second = np.zeros((FEATURES2_NUM, 9, 9), np.float32)
    make_input_features(board, first, second)
    if not np.array_equal(np.concatenate((first, second)), planes):
        yield "planes"
    labels = {cshogi.move_to_usi(mv): make_move_label(mv, board.turn) for mv in board.legal_moves}
    # cshogi leaves out some moves that do not promote, which nobody plays.
    ours = dict(moves)
    if any(ours.get(move) != label for move, label in labels.items()):
        yield "labels"
    if len(set(ours.values())) != len(ours) or not all(0 <= label < 2187 for label in ours.values()):
        yield "labels are not distinct numbers"


if __name__ == "__main__":
    main()
