//! Where episodes begin, how long they last, and against whom they are played.

use keisei_cluster::Communicator;
use keisei_encode::{Begun, Episode, Restart};
use keisei_game::{Game, Rules, Side, SplitMix64};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::config::{Env, Mixture, Opponents, Rewind};
use crate::random::{Purpose, stream};
use crate::rewind::{LastMoves, Ring};
use crate::schedule::lerp;

/// Where an episode began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Beginning {
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
    pub start: Beginning,
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

    /// Has the episode go on after only the selves in these slots were `kept`, each now in the slot
    /// of its place here. Where the earlier self is gone, another plays on.
    pub(crate) fn move_opponent(&mut self, kept: &[usize]) {
        self.opponent = self.opponent.and_then(|opponent| {
            let stays = kept.iter().position(|&slot| slot == opponent.slot);
            let slot = stays.or_else(|| opponent.slot.checked_rem(kept.len()))?;
            Some(Opponent { slot, ..opponent })
        });
    }

    /// Whether the episode began shortly before the end of an earlier game.
    pub fn is_rewound(&self) -> bool {
        matches!(self.start, Beginning::Rewound(_))
    }
}

/// Begins episodes by the settings of a run.
pub struct Curriculum<G: Game> {
    /// The games that episodes are rewound to.
    pub ring: Ring<G::Move>,
    /// How many earlier selves there are to play against.
    pub opponents: usize,
    /// How far the run has come, from 0 to 1.
    pub progress: f64,
    seed: u64,
    /// How many games are played at once, by all ranks together.
    games: usize,
    /// The number of this rank's first game.
    first_game: usize,
    /// What is to be kept of the games that ended in this rollout: step, game, last moves.
    pending: Vec<(u64, usize, LastMoves<G::Move>)>,
    fresh: G,
    rewind: Rewind,
    /// The fewest and the most moves before a game from the start is truncated.
    limits: (usize, usize),
    mirror: bool,
    opponent_share: f64,
}

impl<G: Game> Curriculum<G> {
    /// Begins episodes of `games` games at once, some of them shortly before the ends of those in
    /// `ring`.
    pub fn new(
        env: &Env,
        rewind: &Rewind,
        opponents: &Opponents,
        ring: Ring<G::Move>,
        games: usize,
        seed: u64,
    ) -> Self {
        let max = env.max_moves_per_game;
        Self {
            ring,
            opponents: 0,
            progress: 0.0,
            seed,
            games,
            first_game: 0,
            pending: Vec::new(),
            fresh: G::new_with(Rules::LEARNING),
            rewind: rewind.clone(),
            limits: (env.min_moves_per_game.unwrap_or(max), max),
            mirror: env.mirror,
            opponent_share: opponents.share,
        }
    }

    /// The same for a rank whose games begin with this number.
    #[must_use]
    pub fn from_game(self, first_game: usize) -> Self {
        Self { first_game, ..self }
    }

    /// Puts aside the last moves of games whose ends are kept (see [`LastMoves::of`]), to rewind
    /// to: those of places that ended with the move numbered `step`.
    pub fn keep(&mut self, step: u64, finished: &[(usize, &Episode<G, Plan>)]) {
        let rewind = &self.rewind;
        if !rewind.enabled {
            return;
        }
        let last_moves = |&(index, episode): &(usize, &Episode<G, Plan>)| {
            let game = self.first_game + index;
            let mut rng = stream(self.seed, Purpose::Keep, game as u64, step);
            let kept = !episode.plan.is_rewound() || rng.unit() < rewind.keep_rewound;
            let moves = kept.then(|| LastMoves::of(&episode.game, rewind))??;
            Some((step, game, moves))
        };
        let kept: Vec<_> = finished.par_iter().map(last_moves).collect();
        self.pending.extend(kept.into_iter().flatten());
    }

    /// Takes into the ring what all ranks have put aside, in the order of steps and games: all of
    /// them rewind to the same games.
    pub fn take_in(&mut self, ranks: &dyn Communicator) {
        let mut kept = std::mem::take(&mut self.pending);
        if ranks.size() > 1 {
            let text = |(step, game, moves): &(u64, usize, LastMoves<G::Move>)| {
                (*step, *game, moves.to_text())
            };
            let read = |(step, game, (base, moves)): &(u64, usize, (String, String))| {
                let moves = LastMoves::from_text::<G>(base, moves);
                (*step, *game, moves.expect("another rank has played it"))
            };
            let all = ranks.collect(kept.iter().map(text).collect::<Vec<_>>());
            kept = all.par_iter().flatten().map(read).collect();
            kept.sort_by_key(|(step, game, _)| (*step, *game));
        }
        kept.into_iter().for_each(|(.., moves)| self.ring.push(moves));
    }

    /// A game for the place numbered `index`, where it begins, and after how many moves of it it is
    /// truncated.
    fn draw(&self, index: usize, rng: &mut SplitMix64) -> (G, Beginning, usize) {
        let (min, max) = self.limits;
        let limit = min + rng.below(max - min + 1);
        let rewind = &self.rewind;
        let share = lerp(rewind.share, rewind.share_end, self.progress);
        // A point between 0 and 1: below the first share, in the second, or beyond both.
        let kind = match rewind.mixture {
            _ if !rewind.enabled => 1.0,
            Mixture::Episodes => rng.unit(),
            Mixture::Games => (index as f64 + 0.5) / self.games as f64,
        };
        if kind < share
            && let Some((game, depth)) = self.ring.draw::<G>(rng)
        {
            let limit = game.ply() + rewind.cut_factor * depth + rewind.cut_extra;
            return (game, Beginning::Rewound(depth), limit);
        }
        let mut game = self.fresh.clone();
        if (share..share + rewind.random_share).contains(&kind) {
            let plies = 1 + rng.below(rewind.random_plies);
            keisei_game::random_game(&mut game, rng.next_u64(), plies);
            if game.outcome().is_none() {
                return (game, Beginning::Random(plies), limit.max(plies + 1));
            }
            game.reset();
        }
        (game, Beginning::Standard, limit)
    }
}

impl<G: Game> Restart<G> for Curriculum<G> {
    type Plan = Plan;

    fn restart(&self, game: &mut G, index: usize, episode: u64) -> Begun<Plan> {
        let index = self.first_game + index;
        let mut rng = stream(self.seed, Purpose::Episode, index as u64, episode);
        let (next, start, limit) = self.draw(index, &mut rng);
        *game = next;
        let opposed = self.opponents > 0 && rng.unit() < self.opponent_share;
        let plan = Plan {
            start,
            began_at: game.ply(),
            mirrored: self.mirror && rng.below(2) == 0,
            opponent: opposed.then(|| Opponent {
                slot: rng.below(self.opponents),
                plays_first: rng.below(2) == 0,
            }),
        };
        Begun { plan, truncate_at: Some(limit) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mixture;
    use keisei_shogi::Shogi;

    const SHARE: f64 = 0.6;

    fn rewind() -> Rewind {
        Rewind { mixture: Mixture::Episodes, share: SHARE, share_end: 0.2, ..Rewind::default() }
    }

    /// A curriculum over `games` games with some kept ones.
    fn curriculum(rewind: &Rewind, games: usize) -> Curriculum<Shogi> {
        let seeded = Rewind { seed_games: 10, ..Rewind::default() };
        let ring = Ring::seeded::<Shogi>(&seeded, 1, 500);
        assert!(!ring.is_empty());
        with_ring(rewind, ring, games)
    }

    fn with_ring(
        rewind: &Rewind,
        ring: Ring<keisei_shogi::Move>,
        games: usize,
    ) -> Curriculum<Shogi> {
        let env = Env { max_moves_per_game: 90, min_moves_per_game: Some(70), ..Env::default() };
        let opponents = Opponents { share: 0.5, ..Opponents::default() };
        Curriculum::new(&env, rewind, &opponents, ring, games, 5)
    }

    /// The plans and limits of many episodes.
    fn episodes(curriculum: &Curriculum<Shogi>, count: u64) -> Vec<(Plan, usize, Shogi)> {
        let begin = |episode| {
            let mut game = Shogi::new_with(Rules::LEARNING);
            let Begun { plan, truncate_at } = curriculum.restart(&mut game, 2, episode);
            (plan, truncate_at.unwrap(), game)
        };
        (0..count).map(begin).collect()
    }

    fn share(episodes: &[(Plan, usize, Shogi)], of: impl Fn(&Plan) -> bool) -> f64 {
        episodes.iter().filter(|(plan, ..)| of(plan)).count() as f64 / episodes.len() as f64
    }

    #[test]
    fn episodes_begin_in_the_configured_mixture_and_are_cut_off_by_where_they_began() {
        let mut curriculum = curriculum(&rewind(), 4);
        for (progress, rewound) in [(0.0, 0.6), (0.5, 0.4), (1.0, 0.2)] {
            curriculum.progress = progress;
            let episodes = episodes(&curriculum, 2000);
            for (plan, cut, game) in &episodes {
                match plan.start {
                    Beginning::Rewound(depth) => {
                        assert_eq!(*cut, game.ply() + 2 * depth + 6);
                        assert!(depth <= 3 && plan.began_at == game.ply());
                    }
                    Beginning::Random(plies) => {
                        assert_eq!((game.ply(), plan.began_at), (plies, plies));
                        assert!((70..=90).contains(cut) && plies <= 60);
                    }
                    Beginning::Standard => assert!((70..=90).contains(cut) && game.ply() == 0),
                }
                assert!(game.outcome().is_none());
            }
            let found = share(&episodes, Plan::is_rewound);
            assert!((found - rewound).abs() < 0.04, "{found} instead of {rewound}");
            let random = share(&episodes, |plan| matches!(plan.start, Beginning::Random(_)));
            assert!((random - 0.1).abs() < 0.03, "{random}");
        }
    }

    #[test]
    fn in_a_mixture_of_games_each_place_keeps_its_kind_of_beginning() {
        let mut curriculum = curriculum(&Rewind { mixture: Mixture::Games, ..rewind() }, 20);
        for (progress, rewound) in [(0.0, 12), (1.0, 4)] {
            curriculum.progress = progress;
            for episode in 0..3 {
                let begin = |index| {
                    curriculum.restart(&mut Shogi::new_with(Rules::LEARNING), index, episode).plan
                };
                let plans: Vec<_> = (0..20).map(begin).collect();
                let random = |plan: &&Plan| matches!(plan.start, Beginning::Random(_));
                assert_eq!(plans.iter().filter(|plan| plan.is_rewound()).count(), rewound);
                assert_eq!(plans.iter().filter(random).count(), 2);
                assert!(plans[..rewound].iter().all(Plan::is_rewound));
            }
        }
    }

    #[test]
    fn without_kept_positions_or_without_rewinding_episodes_begin_at_the_start() {
        let without = curriculum(&Rewind { enabled: false, ..rewind() }, 4);
        assert_eq!(share(&episodes(&without, 100), |p| p.start == Beginning::Standard), 1.0);
        let empty = with_ring(&rewind(), Ring::new(&rewind()), 4);
        let share = share(&episodes(&empty, 500), |p| p.start == Beginning::Standard);
        assert!(share > 0.85, "{share}");
    }

    #[test]
    fn earlier_selves_play_their_share_with_either_colour_and_from_every_slot() {
        let mut curriculum = curriculum(&rewind(), 4);
        assert_eq!(share(&episodes(&curriculum, 100), |plan| plan.opponent.is_some()), 0.0);
        curriculum.opponents = 3;
        let episodes = episodes(&curriculum, 2000);
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
    fn an_episode_keeps_its_earlier_self_and_meets_another_if_that_is_gone() {
        let moved = |slot, kept: &[usize]| {
            let opponent = Some(Opponent { slot, plays_first: true });
            let mut plan = Plan { opponent, ..Plan::default() };
            plan.move_opponent(kept);
            plan.opponent.map(|opponent| (opponent.slot, opponent.plays_first))
        };
        assert_eq!((0..4).map(|slot| moved(slot, &[0, 1, 2, 3]).unwrap().0).sum::<usize>(), 6);
        assert_eq!([1, 3].map(|slot| moved(slot, &[1, 3])), [Some((0, true)), Some((1, true))]);
        assert_eq!([0, 2].map(|slot| moved(slot, &[1, 3])), [Some((0, true)); 2]);
        assert_eq!(moved(2, &[]), None);
    }

    #[test]
    fn the_same_game_and_episode_begin_alike_and_others_differently() {
        let curriculum = curriculum(&rewind(), 4);
        let first: Vec<_> = episodes(&curriculum, 50).iter().map(|e| (e.0, e.1)).collect();
        let again: Vec<_> = episodes(&curriculum, 50).iter().map(|e| (e.0, e.1)).collect();
        assert_eq!(first, again);
        assert!(first.windows(2).any(|pair| pair[0] != pair[1]));
    }
}
