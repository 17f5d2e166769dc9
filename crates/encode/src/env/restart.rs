//! Where the episodes of an environment begin and how long they last.

use keisei_game::{Game, Outcome, Reason};

/// Decides where each episode begins and when it is cut off.
///
/// The answer should depend on the arguments alone, so that a run gives the same games whatever
/// the number of threads.
pub trait Restart<G: Game>: Send + Sync {
    /// Makes `game`, the one numbered `index`, ready for its episode numbered `episode`, from 0.
    /// It must not be over then. Returns after how many moves of the game the episode is cut off,
    /// if the rules do not end it before.
    fn restart(&self, game: &mut G, index: usize, episode: u64) -> Option<usize>;
}

/// Every episode begins where the game was created and goes on until the rules end it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

impl<G: Game> Restart<G> for Standard {
    fn restart(&self, game: &mut G, _: usize, _: u64) -> Option<usize> {
        game.reset();
        None
    }
}

/// A game on its way from a restart to its end: all that is needed to go on with it later.
#[derive(Clone, Debug)]
pub struct Episode<G> {
    /// The game as it stands.
    pub game: G,
    /// How many episodes were played before this one.
    pub number: u64,
    /// The number of moves of the game at which the episode is cut off.
    pub cut_at: Option<usize>,
}

impl<G: Game> Episode<G> {
    /// The first episode of the game numbered `index`.
    pub(super) fn begin(mut game: G, index: usize, restart: &impl Restart<G>) -> Self {
        let cut_at = restart.restart(&mut game, index, 0);
        Self { game, number: 0, cut_at }
    }

    /// Goes on to the next episode.
    pub(super) fn next(&mut self, index: usize, restart: &impl Restart<G>) {
        self.number += 1;
        self.cut_at = restart.restart(&mut self.game, index, self.number);
    }

    /// How the episode ended: by the rules, or because it was cut off.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().or_else(|| {
            let cut = self.cut_at.is_some_and(|limit| self.game.ply() >= limit);
            cut.then_some(Outcome::draw(Reason::MoveLimit))
        })
    }
}
