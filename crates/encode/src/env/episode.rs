//! Where the episodes of an environment begin and how long they last.

use keisei_game::{Game, Outcome, Reason};

/// Decides where each episode begins and when it is cut off.
///
/// The answer should depend on the arguments alone, so that a run gives the same games whatever
/// the number of threads.
pub trait Restart<G: Game>: Sync {
    /// What an episode is to remember of how it is played, from its beginning to its end.
    type Plan: Send + Sync;

    /// Makes `game`, the one numbered `index`, ready for its episode numbered `episode`, from 0.
    /// It is one that was given before, in any state; it must not be over afterwards.
    fn restart(&self, game: &mut G, index: usize, episode: u64) -> Begun<Self::Plan>;
}

/// What is decided when an episode begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun<P> {
    /// Kept with the episode.
    pub plan: P,
    /// The number of moves of the game at which the episode is truncated, if the rules do not end
    /// it before.
    pub truncate_at: Option<usize>,
}

/// Every episode begins where the game was created and goes on until the rules end it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

impl<G: Game> Restart<G> for Standard {
    type Plan = ();

    fn restart(&self, game: &mut G, _: usize, _: u64) -> Begun<()> {
        game.reset();
        Begun { plan: (), truncate_at: None }
    }
}

/// A game on its way from a restart to its end: all that is needed to go on with it later.
#[derive(Clone, Debug)]
pub struct Episode<G, P = ()> {
    /// The game as it stands.
    pub game: G,
    /// How many episodes were played before this one.
    pub number: u64,
    /// The number of moves of the game at which the episode is truncated.
    pub truncate_at: Option<usize>,
    /// What was planned for it when it began.
    pub plan: P,
}

impl<G: Game, P> Episode<G, P> {
    /// The episode numbered `number` of the game numbered `index`.
    pub(super) fn begin(
        mut game: G,
        index: usize,
        number: u64,
        restart: &impl Restart<G, Plan = P>,
    ) -> Self {
        let Begun { plan, truncate_at } = restart.restart(&mut game, index, number);
        Self { game, number, truncate_at, plan }
    }

    /// How the episode ended: by the rules, or because it was truncated.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().or_else(|| {
            let truncated = self.truncate_at.is_some_and(|limit| self.game.ply() >= limit);
            truncated.then_some(Outcome::draw(Reason::MoveLimit))
        })
    }
}

/// An episode that has ended.
#[derive(Clone, Debug)]
pub struct Finished<G, P = ()> {
    /// Its game as it ended, and its plan.
    pub episode: Episode<G, P>,
    /// How it ended.
    pub outcome: Outcome,
}
