//! Chess keeps the laws of every game.

mod common;

use common::STARTS;
use keisei_chess::Chess;

#[test]
fn chess_obeys_the_laws_of_every_game() {
    keisei_game::conformance::check::<Chess>(&STARTS, 40, 400);
}

#[test]
fn games_that_are_over_from_the_start_obey_the_laws_too() {
    let over = [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 150 120",
    ];
    keisei_game::conformance::check::<Chess>(&over, 1, 10);
}
