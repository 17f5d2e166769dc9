"""Reads positions for learning with cshogi and rsshogi: what Keisei wrote, and what they write.

    python crates/records/python/check_samples.py games.hcpe games.psv games.jsonl

The three files hold the same positions. cshogi and rsshogi must read every position, move, score and
result of the first two as the third has them, and must write the same bytes themselves. cshogi is
under the GPL: it runs here, in a program of its own.
"""

import json
import sys

import cshogi
import numpy as np
from rsshogi.core import Board, Move
from rsshogi.numpy import HuffmanCodedPosAndEval, PackedSfenValue


def main():
    hcpe_file, psv_file, lines_file = sys.argv[1:]
    hcpe = np.fromfile(hcpe_file, cshogi.HuffmanCodedPosAndEval)
    psv = np.fromfile(psv_file, cshogi.PackedSfenValue)
    assert HuffmanCodedPosAndEval.itemsize == hcpe.dtype.itemsize
    assert PackedSfenValue.itemsize == psv.dtype.itemsize
    with open(lines_file, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    assert len(hcpe) == len(psv) == len(lines), (len(hcpe), len(psv), len(lines))
    board = cshogi.Board()
    for sample, packed, line in zip(hcpe, psv, lines):
        check_cshogi(board, sample, packed, line)
        check_rsshogi(sample, packed, line)
    print(f"{len(lines)} positions are the same in HCPE, PSV and JSON lines to cshogi and rsshogi")


def check_cshogi(board, sample, packed, line):
    black = line["sfen"].split()[1] == "b"
    board.set_hcp(sample["hcp"])
    same(board.sfen(), line["sfen"])
    move = board.move_from_move16(int(sample["bestMove16"]) & 0xFFFF)
    assert board.is_legal(move) and cshogi.move_to_usi(move) == line["move"], line
    assert sample["eval"] == line["score"], line
    won = {0: 0, 1: 1 if black else -1, 2: -1 if black else 1}
    assert won[int(sample["gameResult"])] == line["result"], line
    board.set_psfen(packed["sfen"])
    same(board.sfen(), line["sfen"])
    assert cshogi.move_to_usi(board.move_from_psv(int(packed["move"]))) == line["move"], line
    assert (packed["score"], packed["game_result"]) == (line["score"], line["result"]), line
    assert packed["gamePly"] == int(line["sfen"].split()[3]), line
    # What cshogi writes of the same position.
    board.set_sfen(line["sfen"])
    again = np.zeros(1, cshogi.HuffmanCodedPos)
    board.to_hcp(again)
    assert again["hcp"][0].tobytes() == sample["hcp"].tobytes(), line
    again = np.zeros(1, cshogi.PackedSfen)
    board.to_psfen(again)
    assert again["sfen"][0].tobytes() == packed["sfen"].tobytes(), line
    assert cshogi.move16(board.move_from_usi(line["move"])) == int(sample["bestMove16"]) & 0xFFFF


def check_rsshogi(sample, packed, line):
    board = Board()
    board.set_hcp(sample["hcp"].tobytes())
    same(board.to_sfen(), line["sfen"])
    board.set_packed_sfen(packed["sfen"].tobytes())
    same(board.to_sfen(), line["sfen"])
    assert bytes(board.to_hcp()) == sample["hcp"].tobytes(), line
    assert bytes(board.to_packed_sfen()) == packed["sfen"].tobytes(), line
    assert Move(int(packed["move"])).to_usi() == line["move"], line


def same(found, expected):
    """Packed positions have no number of the move."""
    assert found.split()[:3] == expected.split()[:3], (found, expected)


if __name__ == "__main__":
    main()
