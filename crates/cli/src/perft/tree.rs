//! Counting a tree of moves on several threads.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use keisei_game::{Leaves, Position, perft};

/// A part of the tree: the position at its top, and the move of the root it lies below.
struct Job<P> {
    root: usize,
    position: P,
}

/// The [`perft`] of each legal move of `position`. `counted` hears of every part that is done.
pub(super) fn divide<P: Position + Send + Sync>(
    position: &P,
    depth: u32,
    leaves: Leaves,
    threads: usize,
    counted: &(impl Fn(u64) + Sync),
) -> Vec<(P::Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    let moves = moves.as_ref();
    let (jobs, depth) = split(position, moves, depth - 1, threads);
    let totals: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let nodes = perft(&job.position, depth, leaves);
            totals[job.root].fetch_add(nodes, Ordering::Relaxed);
            counted(nodes);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(jobs.len()) {
            scope.spawn(work);
        }
        work();
    });
    moves.iter().copied().zip(totals.into_iter().map(AtomicU64::into_inner)).collect()
}

/// The whole count, of which `branches` are the parts. An empty sequence of moves is one sequence.
pub(super) fn total<M>(branches: &[(M, u64)], depth: u32) -> u64 {
    if depth == 0 { 1 } else { branches.iter().map(|(_, nodes)| nodes).sum() }
}

/// Jobs of about equal size, and the depth that is left below each: enough of them that no thread
/// is idle for long.
fn split<P: Position>(
    position: &P,
    moves: &[P::Move],
    mut depth: u32,
    threads: usize,
) -> (Vec<Job<P>>, u32) {
    const JOBS_PER_THREAD: usize = 32;
    // Splitting further than this costs more than it gains.
    const LEAST_DEPTH: u32 = 2;

    let after = |position: &P, mv| {
        let mut child = position.clone();
        child.play_unchecked(mv);
        child
    };
    let roots = moves.iter().enumerate();
    let mut jobs: Vec<_> =
        roots.map(|(root, &mv)| Job { root, position: after(position, mv) }).collect();
    while threads > 1 && jobs.len() < threads * JOBS_PER_THREAD && depth > LEAST_DEPTH {
        let mut finer = Vec::new();
        for Job { root, position } in &jobs {
            let replies = position.legal_moves();
            let replies = replies.as_ref().iter();
            finer.extend(replies.map(|&mv| Job { root: *root, position: after(position, mv) }));
        }
        if finer.is_empty() {
            break;
        }
        jobs = finer;
        depth -= 1;
    }
    (jobs, depth)
}

#[cfg(test)]
mod tests {
    use keisei_game::{Game, divide as serial};
    use keisei_shogi::Shogi;

    use super::*;

    #[test]
    fn any_number_of_threads_gives_the_counts_of_one_thread() {
        let game = Shogi::from_notation(
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        )
        .unwrap();
        for depth in 1..=3 {
            let expected: Vec<_> = serial(game.position(), depth, Leaves::Bulk).collect();
            for threads in [1, 2, 7, 100] {
                let counted = AtomicU64::new(0);
                let count = |nodes| {
                    counted.fetch_add(nodes, Ordering::Relaxed);
                };
                let found = divide(game.position(), depth, Leaves::Bulk, threads, &count);
                assert_eq!(found, expected, "depth {depth}, {threads} threads");
                assert_eq!(counted.into_inner(), total(&found, depth));
            }
        }
    }

    #[test]
    fn lines_that_end_before_the_depth_count_nothing() {
        let position: keisei_shogi::Position = "4k4/9/4G4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
        let branches = divide(&position, 2, Leaves::Bulk, 4, &|_| {});
        let below = |text: &str| branches.iter().find(|(mv, _)| mv.to_string() == text).unwrap().1;
        assert_eq!(below("G*5b"), 0, "mate");
        assert!(below("G*5e") > 0);
    }

    #[test]
    fn the_empty_line_is_the_one_line_of_depth_zero() {
        assert_eq!(total::<()>(&[], 0), 1);
        assert_eq!(total::<()>(&[], 3), 0, "a position without moves");
    }
}
