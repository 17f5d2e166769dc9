//! Positions and boards as text.

use keisei_animal::{Position, PositionError};
use keisei_game::Side;

use super::{STARTS, position};

#[test]
fn positions_survive_their_text() {
    for text in STARTS {
        assert_eq!(position(text).to_string(), text);
    }
    assert_eq!(position("gle/1c1/1C1/ELG b -").to_string(), STARTS[0], "the number may be missing");
}

#[test]
fn texts_that_are_no_positions_are_refused_with_a_reason() {
    let refused = |text: &str| text.parse::<Position>().unwrap_err();
    assert_eq!(refused(""), PositionError::Words(0));
    assert_eq!(refused("gle/1c1/1C1 b - 1"), PositionError::Ranks(3));
    assert_eq!(
        refused("gle/1c1/1C1/ELGG b - 1"),
        PositionError::Files { rank: "ELGG".into(), found: 4 }
    );
    assert_eq!(refused("gle/1c1/1C1/ELX b - 1"), PositionError::Piece("X".into()));
    assert_eq!(refused("gle/1c1/1C1/EL+G b - 1"), PositionError::Piece("+G".into()));
    assert_eq!(refused("gle/1c1/1C1/ELG x - 1"), PositionError::Side("x".into()));
    assert_eq!(refused("1l1/3/3/1L1 b 3C 1"), PositionError::Hands("3C".into()));
    assert_eq!(refused("1l1/3/3/1L1 b CC 1"), PositionError::Hands("CC".into()));
    assert_eq!(refused("gle/1c1/1C1/ELG b - 0"), PositionError::MoveNumber("0".into()));
    assert_eq!(
        refused("gle/1c1/1C1/ELG b C 1"),
        PositionError::ManyPieces { letter: 'C', count: 3 }
    );
    assert_eq!(refused("1l1/3/3/LL1 b - 1"), PositionError::ManyLions(Side::First));
    assert_eq!(refused("1l1/3/3/3 w - 1"), PositionError::MissingLion(Side::First));
    assert!("1l1/3/3/3 b - 1".parse::<Position>().is_ok(), "its lion has just been caught");
}

#[test]
fn a_board_is_drawn_in_letters_or_in_kana() {
    let text = position("gle/1c1/1+C1/EL1 b G 1").board_text();
    let expected = "\
White in hand: none
    3    2    1
  +----+----+----+
a |  g |  l |  e |
  +----+----+----+
b |    |  c |    |
  +----+----+----+
c |    | +C |    |
  +----+----+----+
d |  E |  L |    |
  +----+----+----+
Black in hand: Gx1
Black to move
";
    assert_eq!(text, expected);
    let kana = position(STARTS[0]).kana_text();
    assert!(kana.contains("a | vき | vラ | vぞ |"), "{kana}");
    assert!(kana.contains("d |  ぞ |  ラ |  き |"), "{kana}");
}
