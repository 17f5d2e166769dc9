use super::*;
use crate::train::view::About;
use keisei_game::Game;
use keisei_shogi::Shogi;
use keisei_train::callbacks::Scene;
use keisei_train::config::Training;
use keisei_train::metrics::Record;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

/// A run of which everything is known.
fn model() -> Model {
    let training = Training { total_steps: 10_000_000, minutes: Some(10.0), ..Training::default() };
    let about = About {
        name: "runs/cpu-1".to_owned(),
        description: "shogi, 69,421 weights, seed 7".to_owned(),
        training,
    };
    let mut model = Model::new(about);
    for number in 1..=9 {
        let mut record = Record::new(20 * number, 163_840 * number);
        for (name, value) in [
            (names::PROGRESS, 0.1 * number as f64),
            (names::SECONDS, 60.0 * number as f64),
            (names::SPS, 5123.4),
            (names::GAMES, 1234.0),
            (names::POLICY_LOSS, -0.0123),
            (names::VALUE_LOSS, 0.0456),
            (names::ENTROPY, 2.5),
            (names::EXPLAINED_VARIANCE, 0.08 * number as f64),
            (names::APPROX_KL, 0.0111),
            (names::REWIND_DEPTH, 12.0),
            (names::ROLLOUT_SECONDS, 4.0),
            (names::ACTING_SECONDS, 3.0),
            (names::UPDATE_SECONDS, 5.0),
            (names::LEARNING_SECONDS, 4.5),
            (names::EVALUATION_SECONDS, 1.0),
        ] {
            record.set(name, value);
        }
        model.note(&record);
        let mut record = Record::new(20 * number, 163_840 * number);
        for name in ["eval/score_vs_random", "eval/score_vs_random_greedy"] {
            let mean = 0.5 + 0.05 * number as f64;
            for (end, value) in [("", mean), ("_low", mean - 0.1), ("_high", mean + 0.04)] {
                record.set(&format!("{name}{end}"), value);
            }
        }
        record.set(names::EVAL_MATE, 0.06 * number as f64);
        record.set(names::EVAL_MATE_CHANCE, 0.05);
        model.note(&record);
    }
    let board = Shogi::new().board_text();
    model.scene = Scene { board, moves: 31, last_move: Some("7g7f".to_owned()) };
    model
}

/// The screen as text, one line a row.
fn screen(width: u16, height: u16, model: &Model, look: Look) -> String {
    let lines = ["the first line", "the second line"].map(str::to_owned);
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, model, &lines, look)).unwrap();
    terminal.backend().to_string()
}

#[track_caller]
fn assert_shows(screen: &str, expected: &[&str]) {
    for text in expected {
        assert!(screen.contains(text), "{text:?} is not in\n{screen}");
    }
}

const NUMBERS_SHOWN: &[&str] = &[
    "runs/cpu-1  shogi, 69,421 weights, seed 7",
    "90 %, 1:00 left",
    "1,474,560",
    "5,123",
    "11,106",
    "-0.0123",
    "0.0456",
    "2.500",
    "0.720",
    "0.0111",
    "the second line",
];

#[test]
fn a_wide_screen_shows_numbers_curves_board_times_and_log() {
    let screen = screen(150, 40, &model(), Look::default());
    assert_shows(&screen, NUMBERS_SHOWN);
    assert_shows(
        &screen,
        &[
            "sampled against random 0.95 [0.85, 0.99]",
            "greedy against random 0.95 [0.85, 0.99]",
            "mates in one 0.540 (by chance 0.050)",
            "explained variance 0.720",
            "a game: move 31, 7g7f",
            "| l  n  s  g  k  g  s  n  l | P1",
            "network 83 % of play and learning; time: acting 30 %, games 10 %, learning 45 %, \
             preparing 5 %, evaluating 10 %, writing 0 %",
            "q saves and ends",
        ],
    );
    // The curve rises from the lower left to the upper right of its part of the screen.
    let braille = |line: &&str| line.chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
    assert!(screen.lines().filter(braille).count() > 4, "{screen}");
    assert!(screen.contains('▇') || screen.contains('█'), "{screen}");
}

#[test]
fn a_small_screen_changes_between_curves_and_board() {
    let curves = screen(80, 24, &model(), Look::default());
    assert_shows(&curves, NUMBERS_SHOWN);
    assert_shows(
        &curves,
        &["sampled against random", "greedy against random", "b changes between"],
    );
    assert!(!curves.contains("a game: move"), "{curves}");
    let board = screen(80, 24, &model(), Look { board_first: true, ..Look::default() });
    assert_shows(&board, &["a game: move 31", "| L  N  S  G  K  G  S  N  L | P9", "1,474,560"]);
    assert!(!board.contains("against random"), "{board}");
}

#[test]
fn a_run_that_is_asked_to_end_says_so() {
    let screen = screen(80, 24, &model(), Look { stopping: true, ..Look::default() });
    assert_shows(&screen, &["saving after this update"]);
}

#[test]
fn any_size_can_be_drawn_with_and_without_numbers() {
    for model in [Model::default(), model()] {
        for (width, height) in [(1, 1), (2, 3), (20, 5), (40, 10), (79, 23), (300, 90)] {
            for board_first in [false, true] {
                screen(width, height, &model, Look { board_first, stopping: false });
            }
        }
    }
}

#[test]
fn numbers_are_grouped_and_times_read_like_clocks() {
    assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    let clocks = [0, 59, 61, 3600 + 120 + 3].map(|seconds| clock(Duration::from_secs(seconds)));
    assert_eq!(clocks, ["0:00", "0:59", "1:01", "1:02:03"]);
}
