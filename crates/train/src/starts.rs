//! Where episodes begin, how long they last, and against whom they are played.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use keisei_encode::Restart;
use keisei_game::{Game, Rules, Side, SplitMix64};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::config::{Config, Mixture};
use crate::random::{Purpose, stream, unit};
use crate::rewind::{Line, Ring};
use crate::schedule::line;

/// Where an episode began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Start {
    /// At the standard start.
    #[default]
    Standard,
    /// This many moves before the end of an earlier game.
    Rewound(usize),
    /// After this many random moves.
    Random(usize),
}

/// How an episode is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Where it began.
    pub start: Start,
    /// How many moves of its game were played before it began.
    pub began_at: usize,
    /// Whether the players see it in a left–right mirror.
    pub mirrored: bool,
    /// The earlier self that plays along, if one does.
    pub opponent: Option<Opponent>,
}

/// An earlier self at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opponent {
    /// Its slot in the pool.
    pub slot: usize,
    /// Whether it plays the first side.
    pub plays_first: bool,
}

impl Plan {
    /// The slot of the earlier self that moves when it is `turn`'s turn, or `None` if the learner
    /// itself moves.
    pub fn mover(&self, turn: Side) -> Option<usize> {
        let opponent = self.opponent.filter(|other| other.plays_first == (turn == Side::First));
        opponent.map(|opponent| opponent.slot)
    }
}

/// An episode that has ended.
#[derive(Clone, Debug)]
pub struct Finished<G> {
    /// Its game as it ended, or was cut off.
    pub game: G,
    /// How it was played.
    pub plan: Plan,
}

impl<G: Game> Finished<G> {
    /// How many moves it had.
    pub fn length(&self) -> usize {
        self.game.ply() - self.plan.began_at
    }
}

/// Begins episodes by the settings of a run.
pub struct Starts<G: Game> {
    seed: u64,
    fresh: G,
    /// The games that episodes are rewound to.
    pub ring: Ring<G::Move>,
    /// How many earlier selves there are to play against.
    pub opponents: usize,
    /// How far the run has come, from 0 to 1.
    pub progress: f64,
    settings: Settings,
    desks: Vec<Mutex<Desk<G>>>,
}

#[derive(Clone, Debug)]
struct Settings {
    rewind: crate::config::Rewind,
    limits: (usize, usize),
    mirror: bool,
    opponent_share: f64,
}

/// What belongs to one of the games.
#[derive(Debug)]
struct Desk<G> {
    plan: Plan,
    finished: Option<Finished<G>>,
}

impl<G: Game> Starts<G> {
    /// Begins the episodes of a new run.
    pub fn new(config: &Config, seed: u64) -> Self {
        let limit = config.env.max_moves_per_game;
        let ring = match config.rewind.enabled {
            true => Ring::seeded::<G>(&config.rewind, seed, limit),
            false => Ring::new(&config.rewind),
        };
        Self::resume(config, seed, ring, &vec![Plan::default(); config.rollout.games])
    }

    /// Goes on with a run whose games are played by `plans`.
    pub fn resume(config: &Config, seed: u64, ring: Ring<G::Move>, plans: &[Plan]) -> Self {
        let max = config.env.max_moves_per_game;
        let desk = |&plan: &Plan| Mutex::new(Desk { plan, finished: None });
        Self {
            seed,
            fresh: G::new_with(Rules::LEARNING),
            ring,
            opponents: 0,
            progress: 0.0,
            settings: Settings {
                rewind: config.rewind.clone(),
                limits: (config.env.min_moves_per_game.unwrap_or(max), max),
                mirror: config.env.mirror,
                opponent_share: config.opponents.share,
            },
            desks: plans.iter().map(desk).collect(),
        }
    }

    /// How each game is played now.
    pub fn plans(&mut self) -> Vec<Plan> {
        self.desks.iter_mut().map(|desk| unpoisoned(desk).plan).collect()
    }

    /// Takes the episode of `game` that ended in the last step, if one did.
    pub fn take_finished(&mut self, game: usize) -> Option<Finished<G>> {
        unpoisoned(&mut self.desks[game]).finished.take()
    }

    /// Keeps the last moves of games that somebody won, to rewind to: those that ended with the
    /// move numbered `step`.
    pub fn keep(&mut self, step: u64, finished: &[&Finished<G>]) {
        let rewind = &self.settings.rewind;
        if !rewind.enabled {
            return;
        }
        let line = |(number, finished): (usize, &&Finished<G>)| {
            let rewound = matches!(finished.plan.start, Start::Rewound(_));
            let mut rng = stream(self.seed, Purpose::Keep, step, number as u64);
            let kept = !rewound || unit(&mut rng) < rewind.keep_rewound;
            kept.then(|| Line::of(&finished.game, rewind.depth_max))?
        };
        let lines: Vec<_> = finished.par_iter().enumerate().map(line).collect();
        lines.into_iter().flatten().for_each(|line| self.ring.push(line));
    }

    fn desk(&self, game: usize) -> MutexGuard<'_, Desk<G>> {
        self.desks[game].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game for the place numbered `index`, where it begins, and after how many moves of it it is
    /// cut off.
    fn draw(&self, index: usize, rng: &mut SplitMix64) -> (G, Start, usize) {
        let (min, max) = self.settings.limits;
        let limit = min + rng.below(max - min + 1);
        let rewind = &self.settings.rewind;
        let share = line(rewind.share, rewind.share_end, self.progress);
        // A point between 0 and 1: below the first share, in the second, or beyond both.
        let kind = match rewind.mixture {
            _ if !rewind.enabled => 1.0,
            Mixture::Episodes => unit(rng),
            Mixture::Games => (index as f64 + 0.5) / self.desks.len() as f64,
        };
        if kind < share
            && let Some((game, depth)) = self.ring.draw::<G>(rng)
        {
            let cut = game.ply() + rewind.cut_factor * depth + rewind.cut_extra;
            return (game, Start::Rewound(depth), cut);
        }
        let mut game = self.fresh.clone();
        if (share..share + rewind.random_share).contains(&kind) {
            let plies = 1 + rng.below(rewind.random_plies);
            keisei_game::random_game(&mut game, rng.next_u64(), plies);
            if game.outcome().is_none() {
                return (game, Start::Random(plies), limit.max(plies + 1));
            }
            game.reset();
        }
        (game, Start::Standard, limit)
    }
}

impl<G: Game> Restart<G> for Starts<G> {
    fn restart(&self, game: &mut G, index: usize, episode: u64) -> Option<usize> {
        let mut rng = stream(self.seed, Purpose::Start, index as u64, episode);
        let (next, start, cut_at) = self.draw(index, &mut rng);
        let opposed = self.opponents > 0 && unit(&mut rng) < self.settings.opponent_share;
        let plan = Plan {
            start,
            began_at: next.ply(),
            mirrored: self.settings.mirror && rng.below(2) == 0,
            opponent: opposed.then(|| Opponent {
                slot: rng.below(self.opponents),
                plays_first: rng.below(2) == 0,
            }),
        };
        let played = mem::replace(game, next);
        let mut desk = self.desk(index);
        let earlier = mem::replace(&mut desk.plan, plan);
        // Nothing was played before the first episode.
        desk.finished = (episode > 0).then_some(Finished { game: played, plan: earlier });
        Some(cut_at)
    }
}

/// The content of a mutex that nobody else can hold. A panic while it was held cannot have left it
/// half changed: each desk is written in one piece.
fn unpoisoned<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Env, Mixture, Opponents, Rewind, Rollout};
    use keisei_shogi::Shogi;

    fn config() -> Config {
        Config {
            env: Env { max_moves_per_game: 90, min_moves_per_game: Some(70), ..Env::default() },
            rollout: Rollout { games: 4, ..Rollout::default() },
            rewind: Rewind {
                seed_games: 0,
                mixture: Mixture::Episodes,
                share: 0.6,
                share_end: 0.2,
                ..Rewind::default()
            },
            opponents: Opponents { share: 0.5, ..Opponents::default() },
            ..Config::default()
        }
    }

    /// Starts with some kept games.
    fn starts(config: &Config) -> Starts<Shogi> {
        let mut starts = Starts::new(config, 5);
        let seeded = Rewind { seed_games: 10, ..Rewind::default() };
        starts.ring = Ring::seeded::<Shogi>(&seeded, 1, 500);
        assert!(!starts.ring.is_empty());
        starts
    }

    /// The plans and limits of many episodes.
    fn episodes(starts: &mut Starts<Shogi>, count: u64) -> Vec<(Plan, usize, Shogi)> {
        let begin = |episode| {
            let mut game = Shogi::new_with(Rules::LEARNING);
            let cut = starts.restart(&mut game, 2, episode).unwrap();
            (starts.plans()[2], cut, game)
        };
        (0..count).map(begin).collect()
    }

    fn share(episodes: &[(Plan, usize, Shogi)], of: impl Fn(&Plan) -> bool) -> f64 {
        episodes.iter().filter(|(plan, ..)| of(plan)).count() as f64 / episodes.len() as f64
    }

    #[test]
    fn episodes_begin_in_the_configured_mixture_and_are_cut_off_by_where_they_began() {
        let mut starts = starts(&config());
        for (progress, rewound) in [(0.0, 0.6), (0.5, 0.4), (1.0, 0.2)] {
            starts.progress = progress;
            let episodes = episodes(&mut starts, 2000);
            for (plan, cut, game) in &episodes {
                match plan.start {
                    Start::Rewound(depth) => {
                        assert_eq!(*cut, game.ply() + 2 * depth + 6);
                        assert!(depth <= 3 && plan.began_at == game.ply());
                    }
                    Start::Random(plies) => {
                        assert_eq!((game.ply(), plan.began_at), (plies, plies));
                        assert!((70..=90).contains(cut) && plies <= 60);
                    }
                    Start::Standard => assert!((70..=90).contains(cut) && game.ply() == 0),
                }
                assert!(game.outcome().is_none());
            }
            let found = share(&episodes, |plan| matches!(plan.start, Start::Rewound(_)));
            assert!((found - rewound).abs() < 0.04, "{found} instead of {rewound}");
            let random = share(&episodes, |plan| matches!(plan.start, Start::Random(_)));
            assert!((random - 0.1).abs() < 0.03, "{random}");
        }
    }

    #[test]
    fn in_a_mixture_of_games_each_place_keeps_its_kind_of_beginning() {
        let mut config = config();
        config.rollout.games = 20;
        config.rewind.mixture = Mixture::Games;
        let mut starts = starts(&config);
        for (progress, rewound) in [(0.0, 12), (1.0, 4)] {
            starts.progress = progress;
            for episode in 0..3 {
                for index in 0..20 {
                    starts.restart(&mut Shogi::new_with(Rules::LEARNING), index, episode);
                }
                let plans = starts.plans();
                let is = |test: fn(&Start) -> bool| plans.iter().filter(|p| test(&p.start)).count();
                assert_eq!(is(|start| matches!(start, Start::Rewound(_))), rewound);
                assert_eq!(is(|start| matches!(start, Start::Random(_))), 2);
                assert!(plans[..rewound].iter().all(|p| matches!(p.start, Start::Rewound(_))));
            }
        }
    }

    #[test]
    fn without_kept_positions_or_without_rewinding_episodes_begin_at_the_start() {
        let off = Config { rewind: Rewind { enabled: false, ..config().rewind }, ..config() };
        let mut without = starts(&off);
        assert_eq!(share(&episodes(&mut without, 100), |p| p.start == Start::Standard), 1.0);
        let mut empty = Starts::<Shogi>::new(&config(), 5);
        let share = share(&episodes(&mut empty, 500), |p| p.start == Start::Standard);
        assert!(share > 0.85, "{share}");
    }

    #[test]
    fn earlier_selves_play_their_share_with_either_colour_and_from_every_slot() {
        let mut starts = starts(&config());
        assert_eq!(share(&episodes(&mut starts, 100), |plan| plan.opponent.is_some()), 0.0);
        starts.opponents = 3;
        let episodes = episodes(&mut starts, 2000);
        let opposed = share(&episodes, |plan| plan.opponent.is_some());
        assert!((opposed - 0.5).abs() < 0.04, "{opposed}");
        for slot in 0..3 {
            for plays_first in [true, false] {
                let opponent = Some(Opponent { slot, plays_first });
                let found = share(&episodes, |plan| plan.opponent == opponent);
                assert!((found - 1.0 / 12.0).abs() < 0.03, "{opponent:?}: {found}");
            }
        }
        let plan =
            Plan { opponent: Some(Opponent { slot: 2, plays_first: true }), ..Plan::default() };
        assert_eq!((plan.mover(Side::First), plan.mover(Side::Second)), (Some(2), None));
    }

    #[test]
    fn the_same_game_and_episode_begin_alike_and_others_differently() {
        let mut starts = starts(&config());
        let first: Vec<_> = episodes(&mut starts, 50).iter().map(|e| (e.0, e.1)).collect();
        let again: Vec<_> = episodes(&mut starts, 50).iter().map(|e| (e.0, e.1)).collect();
        assert_eq!(first, again);
        assert!(first.windows(2).any(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn a_finished_game_is_kept_until_it_is_taken_but_there_is_none_before_the_first() {
        let mut starts = starts(&config());
        let mut game = Shogi::new_with(Rules::LEARNING);
        starts.restart(&mut game, 1, 0);
        assert!(starts.take_finished(1).is_none());
        let plan = starts.plans()[1];
        keisei_game::random_game(&mut game, 3, 4);
        let played = game.clone();
        starts.restart(&mut game, 1, 1);
        let finished = starts.take_finished(1).unwrap();
        assert_eq!((finished.game.moves(), finished.plan), (played.moves(), plan));
        assert!(starts.take_finished(1).is_none());
    }
}
