use std::collections::BTreeMap;

use keisei_encode::Observation;
use keisei_encode::animal::Arrivals;
use keisei_encode::chess::AlphaZero;
use keisei_encode::shogi::Compact;
use keisei_game::{Game, Position, Rules, SplitMix64};
use keisei_net::{CpuLearner, Evaluation, NetConfig, Uniform};

use super::*;
use crate::config::{Env, Rewind};
use crate::curriculum::Curriculum;
use crate::evaluate::{Choice, Conditions, NetworkPlayer, Player, RandomPlayer, play, score};
use crate::opponents::Pool;
use crate::rewind::Ring;
use crate::rollout::Rollout;

const SETTINGS: SearchSettings = SearchSettings {
    simulations: 16,
    candidates: 8,
    value_scale: 0.25,
    policy_temperature: 1.0,
    gamma: 0.997,
};

fn mirror<A: Actions>() -> Vec<u32> {
    (0..A::COUNT).map(|action| A::mirrored(action) as u32).collect()
}

/// What a search from one position finds out.
fn search<A: Actions>(
    evaluator: &mut dyn Evaluator<Observation<A>>,
    game: &A::Game,
    settings: SearchSettings,
    seed: u64,
) -> (Lesson, Teacher<A>) {
    let mut teacher = Teacher::<A>::new(1, settings);
    let roots = [Root { game, mirrored: false }];
    let (mut lessons, _) = teacher.teach(evaluator, &roots, 0..roots.len(), seed, 0);
    (lessons.remove(0), teacher)
}

#[test]
fn halving_tries_all_candidates_then_the_better_half_and_so_on() {
    assert_eq!(considered_visits(16, 8), [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3]);
    assert_eq!(considered_visits(8, 4), [0, 0, 0, 0, 1, 1, 2, 2]);
    assert_eq!(considered_visits(3, 8), [0, 0, 0]);
    assert_eq!(considered_visits(4, 1), [0, 1, 2, 3]);
    assert_eq!(considered_visits(5, 2), [0, 0, 1, 1, 2]);
}

#[test]
fn a_search_spends_exactly_its_simulations_whatever_the_number_of_candidates() {
    let mut game = keisei_shogi::Shogi::new_with(Rules::LEARNING);
    keisei_game::random_game(&mut game, 5, 40);
    for simulations in 1..40 {
        for candidates in 1..20 {
            let settings = SearchSettings { simulations, candidates, ..SETTINGS };
            let (lesson, teacher) = search::<Compact>(&mut Uniform, &game, settings, 3);
            let visits = teacher.trees[0].root_visits();
            assert_eq!(visits.iter().sum::<u32>() as usize, simulations);
            let tried = visits.iter().filter(|&&visits| visits > 0).count();
            assert!(tried <= candidates && visits[lesson.chosen] > 0);
        }
    }
}

#[test]
fn a_mate_in_one_is_played_without_a_search_and_all_mates_are_equally_good() {
    let game = keisei_shogi::Shogi::from_notation("4k4/9/4P4/9/9/9/9/9/4K4 b G2S 1").unwrap();
    let mating = game.position().mating_moves();
    let (lesson, teacher) = search::<Compact>(&mut Uniform, &game, SETTINGS, 1);
    assert!(lesson.by_rule && lesson.value == 1.0 && !mating.is_empty());
    assert_eq!(teacher.trees[0].root_visits().iter().sum::<u32>(), 0);
    let moves = game.legal_moves();
    for (mv, &probability) in moves.iter().zip(&lesson.policy) {
        let expected = if mating.contains(mv) { 1.0 / mating.len() as f32 } else { 0.0 };
        assert_eq!(probability, expected);
    }
    assert!(mating.contains(&moves[lesson.chosen]));
}

/// Values every position as even and hardly ever plays the actions it does not like.
struct Blind {
    disliked: Vec<u32>,
}

impl<P> Evaluator<P> for Blind {
    fn evaluate(&mut self, _: &[P], legal: &[&[u32]]) -> Vec<Evaluation> {
        let evaluation = |legal: &&[u32]| {
            let weight = |action: &u32| if self.disliked.contains(action) { 0.01 } else { 1.0 };
            let total: f32 = legal.iter().map(weight).sum();
            let policy = legal.iter().map(|action| weight(action) / total).collect();
            Evaluation { value: 0.0, policy }
        };
        legal.iter().map(evaluation).collect()
    }
}

#[test]
fn a_warmer_teacher_forgets_preferences_that_no_value_bears_out() {
    let game = keisei_shogi::Shogi::new_with(Rules::LEARNING);
    let actions: Vec<_> =
        game.legal_moves().iter().map(|&mv| Compact::index(game.turn(), mv)).collect();
    let disliked = vec![actions[3] as u32];
    for (policy_temperature, ratio) in [(1.0, 0.01), (2.0, 0.1)] {
        let settings = SearchSettings { policy_temperature, ..SETTINGS };
        let mut blind = Blind { disliked: disliked.clone() };
        let (lesson, _) = search::<Compact>(&mut blind, &game, settings, 1);
        let found = lesson.policy[3] / lesson.policy[4];
        assert!((found - ratio).abs() < 1e-4, "{policy_temperature}: {found}");
    }
}

#[test]
fn a_mate_in_three_is_found_although_the_policy_does_not_look_there() {
    let game = keisei_chess::Chess::from_notation("8/7k/R7/1R6/8/8/8/7K w - - 0 1").unwrap();
    let moves = game.legal_moves();
    let mates_in_three = |mv| {
        let mut next = game.clone();
        next.play(mv).unwrap();
        let answered = |&reply: &_| {
            let mut last = next.clone();
            last.play(reply).unwrap();
            !last.position().mating_moves().is_empty()
        };
        let replies = next.legal_moves();
        !replies.is_empty() && replies.iter().all(answered)
    };
    let keys: Vec<_> = (0..moves.len()).filter(|&place| mates_in_three(moves[place])).collect();
    assert!((1..4).contains(&keys.len()), "{keys:?}");
    let action = |&place: &usize| AlphaZero::index(game.turn(), moves[place]) as u32;
    let mut blind = Blind { disliked: keys.iter().map(action).collect() };
    let settings = SearchSettings { simulations: 400, candidates: 64, ..SETTINGS };
    for seed in 0..5 {
        let (lesson, _) = search::<AlphaZero>(&mut blind, &game, settings, seed);
        assert!(keys.contains(&lesson.chosen), "{}", moves[lesson.chosen]);
        let probability: f32 = keys.iter().map(|&place| lesson.policy[place]).sum();
        assert!(probability > 0.9, "{probability}");
        assert!(lesson.value > 0.8 && !lesson.by_rule && lesson.divergence > 1.0, "{lesson:?}");
    }
}

#[test]
fn the_improved_policy_is_worth_more_than_the_policy() {
    // Against the solution of the search itself: the same values, many more simulations.
    let mut learner = CpuLearner::<Arrivals>::new(&network(), 4).unwrap();
    let deep = SearchSettings { simulations: 300, candidates: 40, ..SETTINGS };
    let mut gains = 0.0;
    for seed in 0..40 {
        let mut game = keisei_animal::Animal::new_with(Rules::LEARNING);
        keisei_game::random_game(&mut game, seed, 10);
        if game.outcome().is_some() || !game.position().mating_moves().is_empty() {
            continue;
        }
        let (lesson, shallow) = search::<Arrivals>(&mut learner, &game, SETTINGS, seed);
        let (_, searched) = search::<Arrivals>(&mut learner, &game, deep, seed);
        let values = searched.trees[0].root_values(&deep);
        let worth =
            |policy: &[f32]| -> f32 { policy.iter().zip(&values).map(|(p, q)| p * q).sum() };
        gains += worth(&lesson.policy) - worth(&shallow.trees[0].root_priors());
    }
    assert!(gains > 2.0, "{gains}");
}

#[test]
fn a_mirrored_game_is_searched_in_the_mirror() {
    // Asked about mirror images, the network gives the same game the mirrored moves.
    let symmetric = "4k4/1p1p1p1p1/9/9/9/9/9/1P1P1P1P1/4K4 b GSPgsp 1";
    let mut game = keisei_shogi::Shogi::from_notation(symmetric).unwrap();
    let mut image = game.clone();
    keisei_game::random_game(&mut game, 8, 3);
    game.moves().iter().for_each(|mv| image.play(mv.mirrored()).unwrap());
    let network = NetConfig { blocks: 1, channels: 8, ..NetConfig::default() };
    let mut learner = CpuLearner::<Compact>::new(&network, 4).unwrap();
    let mirror = mirror::<Compact>();
    let teach = |learner: &mut CpuLearner<Compact>, game: &keisei_shogi::Shogi, mirrored| {
        let legal = keisei_encode::legal_actions::<Compact>(game.position());
        let see = |action: usize| if mirrored { mirror[action] } else { action as u32 };
        let legal: Vec<_> = legal.into_iter().map(|(action, _)| see(action)).collect();
        // Without noise that depends on the order of moves, every move is a candidate once.
        let settings =
            SearchSettings { simulations: legal.len(), candidates: legal.len(), ..SETTINGS };
        let mut teacher = Teacher::<Compact>::new(1, settings);
        let roots = [Root { game, mirrored }];
        let (lessons, _) = teacher.teach(learner, &roots, 0..roots.len(), 1, 0);
        legal.into_iter().zip(lessons[0].policy.clone()).collect::<BTreeMap<_, _>>()
    };
    let plain = teach(&mut learner, &game, false);
    let mirrored = teach(&mut learner, &image, true);
    assert_eq!(plain.len(), mirrored.len());
    for (action, probability) in &plain {
        assert!((probability - mirrored[action]).abs() < 1e-4, "{action}");
    }
}

fn network() -> NetConfig {
    NetConfig { blocks: 1, channels: 16, value_hidden: 16, ..NetConfig::default() }
}

/// Learns animal shogi for some updates of 16 × 64 moves. Gives the learner and the divergences.
fn learn_animal(updates: u64, seed: u64) -> (CpuLearner<Arrivals>, Vec<f64>) {
    let config = Config {
        env: Env { max_moves_per_game: 60, mirror: true, ..Env::default() },
        rewind: Rewind { enabled: false, ..Rewind::default() },
        ..Config::default()
    };
    let (games, steps) = (64, 16);
    let Config { env, rewind, opponents, .. } = &config;
    let mut curriculum = Curriculum::<keisei_animal::Animal>::new(
        env,
        rewind,
        opponents,
        Ring::new(rewind),
        games,
        seed,
    );
    let teacher = Teacher::<Arrivals>::new(games, SETTINGS);
    let mut rollout = Rollout::new(&curriculum, games, seed, true).taught_by(Some(teacher));
    let mut pool = Pool::new(opponents);
    let mut learner = CpuLearner::<Arrivals>::new(&network(), seed).unwrap();
    let step = ImitationSettings { learning_rate: 5e-3, value_weight: 1.0, max_gradient_norm: 1.0 };
    let settings = TeachingSettings { epochs: 2, minibatch_size: 128, step };
    let mut divergences = Vec::new();
    for number in 0..updates {
        let collected = rollout.collect(&mut learner, &mut pool, &mut curriculum, steps);
        rollout.buffer().finish(&collected.last_values, SETTINGS.gamma, 0.95, 0.1);
        let update = update(&mut learner, rollout.buffer(), &settings, seed, number);
        assert_eq!((update.minibatches, update.not_finite), (16, 0));
        divergences.extend(collected.lessons.divergence());
        assert!(collected.lessons.by_rule().is_some());
    }
    (learner, divergences)
}

/// The score of the network's policy against random moves in animal shogi.
fn score_against_random(learner: &CpuLearner<Arrivals>) -> f64 {
    let network = Box::new(learner.evaluator());
    let rng = SplitMix64::new(1);
    let mut player =
        NetworkPlayer::<Arrivals>::new("network", network, Choice::Sampled, false, rng);
    let mut random = RandomPlayer(SplitMix64::new(2));
    let conditions = Conditions {
        games: 200,
        opening_plies: 2,
        limit: 100,
        seed: 9,
        deadline: Instant::now() + Duration::from_secs(60),
    };
    let random: &mut dyn Player<keisei_animal::Animal> = &mut random;
    score(&play(&conditions, &mut player, random).unwrap()).mean().unwrap()
}

#[test]
fn a_tiny_network_learns_animal_shogi_from_its_teacher_within_seconds() {
    let before = score_against_random(&CpuLearner::new(&network(), 1).unwrap());
    let (learner, divergences) = learn_animal(30, 1);
    let after = score_against_random(&learner);
    assert!(before < 0.7 && after > 0.9, "{before}, then {after}");
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let (early, late) = (mean(&divergences[..5]), mean(&divergences[25..]));
    assert!(late < early, "the policy comes nearer to its teacher: {early}, then {late}");
}

#[test]
fn lessons_do_not_depend_on_the_number_of_threads() {
    let learn = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn_animal(3, 2).0.state())
    };
    let once = learn(1);
    assert!(once == learn(3));
}
