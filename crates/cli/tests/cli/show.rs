//! `keisei show`.

use serde_json::Value;

use crate::{fails, succeeds};

#[test]
fn the_start_is_shown_with_board_side_hands_check_and_moves() {
    let text = succeeds(&["show"]);
    assert_eq!(text, succeeds(&["show", "startpos"]));
    for part in [
        "Player to move: Black (Sente)\nGote Hand: none\n",
        "| .  r  .  .  .  .  .  b  . | P2\n",
        "Sente Hand: none\n",
        "Side to move: black\n",
        "In check: no\n",
        "Legal moves: 30\n",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let (_, moves) = text.split_once("Legal moves: 30\n").unwrap();
    let moves: Vec<_> = moves.split_whitespace().collect();
    assert_eq!(moves.len(), 30);
    assert!(moves.contains(&"7g7f") && moves.contains(&"2h7h"));
}

#[test]
fn a_handicap_an_sfen_and_a_line_of_moves_are_understood() {
    assert!(succeeds(&["show", "two"]).contains("Side to move: white"));
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let unquoted: Vec<_> = ["show"].into_iter().chain(sfen.split(' ')).collect();
    assert_eq!(succeeds(&["show", sfen]), succeeds(&unquoted));
    let text = succeeds(&["show", "startpos", "moves", "7g7f", "3c3d", "8h2b+"]);
    assert!(text.contains("Sente Hand: Bx1"), "{text}");
    assert!(text.contains("Move Count: 3"), "{text}");
}

#[test]
fn kanji_boards_are_printed_on_request() {
    let text = succeeds(&["show", "rook", "--style", "kanji"]);
    assert!(text.contains("| ・ ・ ・ ・ ・ ・ ・v角 ・|二"), "{text}");
    assert!(text.contains("後手番"), "{text}");
}

#[test]
fn checks_and_mates_are_named() {
    let checked = succeeds(&["show", "4k4/9/9/9/4R4/9/9/9/4K4 w - 1"]);
    assert!(checked.contains("In check: yes, from 5e\n"), "{checked}");
    let mated = succeeds(&["show", "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1"]);
    assert!(mated.contains("The game is over: black wins by checkmate\n"), "{mated}");
    assert!(mated.contains("Legal moves: 0\n"), "{mated}");
}

#[test]
fn the_chess_start_is_shown_with_its_board_and_twenty_moves() {
    let text = succeeds(&["show", "--game", "chess"]);
    let board = "  +---+---+---+---+---+---+---+---+
8 | r | n | b | q | k | b | n | r |
  +---+---+---+---+---+---+---+---+
7 | p | p | p | p | p | p | p | p |
";
    let moves = "\
Legal moves: 20
a2 -> a3
a2 -> a4
b2 -> b3
b2 -> b4
c2 -> c3
c2 -> c4
d2 -> d3
d2 -> d4
e2 -> e3
e2 -> e4
f2 -> f3
f2 -> f4
g2 -> g3
g2 -> g4
h2 -> h3
h2 -> h4
b1 -> c3
b1 -> a3
g1 -> h3
g1 -> f3
";
    assert!(text.starts_with(board), "{text}");
    assert!(text.contains("    a   b   c   d   e   f   g   h"), "{text}");
    assert!(text.ends_with(moves), "{text}");
}

#[test]
fn a_checked_chess_king_is_shown_with_every_evasion() {
    let text = succeeds(&["show", "--game", "chess", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"]);
    assert!(text.contains("In check: yes, from e2\n"), "{text}");
    assert!(text.ends_with("Legal moves: 3\ne1 -> f1\ne1 -> d1\ne1 -> e2\n"), "{text}");
}

#[test]
fn json_holds_position_hands_and_moves() {
    let sfen = "4k4/4P4/9/9/9/9/9/9/4K4 w G2p 1";
    let report: Value = serde_json::from_str(&succeeds(&["show", sfen, "--json"])).unwrap();
    assert_eq!(report["game"], "shogi");
    assert_eq!(report["position"], sfen);
    assert_eq!(report["turn"], "white");
    assert_eq!(report["hands"]["black"]["G"], 1);
    assert_eq!(report["hands"]["white"]["P"], 2);
    assert_eq!(report["in_check"], true);
    assert_eq!(report["checkers"][0], "5b");
    assert_eq!(report["outcome"], Value::Null);
    let moves = report["moves"].as_array().unwrap();
    assert!(moves.iter().any(|mv| mv == "5a5b"), "{report}");
}

#[test]
fn bad_positions_and_styles_are_refused_by_name() {
    let error = fails(2, &["show", "4k4/9/9/9/9/9/9/9/4K3X b - 1"]);
    assert!(error.contains("'X' in row i is no piece"), "{error}");
    for position in [&["somewhere"][..], &["position", "somewhere"]] {
        let error = fails(2, &[&["show"], position].concat());
        assert!(error.contains("expected startpos, a position or a handicap"), "{error}");
        assert_eq!(error.matches("\"somewhere\"").count(), 1, "{error}");
    }
    let error = fails(2, &["show", "startpos", "moves", "7g7f", "7g7e"]);
    assert!(error.contains("move 2: 7g7e is illegal: there is no piece on 7g"), "{error}");
    let error = fails(2, &["show", "--game", "chess", "--style", "kanji"]);
    assert!(error.contains("chess has no kanji board"), "{error}");
    let error = fails(2, &["show", "--game", "go"]);
    assert!(error.contains("'go'"), "{error}");
}

#[test]
fn dragon_and_king_are_spelled_as_asked() {
    let position = "4k4/9/4+R4/9/9/9/9/9/4K4 w - 1";
    let usual = succeeds(&["show", position, "--style", "kanji"]);
    assert!(usual.contains('龍') && usual.matches('玉').count() == 2, "{usual}");
    let asked = ["show", position, "--style", "kanji", "--dragon", "竜", "--king", "王"];
    assert_eq!(succeeds(&asked), usual.replace('龍', "竜").replace('玉', "王"));
    let typed = ["show", position, "--style", "kanji", "--dragon", "simplified", "--king", "king"];
    assert_eq!(succeeds(&typed), succeeds(&asked));
    assert!(fails(2, &["show", "--king", "queen"]).contains("[possible values: 玉, 王]"));
}

#[test]
fn the_numbers_of_the_pieces_are_printed_on_request() {
    let chess = succeeds(&["show", "--game", "chess", "--pieces"]);
    assert!(chess.starts_with("white pawn : 1, token 7\n"), "{chess}");
    let shogi = succeeds(&["show", "--pieces"]);
    assert!(shogi.contains("king 玉 : 7\n") && shogi.contains("dragon 龍 : 13\n"), "{shogi}");
    assert!(fails(2, &["show", "--game", "animal", "--pieces"]).contains("have no numbers"));
}
