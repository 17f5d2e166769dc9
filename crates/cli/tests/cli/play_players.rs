//! `keisei play` with players of all kinds.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use keisei_encode::Encode;
use keisei_net::{CpuLearner, Learner, NetConfig};
use keisei_shogi::Shogi;

use crate::{fails, file, keisei, scratch, stderr, stdout, succeeds};

/// A game of at most ten moves between these players.
fn game(black: &str, white: &str, more: &[&str]) -> String {
    let players = ["play", "--black", black, "--white", white, "--max-moves", "10", "--seed", "1"];
    succeeds(&[&players[..], more].concat())
}

/// The name of a USI engine that is a shell script, which does `go` when it has to move. It writes
/// what it hears to the file beside it.
fn scripted(name: &str, go: &str) -> String {
    let heard = scratch(&format!("{name}.heard"));
    let heard = heard.display();
    let script = file(
        &format!("{name}.sh"),
        &format!(
            ": > '{heard}'
             while read -r line; do
               echo \"$line\" >> '{heard}'
               case \"$line\" in
                 usi) echo usiok;;
                 isready) echo readyok;;
                 go*) {go};;
                 stop) echo bestmove resign;;
                 quit) exit 0;;
               esac
             done"
        ),
    );
    format!("usi:sh '{script}';name=Script")
}

/// The weights of a small network.
pub(crate) fn weights(seed: u64) -> Vec<u8> {
    let config = NetConfig { blocks: 1, channels: 8, value_hidden: 8, ..NetConfig::default() };
    CpuLearner::<<Shogi as Encode>::Actions>::new(&config, seed).unwrap().weights()
}

#[test]
fn levels_play_and_are_the_opponent_of_a_person_who_names_none() {
    for level in ["level:1", "level:4", "level:10"] {
        let text = game(level, "random", &[]);
        assert_eq!(text.matches(" moves: ").count(), 10, "{level}: {text}");
    }
    for arguments in [&[][..], &["--level", "2"], &["--level", "2", "--black", "human"]] {
        let mut play = keisei(&[&["play", "--seed", "1"], arguments].concat());
        let text = stdout(&play.write_stdin("7g7f\n").assert().success());
        assert!(text.contains("white moves: "), "{text}");
    }
    let mut play = keisei(&["play", "--level", "1", "--white", "human", "--seed", "1"]);
    assert!(stdout(&play.write_stdin("").assert().success()).contains("black moves: "));
    assert!(fails(2, &["play", "--level", "11"]).contains("11 is not in 1..=10"));
    let error = fails(2, &["play", "--level", "3", "--white", "random"]);
    assert!(error.contains("both sides are"), "{error}");
    let error = fails(2, &["play", "--game", "animal", "--level", "3"]);
    assert!(error.contains("there is no level 3 of animal; it has no levels"), "{error}");
}

#[test]
fn the_levels_are_listed_with_their_ratings_and_models_written_in_half_the_bytes() {
    let text = succeeds(&["models"]);
    for words in ["shogi: level:1 ", "shogi: level:10 ", " ± ", "the usual opponent"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let (whole, half) = (scratch("whole.safetensors"), scratch("half.safetensors"));
    fs::write(&whole, weights(1)).unwrap();
    let [whole, half] = [&whole, &half].map(|path| path.to_str().unwrap());
    succeeds(&["models", whole, "--half", half]);
    assert!(fs::metadata(half).unwrap().len() < fs::metadata(whole).unwrap().len() * 6 / 10);
    game(&format!("policy:{half}"), "random", &[]);
    let error = fails(1, &["play", "--white", "policy:shipped/none"]);
    assert!(error.contains("no built-in network \"none\" for shogi; there are shogi"), "{error}");
}

#[test]
fn classical_players_play() {
    for player in ["mate1", "greedy", "ab:1", "ab:2", "ab:1,quiescence"] {
        let text = game(player, "random", &[]);
        assert_eq!(text.matches(" moves: ").count(), 10, "{player}: {text}");
        assert_eq!(text, game(player, "random", &[]), "the same seed gives the same game");
    }
    let text = game("random", "ab:1", &["--game", "chess"]);
    assert_eq!(text.matches(" moves: ").count(), 10, "{text}");
}

#[test]
fn what_programs_think_is_printed_if_asked() {
    let text = game("ab:3", "random", &["--eval", "--depth", "2"]);
    assert!(text.contains("black thinks: +0.00, depth 2, "), "{text}");
    assert!(!text.contains("white thinks"), "random does not think");
    assert!(!game("ab:1", "ab:1", &[]).contains("thinks"));
}

#[test]
fn networks_play() {
    let path = scratch("player.safetensors");
    fs::write(&path, weights(3)).unwrap();
    let path = path.to_str().unwrap();
    let net = format!("net:{path},simulations=4");
    let text = game(&net, &format!("policy:{path},greedy"), &["--eval"]);
    assert_eq!(text.matches(" moves: ").count(), 10, "{text}");
    assert_eq!(text.matches(" thinks: ").count(), 10, "{text}");
}

#[test]
fn a_network_that_is_not_there_is_told_once_and_before_anything_else() {
    let refused = keisei(&["play", "--white", "net:no-such-file"]).assert().code(1);
    assert_eq!(stdout(&refused), "");
    let error = stderr(&refused);
    assert!(error.contains("no-such-file: No such file"), "{error}");
    assert_eq!(error.matches("No such file").count(), 1, "{error}");
}

#[test]
fn engines_play_each_other_and_are_named_in_the_record() {
    let path = scratch("engines.kifu");
    let path = path.to_str().unwrap();
    let fairy = "usi:fairy-stockfish;option.USI_Variant=shogi;depth=1;name=Fairy";
    let text = game(fairy, "gnushogi;depth=1", &["--save", path]);
    assert_eq!(text.matches(" moves: ").count(), 10, "{text}");
    let record = fs::read_to_string(path).unwrap();
    assert!(record.contains("先手：Fairy\n後手：gnushogi;depth=1\n"), "{record}");
    let text = game("uci:stockfish", "uci:fairy-stockfish", &["--game", "chess", "--nodes", "50"]);
    assert_eq!(text.matches(" moves: ").count(), 10, "{text}");
}

#[test]
fn a_person_plays_an_engine() {
    let mut play =
        keisei(&["play", "--black", "human", "--white", &scripted("person", "echo bestmove 3c3d")]);
    let text = stdout(&play.write_stdin("7g7f\nundo\n2g2f\nquit\n").assert().success());
    assert!(text.contains("black moves: 7g7f\nwhite moves: 3c3d\n"), "{text}");
    assert!(text.contains("black moves: 2g2f\nwhite moves: 3c3d\n"), "{text}");
}

#[test]
fn an_engine_that_resigns_ends_the_game() {
    let text = game("ab:1", &scripted("resigns", "echo bestmove resign"), &[]);
    assert!(text.ends_with("white resigns.\nGame over!\nblack wins by resignation\n"), "{text}");
    let heard = fs::read_to_string(scratch("resigns.heard")).unwrap();
    assert!(heard.ends_with("gameover lose\nquit\n"), "{heard}");
}

#[test]
fn a_game_with_an_engine_that_fails_is_saved_as_far_as_it_came() {
    let path = scratch("failed.usi");
    let path = path.to_str().unwrap();
    for (go, message) in [
        ("echo 'no more memory' >&2; exit 3", "Script ended: exit status: 3: no more memory"),
        ("echo bestmove 5a5c", "Script answered \"5a5c\": 5a5c is illegal: "),
    ] {
        let engine = scripted("fails", go);
        let mut play = keisei(&["play", "--black", "human", "--white", &engine, "--save", path]);
        let assert = play.write_stdin("7g7f\n").assert().code(1);
        assert!(stderr(&assert).contains(message), "{}", stderr(&assert));
        let saved = fs::read_to_string(path).unwrap();
        assert_eq!(saved, "position startpos moves 7g7f break\n");
    }
}

#[test]
fn an_interrupted_game_is_saved_and_its_engine_told_to_quit() {
    let path = scratch("interrupted.usi");
    let engine = scripted("interrupted", "echo thinking");
    let mut child = Command::new(env!("CARGO_BIN_EXE_keisei"))
        .args(["play", "--black", "random", "--white", &engine, "--time", "600", "--seed", "1"])
        .args(["--save", path.to_str().unwrap()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut seen, mut byte) = (Vec::new(), [0]);
    let output = child.stdout.as_mut().unwrap();
    while !String::from_utf8_lossy(&seen).contains("Move Count: 1") {
        output.read_exact(&mut byte).unwrap();
        seen.push(byte[0]);
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let saved = fs::read_to_string(&path).unwrap();
    assert!(saved.ends_with(" break\n"), "{saved}");
    let heard = fs::read_to_string(scratch("interrupted.heard")).unwrap();
    assert!(heard.ends_with("quit\n"), "{heard}");
}

#[test]
fn players_that_cannot_be_had_are_refused() {
    let error = fails(2, &["play", "--black", "ab:none"]);
    assert!(error.contains("the depth of ab cannot be \"none\""), "{error}");
    let error = fails(2, &["play", "--white", "nobody"]);
    assert!(error.contains("known are human, random, mate1, greedy, level:N, ab:DEPTH"), "{error}");
    let error = fails(2, &["play", "--game", "chess", "--black", "gnushogi"]);
    assert!(error.contains("gnushogi does not play chess"), "{error}");
    let error = fails(1, &["play", "--black", "usi:no-such-engine"]);
    assert!(error.contains("cannot start \"no-such-engine\""), "{error}");
    let error = fails(2, &["play", "--time", "0"]);
    assert!(error.contains("a number of seconds above 0"), "{error}");
}

#[test]
fn records_have_the_date() {
    let path = scratch("dated.kifu");
    game("random", "random", &["--save", path.to_str().unwrap()]);
    let record = fs::read_to_string(path).unwrap();
    assert!(record.contains("開始日時：20"), "{record}");
    let path = scratch("dated.pgn");
    game("random", "random", &["--game", "chess", "--save", path.to_str().unwrap()]);
    let record = fs::read_to_string(path).unwrap();
    assert!(record.contains("[Date \"20"), "{record}");
}

#[test]
fn rules_are_played_as_agreed() {
    let two_people = ["play", "--black", "human", "--white", "human"];
    let typed = |more: &[&str], line: &'static str| {
        stdout(&keisei(&[&two_people[..], more].concat()).write_stdin(line).assert().success())
    };
    let entered = ["--position", "1SSGKGSS1/1R5B1/PPPPPPPPP/9/9/9/9/4k4/9 b 2GN 1"];
    let claim = |rule| typed(&[&entered[..], &["--declaration", rule]].concat(), "claim\n\n");
    assert!(claim("27").contains("black wins by declaration"));
    assert!(claim("24").contains("draw by declaration"));
    assert!(claim("off").contains("declarations are not allowed by the rules of this game"));
    let near = ["--position", "9/4K4/9/9/9/9/9/9/k8 b - 1"];
    assert!(!typed(&near, "5b5a\n").contains("Game over!"));
    let text = typed(&[&near[..], &["--try-rule"]].concat(), "5b5a\n\n");
    assert!(text.contains("black wins by try rule"), "{text}");
    let error = fails(2, &["play", "--game", "chess", "--try-rule"]);
    assert!(error.contains("chess has neither declarations nor a try rule"), "{error}");
}
