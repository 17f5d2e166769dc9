//! Analyses of records.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{fails, file, keisei, scratch, stderr, stdout, succeeds};

/// Black gives the bishop away with the third move.
const SHOGI: &str = "position startpos moves 7g7f 3c3d 8h3c+ 2a3c 2g2f 8c8d\n";

/// White gives the queen for a pawn on the second move.
const CHESS: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Qg4 d6 3. Qxg7 Bxg7 *\n";

/// `name` in a folder of the test's own, without what an earlier run left there.
fn game(folder: &str, name: &str, text: &str) -> String {
    let place = scratch(folder);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    file(&format!("{folder}/{name}"), text)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn an_obvious_blunder_is_marked_and_the_record_keeps_its_moves() {
    let input = game("analyze-shogi", "game.usi", SHOGI);
    let said = succeeds(&["analyze", &input, "--player", "ab:2", "--depth", "2", "--variations"]);
    let line = said.lines().find(|line| line.contains("B-3c+")).unwrap_or(&said);
    assert!(line.contains("?? blunder") && line.contains("３三角成"), "{said}");
    assert!(said.starts_with("7 of 7 positions evaluated"), "{said}");
    assert!(said.contains("black ") && said.contains("white "), "{said}");

    let folder = scratch("analyze-shogi");
    let kif = read(&folder.join("game-analysis.kifu"));
    assert_eq!(kif.matches("#評価値=").count(), 7, "{kif}");
    assert_eq!(kif.matches("?? blunder: ").count(), 1, "{kif}");
    for word in ["#読み筋=", "#深さ=2", "#エンジン=", "変化：3手"] {
        assert!(kif.contains(word), "{word}\n{kif}");
    }
    let again = folder.join("again.usi");
    let kifu = folder.join("game-analysis.kifu");
    let convert = ["convert", kifu.to_str().unwrap(), again.to_str().unwrap()];
    keisei(&convert).assert().success();
    assert_eq!(read(&again).trim(), SHOGI.trim());
    let svg = read(&folder.join("game-analysis.svg"));
    assert!(svg.contains("Chances of black to win") && svg.contains("?? blunder"), "{svg}");
    assert!(fs::read(folder.join("game-analysis.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn scores_survive_writing_reading_and_another_analysis() {
    let input = game("analyze-again", "game.usi", SHOGI);
    let folder = scratch("analyze-again");
    let [first, second] = ["first.kif", "second.kif"].map(|name| folder.join(name));
    let [one, two] = [&first, &second].map(|path| path.to_str().unwrap());
    let how = ["--player", "ab:1", "--depth", "1", "--no-chart"];
    succeeds(&[&["analyze", &input, "-o", one][..], &how].concat());
    succeeds(&[&["analyze", one, "-o", two][..], &how].concat());
    // Of equal moves any may be the best, so only the scores are compared.
    let scores = |path: &str| -> Vec<String> {
        let csa = succeeds(&["convert", path, "-", "--to", "csa"]);
        csa.lines().filter(|line| line.contains("評価値=")).map(str::to_owned).collect()
    };
    assert_eq!(scores(one).len(), 7);
    assert_eq!(scores(one), scores(two));
    assert!(!first.with_extension("svg").exists(), "nothing is drawn when nothing is wanted");
}

#[test]
fn a_chess_game_gets_evaluations_and_glyphs() {
    let input = game("analyze-chess", "game.pgn", CHESS);
    let said = succeeds(&["analyze", &input, "--player", "ab:2", "--depth", "2"]);
    assert!(said.contains("Qxg7") && said.contains("?? blunder"), "{said}");
    let pgn = read(&scratch("analyze-chess").join("game-analysis.pgn"));
    assert!(pgn.contains("Qxg7 $4"), "{pgn}");
    assert_eq!(pgn.matches("[%eval ").count(), 7, "{pgn}");
    assert!(pgn.contains("[White \"A\"]"), "{pgn}");
}

#[test]
fn the_record_may_go_to_standard_output_and_charts_where_they_are_named() {
    let input = game("analyze-out", "game.usi", SHOGI);
    let chart = scratch("analyze-out").join("chances.svg");
    let arguments = ["analyze", &input, "-o", "-", "--to", "csa", "--player", "ab:1"];
    let chart_arguments = ["--chart", chart.to_str().unwrap(), "--depth", "1"];
    let done = keisei(&[&arguments[..], &chart_arguments].concat()).assert().success();
    assert!(stdout(&done).starts_with("'CSA encoding=UTF-8"), "{}", stdout(&done));
    assert!(stdout(&done).contains("'*#評価値="), "{}", stdout(&done));
    assert!(stderr(&done).contains("accuracy"), "{}", stderr(&done));
    assert!(read(&chart).starts_with("<svg "));
}

#[test]
fn what_cannot_be_analysed_is_said_plainly() {
    let one = game("analyze-errors", "game.usi", SHOGI);
    let several = file("analyze-errors/several.usi", &SHOGI.repeat(3));
    let none = scratch("analyze-errors/none.kif");
    for (code, arguments, reason) in [
        (1, vec![several.as_str()], "has 3 games: choose one with --number"),
        (1, vec![several.as_str(), "--number", "4"], "has no game 4: it has 3"),
        (1, vec![none.to_str().unwrap()], "cannot read"),
        (2, vec![one.as_str(), "--time", "0"], "give a number of seconds above 0"),
        (2, vec![one.as_str(), "--chart", "chances.gif"], ".svg or a .png"),
        (2, vec!["-"], "--out"),
        (2, vec![one.as_str(), "--player", "nobody-at-all"], "nobody-at-all"),
    ] {
        let input = if arguments == ["-"] { SHOGI } else { "" };
        let command = [vec!["analyze"], arguments.clone()].concat();
        let said = stderr(&keisei(&command).write_stdin(input).assert().code(code));
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
    let said = succeeds(&["analyze", &several, "--number", "2", "--player", "ab:1", "--no-chart"]);
    assert!(said.contains("7 of 7 positions"), "{said}");
    assert!(fails(2, &["analyze"]).contains("RECORD"));
}

#[test]
fn what_cannot_be_written_is_refused_before_anything_is_thought_about() {
    let input = game("analyze-unwritable", "game.usi", SHOGI);
    let asked = scratch("analyze-unwritable/asked");
    let go = format!(": > {}; echo bestmove resign", asked.display());
    let player = engine("analyze-unwritable/engine.sh", &go);
    let place = |name: &str| scratch("analyze-unwritable").join(name).display().to_string();
    let (missing, folder) = (place("missing/game.kif"), place(""));
    let (chart, other) = (place("missing/game.svg"), place("game.pgn"));
    for (arguments, reason) in [
        (["-o", missing.as_str()], "cannot write"),
        (["-o", folder.as_str()], "tells no record format"),
        (["-o", other.as_str()], "PGN"),
        (["--chart", chart.as_str()], "cannot write"),
    ] {
        let command = [&["analyze", input.as_str(), "--player", player.as_str()][..], &arguments];
        let refused = keisei(&command.concat()).assert().failure();
        assert!(stderr(&refused).contains(reason), "{arguments:?}: {}", stderr(&refused));
        assert!(!asked.exists(), "{arguments:?}: the player was asked");
    }
    let left: Vec<_> = fs::read_dir(scratch("analyze-unwritable")).unwrap().collect();
    assert_eq!(left.len(), 2, "trying leaves nothing behind: {left:?}");
}

#[test]
fn several_records_are_analysed_each_into_a_file_of_its_own() {
    let one = game("analyze-several", "one.csa", "V2.2\nPI\n+\n+7776FU\n");
    let two = file("analyze-several/two.usi", SHOGI);
    let how = ["--player", "ab:1", "--no-chart"];
    let said = succeeds(&[&["analyze", &one, &two][..], &how].concat());
    assert!(said.starts_with(&format!("{one}\n2 of 2 positions evaluated\n")), "{said}");
    assert!(said.contains(&format!("\n{two}\n7 of 7 positions evaluated\n")), "{said}");
    let folder = scratch("analyze-several");
    assert!(read(&folder.join("one-analysis.csa")).contains("評価値="));
    assert_eq!(read(&folder.join("two-analysis.kifu")).matches("#評価値=").count(), 7);

    let error = fails(2, &["analyze", &one, &two, "-o", "both.csa"]);
    assert!(error.contains("are for one record"), "{error}");
    let same = file("analyze-several/two.kifu", &read(&folder.join("two-analysis.kifu")));
    let error = fails(2, &[&["analyze", &two, &same][..], &how].concat());
    assert!(error.contains("two-analysis.kifu would be written for two"), "{error}");
}

#[test]
fn the_built_in_network_analyses_unless_a_player_is_named() {
    let input = game("analyze-usual", "game.usi", SHOGI);
    let arguments = ["analyze", &input, "--nodes", "4", "--no-chart"];
    succeeds(&arguments);
    let kif = || read(&scratch("analyze-usual").join("game-analysis.kifu"));
    let usual = kif();
    assert!(usual.contains("#エンジン="), "{usual}");
    succeeds(&[&arguments[..], &["--player", "net:shipped"]].concat());
    assert_eq!(kif(), usual);
}

/// A USI engine that does `go` when it is asked for the position number `$asked`.
fn engine(name: &str, go: &str) -> String {
    let script = format!(
        "asked=0
         while read -r line; do
           case \"$line\" in
             usi) echo usiok ;;
             isready) echo readyok ;;
             go*) asked=$((asked + 1)); {go} ;;
             quit) exit ;;
           esac
         done"
    );
    format!("usi:sh {};name=Script", file(name, &script))
}

/// Answers with a move that is legal in that position of [`SHOGI`].
const LEGAL_MOVE: &str = "case $asked in 1|3|5|7) echo bestmove 1g1f ;; 4) echo bestmove 2a3c ;; *) echo bestmove 1c1d ;; esac";

#[test]
fn positions_that_are_not_evaluated_are_named_and_the_rest_is_written() {
    let input = game("analyze-silent", "game.usi", SHOGI);
    let score = "case $asked in 1|5) ;; *) echo info depth 1 score cp 30 nodes 1 ;; esac";
    let player = engine("analyze-silent/engine.sh", &format!("{score}; {LEGAL_MOVE}"));
    let said = succeeds(&["analyze", &input, "--player", &player]);
    assert!(said.starts_with("5 of 7 positions evaluated\n"), "{said}");
    assert!(said.contains("about the start and the position after move 4\n"), "{said}");
    let kif = read(&scratch("analyze-silent").join("game-analysis.kifu"));
    assert_eq!(kif.matches("#評価値=").count(), 5, "{kif}");
}

#[test]
fn few_nodes_are_enough_for_an_analysis() {
    let input = game("analyze-few-nodes", "game.usi", SHOGI);
    let said = succeeds(&["analyze", &input, "--player", "ab:4,quiescence", "--nodes", "1"]);
    assert!(said.starts_with("7 of 7 positions evaluated"), "{said}");
}

#[test]
fn a_player_that_fails_halfway_loses_nothing_that_was_found() {
    let input = game("analyze-crash", "game.usi", SHOGI);
    let score = "echo info depth 1 score cp 30 nodes 1";
    let crash = "case $asked in 4) exit 3 ;; esac";
    let player = engine("analyze-crash/engine.sh", &format!("{crash}; {score}; {LEGAL_MOVE}"));
    let done = keisei(&["analyze", &input, "--player", &player]).assert().code(1);
    assert!(stdout(&done).starts_with("3 of 7 positions evaluated"), "{}", stdout(&done));
    assert!(stderr(&done).contains("the analysis ended early: Script"), "{}", stderr(&done));
    let kif = read(&scratch("analyze-crash").join("game-analysis.kifu"));
    assert_eq!(kif.matches("#評価値=").count(), 3, "{kif}");
}

#[test]
fn a_record_is_analysed_into_itself_only_when_asked() {
    let input = game("analyze-itself", "game.csa", "V2.2\nPI\n+\n+7776FU\n");
    let arguments = ["analyze", &input, "-o", &input, "--player", "ab:1", "--no-chart"];
    let error = fails(2, &arguments);
    assert!(error.contains("would be written over itself"), "{error}");
    succeeds(&[&arguments[..], &["--overwrite"]].concat());
    assert!(read(input.as_ref()).contains("評価値="));
}

/// An engine that evaluates two positions, makes a file and thinks on until it is told to stop.
const SLOW_ENGINE: &str = r#"
asked=0
while read -r line; do
    case "$line" in
    usi) echo "id name slow"; echo usiok ;;
    isready) echo readyok ;;
    go*)
        asked=$((asked + 1))
        case $asked in
        1) echo "info depth 1 score cp 30 nodes 1 pv 7g7f"; echo "bestmove 7g7f" ;;
        2) echo "info depth 1 score cp -30 nodes 1 pv 3c3d"; echo "bestmove 3c3d" ;;
        *) : > "$1" ;;
        esac ;;
    stop) echo "bestmove 8h3c+" ;;
    quit) exit ;;
    esac
done
"#;

#[test]
fn an_interrupt_keeps_what_was_found() {
    let input = game("analyze-interrupt", "game.usi", SHOGI);
    let engine = file("analyze-interrupt/engine.sh", SLOW_ENGINE);
    let folder = scratch("analyze-interrupt");
    let thinking = folder.join("thinking");
    let player = format!("usi:sh {engine} {}", thinking.display());
    let child = Command::new(env!("CARGO_BIN_EXE_keisei"))
        .args(["analyze", &input, "--player", &player, "--time", "1000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(120);
    while !thinking.exists() {
        assert!(Instant::now() < patience, "the engine was never asked a third time");
        sleep(Duration::from_millis(10));
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.unwrap().success());
    let done = child.wait_with_output().unwrap();
    let (said, told) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr));
    assert!(said.starts_with("2 of 7 positions evaluated"), "{said}{told:?}");
    let kif = read(&folder.join("game-analysis.kifu"));
    assert_eq!(kif.matches("#評価値=").count(), 2, "{kif}");
    assert!(kif.contains("   6 ８四歩(83)"), "all moves are kept: {kif}");
}
