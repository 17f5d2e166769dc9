//! The board as text.

use keisei_game::Game;
use keisei_shogi::{BoardStyle, Shogi};

use crate::boards::{game, play};

#[test]
fn the_ascii_board_shows_the_start_with_black_at_the_bottom() {
    let text = "\
Player to move: Black (Sente)
Gote Hand: none
  9  8  7  6  5  4  3  2  1
+---------------------------+
| l  n  s  g  k  g  s  n  l | P1
| .  r  .  .  .  .  .  b  . | P2
| p  p  p  p  p  p  p  p  p | P3
| .  .  .  .  .  .  .  .  . | P4
| .  .  .  .  .  .  .  .  . | P5
| .  .  .  .  .  .  .  .  . | P6
| P  P  P  P  P  P  P  P  P | P7
| .  B  .  .  .  .  .  R  . | P8
| L  N  S  G  K  G  S  N  L | P9
+---------------------------+
Sente Hand: none
Move Count: 0
";
    assert_eq!(Shogi::new().board_text(), text);
    assert_eq!(Shogi::new().text(BoardStyle::Ascii), text);
}

#[test]
fn the_ascii_board_shows_hands_promoted_pieces_the_turn_and_the_moves_played() {
    let mut game = game("4k3+p/9/9/9/9/9/9/9/+R3K4 w G2pl 31");
    play(&mut game, "5a4b 5i5h 1a1b");
    let text = "\
Player to move: Black (Sente)
Gote Hand: Px2 Lx1
  9  8  7  6  5  4  3  2  1
+---------------------------+
| .  .  .  .  .  .  .  .  . | P1
| .  .  .  .  .  k  .  . +p | P2
| .  .  .  .  .  .  .  .  . | P3
| .  .  .  .  .  .  .  .  . | P4
| .  .  .  .  .  .  .  .  . | P5
| .  .  .  .  .  .  .  .  . | P6
| .  .  .  .  .  .  .  .  . | P7
| .  .  .  .  K  .  .  .  . | P8
|+R  .  .  .  .  .  .  .  . | P9
+---------------------------+
Sente Hand: Gx1
Move Count: 3
";
    assert_eq!(game.board_text(), text);
    play(&mut game, "5h5g");
    assert!(game.board_text().starts_with("Player to move: White (Gote)\n"));
}

#[test]
fn the_kanji_board_shows_the_start() {
    let text = "\
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂v銀v金v玉v金v銀v桂v香|一
| ・v飛 ・ ・ ・ ・ ・v角 ・|二
|v歩v歩v歩v歩v歩v歩v歩v歩v歩|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| 歩 歩 歩 歩 歩 歩 歩 歩 歩|七
| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八
| 香 桂 銀 金 玉 金 銀 桂 香|九
+---------------------------+
先手の持駒：なし
手数＝0
先手番
";
    assert_eq!(Shogi::new().text(BoardStyle::Kanji), text);
}

#[test]
fn the_kanji_board_shows_hands_in_japanese_numbers_and_promoted_pieces() {
    let mut game = game("4k4/+p+l+n+s5/9/9/9/9/9/5+B+R2/4K4 b R2G11Pb6p 1");
    play(&mut game, "5i4i");
    let text = "\
後手の持駒：角　歩六
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一
|vとv杏v圭v全 ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ 馬 龍 ・ ・|八
| ・ ・ ・ ・ ・ 玉 ・ ・ ・|九
+---------------------------+
先手の持駒：飛　金二　歩十一
手数＝1
後手番
";
    assert_eq!(game.text(BoardStyle::Kanji), text);
}
