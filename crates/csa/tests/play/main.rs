//! Games over TCP against a server that follows the protocol's document. rsshogi-csa reads every
//! line of both sides as well.
#![allow(missing_docs)]

mod server;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use keisei_csa::{CsaError, Event, Settings, Tally, Verdict, play};
use keisei_engine::{AlphaBeta, Answer, Limits, Player, PlayerError, Report, Signal};
use keisei_game::Side;
use keisei_records::formats::csa;
use keisei_records::{Ending, Record, Recorded};
use keisei_shogi::{Move, Shogi};
use server::{Plan, Server, Time};

fn settings(server: &Server) -> Settings {
    Settings {
        server: server.address(),
        name: "keisei".to_owned(),
        password: "secret".to_owned(),
        games: Some(1),
        keep_alive: Duration::from_secs(40),
        attempts: 0,
        first_wait: Duration::from_millis(10),
        margin: Duration::from_millis(100),
    }
}

fn player() -> AlphaBeta {
    AlphaBeta::new(1, 1)
}

/// What a session left behind.
#[derive(Default)]
struct Seen {
    finished: Vec<(String, Verdict, String, Record<Shogi>)>,
    broken_off: Vec<Record<Shogi>>,
    begun: usize,
    lost: usize,
}

fn observed<P: Player<Shogi>>(
    settings: &Settings,
    mut player: P,
    stop: &(dyn Fn() -> bool + Sync),
) -> (Result<Tally, CsaError>, Seen) {
    let mut seen = Seen::default();
    let tally = play(settings, &mut player, stop, &mut |event| match event {
        Event::Over(over) => {
            let record = over.record.clone();
            seen.finished.push((over.id.clone(), over.verdict, over.reason.clone(), record));
        }
        Event::BrokenOff { record, .. } => seen.broken_off.push((*record).clone()),
        Event::Begun(_) => seen.begun += 1,
        Event::Lost { .. } => seen.lost += 1,
        Event::Sent(line) => assert!(!line.contains("secret"), "{line}"),
        Event::Received(_) => {}
    });
    (tally, seen)
}

fn ending(record: &Record<Shogi>) -> Option<Ending> {
    record.main_line().last().and_then(|id| record.node(id).ending())
}

const BYOYOMI: Time = Time { total: 2, byoyomi: 1, increment: 0 };
const INCREMENT: Time = Time { total: 3, byoyomi: 0, increment: 1 };

#[test]
fn several_games_are_played_in_a_row_with_either_colour_and_clock() {
    let plans = vec![
        Plan { time: BYOYOMI, max_moves: 12, ..Plan::default() },
        Plan { client: Side::Second, time: INCREMENT, max_moves: 15, ..Plan::default() },
        Plan { max_moves: 10, ..Plan::default() },
    ];
    let server = Server::start(plans);
    let settings = Settings { games: Some(3), ..settings(&server) };
    let (tally, seen) = observed(&settings, player(), &|| false);
    assert_eq!(tally.unwrap(), Tally { others: 3, ..Tally::default() });
    assert_eq!((seen.begun, seen.lost), (3, 0));
    let lengths: Vec<_> = seen.finished.iter().map(|(.., r)| r.main_moves().count()).collect();
    assert_eq!(lengths, [12, 15, 10]);
    for (id, verdict, reason, record) in &seen.finished {
        assert_eq!((*verdict, &reason[..]), (Verdict::Censored, "MAX_MOVES"), "{id}");
        assert_eq!(ending(record), Some(Ending::MaxMoves));
        assert_eq!(record.headers.get("棋戦"), Some(&id[..]));
        let timed = record.main_line().filter(|&node| record.node(node).notes.time.is_some());
        assert_eq!(timed.count(), record.main_moves().count());
        // The record says all that CSA can hold, and reads back.
        let text = Shogi::write(record, keisei_records::Format::Csa).unwrap();
        let back = csa::read(&text.text).unwrap().remove(0);
        assert!(back.main_moves().eq(record.main_moves()));
    }
    let transcript = server.finish();
    assert_eq!(transcript.last().map(String::as_str), Some("< LOGOUT:completed"));
}

#[test]
fn moves_carry_scores_from_blacks_view_and_the_expected_line() {
    let plans = vec![Plan { client: Side::Second, max_moves: 20, ..Plan::default() }];
    let server = Server::start(plans);
    let (_, seen) = observed(&settings(&server), AlphaBeta::new(3, 1), &|| false);
    let record = &seen.finished[0].3;
    let transcript = server.finish();
    let comments: Vec<_> = transcript
        .iter()
        .filter_map(|line| line.strip_prefix("> -")?.split_once(",'").map(|(_, text)| text))
        .collect();
    assert_eq!(comments.len(), 10, "{transcript:?}");
    let own = record.main_line().filter(|&id| record.turn_at(id) == Side::First);
    let mut lines = 0;
    for (comment, id) in comments.iter().zip(own) {
        let position = record.position_at(id);
        let told = csa::read_floodgate(&position, comment).expect(comment);
        let kept = &record.node(id).notes.evaluations[0];
        assert!(told.centipawns.is_some());
        if let Some(score) = kept.centipawns {
            assert_eq!(told.centipawns, Some(score));
        }
        assert_eq!(told.line, kept.line);
        lines += usize::from(!told.line.is_empty());
    }
    assert!(lines > 5, "{comments:?}");
}

#[test]
fn a_game_goes_on_after_the_connection_was_lost() {
    let plan = Plan { max_moves: 14, lose_connection_after: Some(7), ..Plan::default() };
    let server = Server::start(vec![plan]);
    let settings = Settings { attempts: 3, ..settings(&server) };
    let (tally, seen) = observed(&settings, AlphaBeta::new(2, 1), &|| false);
    assert_eq!(tally.unwrap().games(), 1);
    assert_eq!((seen.begun, seen.lost), (2, 1));
    assert_eq!(ending(&seen.broken_off[0]), Some(Ending::Interruption));
    let record = &seen.finished[0].3;
    assert_eq!(record.main_moves().count(), 14);
    let thoughts = record.main_line().filter(|&id| !record.node(id).notes.evaluations.is_empty());
    assert!(thoughts.count() >= 6, "what was thought before is kept");
    server.finish();
}

#[test]
fn a_server_that_stays_away_is_given_up_after_the_agreed_attempts() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap().to_string();
    drop(listener);
    let settings = Settings {
        server,
        name: "keisei".to_owned(),
        password: "secret".to_owned(),
        games: None,
        keep_alive: Duration::from_secs(40),
        attempts: 3,
        first_wait: Duration::from_millis(1),
        margin: Duration::ZERO,
    };
    let (result, seen) = observed(&settings, player(), &|| false);
    assert!(matches!(result, Err(CsaError::Lost { .. })), "{result:?}");
    assert_eq!(seen.lost, 3);
}

#[test]
fn long_silences_are_broken_by_empty_lines_which_are_answered_and_ignored() {
    let plan = Plan { max_moves: 4, think: Duration::from_millis(300), ..Plan::default() };
    let server = Server::start(vec![plan]);
    let settings = Settings { keep_alive: Duration::from_millis(50), ..settings(&server) };
    let (tally, _) = observed(&settings, player(), &|| false);
    assert_eq!(tally.unwrap().games(), 1);
    let transcript = server.finish();
    let empty = |line: &&String| *line == "> ";
    assert!(transcript.iter().filter(empty).count() >= 2, "{transcript:?}");
    let answered = |line: &&String| *line == "< ";
    assert_eq!(transcript.iter().filter(answered).count(), transcript.iter().filter(empty).count());
}

#[test]
fn an_entered_king_is_declared() {
    let entered = "P1+TO+TO+TO+TO+OU+TO+TO+TO+TO\nP2+RY+UM * +NK+NK+NY+NY+TO+TO\nP3 *  *  *  *  *  *  *  *  * \n\
        P4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n\
        P7 *  *  *  *  *  *  *  *  * \nP8 *  *  *  *  *  *  *  *  * \nP9 *  *  *  * -OU *  *  *  * \n\
        P+00KI00KI00KI00KI00GI00GI00GI00GI00HI00KA\n+";
    let plan = Plan { position: entered.to_owned(), ..Plan::default() };
    let server = Server::start(vec![plan]);
    let (tally, seen) = observed(&settings(&server), player(), &|| false);
    assert_eq!(tally.unwrap().wins, 1);
    let (_, verdict, reason, record) = &seen.finished[0];
    assert_eq!((*verdict, &reason[..]), (Verdict::Win, "JISHOGI"));
    assert_eq!(ending(record), Some(Ending::Declaration));
    assert!(server.finish().contains(&"> %KACHI".to_owned()));
}

#[test]
fn whoever_is_asked_to_stop_resigns_and_logs_out() {
    static STOP: AtomicBool = AtomicBool::new(false);

    /// Thinks until it is told to stop, which it is at its third move.
    struct Slow(AlphaBeta, usize);

    impl Player<Shogi> for Slow {
        fn name(&self) -> &'static str {
            "slow"
        }

        fn think(
            &mut self,
            game: &Shogi,
            limits: &Limits,
            signal: &Signal,
            report: &mut dyn FnMut(&Report<Move>),
        ) -> Result<Answer<Move>, PlayerError> {
            self.1 += 1;
            if self.1 == 3 {
                STOP.store(true, Ordering::SeqCst);
                while !signal.stopped() {
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
            self.0.think(game, limits, signal, report)
        }
    }

    let server = Server::start(vec![Plan::default(), Plan::default()]);
    let settings = Settings { games: None, ..settings(&server) };
    let stop = || STOP.load(Ordering::SeqCst);
    let (tally, seen) = observed(&settings, Slow(player(), 0), &stop);
    assert_eq!(tally.unwrap(), Tally { losses: 1, ..Tally::default() });
    assert_eq!(ending(&seen.finished[0].3), Some(Ending::Resignation));
    let transcript = server.finish();
    assert!(transcript.contains(&"> %TORYO".to_owned()), "{transcript:?}");
    assert!(transcript.contains(&"> LOGOUT".to_owned()), "{transcript:?}");
}

#[test]
fn a_player_that_takes_too_long_hears_that_the_game_is_over() {
    struct Asleep;

    impl Player<Shogi> for Asleep {
        fn name(&self) -> &'static str {
            "asleep"
        }

        fn think(
            &mut self,
            _game: &Shogi,
            _limits: &Limits,
            signal: &Signal,
            _report: &mut dyn FnMut(&Report<Move>),
        ) -> Result<Answer<Move>, PlayerError> {
            while !signal.stopped() {
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok(Answer::Resign)
        }
    }

    let time = Time { total: 1, byoyomi: 0, increment: 0 };
    let server = Server::start(vec![Plan { time, ..Plan::default() }]);
    let (tally, seen) = observed(&settings(&server), Asleep, &|| false);
    assert_eq!(tally.unwrap().losses, 1);
    let (_, verdict, reason, record) = &seen.finished[0];
    assert_eq!((*verdict, &reason[..]), (Verdict::Loss, "TIME_UP"));
    assert_eq!(ending(record), Some(Ending::Timeout));
    server.finish();
}

#[test]
fn a_mated_opponent_resigns_and_the_game_is_won() {
    // Any move but the mate would leave Black to be mated.
    let mate = "P1 *  *  *  * -OU *  *  *  * \nP2 *  *  *  *  *  *  *  *  * \n\
        P3 *  *  *  * +FU *  *  *  * \nP4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \n\
        P6 *  *  *  *  *  *  *  *  * \nP7 *  *  *  *  *  *  *  *  * \nP8 *  *  *  *  *  *  *  *  * \n\
        P9 *  *  *  * +OU *  *  *  * \nP+00KI\n+";
    let server = Server::start(vec![Plan { position: mate.to_owned(), ..Plan::default() }]);
    let (tally, seen) = observed(&settings(&server), player(), &|| false);
    assert_eq!(tally.unwrap().wins, 1);
    assert_eq!(ending(&seen.finished[0].3), Some(Ending::Resignation));
    assert_eq!(seen.finished[0].3.main_moves().count(), 1);
    server.finish();
}

#[test]
fn a_wrong_password_is_no_reason_to_try_again() {
    let server = Server::start(vec![Plan::default()]);
    let settings = Settings { password: "wrong".to_owned(), attempts: 5, ..settings(&server) };
    let (result, seen) = observed(&settings, player(), &|| false);
    let message = result.unwrap_err().to_string();
    assert!(message.ends_with("does not let keisei in: incorrect"), "{message}");
    assert_eq!(seen.lost, 0);
    let blank = Settings { name: "two words".to_owned(), ..settings };
    let (result, _) = observed(&blank, player(), &|| false);
    assert_eq!(result.unwrap_err().to_string(), "the name must be one word");
}

#[test]
fn a_server_that_plays_an_illegal_move_is_left_with_its_line_in_the_message() {
    let plan = Plan { client: Side::Second, illegal_first_move: true, ..Plan::default() };
    let server = Server::start(vec![plan]);
    let (result, seen) = observed(&settings(&server), player(), &|| false);
    let message = result.unwrap_err().to_string();
    assert!(message.starts_with("the server said \"+7775FU,T0\": "), "{message}");
    assert_eq!(seen.broken_off.len(), 1);
}
