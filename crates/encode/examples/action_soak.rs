//! Looks for two legal moves with the same number in positions of random games:
//! `cargo run --release -p keisei-encode --example action_soak -- 2000000`.

#![allow(clippy::print_stdout, reason = "a report for the terminal")]

#[path = "../tests/encoding/bijection.rs"]
mod bijection;

use keisei_encode::{Actions, chess, shogi};
use keisei_game::Game;

fn main() {
    let wanted = std::env::args().nth(1).map_or(Ok(2_000_000), |count| count.parse());
    let wanted = wanted.expect("the argument is a number of positions");
    report::<shogi::Compact>(wanted);
    report::<shogi::Full>(wanted);
    report::<chess::AlphaZero>(wanted);
}

/// Panics if there are any.
fn report<A: Actions>(wanted: u64) {
    let start = A::Game::new().notation();
    let tally = bijection::check::<A>(&[&start], 20_260_101, wanted);
    println!(
        "{} {}: {} positions of {} games, {} moves, no two with the same number",
        A::Game::NAME,
        A::NAME,
        tally.positions,
        tally.games,
        tally.moves
    );
}
