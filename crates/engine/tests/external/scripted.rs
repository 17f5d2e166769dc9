//! Small engines written for the shell, which do what real ones should not.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use keisei_engine::external::{ExternalEngine, GnuShogi, Launch, Patience};
use keisei_engine::{Answer, Limits, Player, PlayerError, Protocol, Score, Signal};
use keisei_game::{Game, Rules, Side};
use keisei_shogi::Shogi;

use crate::{after, answer};

/// An engine that is polite but for what is said otherwise.
struct Script {
    name: &'static str,
    usi: &'static str,
    isready: &'static str,
    go: &'static str,
    stop: &'static str,
    quit: &'static str,
    options: Vec<(String, String)>,
}

impl Script {
    /// A polite engine for the test `name`.
    fn new(name: &'static str) -> Self {
        Self {
            name,
            usi: "echo 'option name Threads type spin default 1 min 1 max 4'; echo usiok",
            isready: "echo readyok",
            go: "echo bestmove 7g7f",
            stop: "",
            quit: "exit 0",
            options: Vec::new(),
        }
    }

    fn file(&self, ending: &str) -> PathBuf {
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.{ending}", self.name))
    }

    /// Starts it. It writes what it hears to a file, and its number to another.
    fn start(&self) -> Result<ExternalEngine, PlayerError> {
        let Self { usi, isready, go, stop, quit, .. } = self;
        let (heard, pid) = (self.file("heard"), self.file("pid"));
        let (heard, pid) = (heard.display(), pid.display());
        let script = format!(
            "echo $$ > '{pid}'; : > '{heard}'
             while read -r line; do
               echo \"$line\" >> '{heard}'
               case \"$line\" in
                 usi) {usi};;
                 isready) {isready};;
                 go*) {go};;
                 stop|ponderhit) {stop};;
                 quit) {quit};;
               esac
             done"
        );
        let short = Duration::from_millis(300);
        let long = Duration::from_secs(20);
        // Only what a test makes silent is waited for in vain.
        let patience_for = |text: &str| if text.starts_with(':') { short } else { long };
        let patience = Patience {
            greeting: patience_for(usi),
            ready: patience_for(isready),
            answer: patience_for(go),
            thought: patience_for(go),
            quit: if *quit == "exit 0" { long } else { short },
        };
        let launch = Launch {
            options: self.options.clone(),
            patience,
            ..Launch::new(&["sh", "-c", &script])
        };
        ExternalEngine::start(Protocol::Usi, &Launch { name: self.name.to_owned(), ..launch })
    }

    fn heard(&self) -> Vec<String> {
        let text = fs::read_to_string(self.file("heard")).expect("it wrote what it heard");
        text.lines().map(str::to_owned).collect()
    }

    /// Checks that nothing of it runs any more. The system takes a moment to end what was killed.
    fn assert_gone(&self) {
        let pid = fs::read_to_string(self.file("pid")).expect("it wrote its number");
        let end = Instant::now() + Duration::from_secs(10);
        while !running(pid.trim()).is_empty() && Instant::now() < end {
            thread::sleep(Duration::from_millis(20));
        }
        let alive = running(pid.trim());
        assert!(alive.is_empty(), "{}: still running: {alive:?}", self.name);
    }
}

/// The processes of a group that run.
fn running(group: &str) -> Vec<String> {
    let stats = fs::read_dir("/proc").expect("there is /proc").flatten().filter_map(|entry| {
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // After the name in brackets: state, parent, group.
        let (_, fields) = stat.rsplit_once(") ")?;
        let mut fields = fields.split(' ');
        let state = fields.next()?;
        (state != "Z" && fields.nth(1) == Some(group)).then_some(stat.clone())
    });
    stats.collect()
}

fn plays(script: &Script, game: &Shogi) -> Result<Answer<<Shogi as Game>::Move>, PlayerError> {
    answer(&mut script.start()?, game, &Limits::depth(1))
}

fn error_of<T>(result: Result<T, PlayerError>) -> PlayerError {
    result.err().expect("it cannot go well")
}

#[test]
fn a_game_is_told_from_greeting_to_goodbye() {
    let script =
        Script { options: vec![("threads".into(), "2".into())], ..Script::new("conversation") };
    let mut engine = script.start().unwrap();
    let mut game = Shogi::new();
    let Answer::Play { mv, .. } = answer(&mut engine, &game, &Limits::depth(2)).unwrap() else {
        panic!("it plays")
    };
    game.play(mv).unwrap();
    game.resign(Side::Second);
    engine.end_game(&game, Side::First).unwrap();
    drop(engine);
    assert_eq!(
        script.heard(),
        [
            "usi",
            "setoption name Threads value 2",
            "isready",
            "isready",
            "usinewgame",
            "position startpos",
            "go depth 2",
            "gameover win",
            "quit"
        ]
    );
    script.assert_gone();
}

#[test]
fn an_engine_that_never_greets_is_silent() {
    let script = Script { usi: ":", ..Script::new("greeting") };
    let error = error_of(script.start());
    assert!(matches!(&error, PlayerError::Silent { request, .. } if request == "usi"), "{error}");
    script.assert_gone();
}

#[test]
fn an_engine_that_is_never_ready_is_silent() {
    let script = Script { isready: ":", ..Script::new("ready") };
    let error = error_of(script.start());
    assert!(matches!(&error, PlayerError::Silent { request, .. } if request == "isready"));
    script.assert_gone();
}

#[test]
fn an_engine_that_says_everything_but_that_it_is_ready_is_silent() {
    // Lines come faster than they are read, for much longer than there is patience.
    let script = Script { isready: ":; timeout 5 yes; echo readyok", ..Script::new("flooding") };
    let begin = Instant::now();
    let error = error_of(script.start());
    assert!(matches!(&error, PlayerError::Silent { request, .. } if request == "isready"));
    assert!(begin.elapsed() < Duration::from_secs(4), "{:?}", begin.elapsed());
    script.assert_gone();
}

#[test]
fn an_engine_that_never_moves_is_silent_and_ended() {
    let script = Script { go: ":", ..Script::new("silent") };
    let mut engine = script.start().unwrap();
    let error = error_of(answer(&mut engine, &Shogi::new(), &Limits::depth(1)));
    assert!(error.to_string().starts_with("silent did not answer \"go depth 1\""), "{error}");
    script.assert_gone();
    let error = error_of(answer(&mut engine, &Shogi::new(), &Limits::depth(1)));
    assert!(matches!(error, PlayerError::Ended { .. }), "{error}");
}

#[test]
fn a_crash_is_told_with_its_status_and_last_words() {
    let script = Script { go: "echo 'out of memory' >&2; exit 3", ..Script::new("crash") };
    let error = error_of(plays(&script, &after(&["7g7f"])));
    assert!(matches!(error, PlayerError::Ended { .. }));
    let text = error.to_string();
    assert!(text.contains("exit status: 3") && text.contains("out of memory"), "{text}");
    script.assert_gone();
}

#[test]
fn a_program_that_does_not_exist_cannot_be_started() {
    let launch = Launch::new(&["no-such-engine"]);
    let error = error_of(ExternalEngine::start(Protocol::Usi, &launch));
    assert!(error.to_string().contains("cannot start \"no-such-engine\""), "{error}");
    let error = error_of(GnuShogi::start(&launch));
    assert!(error.to_string().contains("cannot start \"no-such-engine\""), "{error}");
}

#[test]
fn moves_that_cannot_be_played_are_refused_with_the_rule() {
    for (name, go, answered, problem) in [
        ("illegal", "echo bestmove 7g7e", "7g7e", "a pawn cannot go from 7g to 7e"),
        ("nonsense", "echo bestmove pass", "pass", "pass"),
        ("none", "echo 'bestmove (none)'", "(none)", "there are legal moves"),
        ("nothing", "echo bestmove", "", "there are legal moves"),
        ("no-win", "echo bestmove win", "win", "there is no win to declare"),
    ] {
        let script = Script { go, ..Script::new(name) };
        match error_of(plays(&script, &Shogi::new())) {
            PlayerError::Illegal { answer, problem: told, .. } => {
                assert_eq!(answer, answered);
                assert!(told.contains(problem), "{told}");
            }
            error => panic!("{error}"),
        }
        script.assert_gone();
    }
}

#[test]
fn resignations_and_declarations_are_understood() {
    let resigns = Script { go: "echo bestmove resign", ..Script::new("resigns") };
    assert_eq!(plays(&resigns, &Shogi::new()).unwrap(), Answer::Resign);
    let entered = Shogi::with_rules(
        "KGGSSBBRR/LL7/9/9/9/9/9/9/4k4 b 9P 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    let declares = Script { go: "echo bestmove win", ..Script::new("declares") };
    assert_eq!(plays(&declares, &entered).unwrap(), Answer::Win);
}

#[test]
fn garbage_is_passed_over() {
    let script = Script {
        usi: "echo; printf '\\377\\376\\n'; echo option; echo usiok",
        go: "head -c 100000 /dev/zero | tr '\\0' x; echo; echo info depth score pv; \
             echo 'info depth 7 score cp 12 pv 7g7f 9z9z'; printf 'bestmove 7g7f ponder 9z9z\\r\\n'",
        ..Script::new("garbage")
    };
    let mut engine = script.start().unwrap();
    let mut reports = Vec::new();
    let mut note = |report: &keisei_engine::Report<_>| reports.push(report.clone());
    let game = Shogi::new();
    let answer = engine.think(&game, &Limits::depth(7), &Signal::new(), &mut note).unwrap();
    assert_eq!(answer, Answer::play(game.parse_move("7g7f").unwrap()));
    let [report] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!((report.depth, report.score), (7, Score::Centipawns(12)));
}

#[test]
fn a_flood_that_nobody_reads_holds_up_neither_side() {
    let script = Script {
        go: "echo bestmove 7g7f; i=0; while [ $i -lt 9000 ]; do echo info string $i; i=$((i+1)); done",
        ..Script::new("flood")
    };
    let mut engine = script.start().unwrap();
    for _ in 0..3 {
        assert!(answer(&mut engine, &Shogi::new(), &Limits::depth(1)).is_ok());
    }
}

#[test]
fn analysis_goes_on_until_it_is_stopped_and_pondering_until_the_move_comes() {
    let script = Script { go: "", stop: "echo bestmove 2g2f", ..Script::new("stop") };
    let endless = Limits { infinite: true, ..Limits::default() };
    let guessed = Limits { ponder: true, ..Limits::depth(3) };
    for (limits, word) in [(endless, "stop"), (guessed, "ponderhit")] {
        let mut engine = script.start().unwrap();
        let signal = Signal::new();
        let line = signal.clone();
        let thinking =
            thread::spawn(move || engine.think(&Shogi::new(), &limits, &line, &mut |_| ()));
        thread::sleep(Duration::from_millis(50));
        assert!(!thinking.is_finished());
        if word == "stop" {
            signal.stop()
        } else {
            signal.ponder_hit()
        }
        let answer = thinking.join().unwrap().unwrap();
        assert_eq!(answer, Answer::play(Shogi::new().parse_move("2g2f").unwrap()));
        assert!(script.heard().iter().any(|heard| heard == word), "{:?}", script.heard());
    }
}

#[test]
fn an_engine_that_overlooks_its_time_is_told_to_stop() {
    let script = Script { go: "", stop: "echo bestmove 2g2f", ..Script::new("late") };
    let soon = Limits::move_time(Duration::from_millis(20));
    assert!(answer(&mut script.start().unwrap(), &Shogi::new(), &soon).is_ok());
}

#[test]
fn an_engine_that_does_not_quit_is_killed_with_all_it_started() {
    let script =
        Script { quit: "trap '' TERM INT HUP; sleep 1000 & sleep 1000", ..Script::new("stubborn") };
    assert!(plays(&script, &Shogi::new()).is_ok());
    script.assert_gone();
}

#[test]
fn no_engine_outlives_a_panic() {
    let script = Script::new("panic");
    let result = catch_unwind(AssertUnwindSafe(|| {
        let _engine = script.start().unwrap();
        panic!("something else goes wrong");
    }));
    assert!(result.is_err());
    script.assert_gone();
}

#[test]
fn options_that_do_not_exist_or_fit_are_refused() {
    for (option, value, message) in [
        ("Thread", "2", "there is no option \"Thread\"; there are: Threads"),
        ("Threads", "9", "option Threads cannot be \"9\": it is a number from 1 to 4"),
    ] {
        let options = vec![(option.to_owned(), value.to_owned())];
        let script = Script { options, ..Script::new("options") };
        let error = error_of(script.start()).to_string();
        assert!(error.contains(message), "{error}");
        script.assert_gone();
    }
}
