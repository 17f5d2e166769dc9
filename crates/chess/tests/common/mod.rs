//! What several tests share.

#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod naive;

use keisei_chess::{Chess, Move, Position};
use keisei_game::{Game, random_game};

/// Positions with much to go wrong: castling, pins, promotions, en passant, bare boards.
pub(crate) const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "1n2k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
];

pub(crate) fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub(crate) fn game(fen: &str) -> Chess {
    Chess::from_notation(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub(crate) fn mv(text: &str) -> Move {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Plays moves in UCI, separated by spaces.
pub(crate) fn play(game: &mut Chess, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        game.play(mv).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The legal moves in UCI, sorted.
pub(crate) fn legal(position: &Position) -> Vec<String> {
    let mut moves: Vec<_> = position.legal_moves().iter().map(Move::to_string).collect();
    moves.sort();
    moves
}

/// A game of `plies` random moves from one of [`STARTS`].
pub(crate) fn random(start: usize, seed: u64, plies: usize) -> Chess {
    let mut game = game(STARTS[start % STARTS.len()]);
    random_game(&mut game, seed, plies);
    game
}
