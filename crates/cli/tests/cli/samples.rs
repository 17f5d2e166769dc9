//! `keisei convert` between games and positions for learning.

use std::fs;

use crate::{fails, file, keisei, scratch, stderr, stdout, succeeds};

/// Two games with scores, of which one has no end.
const GAMES: &str = "\
V2.2
PI
+
+7776FU
'** 30 -3334FU
-3334FU
'** -20
+8822UM
%TORYO
/
PI
+
+2726FU
%CHUDAN
";

fn path(name: &str) -> String {
    scratch(name).to_str().unwrap().to_owned()
}

#[test]
fn games_become_positions_of_every_format_and_games_again() {
    let games = file("samples-games.csa", GAMES);
    let formats = [("hcpe", "HCPE", 38), ("psv", "PSV", 40), ("jsonl", "JSON lines", 0)];
    for (extension, name, bytes) in formats {
        let output = path(&format!("samples-out.{extension}"));
        let said = succeeds(&["convert", &games, &output]);
        let expected = format!(
            "2 games as 3 positions written to {output} as {name}: 3 of games that black won, 0 \
             that white won, 0 of draws\n1 position without a score, written as 0\n1 game left \
             out: the record does not say who won\n"
        );
        assert_eq!(said, expected);
        if bytes > 0 {
            assert_eq!(fs::metadata(&output).unwrap().len(), 3 * bytes);
        }
        let back = stdout(&keisei(&["convert", &output, "-", "--to", "usi"]).assert().success());
        assert_eq!(back, "position startpos moves 7g7f 3c3d 8h2b+ resign\n", "through {name}");
        let back = stdout(&keisei(&["convert", &output, "-", "--to", "csa"]).assert().success());
        assert!(back.contains("+7776FU\n'** 30\n-3334FU\n'** -20\n"), "{back}");
    }
}

#[test]
fn positions_are_plain_json_with_scores_and_results_of_the_side_to_move() {
    let games = file("samples-json.csa", GAMES);
    let output = path("samples-json.jsonl");
    succeeds(&["convert", &games, &output]);
    let text = fs::read_to_string(&output).unwrap();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let first = format!(r#"{{"sfen":"{start}","move":"7g7f","score":30,"result":1}}"#);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], first);
    assert!(lines[1].ends_with(r#""move":"3c3d","score":20,"result":-1}"#), "{}", lines[1]);
}

#[test]
fn one_format_of_positions_becomes_another_without_a_change() {
    let games = file("samples-chain.csa", GAMES);
    let chain = ["samples-chain.jsonl", "samples-chain.psv", "samples-chain-2.jsonl"].map(path);
    succeeds(&["convert", &games, &chain[0]]);
    let said = succeeds(&["convert", &chain[0], &chain[1]]);
    assert!(said.starts_with("3 positions written to "), "{said}");
    succeeds(&["convert", &chain[1], &chain[2]]);
    assert_eq!(fs::read(&chain[0]).unwrap(), fs::read(&chain[2]).unwrap());
}

#[test]
fn a_folder_of_records_is_taken_whole() {
    let folder = scratch("samples-folder");
    fs::create_dir_all(&folder).unwrap();
    for name in ["a.csa", "b.csa"] {
        fs::write(folder.join(name), GAMES).unwrap();
    }
    fs::write(folder.join("notes.md"), "no record").unwrap();
    let said = succeeds(&["convert", folder.to_str().unwrap(), &path("samples-folder.hcpe")]);
    assert!(said.starts_with("4 games as 6 positions"), "{said}");
}

#[test]
fn games_that_somebody_won_can_be_told_from_positions_again() {
    let games = file("samples-won.csa", GAMES);
    let chain = ["samples-won.psv", "samples-won-2.csa", "samples-won.hcpe"].map(path);
    succeeds(&["convert", &games, &chain[0]]);
    succeeds(&["convert", &chain[0], &chain[1]]);
    assert!(fs::read_to_string(&chain[1]).unwrap().contains("%TORYO"));
    let said = succeeds(&["convert", &chain[1], &chain[2]]);
    assert!(said.starts_with("1 game as 3 positions"), "{said}");
    assert!(said.contains("3 of games that black won"), "{said}");
}

#[test]
fn files_of_a_folder_that_cannot_be_read_are_skipped_and_named() {
    let folder = scratch("samples-skipped");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("deeper")).unwrap();
    fs::write(folder.join("deeper/good.csa"), GAMES).unwrap();
    fs::write(folder.join("broken.csa"), "PI\n+\n+7775FU\n").unwrap();
    fs::write(folder.join("chess.pgn"), "1. e4 e5 1-0\n").unwrap();
    let convert = ["convert", folder.to_str().unwrap(), &path("samples-skipped.hcpe")];
    let done = keisei(&convert).assert().success();
    assert!(stdout(&done).starts_with("2 games as 3 positions"), "{}", stdout(&done));
    assert!(stdout(&done).contains("2 files left out"), "{}", stdout(&done));
    let skipped = stderr(&done);
    assert!(skipped.contains("broken.csa:3:") && skipped.contains("chess.pgn: HCPE"), "{skipped}");
    let strict = fails(1, &[&convert[..], &["--strict"]].concat());
    assert!(strict.contains("4 games or scores are missing"), "{strict}");
}

#[cfg(unix)]
#[test]
fn a_pipe_takes_positions_and_stays_a_pipe() {
    use std::os::unix::fs::FileTypeExt;
    let games = file("samples-pipe.csa", GAMES);
    let pipe = scratch("samples-pipe.jsonl");
    let _ = fs::remove_file(&pipe);
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    succeeds(&["convert", &games, pipe.to_str().unwrap()]);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(reader.join().unwrap().lines().count(), 3);
}

#[cfg(unix)]
#[test]
fn links_and_modes_stay_when_a_file_is_written_again() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let games = file("samples-link.csa", GAMES);
    let folder = scratch("samples-link");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("there")).unwrap();
    for name in ["out.usi", "out.jsonl"] {
        let (link, real) = (folder.join(name), folder.join("there").join(name));
        symlink(format!("there/{name}"), &link).unwrap();
        // The first time the link leads nowhere yet.
        for mode in [0o600, 0o640] {
            succeeds(&["convert", &games, link.to_str().unwrap()]);
            assert!(link.is_symlink(), "{name}");
            fs::set_permissions(&real, fs::Permissions::from_mode(mode)).unwrap();
        }
        succeeds(&["convert", &games, link.to_str().unwrap()]);
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640, "{name}");
        assert!(!fs::read_to_string(&real).unwrap().is_empty());
    }
    assert_eq!(fs::read_dir(folder.join("there")).unwrap().count(), 2);
}

#[test]
fn nothing_is_written_where_something_is_missing_or_broken() {
    let games = file("samples-strict.csa", GAMES);
    let output = path("samples-strict.hcpe");
    let error = fails(1, &["convert", &games, &output, "--strict"]);
    assert!(error.contains("2 games or scores are missing, so nothing is written"), "{error}");
    let broken = file("samples-broken.psv", "forty bytes are needed for a position");
    let error = fails(1, &["convert", &broken, &output]);
    assert!(error.contains("sample 1: "), "{error}");
    let chess = file("samples-chess.pgn", "1. e4 e5 1-0\n");
    let error = fails(1, &["convert", &chess, &output]);
    assert!(error.contains("HCPE is for games of shogi"), "{error}");
    assert!(!scratch("samples-strict.hcpe").exists());
    assert!(!scratch("samples-strict.hcpe.part").exists());
    let handicap = file("samples-handicap.csa", "V2.2\nPI82HI22KA\n-\n-3334FU\n%TORYO\n");
    let said = succeeds(&["convert", &handicap, &path("samples-handicap.hcpe")]);
    assert!(said.contains("1 game left out: the format needs all 40 pieces"), "{said}");
}
