mod stuck;

use super::*;
use crate::config::{Config, Env, Opponents, Rewind, Rollout as RolloutSettings};
use keisei_encode::shogi::{Compact, Packed};
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

fn rollout(config: &Config, bootstrap: bool) -> Rollout<Compact> {
    // Seeded by games longer than those that are played.
    let long =
        Config { env: Env { max_moves_per_game: 500, ..config.env.clone() }, ..config.clone() };
    let ring = Starts::<Shogi>::new(&long, 4).ring;
    let starts = Starts::resume(config, 4, ring, &[Plan::default(); GAMES]);
    Rollout::new(starts, GAMES, 4, bootstrap)
}

fn no_opponents() -> Pool<Packed> {
    Pool::new(&Opponents::default())
}

#[test]
fn every_move_is_valued_by_what_came_of_it_whether_the_game_went_on_ended_or_was_cut_off() {
    for bootstrap in [true, false] {
        let mut rollout = rollout(&config(), bootstrap);
        let collected = rollout.collect(&mut Telltale, &mut no_opponents(), 40);
        let buffer = rollout.buffer();
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
                        let Ended { outcome, finished, step: at } = ended.next().unwrap();
                        assert_eq!(*at, (step as u64 + 1) * GAMES as u64);
                        let mover = !finished.game.turn();
                        let rewound = matches!(finished.plan.start, Start::Rewound(_));
                        seen[0] += usize::from(!outcome.is_draw());
                        seen[1] += usize::from(outcome.truncated() && rewound);
                        seen[2] += usize::from(outcome.truncated() && !rewound);
                        match ending {
                            Ending::Truncated if bootstrap || rewound => {
                                -value_of(&finished.game.pack())
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
        assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
        assert_eq!(collected.tally.games as usize, collected.ended.len());
    }
}

#[test]
fn games_go_on_from_one_rollout_to_the_next() {
    let mut long = rollout(&config(), true);
    let whole = long.collect(&mut Telltale, &mut no_opponents(), 40);
    let mut short = rollout(&config(), true);
    let mut ended = Vec::new();
    for _ in 0..4 {
        let part = short.collect(&mut Telltale, &mut no_opponents(), 10);
        assert_eq!(short.buffer().len(), 10 * GAMES);
        ended.extend(part.ended);
    }
    let moves = |ended: &[Ended<Shogi>]| -> Vec<_> {
        ended.iter().map(|ended| ended.finished.game.moves().to_vec()).collect()
    };
    assert_eq!(moves(&whole.ended), moves(&ended));
}

#[test]
fn only_the_learners_own_moves_are_learned_from_in_games_against_earlier_selves() {
    let mut config = config();
    config.opponents.share = 0.5;
    let mut pool = Pool::new(&config.opponents);
    let load = |_: &[u8]| Ok(Box::new(Lowest) as Box<dyn Evaluator<Packed>>);
    pool.add(1, Vec::new(), &load).unwrap();
    let mut rollout = rollout(&config, true);
    let collected = rollout.collect(&mut Telltale, &mut pool, 40);
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
    let batches = rollout.buffer().minibatches(64, 0, 0, 0);
    let learned: usize = batches.map(|batch| batch.minibatch().observations.len()).sum();
    assert_eq!(learned, own_moves);
}

#[test]
fn in_a_mirrored_game_the_player_sees_a_mirror_image_and_the_move_is_mirrored_back() {
    let mut config = config();
    (config.env.mirror, config.rewind.enabled) = (true, false);
    let mut rollout = rollout(&config, true);
    rollout.collect(&mut Lowest, &mut no_opponents(), 1);
    let plans = rollout.starts().plans();
    let games: Vec<_> = rollout.episodes().map(|episode| episode.game.clone()).collect();
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
        let mut rollout = rollout(&config, true);
        let before = rollout.starts().ring.len();
        let collected = rollout.collect(&mut Telltale, &mut no_opponents(), 600);
        let won = |ended: &&Ended<Shogi>| !ended.outcome.is_draw();
        let is_rewound =
            |ended: &&Ended<Shogi>| matches!(ended.finished.plan.start, Start::Rewound(_));
        let rewound = collected.ended.iter().filter(won).filter(is_rewound).count();
        let others = collected.ended.iter().filter(won).count() - rewound;
        let kept = rollout.starts().ring.len() - before - others;
        assert!(rewound > 50, "{rewound}");
        let found = kept as f64 / rewound as f64;
        let tolerance = if share == 0.5 { 0.2 } else { 0.0 };
        assert!((found - share).abs() <= tolerance, "{found} instead of {share}");
    }
}
