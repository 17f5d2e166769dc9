//! The rules of shogi: a position knows its legal moves, a game knows how it came about and how it
//! ends.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use anyhow::Result;
use keisei_game::{Game, Leaves, perft};
use keisei_shogi::Shogi;

fn main() -> Result<()> {
    let mut game = Shogi::new();
    println!("{} legal moves, {} to move", game.legal_moves().len(), game.turn());

    // Moves are written as in USI. What is not legal is refused with a reason.
    for text in ["7g7f", "3c3d", "8h2b+"] {
        game.play(game.parse_move(text)?)?;
    }
    println!("{}", game.board_text());
    println!("{}", game.parse_move("P*5e").unwrap_err());

    // A position is a small value without a past: copy it and try things out.
    let mut position = game.position().clone();
    position.play_unchecked("3a2b".parse()?);
    println!("{position}");
    println!("{} positions two moves later", perft(&position, 2, Leaves::Bulk));

    // A game is over when its rules say so.
    let mut mate = Shogi::from_notation("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
    mate.play(mate.parse_move("G*5b")?)?;
    println!("{}", mate.outcome().expect("the king has nowhere to go"));
    Ok(())
}

// Output:
//
// 30 legal moves, first to move
// Player to move: White (Gote)
// Gote Hand: none
//   9  8  7  6  5  4  3  2  1
// +---------------------------+
// | l  n  s  g  k  g  s  n  l | P1
// | .  r  .  .  .  .  . +B  . | P2
// | p  p  p  p  p  p  .  p  p | P3
// | .  .  .  .  .  .  p  .  . | P4
// | .  .  .  .  .  .  .  .  . | P5
// | .  .  P  .  .  .  .  .  . | P6
// | P  P  .  P  P  P  P  P  P | P7
// | .  .  .  .  .  .  .  R  . | P8
// | L  N  S  G  K  G  S  N  L | P9
// +---------------------------+
// Sente Hand: Bx1
// Move Count: 3
//
// P*5e is illegal: there is no pawn in hand
// lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5
// 5390 positions two moves later
// first wins by checkmate
