//! The rules of animal shogi, each by name, and their laws.

mod endings;
mod laws;
mod movement;
mod naive;
mod notation;
mod perft;
mod solution;

use keisei_animal::{Animal, Position};
use keisei_game::Game;

/// The position written as `text`.
fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The game from `start` after `moves`.
fn played(start: &str, moves: &str) -> Animal {
    let mut game = Animal::from_notation(start).unwrap();
    for text in moves.split_whitespace() {
        game.play(game.parse_move(text).unwrap()).unwrap();
    }
    game
}

/// The legal moves of a position as sorted texts.
fn moves(text: &str) -> Vec<String> {
    let mut moves: Vec<_> = position(text).legal_moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}

/// Positions of all sorts: the start, full hands, hens, lions in reach and about to enter.
const STARTS: [&str; 6] = [
    "gle/1c1/1C1/ELG b - 1",
    "1l1/3/3/1L1 w GECgec 20",
    "l1g/+C1e/1E1/L1+c b G 31",
    "2l/1L1/3/3 w 2G2E2C 8",
    "g1e/lc1/1CL/E1G b - 12",
    "1l1/L2/2c/3 b C2g2e 5",
];
