//! Many games at once: ends, rewards, refusals, restarts and threads.

use keisei_chess::Chess;
use keisei_encode::chess::AlphaZero;
use keisei_encode::shogi::{Compact, Full};
use keisei_encode::{
    ActionError, Actions, Begun, Encode, Episode, Finished, Observation, Restart, Results,
    Standard, VecEnv, legal_actions,
};
use keisei_game::{Game, Outcome, Reason, Side, SplitMix64, random_game};
use keisei_shogi::{Position, Rules, Shogi};

/// The actions of moves as the engine protocol writes them, one a game.
fn actions<A: Actions, P: Send + Sync>(env: &VecEnv<A, P>, moves: &[&str]) -> Vec<u32> {
    let number = |(game, text): (usize, &&str)| {
        let game = env.game(game);
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        A::index(game.turn(), mv) as u32
    };
    moves.iter().enumerate().map(number).collect()
}

/// Plays one move in every game.
fn play<'a, A: Actions>(
    env: &'a mut VecEnv<A>,
    moves: &[&str],
    restart: &impl Restart<A::Game, Plan = ()>,
) -> &'a Results {
    let actions = actions(env, moves);
    env.step(&actions, restart).unwrap_or_else(|error| panic!("{error}"))
}

fn shogi(sfen: &str) -> Shogi {
    Shogi::from_notation(sfen).unwrap()
}

/// A gold before the king mates.
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

#[test]
fn every_game_shows_its_observation_and_its_legal_actions() {
    let games = [Shogi::new(), shogi(MATE_IN_ONE)];
    let env: VecEnv<Full> = VecEnv::new(games.clone(), &Standard);
    assert_eq!((env.len(), env.is_empty()), (2, false));
    for (index, game) in games.iter().enumerate() {
        assert_eq!(env.observations()[index], game.pack());
        let legal: Vec<_> = legal_actions::<Full>(game.position())
            .iter()
            .map(|&(number, _)| number as u32)
            .collect();
        assert_eq!(env.legal_actions(index), legal);
        let mask = &env.masks()[index * Full::MASK_WORDS..][..Full::MASK_WORDS];
        for action in 0..Full::COUNT as u32 {
            let shown = mask[action as usize / 64] >> (action % 64) & 1 == 1;
            assert_eq!(shown, legal.contains(&action), "{action}");
        }
    }
}

#[test]
fn a_game_that_ends_begins_anew_and_shows_how_it_looked_at_its_end() {
    let mut env: VecEnv<AlphaZero> = VecEnv::new([Chess::new(), Chess::new()], &Standard);
    // The first game is the fool's mate, the second a quiet one.
    let moves = [["f2f3", "e2e4"], ["e7e5", "e7e5"], ["g2g4", "g1f3"]];
    for moves in moves {
        let results = play(&mut env, &moves, &Standard);
        assert_eq!(results.terminated, [false, false]);
        assert_eq!(results.outcomes, [None, None]);
    }
    let mut mated = env.game(0).clone();
    mated.play(mated.parse_move("d8h4").unwrap()).unwrap();
    let results = play(&mut env, &["d8h4", "b8c6"], &Standard);
    assert_eq!(results.rewards, [1.0, 0.0], "Black moved and won");
    assert_eq!(
        (&results.terminated[..], &results.truncated[..]),
        (&[true, false][..], &[false; 2][..])
    );
    assert_eq!(results.outcomes, [Some(Outcome::win(Side::Second, Reason::Checkmate)), None]);
    let [(0, finished)] = &env.finished().collect::<Vec<_>>()[..] else { panic!("one has ended") };
    assert_eq!(finished.episode.game.pack(), mated.pack());
    let fresh = Chess::new();
    assert_eq!(env.observations()[0], fresh.pack());
    assert_eq!(env.legal_actions(0).len(), 20);
    assert_eq!((env.game(0).ply(), env.game(1).ply()), (0, 4));
    assert_eq!([0, 1].map(|game| env.episode(game).number), [1, 0]);
    // The next step speaks of the next move only.
    let results = play(&mut env, &["e2e4", "f1b5"], &Standard);
    assert_eq!(
        (results.rewards[0], results.terminated[0], results.outcomes[0]),
        (0.0, false, None)
    );
}

#[test]
fn the_reward_is_that_of_the_player_who_moved() {
    // Black mates; White, checked for ever, repeats and wins; Black, checking for ever, repeats and
    // loses; both repeat for nothing.
    let mut mate: VecEnv<Compact> = VecEnv::new([shogi(MATE_IN_ONE)], &Standard);
    assert_eq!(play(&mut mate, &["G*5b"], &Standard).rewards, [1.0]);
    let repetitions = [
        (
            "8k/R8/9/9/9/9/9/9/K8 b - 1",
            ["9b9a", "1a1b", "9a9b", "1b1a"],
            1.0,
            Reason::PerpetualCheck,
        ),
        (
            "R7k/9/9/9/9/9/9/9/K8 w - 1",
            ["1a1b", "9a9b", "1b1a", "9b9a"],
            -1.0,
            Reason::PerpetualCheck,
        ),
        ("8k/9/9/9/9/9/9/9/K8 b - 1", ["9i8i", "1a2a", "8i9i", "2a1a"], 0.0, Reason::Repetition),
    ];
    for (sfen, round, reward, reason) in repetitions {
        let mut env: VecEnv<Compact> = VecEnv::new([shogi(sfen)], &Standard);
        for mv in [round; 3].concat().into_iter().take(11) {
            let results = play(&mut env, &[mv], &Standard);
            assert_eq!((results.rewards[0], results.terminated[0]), (0.0, false), "{sfen}");
        }
        let results = play(&mut env, &[round[3]], &Standard);
        assert_eq!(results.rewards, [reward], "{sfen}");
        assert_eq!(results.outcomes[0].map(Outcome::reason), Some(reason), "{sfen}");
        assert_eq!((results.terminated[0], results.truncated[0]), (true, false), "{sfen}");
    }
}

#[test]
fn a_move_limit_truncates_and_does_not_terminate() {
    let rules = Rules { move_limit: Some(2), ..Shogi::RULES };
    let mut env: VecEnv<Compact> =
        VecEnv::new([Shogi::with_rules(Position::start(), rules)], &Standard);
    let results = play(&mut env, &["7g7f"], &Standard);
    assert_eq!((results.terminated[0], results.truncated[0]), (false, false));
    let results = play(&mut env, &["3c3d"], &Standard);
    assert_eq!((results.terminated[0], results.truncated[0]), (false, true));
    assert_eq!(
        (results.rewards[0], results.outcomes[0]),
        (0.0, Some(Outcome::draw(Reason::MoveLimit)))
    );
    assert_eq!(env.game(0).ply(), 0);
}

#[test]
fn a_mate_at_the_move_limit_terminates_and_does_not_truncate() {
    let rules = Rules { move_limit: Some(1), ..Shogi::RULES };
    let game = Shogi::with_rules(MATE_IN_ONE.parse().unwrap(), rules);
    let mut env: VecEnv<Compact> = VecEnv::new([game], &CutAt(1));
    let results = play(&mut env, &["G*5b"], &CutAt(1));
    assert_eq!((results.terminated[0], results.truncated[0]), (true, false));
    assert_eq!(results.rewards, [1.0]);
}

/// Episodes from the start, cut off after so many moves.
struct CutAt(usize);

impl<G: Game> Restart<G> for CutAt {
    type Plan = ();

    fn restart(&self, game: &mut G, _: usize, _: u64) -> Begun<()> {
        game.reset();
        Begun { plan: (), truncate_at: Some(self.0) }
    }
}

#[test]
fn an_episode_is_truncated_where_its_restart_said() {
    let mut env: VecEnv<Compact> = VecEnv::new([Shogi::new()], &CutAt(2));
    play(&mut env, &["7g7f"], &CutAt(2));
    let mut cut = env.game(0).clone();
    cut.play("3c3d".parse().unwrap()).unwrap();
    // From the next episode on, they are longer.
    let results = play(&mut env, &["3c3d"], &CutAt(3));
    assert_eq!((results.terminated[0], results.truncated[0]), (false, true));
    assert_eq!(results.outcomes[0], Some(Outcome::draw(Reason::MoveLimit)));
    let (_, finished) = env.finished().next().unwrap();
    assert_eq!(finished.episode.game.pack(), cut.pack(), "there is a value to look up");
    for truncated in [false, false, true, false, false, true] {
        let action = env.legal_actions(0)[0];
        assert_eq!(env.step(&[action], &CutAt(3)).unwrap().truncated, [truncated]);
    }
}

/// Everything that can be seen of an environment.
#[derive(Debug, PartialEq)]
struct State<P> {
    observations: Vec<P>,
    masks: Vec<u64>,
    legal: Vec<Vec<u32>>,
    /// Position, number of the episode and earlier occurrences of each game.
    games: Vec<(String, u64, usize)>,
    results: Results,
}

fn state<A: Actions, P: Send + Sync>(env: &VecEnv<A, P>) -> State<Observation<A>> {
    let describe = |game| {
        let episode = env.episode(game);
        (episode.game.notation(), episode.number, episode.game.repetitions())
    };
    State {
        observations: env.observations().to_vec(),
        masks: env.masks().to_vec(),
        legal: (0..env.len()).map(|game| env.legal_actions(game).to_vec()).collect(),
        games: (0..env.len()).map(describe).collect(),
        results: env.results().clone(),
    }
}

#[test]
fn illegal_or_missing_actions_are_refused_and_no_game_moves() {
    let mut env: VecEnv<Compact> = VecEnv::new([Shogi::new(), shogi(MATE_IN_ONE)], &Standard);
    play(&mut env, &["7g7f", "G*5b"], &Standard);
    let before = state(&env);
    let legal = actions(&env, &["3c3d", "5i4i"]);
    let dead_pawn = Compact::index(Side::Second, "P*5e".parse().unwrap()) as u32;
    let cases = [
        (vec![legal[0]], ActionError::Count { games: 2, found: 1 }),
        (vec![], ActionError::Count { games: 2, found: 0 }),
        ([legal.clone(), legal.clone()].concat(), ActionError::Count { games: 2, found: 4 }),
        (vec![legal[0], dead_pawn], ActionError::Illegal { game: 1, action: dead_pawn }),
        (vec![dead_pawn, legal[1]], ActionError::Illegal { game: 0, action: dead_pawn }),
        // Past the last action, within the last word of the mask and beyond it.
        (vec![legal[0], 2187], ActionError::Illegal { game: 1, action: 2187 }),
        (vec![legal[0], u32::MAX], ActionError::Illegal { game: 1, action: u32::MAX }),
    ];
    for (actions, error) in cases {
        assert_eq!(env.step(&actions, &Standard).err(), Some(error));
        assert_eq!(state(&env), before, "{error}");
    }
    assert!(env.step(&legal, &Standard).is_ok());
}

#[test]
fn refusals_name_the_game_and_the_action() {
    let illegal = ActionError::Illegal { game: 3, action: 77 };
    assert_eq!(illegal.to_string(), "action 77 is not legal in game 3");
    assert_eq!(ActionError::Count { games: 4, found: 3 }.to_string(), "3 actions for 4 games");
}

/// Each episode begins after as many random moves as its game and number say, and its plan names
/// both.
struct Scattered;

impl<G: Game> Restart<G> for Scattered {
    type Plan = (usize, u64);

    fn restart(&self, game: &mut G, index: usize, episode: u64) -> Begun<(usize, u64)> {
        game.reset();
        random_game(game, index as u64 ^ episode << 32, (index + episode as usize) % 7);
        Begun { plan: (index, episode), truncate_at: Some(game.ply() + 10) }
    }
}

type ScatteredEnv<A> = VecEnv<A, (usize, u64)>;

#[test]
fn a_restart_is_told_the_game_and_the_episode_and_its_plan_stays_with_the_episode() {
    let mut env: ScatteredEnv<Compact> = VecEnv::new((0..20).map(|_| Shogi::new()), &Scattered);
    let begins = |env: &ScatteredEnv<Compact>, episode: usize| {
        for index in 0..20 {
            let (found, plies) = (env.episode(index), (index + episode) % 7);
            assert_eq!((found.number, found.game.ply()), (episode as u64, plies));
            assert_eq!(found.truncate_at, Some(plies + 10));
            assert_eq!(found.plan, (index, episode as u64));
        }
    };
    begins(&env, 0);
    for episode in 1..=3 {
        for _ in 0..10 {
            assert_eq!(env.finished().count(), 0, "nothing has ended yet");
            let first: Vec<_> = (0..20).map(|game| env.legal_actions(game)[0]).collect();
            env.step(&first, &Scattered).unwrap();
        }
        assert_eq!(env.results().truncated, [true; 20]);
        begins(&env, episode);
        let finished: Vec<(usize, Finished<Shogi, _>)> = env.finished().collect();
        assert_eq!(finished.len(), 20);
        for (place, (index, Finished { episode: ended, outcome })) in finished.iter().enumerate() {
            assert_eq!((*index, *outcome), (place, Outcome::draw(Reason::MoveLimit)));
            assert_eq!(ended.plan, (place, episode as u64 - 1));
            assert_eq!(ended.game.ply(), (place + episode - 1) % 7 + 10);
        }
        assert_eq!(env.finished().count(), 0, "each is handed out once");
    }
}

struct Hopeless;

impl Restart<Shogi> for Hopeless {
    type Plan = ();

    fn restart(&self, game: &mut Shogi, _: usize, episode: u64) -> Begun<()> {
        game.reset();
        if episode > 0 {
            game.resign(Side::First);
        }
        Begun { plan: (), truncate_at: None }
    }
}

#[test]
#[should_panic(expected = "is over before a move")]
fn an_episode_cannot_begin_with_a_game_that_is_over() {
    let mut env: VecEnv<Compact> = VecEnv::new([shogi(MATE_IN_ONE)], &Hopeless);
    play(&mut env, &["G*5b"], &Hopeless);
}

/// Plays random actions and shows every step.
fn random_steps<A: Actions>(
    env: &mut ScatteredEnv<A>,
    steps: std::ops::Range<u64>,
    mut show: impl FnMut(&mut ScatteredEnv<A>),
) {
    for step in steps {
        let mut rng = SplitMix64::new(step);
        let choose = |game| rng.choose(env.legal_actions(game)).unwrap();
        let actions: Vec<_> = (0..env.len()).map(choose).collect();
        env.step(&actions, &Scattered).unwrap();
        show(env);
    }
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn one_thread_and_many_give_the_same_results() {
    type Ended = Vec<(usize, String, (usize, u64))>;
    fn run<A: Actions>(threads: usize) -> Vec<(State<Observation<A>>, Ended)> {
        on_threads(threads, || {
            let games = (0..200).map(|_| A::Game::new());
            let mut env: ScatteredEnv<A> = VecEnv::new(games, &Scattered);
            let mut seen = Vec::new();
            random_steps(&mut env, 0..40, |env| {
                let ended = |(index, Finished { episode, .. }): (_, Finished<A::Game, _>)| {
                    (index, episode.game.notation(), episode.plan)
                };
                seen.push((state(env), env.finished().map(ended).collect()));
            });
            seen
        })
    }
    for threads in [2, 7] {
        assert!(run::<Compact>(1) == run::<Compact>(threads));
        assert!(run::<AlphaZero>(1) == run::<AlphaZero>(threads));
    }
}

#[test]
fn an_environment_goes_on_where_another_stood() {
    let mut env: ScatteredEnv<Full> = VecEnv::new((0..30).map(|_| Shogi::new()), &Scattered);
    random_steps(&mut env, 0..50, |_| {});
    let saved: Vec<Episode<Shogi, _>> = (0..30).map(|game| env.episode(game).clone()).collect();
    let mut later: ScatteredEnv<Full> = VecEnv::resume(saved);
    assert_eq!(env.observations(), later.observations());
    random_steps(&mut env, 50..100, |_| {});
    random_steps(&mut later, 50..100, |_| {});
    assert_eq!(state(&env), state(&later));
}

#[test]
fn a_snapshot_has_what_the_last_step_brought_and_goes_on_the_same() {
    type Env = ScatteredEnv<Full>;
    let mut env: Env = VecEnv::new((0..30).map(|_| Shogi::new()), &Scattered);
    let mut steps = 0;
    while env.results().outcomes.iter().all(Option::is_none) {
        random_steps(&mut env, steps..steps + 1, |_| {});
        steps += 1;
    }
    let mut later: Env = VecEnv::restore(env.snapshot());
    assert_eq!(state(&env), state(&later));
    let ended = |env: &mut Env| {
        let ended = env.finished();
        ended.map(|(game, one)| (game, one.episode.game.notation(), one.outcome)).collect()
    };
    let taken: Vec<_> = ended(&mut env);
    assert!(!taken.is_empty());
    assert_eq!(ended(&mut later), taken);
    assert!(env.snapshot().finished.iter().all(Option::is_none), "they were taken");
    random_steps(&mut env, steps..steps + 50, |_| {});
    random_steps(&mut later, steps..steps + 50, |_| {});
    assert_eq!(state(&env), state(&later));
}

#[test]
fn no_games_make_an_empty_environment() {
    let mut env: VecEnv<Compact> = VecEnv::new([], &Standard);
    assert!(env.is_empty());
    assert!(env.step(&[], &Standard).is_ok());
}
