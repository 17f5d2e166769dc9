//! Engines that people use.

use std::thread;
use std::time::Duration;

use keisei_chess::Chess;
use keisei_engine::external::{ExternalEngine, GnuShogi, Launch};
use keisei_engine::{
    Answer, Arena, BuildError, Limits, Player, PlayerSpec, Protocol, Random, Report, Score, Signal,
};
use keisei_game::{BySide, Game, Rules, Side};
use keisei_shogi::Shogi;

use crate::{after, answer};

/// The player of this name, which needs the Debian package `package`.
fn player<G: Arena>(spec: &str, package: &str) -> Box<dyn Player<G>> {
    let spec: PlayerSpec = spec.parse().unwrap();
    spec.build(1).unwrap_or_else(|error| panic!("{error} (Debian's package {package} has it)"))
}

/// Plays `plies` of a game between `player`, one ply deep, and random moves.
fn play_against_random<G: Arena>(player: &mut dyn Player<G>, game: G, side: Side, plies: usize) {
    play_within(&Limits::depth(1), player, game, side, plies);
}

/// The same with other limits.
fn play_within<G: Arena>(
    limits: &Limits,
    player: &mut dyn Player<G>,
    mut game: G,
    side: Side,
    plies: usize,
) {
    let mut random = Random::new(3);
    player.new_game().unwrap();
    while game.outcome().is_none() && game.ply() < plies {
        let ours = game.turn() == side;
        let mover: &mut dyn Player<G> = if ours { &mut *player } else { &mut random };
        match mover.choose(&game, limits).unwrap() {
            Answer::Play { mv, .. } => game.play(mv).unwrap(),
            Answer::Resign => game.resign(side),
            Answer::Win => panic!("nobody can declare yet"),
        }
    }
    player.end_game(&game, side).unwrap();
}

#[test]
fn fairy_stockfish_plays_shogi_from_both_sides() {
    let spec = "usi:fairy-stockfish;option.USI_Variant=shogi;option.Skill_Level=-20;depth=1";
    let mut player = player::<Shogi>(spec, "fairy-stockfish");
    assert_eq!(player.name(), spec);
    play_against_random(&mut *player, Shogi::new(), Side::First, 40);
    play_against_random(&mut *player, Shogi::handicap("two".parse().unwrap()), Side::First, 40);
}

#[test]
fn fairy_stockfish_reports_a_mate_and_plays_it() {
    let mut player = player::<Shogi>("usi:fairy-stockfish;name=Fairy", "fairy-stockfish");
    assert_eq!(player.name(), "Fairy");
    let game = Shogi::with_rules(
        "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    let mut last: Option<Report<_>> = None;
    let mut note = |report: &Report<_>| last = Some(report.clone());
    let answer = player.think(&game, &Limits::depth(4), &Signal::new(), &mut note).unwrap();
    assert_eq!(answer, Answer::play(game.parse_move("G*5b").unwrap()));
    let report = last.unwrap();
    assert_eq!((report.score, report.moves.len()), (Score::Mate(1), 1));
}

#[test]
fn fairy_stockfish_and_stockfish_play_chess() {
    for (spec, package) in [
        ("uci:fairy-stockfish;option.Skill_Level=-20", "fairy-stockfish"),
        ("uci:stockfish;option.Hash=1;nodes=200", "stockfish"),
    ] {
        let mut player = player::<Chess>(spec, package);
        play_against_random(&mut *player, Chess::new(), Side::Second, 30);
    }
}

#[test]
fn stockfish_follows_castling_and_promotion() {
    let mut player = player::<Chess>("uci:stockfish;option.Hash=1", "stockfish");
    let castled = after::<Chess>(&["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"]);
    let promotes = Chess::with_rules(
        "8/5k1P/8/8/8/8/8/K7 w - - 0 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    assert!(matches!(player.choose(&castled, &Limits::depth(2)), Ok(Answer::Play { .. })));
    let answer = player.choose(&promotes, &Limits::depth(8)).unwrap();
    let Answer::Play { mv, .. } = answer else { panic!("{answer:?}") };
    assert_eq!(mv.to_string(), "h7h8q");
}

#[test]
fn engines_answer_by_clocks_and_when_stopped() {
    let launch = Launch::new(&["fairy-stockfish"]);
    let start = || {
        ExternalEngine::start(Protocol::Usi, &launch)
            .unwrap_or_else(|error| panic!("{error} (Debian's package fairy-stockfish has it)"))
    };
    let mut engine = start();
    let left = BySide([Duration::from_millis(200); 2]);
    let clock = keisei_engine::Clock { left, ..keisei_engine::Clock::default() };
    let by_clock = Limits { clock: Some(clock), ..Limits::default() };
    let by_time = Limits::move_time(Duration::from_millis(50));
    for limits in [by_clock, by_time] {
        assert!(matches!(answer(&mut engine, &Shogi::new(), &limits), Ok(Answer::Play { .. })));
    }
    let (signal, mut engine) = (Signal::new(), start());
    let line = signal.clone();
    let endless = Limits { infinite: true, ..Limits::default() };
    let thinking = thread::spawn(move || engine.think(&Shogi::new(), &endless, &line, &mut |_| ()));
    thread::sleep(Duration::from_millis(50));
    assert!(!thinking.is_finished());
    signal.stop();
    assert!(matches!(thinking.join().unwrap(), Ok(Answer::Play { .. })));
}

#[test]
fn gnu_shogi_plays_from_both_sides_and_from_any_position() {
    let mut player = player::<Shogi>("gnushogi;depth=1", "gnushogi");
    play_against_random(&mut *player, Shogi::new(), Side::First, 60);
    play_against_random(&mut *player, Shogi::new(), Side::Second, 60);
    let mate = Shogi::with_rules(
        "4k4/9/4P4/9/9/9/9/9/4K4 b GPr 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    let answer = player.choose(&mate, &Limits::default()).unwrap();
    assert_eq!(answer, Answer::play(mate.parse_move("G*5b").unwrap()));
}

#[test]
fn gnu_shogi_moves_when_its_time_is_up_or_it_is_stopped() {
    let launch = Launch::new(&["gnushogi"]);
    let mut engine = GnuShogi::start(&launch)
        .unwrap_or_else(|error| panic!("{error} (Debian's package gnushogi has it)"));
    let soon = Limits::move_time(Duration::from_millis(50));
    for game in [Shogi::new(), after(&["7g7f"])] {
        assert!(matches!(answer(&mut engine, &game, &soon), Ok(Answer::Play { .. })));
    }
    let signal = Signal::new();
    signal.stop();
    let endless = Limits { infinite: true, ..Limits::default() };
    let answer = engine.think(&Shogi::new(), &endless, &signal, &mut |_| ());
    assert!(matches!(answer, Ok(Answer::Play { .. })));
}

#[test]
fn gps_shogi_plays_from_both_sides() {
    let spec = "usi:gpsusi;option.LimitDepth=4;option.BookDepth=0;option.Thread=1;seconds=1";
    let mut player = player::<Shogi>(spec, "gpsshogi");
    for side in [Side::First, Side::Second] {
        play_within(&Limits::default(), &mut *player, Shogi::new(), side, 30);
    }
}

#[test]
fn players_are_built_for_the_game_they_play() {
    let refused = |spec: &str| spec.parse::<PlayerSpec>().unwrap().build::<Chess>(0).err().unwrap();
    assert!(matches!(refused("human"), BuildError::Human));
    for spec in ["usi:fairy-stockfish", "gnushogi"] {
        assert_eq!(refused(spec).to_string(), format!("{spec} does not play chess"));
    }
    let unknown = refused("uci:stockfish;option.Skil=1").to_string();
    assert!(
        unknown.contains("there is no option \"Skil\"; there are: Debug Log File"),
        "{unknown}"
    );
}
