//! Perft through the game contract against cozy-chess's own loop, in one run.
//!
//! `cargo bench -p keisei-chess` prints, for each position, the time of ours over the time of
//! theirs: below 1.05 is the promise. The runs alternate and the best of many counts, because
//! that is what noise on a busy machine disturbs least.

#![allow(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cozy_chess::Board;
use keisei_chess::Position;
use keisei_game::{Leaves, perft};

/// Position, depth and number of leaves.
const CASES: [(&str, &str, u32, u64); 4] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    (
        "castling",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        4_085_603,
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    ("promotion", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
];

const ROUNDS: usize = 25;

/// cozy-chess's loop: the last ply is counted from sets of moves.
fn cozy_count(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += cozy_count(&child, depth - 1);
        }
        false
    });
    nodes
}

/// The same with every move of the last ply written to a list.
fn cozy_bulk(board: &Board, depth: u32, list: &mut Vec<cozy_chess::Move>) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        list.clear();
        board.generate_moves(|moves| {
            list.extend(moves);
            false
        });
        return black_box(&*list).len() as u64;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += cozy_bulk(&child, depth - 1, list);
        }
        false
    });
    nodes
}

/// The best time of each, taking turns.
fn best_of(rounds: usize, expected: u64, runs: &mut [&mut dyn FnMut() -> u64; 4]) -> [Duration; 4] {
    let mut best = [Duration::MAX; 4];
    for _ in 0..rounds {
        for (run, best) in runs.iter_mut().zip(&mut best) {
            let start = Instant::now();
            assert_eq!(run(), expected);
            *best = start.elapsed().min(*best);
        }
    }
    best
}

fn main() {
    // Cargo passes this flag to benchmarks; without it somebody only lists or runs tests.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!(
        "{:<12} {:>10} {:>10} {:>7} {:>10} {:>10} {:>7}",
        "Mnodes/s", "count", "cozy", "ratio", "bulk", "cozy", "ratio"
    );
    let mut product = [1.0, 1.0];
    for (name, fen, depth, nodes) in CASES {
        let position: Position = fen.parse().expect("a position");
        let board: Board = fen.parse().expect("a position");
        let mut list = Vec::with_capacity(256);
        let times = best_of(
            ROUNDS,
            nodes,
            &mut [
                &mut || perft(black_box(&position), depth, Leaves::Count),
                &mut || cozy_count(black_box(&board), depth),
                &mut || perft(black_box(&position), depth, Leaves::Bulk),
                &mut || cozy_bulk(black_box(&board), depth, &mut list),
            ],
        );
        let speed = times.map(|time| nodes as f64 / time.as_secs_f64() / 1e6);
        let ratios = [speed[1] / speed[0], speed[3] / speed[2]];
        println!(
            "{name:<12} {:>10.1} {:>10.1} {:>7.3} {:>10.1} {:>10.1} {:>7.3}",
            speed[0], speed[1], ratios[0], speed[2], speed[3], ratios[1]
        );
        product = [product[0] * ratios[0], product[1] * ratios[1]];
    }
    let mean = product.map(|product: f64| product.powf(1.0 / CASES.len() as f64));
    println!("geometric mean of time ours / theirs: count {:.3}, bulk {:.3}", mean[0], mean[1]);
}
