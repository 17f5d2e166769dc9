//! Counts agreed by independent generators.

use keisei_game::{Leaves, perft};
use keisei_shogi::Position;

/// Lines deeper than this are checked by `keisei perft --check` in a release build.
const MOST_NODES: u64 = 2_000_000;

#[test]
fn perft_counts_agree_with_independent_generators() {
    let mut checked = 0;
    for line in include_str!("data/perft-shogi.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split(';').collect();
        let &[sfen, depth, count] = &fields[..] else { panic!("bad line {line:?}") };
        let (depth, count): (u32, u64) = (depth.parse().unwrap(), count.parse().unwrap());
        if count > MOST_NODES {
            continue;
        }
        let position: Position = sfen.parse().unwrap();
        for leaves in [Leaves::Bulk, Leaves::Count, Leaves::Make] {
            assert_eq!(perft(&position, depth, leaves), count, "{line} {leaves:?}");
        }
        checked += 1;
    }
    assert!(checked >= 20, "only {checked} lines were small enough");
}

#[test]
fn two_thousand_positions_have_the_legal_moves_that_four_generators_count() {
    let mut checked = 0;
    for line in
        include_str!("data/legal-move-counts.tsv").lines().filter(|line| !line.starts_with('#'))
    {
        let fields: Vec<_> = line.split('\t').collect();
        let &[sfen, moves, two] = &fields[..] else { panic!("bad line {line:?}") };
        let position: Position = sfen.parse().unwrap_or_else(|e| panic!("{sfen}: {e}"));
        assert_eq!(position.legal_moves().len(), moves.parse::<usize>().unwrap(), "{sfen}");
        let counted = perft(&position, 2, Leaves::Count);
        assert_eq!(counted, two.parse::<u64>().unwrap(), "{sfen}");
        checked += 1;
    }
    assert_eq!(checked, 2000);
}
