//! The full-screen view of training, in a real pseudo-terminal.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::train::runs;

/// Rows and columns of a terminal.
type Size = [NonZero<u16>; 2];

/// How large the terminal is at first.
const LARGE: Size = [NonZero::new(40).unwrap(), NonZero::new(150).unwrap()];
/// How large it is later.
const SMALL: Size = [NonZero::new(24).unwrap(), NonZero::new(80).unwrap()];

/// `keisei train` in a pseudo-terminal, and what its screen shows.
struct Terminal {
    script: Child,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl Terminal {
    /// Begins a run without an end. The state of the terminal is printed when it is over.
    fn train(runs: &Path) -> Self {
        let [rows, columns] = LARGE;
        let command = format!(
            "stty rows {rows} cols {columns}; {} train --preset cpu-smoke --steps 100000000 \
             --run a --runs {}; status=$?; stty -a; exit $status",
            env!("CARGO_BIN_EXE_keisei"),
            runs.display()
        );
        let mut script = Command::new("script")
            .args(["--quiet", "--return", "--flush", "--command", &command, "/dev/null"])
            .env("TERM", "xterm-256color")
            .env("SHELL", "/bin/bash")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("`script` is there (Debian package bsdutils)");
        let (send, output) = channel();
        let mut stdout = script.stdout.take().unwrap();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut bytes) {
                if send.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { script, output, screen: vt100::Parser::new(rows, columns, 0) }
    }

    /// Waits until the screen shows all of `texts`.
    #[track_caller]
    fn wait_for(&mut self, texts: &[&str]) {
        let start = Instant::now();
        loop {
            let contents = self.screen.screen().contents();
            if texts.iter().all(|text| contents.contains(text)) {
                return;
            }
            assert!(start.elapsed() < Duration::from_secs(120), "{texts:?}:\n{contents}");
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(100)) {
                self.screen.process(&bytes);
            }
        }
    }

    fn press(&mut self, keys: &str) {
        self.script.stdin.as_mut().unwrap().write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the end, and gives the screen as it was left.
    fn end(mut self) -> (ExitStatus, String) {
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_secs(120)) {
            self.screen.process(&bytes);
        }
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor(), "the screen is not left");
        (self.script.wait().unwrap(), screen.contents())
    }
}

impl Drop for Terminal {
    /// The run in it ends with the terminal.
    fn drop(&mut self) {
        let _ = self.script.kill();
        let _ = self.script.wait();
    }
}

/// The terminal is as a shell needs it: it reads lines and shows what is typed.
#[track_caller]
fn assert_restored(screen: &str) {
    let words: Vec<_> = screen.split([' ', ';', '\n']).collect();
    assert!(words.contains(&"icanon") && words.contains(&"echo"), "{screen}");
}

/// Changes the size of the terminal that `run` is shown in.
fn resize(script: &Child, [rows, columns]: Size) {
    let children = format!("/proc/{0}/task/{0}/children", script.id());
    let shell = fs::read_to_string(children).unwrap();
    let shell = shell.split_whitespace().next().unwrap();
    let terminal = fs::read_link(format!("/proc/{shell}/fd/0")).unwrap();
    let size = ["rows", &rows.to_string(), "cols", &columns.to_string()];
    let stty = Command::new("stty").arg("-F").arg(terminal).args(size).status().unwrap();
    assert!(stty.success());
}

#[test]
fn the_view_fills_the_screen_follows_its_size_and_gives_it_back_when_the_run_is_asked_to_end() {
    let runs = runs("train-view");
    let mut terminal = Terminal::train(&runs);
    terminal.wait_for(&["moves a second", "sampled against random 0.", "a game: move", "time: "]);
    terminal.wait_for(&[
        "shogi, 6197 weights, seed 1",
        "q saves and ends",
        "sampled against previous",
    ]);
    resize(&terminal.script, SMALL);
    terminal.screen.screen_mut().set_size(SMALL[0], SMALL[1]);
    terminal.wait_for(&["b changes between curves and board"]);
    terminal.press("b");
    terminal.wait_for(&["a game: move", " | P5"]);
    terminal.press("q");
    let (status, screen) = terminal.end();
    assert!(status.success(), "{screen}");
    assert!(screen.contains("saved; go on with: keisei train --run a"), "{screen}");
    assert_restored(&screen);
}

#[test]
fn the_terminal_is_given_back_when_a_run_ends_with_an_error() {
    let runs = runs("train-view-error");
    let mut terminal = Terminal::train(&runs);
    terminal.wait_for(&["moves a second", "q saves and ends"]);
    // The last checkpoint cannot be written.
    let checkpoints = runs.join("a/checkpoints");
    fs::rename(&checkpoints, checkpoints.with_extension("away")).unwrap();
    fs::write(&checkpoints, "no folder").unwrap();
    terminal.press("\u{3}");
    let (status, screen) = terminal.end();
    assert!(!status.success() && screen.contains("error: "), "{screen}");
    assert_restored(&screen);
}

#[test]
fn a_run_whose_terminal_is_closed_saves_and_ends() {
    let runs = runs("train-view-closed");
    let mut terminal = Terminal::train(&runs);
    terminal.wait_for(&["moves a second", "q saves and ends"]);
    drop(terminal);
    // Nobody holds the run any more, and its checkpoint is whole: another process goes on with it.
    let go_on = || {
        Command::new(env!("CARGO_BIN_EXE_keisei"))
            .args(["train", "--plain", "--run", "a", "--steps", "1", "--runs"])
            .arg(&runs)
            .output()
            .unwrap()
    };
    let start = Instant::now();
    loop {
        let output = go_on();
        if output.status.success() {
            break;
        }
        let problem = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(start.elapsed() < Duration::from_secs(120), "{problem}");
        thread::sleep(Duration::from_millis(200));
    }
}
