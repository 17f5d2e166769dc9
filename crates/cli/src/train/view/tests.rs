use super::*;
use std::env;
use std::process::Command;

use crate::cluster::SharedWatch;

/// Says to the test that it is the process whose view is looked at.
const CHILD: &str = "KEISEI_TEST_SHOWS_A_VIEW";

/// A view is open; something panics, is caught, and then something else panics.
fn panic_twice() {
    let console = Console::default();
    let stop = console.stop_on_interrupt(&SharedWatch::default()).unwrap();
    let _view = View::open(&console, &Arc::default(), &stop).unwrap();
    let caught = catch_unwind(|| panic!("caught by whoever expects it"));
    assert!(caught.is_err() && console.on_screen());
    console.say("a line for the log");
    panic!("nobody catches this");
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_is_told() {
    if env::var_os(CHILD).is_some() {
        panic_twice();
    }
    let name = "train::view::tests::a_panic_gives_the_terminal_back_before_it_is_told";
    let program = env::current_exe().unwrap();
    let command = format!("{} --exact {name} --no-capture; stty -a", program.display());
    let output = Command::new("script")
        .args(["--quiet", "--command", &command, "/dev/null"])
        .env(CHILD, "1")
        .env("TERM", "xterm-256color")
        .output()
        .expect("`script` is there (Debian package bsdutils)");
    let said = String::from_utf8_lossy(&output.stdout);
    let [enter, leave, show] = ["\u{1b}[?1049h", "\u{1b}[?1049l", "\u{1b}[?25h"]
        .map(|sequence| said.find(sequence).unwrap_or_else(|| panic!("{sequence:?}: {said}")));
    let after = &said[leave.max(show)..];
    assert!(enter < leave && !said[..leave].contains("nobody catches this"), "{said}");
    assert!(
        after.contains("nobody catches this") && after.contains("a line for the log"),
        "{said}"
    );
    let words: Vec<_> = after.split([' ', ';', '\r', '\n']).collect();
    assert!(words.contains(&"icanon") && words.contains(&"echo"), "{said}");
}
