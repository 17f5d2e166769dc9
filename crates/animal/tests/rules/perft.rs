//! Perft tables, checked by both generators.

use keisei_game::{Leaves, perft};

use super::naive::Naive;
use super::position;

/// Counts beyond this are for `keisei perft --check`.
const QUICK: u64 = 3_000_000;
/// The naive generator is much slower.
const NAIVE: u64 = 400_000;

/// The lines `position;depth;count` of a table.
fn table(text: &str) -> impl Iterator<Item = (&str, u32, u64)> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split(';').collect();
        (fields[0], fields[1].parse().unwrap(), fields[2].parse().unwrap())
    })
}

#[test]
fn perft_counts_are_those_of_the_table() {
    for (start, depth, count) in table(include_str!("../data/perft-animal.txt")) {
        if count <= QUICK {
            assert_eq!(perft(&position(start), depth, Leaves::Bulk), count, "{start} {depth}");
        }
        if count <= NAIVE {
            assert_eq!(Naive::read(start).perft(depth), count, "{start} {depth}, naive");
        }
    }
}

#[test]
fn by_the_rules_of_fairy_stockfish_the_naive_generator_counts_what_it_counts() {
    for (start, depth, count) in table(include_str!("../data/perft-fairy-stockfish.txt")) {
        assert_eq!(Naive::read(start).fairy_perft(depth), count, "{start} {depth}");
    }
}
