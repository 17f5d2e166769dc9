//! Games between two players: the same openings with both colours.

use std::error::Error;
use std::time::Instant;

use keisei_game::{Game, Outcome, Reason, Rules, Side};

use super::player::Player;
use super::score::Score;
use crate::random::{Purpose, stream};

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// How many games: two for each opening.
    pub games: usize,
    /// How many random moves an opening has.
    pub opening_plies: usize,
    /// After how many moves a game is cut off.
    pub limit: usize,
    /// What the openings follow from.
    pub seed: u64,
    /// When to stop, with the games finished by then.
    pub deadline: Instant,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played<G> {
    /// The game as it ended.
    pub game: G,
    /// The side that the first player had.
    pub side: Side,
    /// How it ended, or `None` if there was no time left.
    pub outcome: Option<Outcome>,
}

/// Plays all games at once, move by move.
pub fn play<G: Game>(
    conditions: &Conditions,
    player: &mut dyn Player<G>,
    opponent: &mut dyn Player<G>,
) -> Result<Vec<Played<G>>, Box<dyn Error>> {
    let begin = |number: usize| Played {
        game: opening(conditions, number / 2),
        side: Side::ALL[number % 2],
        outcome: None,
    };
    let mut games: Vec<Played<G>> = (0..conditions.games).map(begin).collect();
    while Instant::now() < conditions.deadline && games.iter().any(|game| game.outcome.is_none()) {
        play_waiting(&mut games, player, true, conditions.limit)?;
        play_waiting(&mut games, opponent, false, conditions.limit)?;
    }
    Ok(games)
}

/// Lets `mover` play in the games that wait for it: those where the first player is to move if
/// `own_turn`, otherwise the others.
fn play_waiting<G: Game>(
    games: &mut [Played<G>],
    mover: &mut dyn Player<G>,
    own_turn: bool,
    limit: usize,
) -> Result<(), Box<dyn Error>> {
    let waits = |played: &Played<G>| {
        played.outcome.is_none() && (played.game.turn() == played.side) == own_turn
    };
    let mut waiting: Vec<_> = games.iter_mut().filter(|played| waits(played)).collect();
    let positions: Vec<_> = waiting.iter().map(|played| &played.game).collect();
    if positions.is_empty() {
        return Ok(());
    }
    let moves = mover.choose(&positions)?;
    for (played, mv) in waiting.iter_mut().zip(moves) {
        played.game.play(mv)?;
        let cut = played.game.ply() >= limit;
        let cut = cut.then_some(Outcome::draw(Reason::MoveLimit));
        played.outcome = played.game.outcome().or(cut);
    }
    Ok(())
}

/// The game after the random moves of its pair; the start if they end it.
fn opening<G: Game>(conditions: &Conditions, pair: usize) -> G {
    let mut game = G::new_with(Rules::LEARNING);
    let seed = stream(conditions.seed, Purpose::Opening, pair as u64, 0).next_u64();
    keisei_game::random_game(&mut game, seed, conditions.opening_plies);
    if game.outcome().is_some() {
        game.reset();
    }
    game
}

/// The first player's score over the games that were finished.
pub fn score<G>(games: &[Played<G>]) -> Score {
    let mut score = Score::default();
    for played in games {
        let Some(outcome) = played.outcome else { continue };
        match outcome.winner() {
            Some(side) if side == played.side => score.wins += 1,
            Some(_) => score.losses += 1,
            None => score.draws += 1,
        }
        score.truncated += usize::from(outcome.truncated());
    }
    score
}
