//! Programs that play, well-behaved and not.

mod real;
mod scripted;

use keisei_engine::{Answer, Arena, Limits, Player, PlayerError, Signal};
use keisei_game::Game;

/// What `player` answers in `game`.
fn answer<G: Arena>(
    player: &mut impl Player<G>,
    game: &G,
    limits: &Limits,
) -> Result<Answer<G::Move>, PlayerError> {
    player.think(game, limits, &Signal::new(), &mut |_| ())
}

/// A game after these moves.
fn after<G: Game>(moves: &[&str]) -> G {
    let mut game = G::new();
    for text in moves {
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        game.play(mv).unwrap();
    }
    game
}
