//! Animal shogi, which every command plays because it is in the list of games.

use crate::{keisei, scratch, stdout, succeeds};

#[test]
fn animal_shogi_is_shown_and_counted() {
    let text = succeeds(&["show", "--game", "animal", "startpos", "moves", "2c2b"]);
    assert!(text.contains("gle/1C1/3/ELG w C 2"), "{text}");
    let kana = succeeds(&["show", "--game", "animal", "--style", "kanji", "startpos"]);
    assert!(kana.contains("d |  ぞ |  ラ |  き |"), "{kana}");
    let count = succeeds(&["perft", "--game", "animal", "--depth", "6"]);
    assert!(count.contains("depth 6: 71677 nodes"), "{count}");
}

#[test]
fn animal_shogi_is_played_to_its_end() {
    let play = ["play", "--game", "animal", "--black", "ab:2", "--white", "random", "--seed", "1"];
    let text = succeeds(&play);
    assert!(text.contains("wins by"), "{text}");
}

#[test]
fn mates_end_with_the_lion_taken() {
    let text = succeeds(&["mate", "--game", "animal", "glg/3/1L1/3 b C 1"]);
    assert!(text.starts_with("Mate in 3 plies, the shortest\nC*2b "), "{text}");
}

#[test]
fn a_match_is_kept_in_records_that_can_be_read_again() {
    let folder = scratch("animal-match");
    let _ = std::fs::remove_dir_all(&folder);
    let out = folder.to_str().unwrap();
    let players = ["match", "greedy", "random", "--game", "animal", "--rounds", "2"];
    succeeds(&[&players[..], &["--seed", "3", "--out", out]].concat());
    let stats = succeeds(&["stats", "--game", "animal", out]);
    assert!(stats.contains('4'), "four games: {stats}");
}

#[test]
fn a_gui_plays_animal_shogi_over_usi() {
    let mut command = keisei(&["usi", "--game", "animal", "--player", "ab:2"]);
    let lines = "usi\nisready\nposition startpos moves 2c2b 3a3b\ngo\nquit\n";
    let text = stdout(&command.write_stdin(lines).assert().success());
    assert!(text.contains("bestmove 2b2a+"), "the lion is taken: {text}");
    let chess = keisei(&["usi", "--game", "chess"]).assert().code(2);
    assert!(crate::stderr(&chess).contains("keisei uci"));
}
