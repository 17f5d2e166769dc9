//! `keisei match`.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::play_players::weights;
use crate::{fails, file, scratch, succeeds};

/// A folder of its own for the test `name`, which is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn result(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_match_reports_in_the_words_of_fastchess() {
    let arguments = ["match", "mate1", "random", "--rounds", "4", "--report-interval", "2"];
    let text = succeeds(
        &[&arguments[..], &["--max-moves", "200", "--sprt", "elo0=0", "elo1=10"]].concat(),
    );
    assert_eq!(text.matches("Results of mate1 vs random (4 random plies, seed 1):").count(), 3);
    for words in ["Elo: ", "nElo: ", "LOS: ", "PairsRatio: ", "Games: 8, Wins: ", "Ptnml(0-2): ["] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.contains("(-2.94, 2.94) [0.00, 10.00]"), "{text}");
    assert!(text.ends_with("finished\n"), "{text}");
}

#[test]
fn a_match_of_chess_leaves_pgn_files_and_a_result() {
    let folder = folder("match-chess");
    let out = folder.to_str().unwrap();
    let arguments = ["match", "greedy", "random", "--game", "chess", "--rounds", "2"];
    let printed =
        succeeds(&[&arguments[..], &["--out", out, "--json", "--max-moves", "80"]].concat());
    let result = result(&printed);
    assert_eq!(
        result["games"]["wins"].as_u64().unwrap()
            + result["games"]["draws"].as_u64().unwrap()
            + result["games"]["losses"].as_u64().unwrap(),
        4
    );
    assert_eq!(fs::read_to_string(folder.join("result.json")).unwrap(), printed);
    let game = fs::read_to_string(folder.join("games/00002-1.pgn")).unwrap();
    assert!(game.contains("[White \"greedy\"]") && game.contains("[Black \"random\"]"), "{game}");
}

#[test]
fn a_match_that_is_killed_goes_on_and_ends_as_if_nothing_had_happened() {
    let whole = folder("match-whole");
    let pieces = folder("match-pieces");
    let arguments = |out: &PathBuf| {
        let words =
            "match random mate1 --rounds 30 --seed 7 --max-moves 300 --concurrency 2 --json";
        let mut words: Vec<_> = words.split(' ').map(str::to_owned).collect();
        words.extend(["--out".to_owned(), out.to_str().unwrap().to_owned()]);
        words
    };
    let play = |out: &PathBuf| {
        let words = arguments(out);
        succeeds(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let expected = play(&whole);
    let mut child = Command::new(env!("CARGO_BIN_EXE_keisei"))
        .args(arguments(&pieces))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let lines = pieces.join("match.jsonl");
    let finished = || fs::read_to_string(&lines).unwrap_or_default().lines().count();
    while finished() < 6 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().unwrap();
    let before = finished();
    assert!((6..61).contains(&before), "{before} lines were written before it was killed");
    assert_eq!(play(&pieces), expected);
    let name = "games/00030-2.csa";
    assert_eq!(fs::read(pieces.join(name)).unwrap(), fs::read(whole.join(name)).unwrap());
}

#[test]
fn other_settings_are_refused_in_the_folder_of_a_match() {
    let folder = folder("match-settings");
    let out = folder.to_str().unwrap();
    let arguments =
        ["match", "random", "random", "--rounds", "1", "--max-moves", "20", "--out", out];
    succeeds(&arguments);
    let error = fails(1, &[&arguments[..], &["--seed", "2", "--each", "nodes=5"]].concat());
    assert!(error.contains("its seed is 1, not 2"), "{error}");
    assert!(error.contains("limits is"), "{error}");
}

#[test]
fn a_match_goes_on_only_with_the_weights_it_was_begun_with() {
    let folder = folder("match-weights");
    let models = folder.join("run/models");
    fs::create_dir_all(&models).unwrap();
    let model = |step: u64, seed| {
        fs::write(models.join(format!("agent_step_{step}.safetensors")), weights(seed)).unwrap();
    };
    model(1, 1);
    let (run, out) = (folder.join("run"), folder.join("match"));
    let player = format!("policy:{}", run.display());
    let arguments = ["match", &player, "random", "--rounds", "1", "--max-moves", "8"];
    let arguments = [&arguments[..], &["--out", out.to_str().unwrap()]].concat();
    succeeds(&arguments);
    succeeds(&arguments);
    model(2, 2);
    let refused = fails(1, &arguments);
    assert!(refused.contains(&format!("{player} played with other weights")), "{refused}");
    for file in ["agent_step_1.safetensors", "agent_step_2.safetensors"] {
        assert!(refused.contains(file), "{refused}");
    }
}

#[test]
fn openings_come_from_a_file() {
    let openings =
        file("match-openings.txt", "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n");
    let folder = folder("match-openings");
    let out = folder.to_str().unwrap();
    let arguments =
        ["match", "random", "random", "--rounds", "2", "--max-moves", "10", "--out", out];
    let words = ["--format", "usi", "--openings", openings.as_str(), "start=2"];
    succeeds(&[&arguments[..], &words].concat());
    let game = |name: &str| fs::read_to_string(folder.join("games").join(name)).unwrap();
    assert!(game("00001-2.usi").contains("moves 2g2f 8c8d"));
    assert!(game("00002-1.usi").contains("moves 7g7f 3c3d"));
}

#[test]
fn what_cannot_be_played_is_refused_in_plain_words() {
    let refused = |words: &[&str]| fails(2, &[&["match", "random", "random"], words].concat());
    assert!(refused(&["--each", "nodes=0"]).contains("nodes=0 cannot be read"));
    assert!(refused(&["--sprt", "elo0=5", "elo1=1"]).contains("elo1=1 is out of range"));
    assert!(refused(&["--games", "100"]).contains("1..=2"));
    let unknown = fails(2, &["match", "randm", "random"]);
    assert_eq!(unknown.matches("randm").count(), 1, "{unknown}");
    assert!(unknown.contains("known are random, mate1"), "{unknown}");
    assert!(fails(2, &["match", "random", "human"]).contains("keisei play"));
    let missing = fails(1, &["match", "usi:no-such-engine", "random", "--rounds", "1"]);
    assert!(missing.contains("no-such-engine"), "{missing}");
    let long = ["match", "mate1", "random", "--rounds", "1", "--random-plies", "100000"];
    let long = fails(1, &[&long[..], &["--game", "chess"]].concat());
    assert!(long.contains("no random opening has 100000 moves"), "{long}");
    let endless = refused(&["--each", "st=1e19"]);
    assert!(endless.contains("st=1e19 cannot be read"), "{endless}");
    let endless = fails(2, &["match", "usi:fairy-stockfish;seconds=1e19", "random"]);
    assert!(endless.contains("seconds cannot be \"1e19\""), "{endless}");
}

#[test]
fn a_real_engine_plays_a_match() {
    // The program comes with the Debian package fairy-stockfish.
    let engine = "usi:fairy-stockfish;option.USI_Variant=shogi;option.Skill_Level=-20;depth=1";
    let text = succeeds(&["match", engine, "random", "--rounds", "1", "--json"]);
    let result = result(&text);
    assert!(result["score"].as_f64().unwrap() >= 0.75, "{text}");
    assert_eq!(result["faults"][0]["crashes"], 0, "{text}");
    assert_eq!(result["faults"][0]["illegal_moves"], 0, "{text}");
}
