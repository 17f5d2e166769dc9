"""Records as trees."""

from pathlib import Path

import keisei
import pytest
from keisei.names import Format

KIF = """手合割：平手
先手：Alice
後手：Bob
   1 ７六歩(77)   ( 0:05/00:00:05)
*角道を開ける
   2 ３四歩(33)
   3 投了

変化：2手
   2 ８四歩(83)
"""


def test_a_tree_is_read_with_its_notes() -> None:
    (record,) = keisei.read_records(KIF.encode())
    assert (record.game, record.player("black"), record.player("white")) == ("shogi", "Alice", "Bob")
    first, second, end = record.main_line()
    assert str(first.move) == "7g7f" and first.seconds == 5.0
    assert first.comment == "角道を開ける"
    assert [str(child.move) for child in first.children] == ["3c3d", "8c8d"]
    assert second.parent == first and second.ply == 2
    assert (end.move, end.ending) == (None, "resignation")
    assert record.outcome == keisei.Outcome("white", "resignation")
    assert [node.is_main for node in record.nodes()] == [True, True, True, False]
    assert first.children[1].game().moves() == [first.move, first.children[1].move]
    assert first.children[1]._repr_svg_().startswith("<svg")


@pytest.mark.parametrize("format", ["kif", "ki2", "csa", "jkf", "usi", "sfenx"])
def test_every_format_of_shogi_is_written_and_read(format: Format, tmp_path: Path) -> None:
    (record,) = keisei.read_records(KIF.encode())
    written = record.write(format)
    (again,) = keisei.read_records(written.bytes, format)
    assert [node.move for node in again.main_line()][:2] == [
        node.move for node in record.main_line()
    ][:2]
    # What does not come back was listed.
    assert again == record or written.lost or format in ("sfenx", "jkf")
    path = tmp_path / f"game.{format}"
    assert record.save(path) == written.lost
    assert keisei.read_records(path, format)[0] == again


def test_chess_is_kept_as_pgn() -> None:
    game = keisei.Chess()
    for move in ["f3", "e5", "g4", "Qh4#"]:
        game.push(move)
    record = keisei.Record.of_game(game)
    record.root.children[0].nags = [2]
    record.main_line()[1].evaluate(-150, depth=12, engine="somebody")
    written = record.write("pgn")
    assert "1. f3" in written.text and "0-1" in written.text
    (again,) = keisei.read_records(written.bytes)
    assert again.main_line()[1].evaluations[0].centipawns == -150
    assert again.main_line()[0].nags == [2]


def test_trees_are_edited() -> None:
    record = keisei.Record("shogi", "startpos moves 7g7f 3c3d")
    first = record.root.children[0]
    other = first.play("８四歩")
    assert other.promote()
    assert [str(node.move) for node in record.main_line()] == ["7g7f", "8c8d"]
    first.children[1].make_main()
    assert other.delete()
    with pytest.raises(keisei.KeiseiError, match="deleted"):
        _ = other.move
    with pytest.raises(keisei.IllegalMoveError):
        first.play("7g7f")
    assert first.children[0].end("interruption").ending == "interruption"


def test_what_cannot_be_read_names_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.pgn"
    path.write_text("1. e4 e4 *")
    with pytest.raises(keisei.RecordError) as error:
        keisei.read_records(path)
    assert (error.value.line, error.value.column) == (1, 7)
    assert error.value.value == str(path)
    with pytest.raises(FileNotFoundError):
        keisei.read_records(tmp_path / "none.kif")
