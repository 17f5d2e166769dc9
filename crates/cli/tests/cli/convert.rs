//! `keisei convert`.

use std::fs;

use crate::{fails, file, keisei, scratch, stderr, stdout, succeeds};

/// A game with a variation, comments, a time and an ending.
const KIF: &str = "\
手合割：平手
先手：Alice
後手：Bob
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:03/00:00:03)
*the usual first move
   2 ３四歩(33)   ( 0:02/00:00:02)
   3 ２二角成(88)   ( 0:05/00:00:08)
   4 同　銀(31)   ( 0:01/00:00:03)
   5 投了

変化：3手
   3 ２六歩(27)
";

/// Two games in one file.
const CSA: &str = "\
V2.2
N+Alice
PI
+
+7776FU
-3334FU
%TORYO
/
PI
+
+2726FU
%CHUDAN
";

fn converted(from: &str, to: &str) -> String {
    stdout(&keisei(&["convert", from, "-", "--to", to]).assert().success())
}

#[test]
fn a_kif_file_becomes_every_other_shogi_format_and_comes_back() {
    let input = file("round.kifu", KIF);
    let line = "position startpos moves 7g7f 3c3d 8h2b+ 3a2b resign\n";
    for format in ["kifu", "ki2u", "csa", "jkf", "usi"] {
        let output = scratch(&format!("round-out.{format}"));
        let output = output.to_str().unwrap();
        let said = succeeds(&["convert", &input, output]);
        assert!(said.starts_with(&format!("1 game written to {output} as ")), "{said}");
        assert_eq!(converted(output, "usi"), line, "through {format}");
    }
}

#[test]
fn what_the_new_format_cannot_hold_is_listed() {
    let input = file("losses.kifu", KIF);
    let run = keisei(&["convert", &input, "-", "--to", "usi"]).assert().success();
    let listed = stderr(&run);
    for part in [
        "USI cannot hold: ply 0: header \"先手: Alice\"\n",
        "USI cannot hold: ply 1: comment \"the usual first move\"\n",
        "USI cannot hold: ply 3 of a variation: variation \"2g2f\"\n",
        "ply 1: time \"3s\"\n",
    ] {
        assert!(listed.contains(part), "{part} is not in {listed}");
    }
    let run = keisei(&["convert", &input, "-", "--to", "jkf"]).assert().success();
    assert_eq!(stderr(&run), "", "JKF holds all of it");
}

#[test]
fn a_strict_conversion_writes_nothing_rather_than_losing_something() {
    let input = file("strict.kifu", KIF);
    let output = scratch("strict-out.usi");
    let error = fails(1, &["convert", &input, output.to_str().unwrap(), "--strict"]);
    assert!(error.contains("would be lost, so nothing is written"), "{error}");
    assert!(!output.exists());
    succeeds(&["convert", &input, scratch("strict-out.jkf").to_str().unwrap(), "--strict"]);
}

#[test]
fn several_games_stay_in_one_file_where_the_format_allows_it() {
    let input = file("two.csa", CSA);
    let lines = "position startpos moves 7g7f 3c3d resign\nposition startpos moves 2g2f break\n";
    assert_eq!(converted(&input, "usi"), lines);
    let again = file("again.csa", &converted(&input, "csa"));
    assert_eq!(converted(&again, "usi"), lines);
}

#[test]
fn several_games_become_numbered_files_where_a_file_holds_one() {
    let input = file("many.csa", CSA);
    let output = scratch("many-out.kifu");
    let said = succeeds(&["convert", &input, output.to_str().unwrap()]);
    assert_eq!(said.lines().count(), 2, "{said}");
    let first = fs::read_to_string(scratch("many-out-1.kifu")).unwrap();
    assert!(first.contains("先手：Alice") && first.contains("投了"), "{first}");
    let second = fs::read_to_string(scratch("many-out-2.kifu")).unwrap();
    assert!(second.contains("２六歩") && second.contains("中断"), "{second}");
    let error = fails(2, &["convert", &input, "-", "--to", "kif"]);
    assert!(error.contains("a KIF file holds one record, and there are 2: name a file"), "{error}");
}

#[test]
fn several_chess_games_stay_in_one_pgn_file() {
    let input = file("two.uci", "startpos moves e2e4 e7e5\nstartpos moves d2d4\n");
    let pgn = file("two.pgn", &converted(&input, "pgn"));
    let lines = "position startpos moves e2e4 e7e5\nposition startpos moves d2d4\n";
    assert_eq!(converted(&pgn, "usi"), lines);
}

#[test]
fn kif_files_are_shift_jis_unless_told_otherwise() {
    let input = file("encoding.kifu", KIF);
    let path = scratch("encoding.kif");
    let path = path.to_str().unwrap();
    succeeds(&["convert", &input, path]);
    assert!(std::str::from_utf8(&fs::read(path).unwrap()).is_err());
    assert!(converted(path, "kif").contains("７六歩(77)"), "it is read all the same");
    succeeds(&["convert", &input, path, "--encoding", "utf-8"]);
    assert!(fs::read_to_string(path).unwrap().contains("７六歩(77)"));
}

#[test]
fn standard_input_is_read_in_the_format_that_it_shows_or_that_is_named() {
    let read = |arguments: &[&str]| {
        let arguments = [&["convert", "-", "-", "--to", "usi"], arguments].concat();
        stdout(&keisei(&arguments).write_stdin(KIF).assert().success())
    };
    let line = "position startpos moves 7g7f 3c3d 8h2b+ 3a2b resign\n";
    assert_eq!(read(&[]), line);
    assert_eq!(read(&["--from", "kif"]), line);
}

#[test]
fn an_error_in_a_file_is_told_with_its_line_and_column() {
    let wrong = file("illegal.kifu", &KIF.replace("３四歩(33)", "３五歩(33)"));
    let error = fails(1, &["convert", &wrong, "-", "--to", "csa"]);
    assert!(error.contains(&format!("{wrong}:7:")), "{error}");
    assert!(error.contains("a pawn cannot go from 3c to 3e"), "{error}");
    let nothing = file("nothing.txt", "dear diary\n");
    let error = fails(1, &["convert", &nothing, "-", "--to", "csa"]);
    assert!(error.contains(":1:1: in no known record format"), "{error}");
    assert!(error.contains("--from"), "{error}");
}

#[test]
fn a_record_is_written_over_itself_only_when_asked() {
    let input = file("itself.kifu", KIF);
    let path = scratch("itself.kifu");
    let detour = path.parent().unwrap().join(".").join("itself.kifu");
    for output in [&path, &detour] {
        let error = fails(2, &["convert", &input, output.to_str().unwrap()]);
        assert!(error.contains("would be written over itself"), "{error}");
        assert!(error.contains("--overwrite"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), KIF, "nothing was written");
    }
    succeeds(&["convert", &input, &input, "--overwrite"]);
    assert_ne!(fs::read_to_string(&path).unwrap(), KIF);
}

#[test]
fn standard_output_needs_a_format() {
    let input = file("needs-format.kifu", KIF);
    let error = fails(2, &["convert", &input, "-"]);
    assert!(error.contains("give --to kif, ki2, csa, jkf, usi, sfenx or pgn"), "{error}");
}

#[test]
fn impossible_conversions_are_refused() {
    let input = file("refused.kifu", KIF);
    let error = fails(1, &["convert", &input, "-", "--to", "pgn"]);
    assert!(error.contains("PGN holds no shogi records; KIF, KI2, CSA,"), "{error}");
    let error = fails(2, &["convert", &input, "game.doc"]);
    assert!(error.contains("\"game.doc\" tells no record format"), "{error}");
    let error = fails(2, &["convert", &input, "-", "--to", "doc"]);
    assert!(error.contains("\"doc\" is no record format"), "{error}");
    assert!(fails(1, &["convert", "no-such.kif", "-", "--to", "csa"]).contains("no-such.kif"));
}
