//! Counting leaves: the published numbers for positions that try every rule of movement.

mod common;

use std::thread;

use common::position;
use keisei_game::{Leaves, perft};

/// Deeper lines take too long here; `keisei perft --check` counts them all.
const MOST_NODES: u64 = 5_000_000;

#[test]
fn the_number_of_leaves_is_the_published_one_on_every_line_of_the_table() {
    let table: Vec<_> = include_str!("data/perft-chess.txt").lines().map(read_line).collect();
    let quick: Vec<_> = table.iter().filter(|&&(_, _, nodes)| nodes <= MOST_NODES).collect();
    assert_eq!((table.len(), quick.len()), (33, 26), "lines in the table and lines to count");
    let check = |&&(fen, depth, nodes): &&(&str, u32, u64)| {
        assert_eq!(perft(&position(fen), depth, Leaves::Count), nodes, "{fen} at depth {depth}");
    };
    thread::scope(|scope| {
        for half in [0, 1] {
            let lines = quick.iter().skip(half).step_by(2);
            scope.spawn(move || lines.for_each(check));
        }
    });
}

fn read_line(line: &str) -> (&str, u32, u64) {
    let fields: Vec<_> = line.split(';').collect();
    let [fen, depth, nodes] = fields[..] else { panic!("{line} has not three fields") };
    (fen, depth.parse().expect("a depth"), nodes.parse().expect("a count"))
}
