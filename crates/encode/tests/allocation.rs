//! Steps of many games allocate nothing.

// Unsafe: an allocator that counts is an allocator, and the trait of allocators is unsafe.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use keisei_encode::shogi::Compact;
use keisei_encode::{Standard, VecEnv, expand_batch};
use keisei_game::SplitMix64;
use keisei_shogi::{Game, Position, Rules, Shogi};

/// The system's allocator, counting its calls on all threads.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Short games, so that many end while somebody counts.
const LIMIT: usize = 60;

#[test]
fn steps_restarts_and_planes_allocate_nothing_once_the_games_have_been_long() {
    for threads in [1, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (ended, allocations) = pool.install(|| {
            let rules = Rules { move_limit: Some(LIMIT), ..Shogi::RULES };
            let games = (0..300).map(|_| Shogi::with_rules(Position::start(), rules));
            let mut env: VecEnv<Compact> = VecEnv::new(games, &Standard);
            let mut actions = vec![0; env.len()];
            let mut planes = vec![0.0; env.len() * 46 * 81];
            let mut rng = SplitMix64::new(0);
            let mut ended = 0;
            let mut before = 0;
            // First every game reaches the limit twice: the memory of two episodes is used in turn.
            for step in 0..LIMIT * 6 {
                if step == LIMIT * 4 {
                    before = ALLOCATIONS.load(Ordering::Relaxed);
                    ended = 0;
                }
                for (game, action) in actions.iter_mut().enumerate() {
                    *action = rng.choose(env.legal_actions(game)).unwrap();
                }
                let results = env.step(&actions, &Standard).unwrap();
                ended += results.outcomes.iter().flatten().count();
                expand_batch::<Shogi>(env.observations(), &mut planes);
            }
            (ended, ALLOCATIONS.load(Ordering::Relaxed) - before)
        });
        assert!(ended >= 300, "{ended} games ended on {threads} threads");
        assert_eq!(allocations, 0, "on {threads} threads");
    }
}
