//! Japanese notation by the association's rules, the other notations, and their reading.

#[path = "support/official.rs"]
mod official;

use keisei_records::notation::{
    DragonForm, KingForm, MoveTextError, NotationError, RankForm, Rivals, SideMark, Spelling,
    japanese, kif, parse_any, parse_japanese, western,
};
use keisei_shogi::{
    ByColor, Color, HandKind, IllegalMove, Move, Piece, PieceKind, Position, Setup, Square,
};

/// A board with these pieces of Black, given as in 金79, and a king of White that is in nobody's
/// way.
fn board(pieces: &[&str]) -> Setup {
    let mut setup = Setup::EMPTY;
    for text in pieces {
        let kind = PieceKind::from_kanji(text.chars().next().unwrap()).unwrap();
        setup.board[square(&text[3..]).index()] = Some(Piece::new(Color::Black, kind));
    }
    let king = Some(Piece::new(Color::White, PieceKind::King));
    let apart = |one: Square, two: Square| {
        let rows = one.row().abs_diff(two.row());
        let columns = one.column().abs_diff(two.column());
        rows != 0 && columns != 0 && rows != columns && rows + columns > 4
    };
    let free = Square::all().find(|&square| {
        let mut pieces = Square::all().filter(|other| setup.board[other.index()].is_some());
        pieces.all(|other| apart(square, other))
    });
    setup.board[free.expect("a square for the king").index()] = king;
    setup
}

/// The square written as two digits, file and rank.
fn square(digits: &str) -> Square {
    let digit = |place: usize| digits.as_bytes()[place] - b'0';
    Square::at(digit(1) - 1, 9 - digit(0)).unwrap()
}

/// The setup with the board turned round and the colours exchanged.
fn from_the_other_side(setup: &Setup) -> Setup {
    let mut other = *setup;
    other.board.reverse();
    for piece in other.board.iter_mut().flatten() {
        *piece = Piece::new(!piece.color, piece.kind);
    }
    other.hands = ByColor([setup.hands[Color::White], setup.hands[Color::Black]]);
    other.turn = !setup.turn;
    other
}

/// The move without its destination, as Black makes it and as White does from the other side.
fn marks_for_both(setup: &Setup, mv: Move) -> [String; 2] {
    let spelling = Spelling { mark: SideMark::None, ..Spelling::default() };
    let text = |setup: &Setup, mv| {
        let position = Position::try_from(*setup).unwrap();
        let text = japanese(&position, mv, None, spelling).unwrap();
        assert_eq!(parse_japanese(&position, &text, None), Ok(mv), "{text} in {position}");
        text.chars().skip(2).collect()
    };
    [text(setup, mv), text(&from_the_other_side(setup), mv.rotated())]
}

#[track_caller]
fn assert_marks(pieces: &[&str], moves: &[(&str, &str)]) {
    let setup = board(pieces);
    for &(way, expected) in moves {
        let mv = Move::new(square(&way[..2]), square(&way[2..]), false);
        assert_eq!(marks_for_both(&setup, mv), [expected, expected], "{way} on {pieces:?}");
    }
}

#[test]
fn a_motion_mark_is_enough_where_no_rival_moves_the_same_way() {
    assert_marks(&["金72", "金93"], &[("9382", "金上"), ("7282", "金寄")]);
    assert_marks(&["金31", "金43"], &[("4332", "金上"), ("3132", "金引")]);
    assert_marks(&["金45", "金56"], &[("5655", "金上"), ("4555", "金寄")]);
    assert_marks(&["銀77", "銀89"], &[("8988", "銀上"), ("7788", "銀引")]);
    assert_marks(&["銀27", "銀49"], &[("4938", "銀上"), ("2738", "銀引")]);
}

#[test]
fn left_and_right_are_written_where_a_rival_makes_the_same_motion() {
    assert_marks(&["金75", "金95"], &[("9584", "金左"), ("7584", "金右")]);
    assert_marks(&["金15", "金35"], &[("3525", "金左"), ("1525", "金右")]);
    assert_marks(&["銀45", "銀65"], &[("6556", "銀左"), ("4556", "銀右")]);
    assert_marks(&["桂57", "桂77"], &[("7765", "桂左"), ("5765", "桂右")]);
}

#[test]
fn gold_and_silver_straight_up_among_rivals_is_choku_without_a_motion_mark() {
    assert_marks(&["金79", "金89"], &[("8978", "金左"), ("7978", "金直")]);
    assert_marks(&["銀29", "銀39"], &[("3938", "銀直"), ("2938", "銀右")]);
    assert_marks(
        &["金46", "金56", "金66"],
        &[("6655", "金左"), ("5655", "金直"), ("4655", "金右")],
    );
}

#[test]
fn the_motion_is_added_where_a_rival_comes_from_the_same_side() {
    assert_marks(
        &["と87", "と98", "と79", "と89", "と99"],
        &[
            ("7988", "と右"),
            ("8988", "と直"),
            ("9988", "と左上"),
            ("9888", "と寄"),
            ("8788", "と引"),
        ],
    );
    assert_marks(
        &["銀17", "銀37", "銀29", "銀39"],
        &[("2928", "銀直"), ("1728", "銀右"), ("3928", "銀左上"), ("3728", "銀左引")],
    );
}

#[test]
fn rook_bishop_dragon_and_horse_use_left_and_right_and_never_choku() {
    assert_marks(&["龍91", "龍84"], &[("9182", "龍引"), ("8482", "龍上")]);
    assert_marks(&["龍52", "龍23"], &[("2343", "龍寄"), ("5243", "龍引")]);
    assert_marks(&["龍15", "龍55"], &[("5535", "龍左"), ("1535", "龍右")]);
    assert_marks(&["龍89", "龍99"], &[("9988", "龍左"), ("8988", "龍右")]);
    assert_marks(&["龍28", "龍19"], &[("2817", "龍左"), ("1917", "龍右")]);
    assert_marks(&["馬81", "馬91"], &[("9182", "馬左"), ("8182", "馬右")]);
    assert_marks(&["馬63", "馬95"], &[("9585", "馬寄"), ("6385", "馬引")]);
    assert_marks(&["馬11", "馬34"], &[("1112", "馬引"), ("3412", "馬上")]);
    assert_marks(&["馬59", "馬99"], &[("9977", "馬左"), ("5977", "馬右")]);
    assert_marks(&["馬47", "馬18"], &[("4729", "馬左"), ("1829", "馬右")]);
    assert_marks(&["飛55", "飛95"], &[("9575", "飛左"), ("5575", "飛右")]);
    assert_marks(&["飛57", "飛84"], &[("5754", "飛上"), ("8454", "飛寄")]);
    assert_marks(&["角59", "角99"], &[("9977", "角左"), ("5977", "角右")]);
}

#[test]
fn a_rival_behind_a_blocker_is_no_rival() {
    assert_marks(&["飛59", "飛54"], &[("5455", "飛引"), ("5955", "飛上")]);
    // A pawn stands between the second piece and the square.
    assert_marks(&["飛59", "飛54", "歩57"], &[("5455", "飛"), ("5958", "飛")]);
    assert_marks(&["飛59", "飛15", "歩35"], &[("5955", "飛")]);
    assert_marks(&["角88", "角44", "歩77"], &[("4455", "角")]);
}

#[test]
fn a_rival_that_is_pinned_is_no_rival_by_the_rules_but_one_for_other_programs() {
    // The gold on 5h shields its king from the rook on 5b.
    let position: Position = "4k4/4r4/9/9/9/9/9/3GG4/4K4 b - 1".parse().unwrap();
    let mv: Move = "6h5g".parse().unwrap();
    let text = |rivals| {
        let spelling = Spelling { rivals, ..Spelling::default() };
        japanese(&position, mv, None, spelling).unwrap()
    };
    assert_eq!(text(Rivals::Legal), "☗５七金左");
    let sideways: Move = "6h6g".parse().unwrap();
    let both = |rivals| {
        let spelling = Spelling { rivals, ..Spelling::default() };
        japanese(&position, sideways, None, spelling).unwrap()
    };
    assert_eq!(both(Rivals::Legal), "☗６七金");
    assert_eq!(both(Rivals::Attacking), "☗６七金直");
    for text in ["☗６七金", "☗６七金直"] {
        assert_eq!(parse_japanese(&position, text, None), Ok(sideways));
    }
}

#[test]
fn a_drop_is_marked_only_where_a_piece_on_the_board_could_move_there() {
    let mut setup = board(&["金59"]);
    setup.hands[Color::Black] = setup.hands[Color::Black].with(HandKind::Gold, 1);
    let at = |digits| Move::drop(HandKind::Gold, square(digits));
    assert_eq!(marks_for_both(&setup, at("58")), ["金打", "金打"]);
    assert_eq!(marks_for_both(&setup, at("55")), ["金", "金"]);
    // A tokin moves like a gold but has another name.
    let mut setup = board(&["と59"]);
    setup.hands[Color::Black] = setup.hands[Color::Black].with(HandKind::Gold, 1);
    assert_eq!(marks_for_both(&setup, at("58")), ["金", "金"]);
}

#[test]
fn promotion_is_written_where_it_is_taken_or_declined() {
    let text = |pieces: &[&str], way: &str, promote| {
        let mv = Move::new(square(&way[..2]), square(&way[2..]), promote);
        marks_for_both(&board(pieces), mv)
    };
    assert_eq!(text(&["銀54"], "5453", true), ["銀成", "銀成"]);
    assert_eq!(text(&["銀54"], "5453", false), ["銀不成", "銀不成"]);
    assert_eq!(text(&["角33"], "3377", false), ["角不成", "角不成"]);
    assert_eq!(text(&["銀55"], "5554", false), ["銀", "銀"]);
    // Gold, king and promoted pieces have nothing to decline.
    assert_eq!(text(&["金54"], "5453", false), ["金", "金"]);
    assert_eq!(text(&["玉54"], "5453", false), ["玉", "玉"]);
    assert_eq!(text(&["全54"], "5453", false), ["成銀", "成銀"]);
    assert_eq!(text(&["銀44", "銀64"], "6453", true), ["銀左成", "銀左成"]);
}

#[test]
fn a_move_to_the_square_of_the_last_one_is_written_dou() {
    let position: Position =
        "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4".parse().unwrap();
    let mv: Move = "3a2b".parse().unwrap();
    let previous = Some("2b".parse().unwrap());
    let spelling = Spelling::default();
    assert_eq!(japanese(&position, mv, previous, spelling).unwrap(), "☖同　銀");
    assert_eq!(japanese(&position, mv, None, spelling).unwrap(), "☖２二銀");
    assert_eq!(kif(&position, mv, previous).unwrap(), "同　銀(31)");
    for text in ["☖同　銀", "△同銀", "同銀(31)", "２２銀"] {
        assert_eq!(parse_japanese(&position, text, previous), Ok(mv), "{text}");
    }
    assert_eq!(parse_japanese(&position, "同銀", None), Err(MoveTextError::NothingBefore));
}

#[test]
fn an_empty_origin_is_an_error_that_names_it() {
    let start = Position::start();
    let error = japanese(&start, "5e5d".parse().unwrap(), None, Spelling::default()).unwrap_err();
    assert_eq!(error, NotationError::EmptySquare("5e".parse().unwrap()));
    assert_eq!(error.to_string(), "there is no piece on 5e");
    let theirs = kif(&start, "3c3d".parse().unwrap(), None).unwrap_err();
    assert_eq!(theirs, NotationError::OpponentsPiece("3c".parse().unwrap()));
    let missing = western(&start, "P*5e".parse().unwrap()).unwrap_err();
    assert_eq!(missing, NotationError::NotInHand(HandKind::Pawn));
    let read = parse_japanese(&start, "５四歩(55)", None).unwrap_err();
    assert_eq!(read, MoveTextError::EmptySquare("5e".parse().unwrap()));
}

#[test]
fn dragon_king_rank_and_side_mark_are_spelled_as_asked_and_read_in_every_form() {
    let position: Position = "3k5/9/9/9/4+R4/9/9/9/4K4 b - 1".parse().unwrap();
    let dragon: Move = "5e5d".parse().unwrap();
    let king: Move = "5i5h".parse().unwrap();
    let spelling = Spelling {
        mark: SideMark::Triangles,
        rank: RankForm::Digits,
        dragon: DragonForm::Simplified,
        king: KingForm::King,
        rivals: Rivals::Legal,
    };
    assert_eq!(japanese(&position, dragon, None, spelling).unwrap(), "▲５４竜");
    assert_eq!(japanese(&position, king, None, spelling).unwrap(), "▲５８王");
    assert_eq!(japanese(&position, dragon, None, Spelling::default()).unwrap(), "☗５四龍");
    for text in ["５四龍", "５四竜", "54龍", "☗５４竜"] {
        assert_eq!(parse_japanese(&position, text, None), Ok(dragon), "{text}");
    }
    for text in ["５八玉", "５八王"] {
        assert_eq!(parse_japanese(&position, text, None), Ok(king), "{text}");
    }
}

#[test]
fn promoted_minor_pieces_are_read_in_both_forms() {
    let position: Position = "4k4/9/9/9/+L+N+S6/9/9/9/4K4 b - 1".parse().unwrap();
    for (text, mv) in [
        ("９四成香", "9e9d"),
        ("９四杏", "9e9d"),
        ("８四成桂直", "8e8d"),
        ("８四圭", "8e8d"),
        ("７四成銀", "7e7d"),
        ("７四全(75)", "7e7d"),
    ] {
        assert_eq!(parse_japanese(&position, text, None), Ok(mv.parse().unwrap()), "{text}");
    }
}

#[test]
fn western_notation_gives_the_origin_only_to_tell_pieces_apart() {
    let start = Position::start();
    let text = |position: &Position, mv: &str| western(position, mv.parse().unwrap()).unwrap();
    assert_eq!(text(&start, "7g7f"), "P-7f");
    assert_eq!(text(&start, "6i5h"), "G6i-5h");
    assert_eq!(text(&start, "6i7h"), "G-7h");
    let position: Position =
        "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3".parse().unwrap();
    assert_eq!(text(&position, "8h2b+"), "Bx2b+");
    assert_eq!(text(&position, "8h2b"), "Bx2b=");
    let drop: Position = "4k4/9/9/9/9/9/9/9/4K4 b P 1".parse().unwrap();
    assert_eq!(text(&drop, "P*5e"), "P*5e");
    let dragon: Position = "3k5/9/9/9/4+R4/9/9/9/4K4 b - 1".parse().unwrap();
    assert_eq!(text(&dragon, "5e5d"), "+R-5d");
}

#[test]
fn any_notation_is_read() {
    let position: Position =
        "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3".parse().unwrap();
    let mv = Ok("8h2b+".parse().unwrap());
    for text in ["8h2b+", "Bx2b+", "２二角成", "☗２二角成", " ▲22角成(88) "] {
        assert_eq!(parse_any(&position, text, None), mv, "{text}");
    }
    assert_eq!(parse_any(&position, "nonsense", None), Err(MoveTextError::NotAMove));
    assert_eq!(parse_any(&position, "２二角成だ", None), Err(MoveTextError::NotAMove));
}

#[test]
fn a_move_that_the_rules_forbid_is_refused_with_the_rule() {
    let pinned: Position = "4k4/4r4/9/9/9/9/9/4S4/4K4 b P 1".parse().unwrap();
    let error = parse_japanese(&pinned, "６七銀", None).unwrap_err();
    let rule = IllegalMove::ExposesKing("5b".parse().unwrap());
    assert_eq!(error, MoveTextError::Illegal(rule));
    let two: Position = "4k4/9/9/9/9/9/4P4/9/4K4 b P 1".parse().unwrap();
    let error = parse_japanese(&two, "５五歩打", None).unwrap_err();
    assert!(error.to_string().contains("nifu"), "{error}");
    let error = parse_japanese(&Position::start(), "５五銀", None).unwrap_err();
    let to = "5e".parse().unwrap();
    assert_eq!(error, MoveTextError::Nobody { kind: PieceKind::Silver, to });
    let golds: Position = "4k4/9/9/9/9/9/9/3G1G3/4K4 b - 1".parse().unwrap();
    let error = parse_japanese(&golds, "５七金", None).unwrap_err();
    assert!(matches!(error, MoveTextError::Ambiguous { ref from, .. } if from.len() == 2));
    let error = parse_japanese(&golds, "５五と打", None).unwrap_err();
    assert_eq!(error, MoveTextError::Undroppable(PieceKind::Tokin));
    let error = parse_japanese(&golds, "５七銀(68)", None).unwrap_err();
    assert!(error.to_string().contains("a gold stands on 6h and not a silver"), "{error}");
}

#[test]
fn twenty_thousand_random_moves_read_as_an_independent_implementation_writes_them() {
    let found = official::compare(1, 20_000);
    assert!(found.differences.is_empty(), "{:#?}", found.differences);
    assert!(found.moves >= 20_000 && found.marked > 500, "{found:?}");
}
