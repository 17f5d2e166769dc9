//! What the readers make of files: their content where it is special, and errors with their place.

use std::time::Duration;

use keisei_chess::Chess;
use keisei_game::Side;
use keisei_records::{
    AnyRecord, Ending, Evaluator, Format, Mate, NodeId, Problem, ReadError, Record, Step, read,
};
use keisei_shogi::Shogi;

fn sample(name: &str) -> Vec<AnyRecord> {
    let path = format!("{}/tests/samples/{name}", env!("CARGO_MANIFEST_DIR"));
    read(&std::fs::read(path).unwrap(), None).unwrap()
}

fn shogi(name: &str) -> Record<Shogi> {
    match sample(name).into_iter().next() {
        Some(AnyRecord::Shogi(record)) => record,
        other => panic!("{name} is {other:?}"),
    }
}

fn chess(name: &str) -> Vec<Record<Chess>> {
    let chess = |record| match record {
        AnyRecord::Chess(record) => record,
        other => panic!("{name} is {other:?}"),
    };
    sample(name).into_iter().map(chess).collect()
}

/// The steps of a line, as moves in USI and endings in words.
fn steps(record: &Record<Shogi>, last: NodeId) -> String {
    let text = |id: NodeId| match record.node(id).step() {
        Some(Step::Move(mv)) => mv.to_string(),
        Some(Step::End(ending)) => ending.to_string(),
        None => String::new(),
    };
    record.line_to(last).into_iter().map(text).collect::<Vec<_>>().join(" ")
}

fn leaves(record: &Record<Shogi>) -> Vec<String> {
    let leaf = |id: &NodeId| record.node(*id).children().is_empty();
    record.preorder().filter(leaf).map(|id| steps(record, id)).collect()
}

fn refused(text: &str, format: Format) -> ReadError {
    match read(text.as_bytes(), Some(format)) {
        Err(error) => error,
        Ok(records) => panic!("{text} was read as {records:?}"),
    }
}

#[test]
fn variations_after_a_resignation_are_kept_where_they_belong() {
    let record = shogi("kif/branches_after_resignation.kifu");
    assert_eq!(
        leaves(&record),
        [
            "2g2f 3c3d 2f2e 2b3c 7g7f 4c4d 3i4h 8b4b 5i6h 5a6b 6h7h 6b7b resignation",
            "2g2f 3c3d 2f2e 2b3c 7g7f 4c4d 3i4h 8b4b 5g5f 5a6b",
            "2g2f 3c3d 2f2e 2b3c 7g7f 3a2b 6i7h 4a3b 3i4h 8c8d",
            "2g2f 3c3d 2f2e 2b3c 7g7f 3a2b 6i7h 4a3b 3i3h interruption",
            "2g2f 3c3d 2f2e 2b3c 7g7f 4a3b 8h3c+ 3b3c",
            "7g7f resignation",
        ]
    );
    let beside = shogi("kif/branch_beside_resignation.kifu");
    assert_eq!(leaves(&beside), ["7g7f resignation", "7g7f 3c3d 2g2f"]);
}

#[test]
fn every_ending_word_of_kif_ends_its_own_line() {
    let record = shogi("kif/endings.kifu");
    let endings: Vec<_> = record.preorder().filter_map(|id| record.node(id).ending()).collect();
    assert_eq!(
        endings,
        [
            Ending::Timeout,
            Ending::Interruption,
            Ending::Repetition,
            Ending::Impasse,
            Ending::Checkmate,
            Ending::OpponentIllegalMove,
            Ending::IllegalMove,
            Ending::Declaration,
            Ending::WinByDefault,
            Ending::LossByDefault,
            Ending::NoMate,
            Ending::Try,
            Ending::Resignation,
        ]
    );
}

#[test]
fn evaluations_are_taken_out_of_comments_and_everything_else_stays_comment() {
    let record = shogi("kif/shogihome_evaluations.kifu");
    let notes: Vec<_> = record.main_line().map(|id| &record.node(id).notes).collect();
    let root = &record.node(NodeId::ROOT).notes.evaluations[0];
    assert_eq!((root.by, root.centipawns, root.depth), (Evaluator::Analysis, Some(30), Some(12)));
    let first = &notes[0].evaluations[0];
    assert_eq!((first.by, first.centipawns), (Evaluator::Player, Some(8)));
    assert_eq!((first.depth, first.nodes), (Some(5), Some(885)));
    assert_eq!(first.engine.as_deref(), Some("Keisei"));
    let line: Vec<_> = first.line.iter().map(ToString::to_string).collect();
    assert_eq!(line, ["8c8d", "2f2e", "8d8e", "6i7h"]);
    assert_eq!(notes[0].comment, "互角");
    assert_eq!(notes[1].comment, "互角\n人の言葉");
    let scores: Vec<_> = notes[1].evaluations.iter().map(|found| found.centipawns).collect();
    assert_eq!(scores, [Some(-12), Some(40), Some(-7)]);
    assert_eq!(notes[2].comment, "*読み筋=△これは指し手ではない");
    let mate = Mate { winner: Side::Second, distance: Some(13) };
    assert_eq!(notes[2].evaluations[0].mate, Some(mate));
    assert_eq!(notes[3].comment, "*評価値=12.5");
    assert_eq!(notes[4].evaluations[0].centipawns, Some(-2000));
}

#[test]
fn floodgate_comments_are_evaluations_and_other_apostrophe_lines_comments() {
    let record = shogi("csa/floodgate.csa");
    let notes: Vec<_> = record.main_line().map(|id| &record.node(id).notes).collect();
    assert_eq!(record.node(NodeId::ROOT).notes.comment, "Max_Moves:256\nrating:Engine_A:Engine_B");
    assert_eq!(notes[0].evaluations[0].centipawns, Some(28));
    assert_eq!(notes[0].evaluations[0].line.len(), 2);
    assert_eq!(notes[1].evaluations[0].centipawns, Some(31));
    // The expected moves cannot be played, so the line stays a comment.
    assert_eq!(notes[2].comment, "* 100000 -8485FU +7776FU");
    assert!(notes[3].comment.starts_with("summary:toryo"));
    assert_eq!(notes[3].time, Some(Duration::from_secs(5)));
}

#[test]
fn handicaps_diagrams_and_players_are_read() {
    let two = shogi("kif/handicap_two_piece.kifu");
    assert!(two.start().to_string().starts_with("lnsgkgsnl/9/ppppppppp"));
    assert_eq!(two.player(Side::First), Some("指導を受ける人"));
    assert_eq!(two.player(Side::Second), Some("指導する人"));
    let diagram = shogi("kif/diagram_white_to_move.kifu");
    assert_eq!(
        diagram.start().to_string(),
        "ln5nl/3+B2+R2/2k1p4/p8/2s3p2/9/PP1P4P/2K3S2/LN1G1G1NL w B2Sr2g11p 172"
    );
    let tsume = shogi("kif/tsume.kifu");
    assert_eq!(tsume.headers.get("手合割"), Some("詰将棋"));
    assert_eq!(tsume.headers.get("作者"), Some("不詳"));
    let removed = shogi("csa/removed_pieces.csa");
    assert_eq!(removed.start(), two.start());
    let pieces = shogi("csa/pieces.csa");
    assert_eq!(pieces.start().to_string(), "4k4/9/4+P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
}

#[test]
fn times_are_read_to_the_fraction_that_is_written() {
    let time = |record: &Record<Shogi>, ply: usize| {
        record.node(record.main_line().nth(ply).unwrap()).notes.time
    };
    let plain = shogi("kif/plain.kifu");
    assert_eq!(time(&plain, 2), Some(Duration::from_secs(65)));
    assert_eq!(time(&plain, 7), Some(Duration::from_secs(3660)));
    let long = shogi("kif/long_times.kifu");
    assert_eq!(time(&long, 0), Some(Duration::from_secs(3723)));
    let fine = shogi("csa/v3_milliseconds.csa");
    assert_eq!(time(&fine, 0), Some(Duration::from_millis(123)));
    assert_eq!(time(&fine, 3), Some(Duration::from_millis(1)));
    let none = shogi("ki2/plain.ki2u");
    assert_eq!(time(&none, 0), None);
}

#[test]
fn several_games_of_a_file_are_several_records() {
    assert_eq!(sample("csa/two_games.csa").len(), 2);
    assert_eq!(sample("csa/illegal_action.csa").len(), 3);
    assert_eq!(sample("usi/games.usi").len(), 5);
    let endings: Vec<_> = sample("csa/illegal_action.csa")
        .iter()
        .map(|record| match record {
            AnyRecord::Shogi(record) => record.ending().unwrap().0,
            other => panic!("a game of {}", other.game()),
        })
        .collect();
    // Black is to move: White's foul wins for the mover, Black's own loses.
    assert_eq!(endings, [Ending::OpponentIllegalMove, Ending::IllegalMove, Ending::IllegalMove]);
    let several = chess("pgn/several.pgn");
    let endings: Vec<_> =
        several.iter().map(|record| record.ending().map(|(end, _)| end)).collect();
    assert_eq!(
        endings,
        [
            Some(Ending::Timeout),
            Some(Ending::Resignation),
            Some(Ending::Checkmate),
            Some(Ending::Interruption),
            None,
        ]
    );
    assert!(several[0].headers.get("Termination").is_none());
}

#[test]
fn jkf_without_origins_pieces_or_destinations_is_completed_from_the_board() {
    let record = shogi("jkf/minimal.jkf");
    let moves: Vec<_> = record.main_moves().map(|mv| mv.to_string()).collect();
    assert_eq!(moves, ["7g7f", "3c3d", "8h2b+", "3a2b", "4i5h"]);
    let forks = shogi("jkf/forks.jkf");
    assert_eq!(
        leaves(&forks),
        [
            "7g7f 3c3d 8i7g repetition",
            "7g7f 3c3d 8h2b+ 3a2b",
            "7g7f 3c3d 2g2f",
            "7g7f 8c8d 2g2f",
            "7g7f 8c8d 6g6f resignation",
            "7g7f time forfeit",
        ]
    );
}

#[test]
fn pgn_notes_variations_and_forgiven_numbers_are_read() {
    let record = &chess("pgn/variations.pgn")[0];
    let lines = |id: NodeId| record.line_to(id).len();
    assert_eq!(record.node(NodeId::ROOT).notes.comment, "before the first move");
    let leaves: Vec<_> =
        record.preorder().filter(|&id| record.node(id).children().is_empty()).map(lines).collect();
    // The main line with its ending, 3. Bc4, and below 1... c5 and 1... e6.
    assert_eq!(leaves, [6, 5, 4, 4, 5, 2]);
    let clocks = &chess("pgn/clocks_and_evaluations.pgn")[0];
    let notes: Vec<_> = clocks.main_line().map(|id| &clocks.node(id).notes).collect();
    assert_eq!(notes[0].clock, Some(Duration::from_secs(180)));
    assert_eq!(notes[1].time, Some(Duration::from_millis(500)));
    assert_eq!(notes[1].comment, "good");
    assert_eq!(notes[2].nags, [6]);
    assert_eq!(notes[3].evaluations[0].mate, Some(Mate { winner: Side::First, distance: Some(1) }));
    assert_eq!(clocks.ending(), Some((Ending::IllegalMove, Side::First)));
    let forgiving = &chess("pgn/forgiving.pgn")[0];
    assert_eq!(forgiving.main_moves().count(), 14);
    assert_eq!(forgiving.ending().map(|(end, _)| end), Some(Ending::Draw));
    let glyphs = &chess("pgn/comments_and_glyphs.pgn")[0];
    let third = glyphs.main_line().nth(2).unwrap();
    assert_eq!(glyphs.node(third).notes.nags, [3, 14, 132]);
    assert_eq!(glyphs.node(third).notes.comment, "first\nsecond");
    assert_eq!(glyphs.headers.get("Annotator"), Some("Somebody \"Quoted\" \\ backslash"));
}

#[test]
fn an_illegal_move_is_refused_with_its_place_its_ply_and_the_rule_it_breaks() {
    let head = "手合割：平手\n";
    let error = refused(&format!("{head}   1 ７六歩(77)\n   2 ３三歩(32)\n"), Format::Kif);
    assert_eq!((error.line, error.column), (3, 6));
    assert_eq!(error.text, "３三歩(32)");
    assert!(error.to_string().contains("no move at ply 2, there is no piece on 3b"), "{error}");
    let error = refused(&format!("{head}   1 ７五歩(77)\n"), Format::Kif);
    assert!(matches!(error.problem, Problem::Illegal { ply: 1, .. }), "{error}");
    assert!(error.to_string().contains("a pawn cannot go from 7g to 7e"), "{error}");
    let error = refused("V2.2\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n+0027FU\n", Format::Csa);
    assert_eq!((error.line, error.column), (8, 1));
    assert!(error.to_string().contains("ply 5 is illegal, there is no pawn in hand"), "{error}");
    let error = refused("position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e 5c5d B*2e", Format::Usi);
    assert_eq!(error.text, "B*2e");
    assert!(error.to_string().contains("there is no bishop in hand"), "{error}");
    let error = refused("▲７六歩 △８四歩 ▲２二角成\n", Format::Ki2);
    assert_eq!((error.line, error.column), (1, 11));
    let error = refused("1. e4 e5 2. Ke3 *", Format::Pgn);
    assert!(matches!(error.problem, Problem::Illegal { ply: 3, .. }), "{error}");
    assert_eq!((error.line, error.column), (1, 13));
    let nifu = "{\"header\":{},\"initial\":{\"preset\":\"OTHER\",\"data\":{\"color\":0,\"board\":\
        [[],[],[],[],[{\"color\":1,\"kind\":\"OU\"},{},{},{},{},{},{\"color\":0,\"kind\":\"FU\"}]],\
        \"hands\":[{\"FU\":1},{}]}},\n\"moves\":[{},\n\
        {\"move\":{\"to\":{\"x\":5,\"y\":5},\"piece\":\"FU\"}}]}";
    let error = refused(nifu, Format::Jkf);
    assert_eq!((error.line, error.column), (3, 9));
    assert!(error.to_string().contains("nifu"), "{error}");
}

#[test]
fn what_is_not_understood_is_refused_and_not_passed_over() {
    let cases = [
        (Format::Kif, "   1 ７六歩(77)\n   3 ３四歩(33)\n", 2, 4),
        (Format::Kif, "   1 ７六歩(77)\n   2 何か\n", 2, 6),
        (Format::Kif, "   1 ７六歩(77) (x)\n", 1, 15),
        (Format::Kif, "   1 ７六歩(77) 余分\n", 1, 14),
        (Format::Kif, "   1 ７六歩(77)\n変化：9手\n", 2, 4),
        (Format::Kif, "   1 ７六歩(77)\n手合割：平手\n", 2, 1),
        (Format::Kif, "これは棋譜ではない\n", 1, 1),
        (Format::Kif, "   1 投了\n   2 ３四歩(33)\n", 2, 4),
        (Format::Ki2, "△７六歩\n", 1, 1),
        (Format::Ki2, "▲７六歩 何か\n", 1, 6),
        (Format::Ki2, "▲５八金\n", 1, 1),
        (Format::Ki2, "まで3手で何か\n", 1, 6),
        (Format::Csa, "PI\n+\n+7776FU,X\n", 3, 9),
        (Format::Csa, "PI\n+\n-3334FU\n", 3, 1),
        (Format::Csa, "PI\n+\n+7776GI\n", 3, 1),
        (Format::Csa, "PI\n+\n%NANIKA\n", 3, 1),
        (Format::Csa, "P1-KY\n", 1, 6),
        (Format::Csa, "PI55FU\n+\n", 1, 3),
        (Format::Csa, "+7776FU\n", 1, 1),
        (Format::Jkf, "{\"moves\":[{},{\"special\":\"NANIKA\"}]}", 1, 25),
        (Format::Jkf, "{\"header\":{}}", 1, 1),
        (Format::Jkf, "{\"moves\":[{\"move\":{\"color\":1,\"piece\":\"FU\"}}]}", 1, 28),
        (Format::Usi, "position startpos moves 7g7f nanika\n", 1, 30),
        (Format::Usi, "position sfen 9/9 b - 1\n", 1, 15),
        (Format::Sfenx, "lnsgkgsnl aaaaaaaa\n", 1, 10),
        (Format::Sfenx, "[]", 1, 1),
        (Format::Pgn, "[Event \"x]\n", 1, 1),
        (Format::Pgn, "1. e4 (1. d4 1-0", 1, 14),
        (Format::Pgn, "1. e4 ) 1-0", 1, 7),
        (Format::Pgn, "(1. e4) 1-0", 1, 1),
        (Format::Pgn, "1. e4 {never closed", 1, 7),
        (Format::Pgn, "1. e4 $999", 1, 7),
        (Format::Pgn, "1. e4 e5 2. Qq9", 1, 13),
        (Format::Pgn, "[Result \"0-1\"]\n1. e4 1-0", 2, 7),
        (Format::Pgn, "[Event \"x\"]\n[FEN \"8/8\"]\n*", 2, 1),
        (Format::Kif, "先手：一\n手合割：謎\n   1 ７六歩(77)\n", 2, 5),
    ];
    for (format, text, line, column) in cases {
        let error = refused(text, format);
        assert_eq!((error.line, error.column), (line, column), "{format} {text:?}: {error}");
    }
}

#[test]
fn a_node_list_that_contradicts_its_moves_is_refused() {
    let path = format!("{}/tests/samples/sfenx/nodes.sfenx", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let wrong = text.replacen("996P2", "998P", 1);
    let error = refused(&wrong, Format::Sfenx);
    assert_eq!((error.line, error.problem), (3, Problem::Contradiction("the moves before it")));
}

#[test]
fn files_in_no_known_format_are_refused_without_a_hint() {
    for text in ["", "hello world", "\u{0}\u{1}"] {
        let error = read(text.as_bytes(), None).unwrap_err();
        assert_eq!(error.problem, Problem::Format, "{text:?}");
    }
}
