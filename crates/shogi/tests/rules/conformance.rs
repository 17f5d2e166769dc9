//! The laws of every game, for shogi.

use keisei_shogi::Shogi;

use crate::random::STARTS;

#[test]
fn shogi_obeys_the_laws_of_every_game() {
    keisei_game::conformance::check::<Shogi>(&STARTS, 4, 120);
}

#[test]
fn games_that_are_over_at_the_start_obey_them_too() {
    let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
    let stuck = "8k/6G2/9/7N1/9/9/9/9/K8 w - 1";
    keisei_game::conformance::check::<Shogi>(&[mated, stuck], 1, 10);
}
