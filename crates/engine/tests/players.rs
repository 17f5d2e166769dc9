//! The classical players.

use std::thread;
use std::time::Duration;

use keisei_chess::Chess;
use keisei_engine::{
    AlphaBeta, Answer, Arena, Greedy, Limits, MateInOne, Player, Random, Report, Score, Signal,
};
use keisei_game::{Game, Position, Rules, SplitMix64, random_game};
use keisei_shogi::Shogi;

/// All classical players with this seed.
fn everybody<G: Arena>(seed: u64) -> Vec<Box<dyn Player<G>>> {
    vec![
        Box::new(Random::new(seed)),
        Box::new(MateInOne::new(seed)),
        Box::new(Greedy::new(seed)),
        Box::new(AlphaBeta::new(1, seed)),
        Box::new(AlphaBeta::new(2, seed)),
        Box::new(AlphaBeta::new(1, seed).with_quiescence()),
    ]
}

/// The move that `player` makes in `position`.
fn played<G: Arena>(player: &mut dyn Player<G>, position: &str) -> String {
    let game = G::with_rules(position.parse().unwrap(), Rules::between_programs(None));
    match player.choose(&game, &Limits::default()).expect("there is a move") {
        Answer::Play { mv, .. } => mv.to_string(),
        other => format!("{other:?}"),
    }
}

/// The last that `player` reports of `game`, and its answer.
fn last_report<G: Arena>(
    player: &mut AlphaBeta,
    game: &G,
    limits: &Limits,
) -> (Option<Report<G::Move>>, Answer<G::Move>) {
    let mut last = None;
    let mut note = |report: &Report<G::Move>| last = Some(report.clone());
    let answer = player.think(game, limits, &Signal::new(), &mut note).expect("there is a move");
    (last, answer)
}

fn plays_whole_games<G: Arena>() {
    for place in 0..everybody::<G>(0).len() {
        let play = |seed| {
            let mut player = everybody::<G>(seed).remove(place);
            let mut game = G::new();
            while game.outcome().is_none() && game.ply() < 60 {
                let answer = player.choose(&game, &Limits::default()).expect("it answers");
                let Answer::Play { mv, .. } = answer else { panic!("{answer:?}") };
                game.play(mv).expect("its moves are legal");
            }
            game.moves().to_vec()
        };
        assert_eq!(play(1), play(1), "the same seed gives the same game");
        assert_ne!(play(1), play(2), "another seed gives another game");
    }
}

#[test]
fn all_players_play_legal_games_of_shogi_that_depend_on_the_seed() {
    plays_whole_games::<Shogi>();
}

#[test]
fn all_players_play_legal_games_of_chess_that_depend_on_the_seed() {
    plays_whole_games::<Chess>();
}

#[test]
fn all_but_random_mate_in_one() {
    for seed in 0..5 {
        for mut player in everybody::<Shogi>(seed).into_iter().skip(1) {
            let mv = played(&mut *player, "4k4/9/4P4/9/9/9/9/9/4K4 b GP 1");
            assert_eq!(mv, "G*5b", "{}", player.name());
        }
        for mut player in everybody::<Chess>(seed).into_iter().skip(1) {
            let mv = played(&mut *player, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
            assert_eq!(mv, "d1d8", "{}", player.name());
        }
    }
}

#[test]
fn greedy_takes_the_most_valuable_piece_whatever_it_costs() {
    let position = "4k4/9/6r2/9/4B4/9/2g6/9/4K4 b - 1";
    for seed in 0..5 {
        let mv = played::<Shogi>(&mut Greedy::new(seed), position);
        assert_eq!(mv, "5e3c+", "a rook rather than a gold");
    }
}

#[test]
fn two_plies_see_that_a_taken_pawn_costs_the_rook() {
    let position = "4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1";
    assert_eq!(played::<Chess>(&mut AlphaBeta::new(1, 0), position), "d1d5");
    for seed in 0..5 {
        assert_ne!(played::<Chess>(&mut AlphaBeta::new(2, seed), position), "d1d5");
        let mut quiet = AlphaBeta::new(1, seed).with_quiescence();
        assert_ne!(played::<Chess>(&mut quiet, position), "d1d5", "the exchange is followed");
    }
}

#[test]
fn a_mate_in_three_plies_is_found_and_reported() {
    // A rook cuts the king off, the other mates.
    let game = Chess::with_rules(
        "7k/8/8/8/8/8/R7/1R5K w - - 0 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    let (report, answer) = last_report(&mut AlphaBeta::new(4, 3), &game, &Limits::default());
    let report = report.unwrap();
    assert_eq!((report.score, report.depth, report.moves.len()), (Score::Mate(3), 3, 3));
    let Answer::Play { mv, ponder } = answer else { panic!("{answer:?}") };
    assert_eq!((Some(mv), ponder), (report.moves.first().copied(), report.moves.get(1).copied()));

    let mut game = game;
    game.play(mv).unwrap();
    let (report, _) = last_report(&mut AlphaBeta::new(4, 3), &game, &Limits::default());
    assert_eq!(report.unwrap().score, Score::Mate(-2), "the other side sees it come");
}

#[test]
fn stalemate_is_a_draw_in_chess_and_avoided_by_the_stronger_side() {
    let position = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
    for seed in 0..20 {
        let mut game = Chess::with_rules(position.parse().unwrap(), Rules::between_programs(None));
        let mv = played::<Chess>(&mut AlphaBeta::new(2, seed), position);
        game.play(game.parse_move(&mv).unwrap()).unwrap();
        assert!(game.outcome().is_none_or(|outcome| !outcome.is_draw()), "{mv}");
    }
}

#[test]
fn repetitions_count_as_the_draws_they_are() {
    // White has a rook more and has been to this position twice.
    let mut game = Chess::with_rules(
        "k7/8/8/8/8/8/6R1/K7 w - - 0 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    for text in ["g2g3", "a8b8", "g3g2", "b8a8", "g2g3", "a8b8", "g3g2"] {
        game.play(game.parse_move(text).unwrap()).unwrap();
    }
    // Black, who loses otherwise, repeats a third time.
    let answer = AlphaBeta::new(2, 0).choose(&game, &Limits::default()).unwrap();
    assert_eq!(answer, Answer::play(game.parse_move("b8a8").unwrap()));
}

#[test]
fn alpha_beta_declares_an_entered_king() {
    let entered = "KGGSSBBRR/LL7/9/9/9/9/9/9/4k4 b 9P 1";
    assert_eq!(played::<Shogi>(&mut AlphaBeta::new(1, 0), entered), "Win");
}

/// Negamax without pruning, by the same rules.
fn plain<G: Arena>(position: &G::Position, depth: u32, ply: i32) -> i32 {
    let moves = position.legal_moves();
    if moves.as_ref().is_empty() && position.in_check() {
        return ply - 1_000_000;
    }
    if depth == 0 {
        return G::material(position);
    }
    let value = |&mv: &G::Move| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        -plain::<G>(&next, depth - 1, ply + 1)
    };
    moves.as_ref().iter().map(value).max().expect("no stalemate in these positions")
}

fn agrees_with_plain_negamax<G: Arena>(depth: u32, plies: usize) {
    let mut rng = SplitMix64::new(9);
    for seed in 0..12 {
        let mut game = G::new();
        random_game(&mut game, rng.next_u64(), plies);
        if game.outcome().is_some() {
            continue;
        }
        let (report, _) = last_report(&mut AlphaBeta::new(depth, seed), &game, &Limits::default());
        let expected = match plain::<G>(game.position(), depth, 0) {
            value if value > 900_000 => Score::Mate(1_000_000 - value),
            value if value < -900_000 => Score::Mate(-1_000_000 - value),
            value => Score::Centipawns(value),
        };
        assert_eq!(report.unwrap().score, expected, "{}", game.notation());
    }
}

#[test]
fn pruning_does_not_change_what_a_position_is_worth() {
    agrees_with_plain_negamax::<Shogi>(2, 80);
    agrees_with_plain_negamax::<Chess>(3, 40);
}

#[test]
fn limits_of_depth_and_nodes_are_kept() {
    let game = Shogi::new();
    let (report, _) = last_report(&mut AlphaBeta::new(9, 0), &game, &Limits::depth(2));
    assert_eq!(report.unwrap().depth, 2);
    for nodes in [1, 100, 5000] {
        let (report, _) = last_report(&mut AlphaBeta::new(9, 0), &game, &Limits::nodes(nodes));
        assert!(report.is_some_and(|report| report.nodes <= nodes));
    }
    let soon = Limits::move_time(Duration::from_millis(20));
    let (_, answer) = last_report(&mut AlphaBeta::new(60, 0), &game, &soon);
    assert!(matches!(answer, Answer::Play { .. }));
}

#[test]
fn quiescence_ends_where_captures_multiply() {
    // Nearly everything hangs: without a bound, one ply visits more than 700 000 positions.
    let wild =
        "k2+NB2p1/2s1+N3+R/1P2p1p1l/l1p4PP/+bpP1Pp3/G4+p1G1/1SRp2P+pl/p1K3s1L/N4gSNg w 2p 184";
    let game = Shogi::from_notation(wild).unwrap();
    for seed in 0..3 {
        let mut player = AlphaBeta::new(1, seed).with_quiescence();
        let (report, _) = last_report(&mut player, &game, &Limits::default());
        let nodes = report.unwrap().nodes;
        assert!((1_000..60_000).contains(&nodes), "{nodes}");
    }
}

#[test]
fn a_player_that_is_stopped_early_reports_what_it_has() {
    let game = Shogi::new();
    for nodes in [1, 2, 10, 100] {
        let limits = Limits::nodes(nodes);
        let mut player = AlphaBeta::new(4, 0).with_quiescence();
        let (report, answer) = last_report(&mut player, &game, &limits);
        let report = report.unwrap_or_else(|| panic!("nothing is reported of {nodes} nodes"));
        assert!(report.nodes <= nodes, "{report:?}");
        let Answer::Play { mv, .. } = answer else { panic!("{answer:?}") };
        assert_eq!(report.moves.first(), Some(&mv));
    }
}

#[test]
fn of_the_moves_it_came_to_a_stopped_player_makes_the_best() {
    // The rook can be taken by a pawn; everything else gains nothing.
    let game = Chess::from_notation("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1").unwrap();
    let limits = Limits::nodes(game.legal_moves().len() as u64 - 1);
    let best = (0..20).filter(|&seed| {
        let (_, answer) = last_report(&mut AlphaBeta::new(2, seed), &game, &limits);
        answer == Answer::play(game.parse_move("e4d5").unwrap())
    });
    assert!(best.count() > 10, "only the one move that it did not come to may be missed");
}

#[test]
fn players_choose_from_the_moves_they_are_given() {
    let search_moves = ["9g9f", "1g1f"].map(str::to_owned).to_vec();
    let limits = Limits { search_moves, ..Limits::default() };
    for seed in 0..5 {
        for mut player in everybody::<Shogi>(seed) {
            let answer = player.choose(&Shogi::new(), &limits).expect("it answers");
            let Answer::Play { mv, .. } = answer else { panic!("{answer:?}") };
            assert!(["9g9f", "1g1f"].contains(&mv.to_string().as_str()), "{}", player.name());
        }
    }
    // A mate, or a win by declaration, that is not among them is left alone.
    let limits = Limits { search_moves: vec!["5i5h".to_owned()], ..Limits::default() };
    for mut player in everybody::<Shogi>(0) {
        let mate = Shogi::from_notation("4k4/9/4P4/9/9/9/9/9/4K4 b GP 1").unwrap();
        let answer = player.choose(&mate, &limits).expect("it answers");
        assert!(matches!(answer, Answer::Play { mv, .. } if mv.to_string() == "5i5h"));
    }
}

#[test]
fn a_signal_ends_the_thinking() {
    let endless = Limits { infinite: true, ..Limits::default() };
    let pondering = Limits { ponder: true, ..Limits::default() };
    for limits in [endless, pondering, Limits::default()] {
        let (signal, mut player) = (Signal::new(), AlphaBeta::new(60, 0));
        let line = signal.clone();
        let thinking =
            thread::spawn(move || player.think(&Shogi::new(), &limits, &line, &mut |_| ()));
        thread::sleep(Duration::from_millis(30));
        assert!(!thinking.is_finished(), "there is always more to see");
        signal.stop();
        assert!(matches!(thinking.join().unwrap(), Ok(Answer::Play { .. })));
    }
}

#[test]
fn a_pondering_player_hears_that_its_clock_runs() {
    let limits = Limits { ponder: true, ..Limits::move_time(Duration::from_millis(1)) };
    let (signal, mut player) = (Signal::new(), AlphaBeta::new(60, 0));
    let line = signal.clone();
    let thinking = thread::spawn(move || player.think(&Shogi::new(), &limits, &line, &mut |_| ()));
    thread::sleep(Duration::from_millis(30));
    assert!(!thinking.is_finished(), "the other side's clock runs");
    signal.ponder_hit();
    assert!(matches!(thinking.join().unwrap(), Ok(Answer::Play { .. })));
}
