use super::*;
use crate::config::{Config, Env, Rewind, Rollout as RolloutSettings};
use crate::rewind::Ring;
use keisei_encode::shogi::{Compact, Packed};
use keisei_net::Evaluation;
use keisei_shogi::Shogi;

const GAMES: usize = 12;

/// Any move is as good as any other; the value of a position is some function of it.
struct Telltale;

fn value_of(observation: &Packed) -> f32 {
    let sum: u32 = observation.as_ref().iter().zip(1..).map(|(&byte, n)| u32::from(byte) * n).sum();
    (sum % 199) as f32 / 100.0 - 1.0
}

impl Evaluator<Packed> for Telltale {
    fn evaluate(&mut self, observations: &[Packed], legal: &[&[u32]]) -> Vec<Evaluation> {
        let evaluation = |(observation, legal): (&Packed, &&[u32])| Evaluation {
            value: value_of(observation),
            policy: vec![1.0 / legal.len() as f32; legal.len()],
        };
        observations.iter().zip(legal).map(evaluation).collect()
    }
}

/// Always plays the action with the lowest number.
struct Lowest;

impl Evaluator<Packed> for Lowest {
    fn evaluate(&mut self, _: &[Packed], legal: &[&[u32]]) -> Vec<Evaluation> {
        let evaluation = |legal: &&[u32]| {
            let lowest = legal.iter().min();
            let policy = legal.iter().map(|a| f32::from(u8::from(Some(a) == lowest))).collect();
            Evaluation { value: 0.0, policy }
        };
        legal.iter().map(evaluation).collect()
    }
}

/// Short games, half of them from kept positions.
fn config() -> Config {
    Config {
        env: Env { max_moves_per_game: 9, ..Env::default() },
        rollout: RolloutSettings { games: GAMES, steps: 40 },
        rewind: Rewind { seed_games: 60, share: 0.6, cut_extra: 2, ..Rewind::default() },
        ..Config::default()
    }
}

/// Games by these settings.
struct Play {
    rollout: Rollout<Compact>,
    curriculum: Curriculum<Shogi>,
    pool: Pool<Packed>,
}

impl Play {
    fn new(config: &Config, bootstrap: bool) -> Self {
        // Seeded by games longer than those that are played.
        let ring = Ring::seeded::<Shogi>(&config.rewind, 4, 500);
        let Config { env, rewind, opponents, .. } = config;
        let curriculum = Curriculum::new(env, rewind, opponents, ring, GAMES, 4);
        let rollout = Rollout::new(&curriculum, GAMES, 4, bootstrap);
        Self { rollout, curriculum, pool: Pool::new(opponents) }
    }

    fn collect(&mut self, learner: &mut dyn Evaluator<Packed>, steps: usize) -> Collected<Shogi> {
        self.curriculum.opponents = self.pool.len();
        self.rollout.collect(learner, &mut self.pool, &mut self.curriculum, steps)
    }
}

#[test]
fn every_move_is_valued_by_what_came_of_it_whether_the_game_went_on_ended_or_was_cut_off() {
    for bootstrap in [true, false] {
        let mut play = Play::new(&config(), bootstrap);
        let collected = play.collect(&mut Telltale, 40);
        let buffer = play.rollout.buffer();
        assert_eq!(buffer.len(), 40 * GAMES);
        // γ = 1, λ = 0: a return is the reward less the opponent's value of the position after.
        buffer.finish(&collected.last_values, 1.0, 0.0, 1.0);
        let mut ended = collected.ended.iter();
        let mut seen = [0; 4];
        for step in 0..40 {
            for game in 0..GAMES {
                let next = || value_of(&buffer.stored(step + 1, game).0);
                let expected = match buffer.ending_of(step, game) {
                    Ending::None if step + 1 < 40 => -next(),
                    Ending::None => -collected.last_values[game],
                    ending => {
                        let Ended { outcome, episode, step: at } = ended.next().unwrap();
                        assert_eq!(*at, (step as u64 + 1) * GAMES as u64);
                        let mover = !episode.game.turn();
                        let rewound = episode.plan.is_rewound();
                        seen[0] += usize::from(!outcome.is_draw());
                        seen[1] += usize::from(outcome.truncated() && rewound);
                        seen[2] += usize::from(outcome.truncated() && !rewound);
                        match ending {
                            Ending::Truncated if bootstrap || rewound => {
                                -value_of(&episode.game.pack())
                            }
                            Ending::Truncated => 0.0,
                            _ => outcome.reward(mover),
                        }
                    }
                };
                let found = buffer.return_of(step, game);
                assert!((found - expected).abs() < 1e-5, "{found} instead of {expected}");
                seen[3] += 1;
            }
        }
        assert!(ended.next().is_none());
        assert!(seen.iter().all(|&count| count > 2), "{seen:?}");
        assert_eq!(collected.tally.games as usize, collected.ended.len());
    }
}

#[test]
fn games_go_on_from_one_rollout_to_the_next() {
    let whole = Play::new(&config(), true).collect(&mut Telltale, 40);
    let mut short = Play::new(&config(), true);
    let mut ended = Vec::new();
    for _ in 0..4 {
        let part = short.collect(&mut Telltale, 10);
        assert_eq!(short.rollout.buffer().len(), 10 * GAMES);
        ended.extend(part.ended);
    }
    let moves = |ended: &[Ended<Shogi>]| -> Vec<_> {
        ended.iter().map(|ended| ended.episode.game.moves().to_vec()).collect()
    };
    assert_eq!(moves(&whole.ended), moves(&ended));
}

#[test]
fn only_the_learners_own_moves_are_learned_from_in_games_against_earlier_selves() {
    let mut config = config();
    config.opponents.share = 0.5;
    let load = |_: &[u8]| Ok(Box::new(Lowest) as Box<dyn Evaluator<Packed>>);
    let mut play = Play::new(&config, true);
    play.pool.add(1, Vec::new(), &load).unwrap();
    let collected = play.collect(&mut Telltale, 40);
    let rollout = &mut play.rollout;
    rollout.buffer().finish(&collected.last_values, 0.99, 0.95, 0.1);
    let (mut own_moves, mut others) = (0, 0);
    for step in 0..40 {
        for game in 0..GAMES {
            let (_, legal, chosen, own) = rollout.buffer().stored(step, game);
            own_moves += usize::from(own);
            others += usize::from(!own);
            assert!(own || legal[chosen] == *legal.iter().min().unwrap());
        }
    }
    // Half of the games, half of the moves in them.
    assert!((60..180).contains(&others), "{others}");
    let minibatches = rollout.buffer().minibatch_places(64, 0, 0, 0);
    let learned: usize = minibatches.iter().map(|minibatch| minibatch.places.len()).sum();
    assert_eq!(learned, own_moves);
}

#[test]
fn in_a_mirrored_game_the_player_sees_a_mirror_image_and_the_move_is_mirrored_back() {
    let mut config = config();
    (config.env.mirror, config.rewind.enabled) = (true, false);
    let mut play = Play::new(&config, true);
    play.collect(&mut Lowest, 1);
    let rollout = &mut play.rollout;
    let plans: Vec<_> = rollout.running().map(|(episode, _)| episode.plan).collect();
    let games: Vec<_> = rollout.running().map(|(episode, _)| episode.game.clone()).collect();
    let plain = plans.iter().position(|plan| !plan.mirrored).unwrap();
    let expected = games[plain].moves()[0];
    assert_ne!(expected, expected.mirrored());
    let start = Shogi::new().pack();
    let mirrored_start = <Shogi as Encode>::mirrored(&start).unwrap();
    assert_ne!(start, mirrored_start);
    let mut mirrored = 0;
    for (game, plan) in plans.iter().enumerate() {
        let (seen, legal, chosen, _) = rollout.buffer().stored(0, game);
        let (image, mv) = match plan.mirrored {
            true => (mirrored_start, expected.mirrored()),
            false => (start, expected),
        };
        assert!(seen == image && games[game].moves() == [mv]);
        assert_eq!(legal[chosen] as usize, Compact::index(keisei_game::Side::First, expected));
        mirrored += usize::from(plan.mirrored);
    }
    assert!((1..GAMES).contains(&mirrored), "{mirrored}");
}

#[test]
fn of_the_games_that_somebody_won_all_are_kept_but_only_a_share_of_those_that_were_rewound() {
    for share in [1.0, 0.0, 0.5] {
        let mut config = config();
        config.rewind.keep_rewound = share;
        let mut play = Play::new(&config, true);
        let before = play.curriculum.ring.len();
        let collected = play.collect(&mut Telltale, 600);
        let won = |ended: &&Ended<Shogi>| !ended.outcome.is_draw();
        let is_rewound = |ended: &&Ended<Shogi>| ended.episode.plan.is_rewound();
        let rewound = collected.ended.iter().filter(won).filter(is_rewound).count();
        let others = collected.ended.iter().filter(won).count() - rewound;
        let kept = play.curriculum.ring.len() - before - others;
        assert!(rewound > 50, "{rewound}");
        let found = kept as f64 / rewound as f64;
        let tolerance = if share == 0.5 { 0.2 } else { 0.0 };
        assert!((found - share).abs() <= tolerance, "{found} instead of {share}");
    }
}

#[test]
fn the_values_before_all_moves_of_an_episode_are_remembered_to_its_end() {
    let mut play = Play::new(&config(), true);
    let mut counted = 0;
    for _ in 0..60 {
        // Episodes are longer than these rollouts.
        let collected = play.collect(&mut Telltale, 3);
        let decisive = collected.ended.iter().filter(|ended| !ended.outcome.is_draw());
        let moves: usize = decisive.map(Ended::length).sum();
        let values: u64 = collected.tally.signs.iter().map(|count| count.values).sum();
        assert_eq!(values as usize, moves);
        counted += moves;
        for (episode, favoured) in play.rollout.running() {
            assert_eq!(favoured.len(), episode.game.ply() - episode.plan.began_at);
        }
    }
    assert!(counted > 20, "{counted}");
}
