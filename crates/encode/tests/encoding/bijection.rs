//! Legal moves have numbers of their own, over many positions of random games.

use keisei_encode::{Actions, Encode};
use keisei_game::{Game, Position, SplitMix64};

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) positions: u64,
    pub(crate) moves: u64,
    pub(crate) games: u64,
}

/// Plays random games from each of `starts` in turn until `wanted` positions were seen, and panics
/// at the first number that is too large, or that two legal moves share.
pub(crate) fn check<A: Actions>(starts: &[&str], seed: u64, wanted: u64) -> Tally {
    let mut rng = SplitMix64::new(seed);
    let mut tally = Tally::default();
    let mut owners = vec![None; A::COUNT];
    while tally.positions < wanted {
        let start = starts[tally.games as usize % starts.len()];
        let mut game = A::Game::from_notation(start).unwrap_or_else(|e| panic!("{start}: {e}"));
        tally.games += 1;
        while game.outcome().is_none() && tally.positions < wanted {
            let moves = game.position().legal_moves();
            number_all::<A>(&game, moves.as_ref(), &mut owners);
            tally.positions += 1;
            tally.moves += moves.as_ref().len() as u64;
            game.play_unchecked(rng.choose(moves.as_ref()).expect("the game goes on"));
        }
    }
    tally
}

/// `owners` has no entry at the beginning and at the end.
fn number_all<A: Actions>(
    game: &A::Game,
    moves: &[<A::Game as Game>::Move],
    owners: &mut [Option<<A::Game as Game>::Move>],
) {
    assert!(moves.len() <= A::Game::MAX_MOVES);
    let turn = game.turn();
    for &mv in moves {
        let index = A::index(turn, mv);
        let sfen = || game.notation();
        assert!(index < A::COUNT, "{mv} has the number {index} in {}", sfen());
        if let Some(other) = owners[index].replace(mv) {
            panic!("{mv} and {other} share the number {index} in {}", sfen());
        }
    }
    for &mv in moves {
        assert_eq!(owners[A::index(turn, mv)].take(), Some(mv), "a number leads back to its move");
    }
}
