//! `keisei play`.

use std::fs;

use crate::{fails, keisei, scratch, stdout, succeeds};

/// What a game prints when `lines` are typed.
fn typed(arguments: &[&str], lines: &[&str]) -> String {
    let arguments = [&["play", "--seed", "1"], arguments].concat();
    stdout(&keisei(&arguments).write_stdin(lines.join("\n")).assert().success())
}

const TWO_PEOPLE: [&str; 4] = ["--black", "human", "--white", "human"];
const NOBODY: [&str; 4] = ["--black", "random", "--white", "random"];

/// The first random game, counted by seeds, that ends as told.
fn random_game(game: &str, ending: &str) -> String {
    let mut games = (0..100).map(|seed: u32| {
        succeeds(&[&["play", "--game", game, "--seed", &seed.to_string()], &NOBODY[..]].concat())
    });
    games.find(|text| text.ends_with(ending)).expect("one of a hundred games ends so")
}

/// Checks that `text` tells of moves by turns, with a board at the start and after every move, and
/// gives back the moves.
fn moves_by_turns<'a>(text: &'a str, first: &str, last_line_of_board: &str) -> Vec<&'a str> {
    let told = text.lines().filter_map(|line| line.split_once(" moves: "));
    let (movers, moves): (Vec<_>, Vec<_>) = told.unzip();
    let second = if first == "black" { "white" } else { "black" };
    for (ply, mover) in movers.into_iter().enumerate() {
        assert_eq!(mover, if ply.is_multiple_of(2) { first } else { second }, "at ply {ply}");
    }
    let boards = text.lines().filter(|line| line.starts_with(last_line_of_board)).count();
    assert_eq!(boards, moves.len() + 1);
    moves
}

#[test]
fn random_shogi_prints_every_move_and_board_until_no_move_is_left() {
    let end = "No legal moves left for white. Game over!\nblack wins by checkmate\n";
    let text = random_game("shogi", end);
    let moves = moves_by_turns(&text, "black", "Move Count: ");
    assert!(moves.len() > 20 && moves.len() % 2 == 1, "Black gave mate at ply {}", moves.len());
}

#[test]
fn random_chess_prints_every_move_and_board_until_no_move_is_left() {
    let end = "No legal moves left for black. Game over!\nwhite wins by checkmate\n";
    let text = random_game("chess", end);
    let moves = moves_by_turns(&text, "white", "    a   b   c   d   e   f   g   h");
    assert!(moves.iter().all(|mv| mv.get(2..6) == Some(" -> ")), "{moves:?}");
}

#[test]
fn drawn_games_tell_the_rule_that_ended_them() {
    random_game("chess", "Game over!\ndraw by insufficient material\n");
    random_game("chess", "Game over!\ndraw by seventy-five-move rule\n");
    random_game("chess", "No legal moves left for white. Game over!\ndraw by no legal moves\n");
}

#[test]
fn kings_and_knights_play_on() {
    let start = "1n2k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1";
    let game = ["play", "--game", "chess", "--position", start, "--seed", "5", "--max-moves", "40"];
    let text = succeeds(&[&game[..], &NOBODY].concat());
    assert_eq!(text.lines().filter(|line| line.contains(" moves: ")).count(), 40);
    assert!(text.ends_with("Game over!\ndraw by move limit\n"), "{text}");
}

#[test]
fn the_same_seed_gives_the_same_game_and_another_seed_another() {
    let game =
        |seed| succeeds(&[&["play", "--seed", seed, "--max-moves", "60"], &NOBODY[..]].concat());
    assert_eq!(game("7"), game("7"));
    assert_ne!(game("7"), game("8"));
}

#[test]
fn a_game_without_a_seed_tells_how_to_repeat_it() {
    let short = [&["play", "--max-moves", "30"], &NOBODY[..]].concat();
    let text = succeeds(&short);
    let (first, game) = text.split_once("\n\n").unwrap();
    let seed = first.split_whitespace().last().unwrap().trim_end_matches('.');
    assert_eq!(succeeds(&[&short[..], &["--seed", seed]].concat()), game);
}

#[test]
fn a_person_plays_against_random_moves() {
    let text = typed(&[], &["7g7f", "quit"]);
    assert!(text.contains("black to move> black moves: 7g7f\nwhite moves: "), "{text}");
    assert!(text.contains("Move Count: 2"), "{text}");
}

#[test]
fn an_illegal_move_names_its_rule_and_changes_nothing() {
    let text = typed(&TWO_PEOPLE, &["7g7e", "P*5e", "3c3d", "nonsense", "board"]);
    assert!(text.contains("7g7e is illegal: a pawn cannot go from 7g to 7e"), "{text}");
    assert!(text.contains("P*5e is illegal: there is no pawn in hand"), "{text}");
    assert!(text.contains("3c3d is illegal: the pawn on 3c is White's"), "{text}");
    assert!(text.contains("\"nonsense\" is no move here"), "{text}");
    assert_eq!(text.matches("Move Count: 0").count(), 2, "{text}");
}

#[test]
fn undo_returns_to_ones_own_last_turn() {
    let against_random = typed(&[], &["7g7f", "undo", "undo"]);
    assert_eq!(against_random.matches("Move Count: 0").count(), 2, "{against_random}");
    assert!(against_random.contains("There is no move of yours to take back."));

    let two_people = typed(&TWO_PEOPLE, &["7g7f", "3c3d", "undo"]);
    assert_eq!(two_people.matches("Move Count: 1").count(), 2, "{two_people}");

    let second = typed(&["--black", "random", "--white", "human"], &["undo"]);
    assert!(second.contains("There is no move of yours to take back."), "{second}");
}

#[test]
fn who_names_one_player_plays_the_other_side() {
    let black = typed(&["--white", "random"], &["7g7f"]);
    assert!(black.ends_with("black to move> \n") && black.contains("Move Count: 2"), "{black}");
    let white = typed(&["--black", "random"], &[]);
    assert!(white.contains("white to move> ") && !white.contains("Move Count: 2"), "{white}");
    let against_random = typed(&["--white", "human"], &[]);
    assert!(against_random.contains("white to move> "), "{against_random}");
}

#[test]
fn legal_moves_are_listed_on_request() {
    let text = typed(&TWO_PEOPLE, &["moves", "moves 8h", "moves 7g"]);
    assert!(text.contains("30 legal moves\n1g1f  1i1h"), "{text}");
    assert!(text.contains("0 legal moves\n"), "{text}");
    assert!(text.contains("1 legal move\n7g7f\n"), "{text}");
}

#[test]
fn a_resignation_ends_the_game_and_can_be_taken_back() {
    let text = typed(&TWO_PEOPLE, &["7g7f", "resign", "3c3d", "undo", "7g7f", ""]);
    let end = "white resigns.\nGame over!\nblack wins by resignation\n";
    assert!(text.contains(end), "{text}");
    assert!(text.contains("The game is over: black wins by resignation.\n"), "{text}");
    assert_eq!(text.matches("black moves: 7g7f").count(), 2, "{text}");
}

#[test]
fn a_mate_ends_the_game() {
    let mate = ["--position", "4k4/9/4G4/9/9/9/9/9/4K4 b G 1"];
    let text = typed(&[&TWO_PEOPLE[..], &mate].concat(), &["G*5b", ""]);
    let end = "No legal moves left for white. Game over!\nblack wins by checkmate\n";
    assert!(text.contains(end), "{text}");
}

#[test]
fn chess_moves_are_typed_as_uci_or_san() {
    let chess = [&["--game", "chess"], &TWO_PEOPLE[..]].concat();
    let lines = ["e4", "e7e5", "Nf3", "O-O", "Qh5", "f8c5", "Bc4", "g8f6", "O-O"];
    let text = typed(&chess, &lines);
    assert!(text.contains("white moves: e2 -> e4\n"), "{text}");
    assert!(text.contains("black moves: e7 -> e5\n"), "{text}");
    assert!(text.contains("white moves: e1 -> g1\n"), "{text}");
    assert_eq!(text.matches(" moves: ").count(), 7, "the two illegal ones are refused: {text}");
}

#[test]
fn a_repeated_chess_position_can_be_claimed_as_a_draw() {
    let chess = [&["--game", "chess"], &TWO_PEOPLE[..]].concat();
    let round = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let lines = [&["claim"], &round[..], &round, &["claim", ""]].concat();
    let text = typed(&chess, &lines);
    assert!(text.contains("no draw to claim: the position occurred 1 of 3 times"), "{text}");
    assert!(text.contains("Game over!\ndraw by repetition\n"), "{text}");
}

#[test]
fn an_entered_king_can_be_declared() {
    let entered = "1SSGKGSS1/1R5B1/PPPPPPPPP/9/9/9/9/4k4/9 b 2GN 1";
    let text = typed(&[&TWO_PEOPLE[..], &["--position", entered]].concat(), &["claim", ""]);
    assert!(text.contains("Game over!\nblack wins by declaration\n"), "{text}");
    let text = typed(&TWO_PEOPLE, &["claim"]);
    assert!(text.contains("the king is not in the three far rows"), "{text}");
}

#[test]
fn bytes_that_are_no_text_are_refused_like_any_other_nonsense() {
    let mut game = keisei(&["play", "--seed", "1"]);
    let text = stdout(&game.write_stdin(&b"\xff\xfe\n7g7f\n"[..]).assert().success());
    assert!(text.contains("is no move here"), "{text}");
    assert!(text.contains("black moves: 7g7f"), "{text}");
}

#[test]
fn help_tells_what_can_be_typed() {
    let text = typed(&TWO_PEOPLE, &["help"]);
    for word in ["  7g7f ", "  moves ", "  undo ", "  resign ", "  save FILE ", "  quit "] {
        assert!(text.contains(word), "{word} is not in {text}");
    }
}

#[test]
fn handicaps_let_white_begin_and_custom_positions_start_where_they_say() {
    let text = typed(&["--handicap", "two", "--white", "human", "--black", "human"], &["3c3d"]);
    assert!(text.contains("white moves: 3c3d\n"), "{text}");
    let text =
        typed(&[&TWO_PEOPLE[..], &["--position", "startpos moves 7g7f"]].concat(), &["undo"]);
    assert!(text.contains("Move Count: 1") && text.contains("Move Count: 0"), "{text}");
}

#[test]
fn kanji_boards_are_played_on_too() {
    let text = typed(&[&TWO_PEOPLE[..], &["--style", "kanji"]].concat(), &["7g7f"]);
    assert!(text.contains("| 歩 歩 ・ 歩"), "{text}");
}

#[test]
fn players_and_positions_that_do_not_exist_are_refused() {
    assert!(fails(2, &["play", "--black", "nobody"]).contains("'nobody'"));
    assert!(fails(2, &["play", "--position", "x/y"]).contains("\"x/y\" is no shogi position"));
    let error = fails(2, &["play", "--game", "chess", "--style", "kanji"]);
    assert!(error.contains("chess has no kanji board"), "{error}");
}

/// The saved game as one USI or UCI line.
fn saved(path: &str) -> String {
    stdout(&keisei(&["convert", path, "-", "--to", "usi"]).assert().success())
}

#[test]
fn shogi_moves_are_typed_in_japanese_and_western_notation_too() {
    let text = typed(&TWO_PEOPLE, &["７六歩", "P-3d", "２二角成", "同銀", "▲２六飛"]);
    assert!(text.contains("white moves: 3a2b\n"), "{text}");
    assert!(text.contains("\"▲２六飛\" is no move here: "), "{text}");
    let text = typed(&[&TWO_PEOPLE[..], &["--style", "kanji"]].concat(), &["7g7f"]);
    assert!(text.contains("black moves: ☗７六歩 (7g7f)\n"), "{text}");
}

#[test]
fn a_game_is_saved_when_its_input_ends() {
    for name in ["saved.kifu", "saved.kif", "saved.ki2u", "saved.csa", "saved.jkf", "saved.usi"] {
        let path = scratch(name);
        let path = path.to_str().unwrap();
        let text = typed(&[&TWO_PEOPLE[..], &["--save", path]].concat(), &["7g7f", "3c3d"]);
        assert!(text.ends_with(&format!("saved to {path}\n")), "{text}");
        assert_eq!(saved(path), "position startpos moves 7g7f 3c3d break\n", "{name}");
    }
}

#[test]
fn a_saved_game_names_its_players_and_its_ending() {
    let path = scratch("ended.kifu");
    let path = path.to_str().unwrap();
    typed(&["--save", path], &["7g7f", "resign", ""]);
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains("先手：human\n後手：level:3\n"), "{text}");
    assert!(text.contains("   3 投了"), "{text}");
    typed(&["--save", path], &["7g7f", "quit"]);
    assert!(fs::read_to_string(path).unwrap().contains("   3 中断"));
}

#[test]
fn a_saved_game_has_what_programs_thought_except_of_moves_that_were_taken_back() {
    let path = scratch("thought.kifu");
    let path = path.to_str().unwrap();
    let thoughts = |lines: &[&str]| {
        typed(&["--white", "ab:2", "--save", path], lines);
        fs::read_to_string(path).unwrap().matches("*評価値=").count()
    };
    assert_eq!(thoughts(&["7g7f", "2g2f", "quit"]), 2);
    assert_eq!(thoughts(&["7g7f", "2g2f", "undo", "quit"]), 1);
    assert_eq!(thoughts(&["7g7f", "2g2f", "undo", "undo", "quit"]), 0);
}

#[test]
fn a_chess_game_is_saved_as_pgn() {
    let path = scratch("saved.pgn");
    let path = path.to_str().unwrap();
    let arguments = [&["--game", "chess", "--save", path], &TWO_PEOPLE[..]].concat();
    typed(&arguments, &["f3", "e5", "g4", "Qh4#", ""]);
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains("1. f3 e5 2. g4 Qh4# 0-1"), "{text}");
}

#[test]
fn a_killed_game_has_been_saved_up_to_its_last_move() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    let path = scratch("killed.usi");
    let mut child = Command::new(env!("CARGO_BIN_EXE_keisei"))
        .arg("play")
        .args(TWO_PEOPLE)
        .args(["--save", path.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"7g7f\n").unwrap();
    let mut seen = Vec::new();
    let output = child.stdout.as_mut().unwrap();
    // The next prompt comes after the move was saved.
    while !String::from_utf8_lossy(&seen).ends_with("white to move> ") {
        let mut byte = [0];
        output.read_exact(&mut byte).unwrap();
        seen.push(byte[0]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(saved(path.to_str().unwrap()), "position startpos moves 7g7f\n");
}

#[test]
fn a_game_is_saved_on_request_wherever_it_stands() {
    let path = scratch("request.csa");
    let path = path.to_str().unwrap();
    let text = typed(&TWO_PEOPLE, &["7g7f", &format!("save {path}"), "save x.doc", "3c3d"]);
    assert!(text.contains(&format!("saved to {path}\n")), "{text}");
    assert!(text.contains("not in \"x.doc\""), "{text}");
    assert_eq!(saved(path), "position startpos moves 7g7f break\n");
}

#[test]
fn a_chess_game_is_saved_on_request_in_the_formats_that_chess_has() {
    let path = scratch("on-request.pgn");
    let path = path.to_str().unwrap();
    let arguments = [&["--game", "chess"], &TWO_PEOPLE[..]].concat();
    let text = typed(&arguments, &["e2e4", "save x.kifu", "save", &format!("save {path}")]);
    assert!(text.contains("ends in .usi or .pgn, not in \"x.kifu\""), "{text}");
    assert!(text.contains("save FILE: "), "{text}");
    assert!(text.contains(&format!("saved to {path}\n")), "{text}");
    assert!(fs::read_to_string(path).unwrap().contains("1. e4 *"), "{text}");
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_game() {
    let error = fails(2, &["play", "--save", "game.doc"]);
    assert!(error.contains("ends in .kifu, .ki2u, .csa, .jkf, .usi or .sfenx, not"), "{error}");
    let error = fails(2, &["play", "--game", "chess", "--save", "game.kif"]);
    assert!(error.contains("a game of chess is saved in a file that ends in"), "{error}");
    assert!(error.contains(".usi or .pgn, not in \"game.kif\""), "{error}");
    let error = fails(1, &["play", "--save", "no/such/folder/game.kif"]);
    assert!(error.contains("cannot write no/such/folder/game.kif"), "{error}");
}

#[test]
fn moves_are_announced_and_typed_in_either_spelling() {
    let position = "4k4/9/9/9/9/9/9/9/4K3+R b - 1";
    let arguments = [&["--position", position, "--style", "kanji"], &TWO_PEOPLE[..]].concat();
    for (spelling, king) in [(&["--king", "王"][..], "５八王"), (&[], "５八玉")] {
        let text = typed(&[&arguments[..], spelling].concat(), &["５八王"]);
        assert!(text.contains(king), "{text}");
    }
    let text = typed(&[&arguments[..], &["--dragon", "竜"]].concat(), &["１八龍"]);
    assert!(text.contains("１八竜 (1i1h)"), "{text}");
}
