//! Every example prints what the comment at its end says.

use std::io::Write;
use std::process::{Command, Stdio};

/// The lines of a comment after a heading such as `// Output:`, up to the next heading or the end.
fn block<'a>(source: &'a str, heading: &str) -> Vec<&'a str> {
    let lines = source.lines().skip_while(|line| *line != heading).skip(2);
    lines
        .map_while(|line| line.strip_prefix("//"))
        .map(|line| line.trim_start_matches(' '))
        .collect()
}

#[track_caller]
fn prints_what_it_says(program: &str, source: &str) {
    let mut input = block(source, "// Input:").join("\n");
    input.push('\n');
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("an example starts");
    // One that reads nothing may have ended by now.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("an example ends");
    assert!(output.status.success(), "{program}: {}", output.status);
    let printed = String::from_utf8(output.stdout).expect("examples print text");
    let printed: Vec<_> = printed.lines().map(|line| line.trim()).collect();
    assert_eq!(printed, block(source, "// Output:"), "{program}");
}

macro_rules! examples {
    ($($test:ident: $program:literal, $path:literal;)*) => {
        $(#[test]
        fn $test() {
            prints_what_it_says(env!(concat!("CARGO_BIN_EXE_", $program)), include_str!($path));
        })*
    };
}

examples! {
    rules: "1_rules", "../1_rules.rs";
    records: "2_records", "../2_records.rs";
    an_engine: "3_engine", "../3_engine.rs";
    a_search: "4_search", "../4_search.rs";
    a_training_run: "5_training", "../5_training.rs";
    a_new_game: "6_new_game", "../6_new_game/main.rs";
}
