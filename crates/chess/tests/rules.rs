//! Castling, en passant, promotion, and how a game ends.

mod common;

use common::{game, legal, mv, play, position};
use keisei_chess::{CastlingRights, Chess, ClaimError, Color, MoveError, Position, Rules, Square};
use keisei_game::{DeclarationRule, Game, Outcome, Reason, Side};

fn end(game: &Chess) -> Option<Reason> {
    game.outcome().map(Outcome::reason)
}

fn has(fen: &str, text: &str) -> bool {
    legal(&position(fen)).contains(&text.to_owned())
}

#[test]
fn castling_moves_the_king_two_squares_and_the_rook_over_it() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (moves, after) in [
        ("e1g1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"),
        ("e1c1 e8g8", "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2"),
        ("e1h1 e8a8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"),
    ] {
        let mut game = game(fen);
        play(&mut game, moves);
        assert_eq!(game.notation(), after);
        assert!(["e1g1", "e1c1"].contains(&game.moves()[0].to_string().as_str()));
    }
}

#[test]
fn castling_needs_a_free_way_and_a_king_that_is_not_and_does_not_come_into_check() {
    assert!(!has("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1"), "a piece on b1");
    assert!(!has("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1g1"), "f1 is attacked");
    assert!(has("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1c1"));
    assert!(!has("4k3/8/8/8/8/6r1/8/R3K2R w KQ - 0 1", "e1g1"), "g1 is attacked");
    assert!(!has("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "e1g1"), "the king is in check");
    assert!(has("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"), "b1 may be attacked");
    assert!(has("r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"), "so may the rook");
}

#[test]
fn a_castling_right_is_lost_when_king_or_rook_moves_or_the_rook_is_taken() {
    let rights = |moves: &str| {
        let mut game = game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        play(&mut game, moves);
        Color::ALL.map(|color| game.position().castling(color))
    };
    let both = CastlingRights { short: true, long: true };
    let (none, long) = (CastlingRights::default(), CastlingRights { short: false, long: true });
    assert_eq!(rights(""), [both, both]);
    assert_eq!(rights("e1e2 a8b8 e2e1"), [none, CastlingRights { short: true, long: false }]);
    assert_eq!(rights("h1g1 e8e7 g1h1"), [long, none], "coming back does not help");
    assert_eq!(rights("h1h8"), [long, long], "one rook takes the other");
}

#[test]
fn en_passant_is_allowed_at_once_and_never_later() {
    let mut game = game("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
    play(&mut game, "d7d5");
    assert_eq!(game.position().en_passant(), Some(Square::D6));
    assert!(game.position().is_legal(mv("e5d6")));
    play(&mut game, "e1e2 e8e7");
    assert!(!game.position().is_legal(mv("e5d6")));
    game.undo();
    game.undo();
    play(&mut game, "e5d6");
    assert_eq!(game.notation(), "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2");
}

#[test]
fn en_passant_is_forbidden_when_it_uncovers_the_king_along_the_rank() {
    assert!(!has("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "d4e3"));
    assert!(has("8/8/8/8/k2pP3/7R/8/4K3 b - e3 0 1", "d4e3"));
}

#[test]
fn a_pawn_becomes_a_queen_a_rook_a_bishop_or_a_knight() {
    let position = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    let promotions: Vec<_> =
        legal(&position).into_iter().filter(|text| text.starts_with("a7")).collect();
    assert_eq!(promotions, ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]);
    for (text, letter) in [("a7a8b", 'B'), ("a7a8n", 'N'), ("a7a8q", 'Q'), ("a7a8r", 'R')] {
        let mut after = position.clone();
        after.play(mv(text)).unwrap();
        assert_eq!(after.piece_at(Square::A8).map(|piece| piece.letter()), Some(letter));
    }
}

#[test]
fn checkmate_wins_for_the_side_that_gave_it() {
    let mut game = Chess::new();
    play(&mut game, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::Second, Reason::Checkmate)));
    assert_eq!((game.winner(), game.reward()), (Some(Color::Black), 1.0));
    assert!(game.legal_moves().is_empty());
}

#[test]
fn stalemate_is_a_draw() {
    let mut game = game("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1");
    play(&mut game, "f5f7");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::NoMoves)));
}

const THERE_AND_BACK: &str = "g1f3 g8f6 f3g1 f6g8 ";

#[test]
fn the_third_occurrence_may_be_claimed_and_the_fifth_ends_the_game() {
    let mut game = Chess::new();
    play(&mut game, THERE_AND_BACK);
    assert_eq!(game.repetitions(), 1);
    assert_eq!(game.claim(), Err(ClaimError::NothingToClaim { occurrences: 2, halfmoves: 4 }));
    play(&mut game, THERE_AND_BACK);
    assert_eq!((game.repetitions(), game.outcome()), (2, None), "a claim is a choice");
    let mut claimed = game.clone();
    assert_eq!(claimed.claim(), Ok(Outcome::draw(Reason::Repetition)));
    assert_eq!(end(&claimed), Some(Reason::Repetition));
    play(&mut game, THERE_AND_BACK);
    play(&mut game, "g1f3 g8f6 f3g1");
    assert_eq!(game.outcome(), None, "every position occurred four times at most");
    play(&mut game, "f6g8");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::Repetition)));
}

#[test]
fn a_claim_in_a_game_that_is_over_says_how_it_ended() {
    let mut game = Chess::new();
    game.resign(Side::First);
    let error = game.claim().unwrap_err();
    assert_eq!(error.to_string(), "the game is over: Black wins by resignation");
    let mut game = Chess::new();
    assert_eq!(
        game.claim().unwrap_err().to_string(),
        "no draw to claim: the position occurred 1 of 3 times, and 0 of 100 moves by either \
         player passed without a capture or a pawn move"
    );
}

#[test]
fn draws_that_could_be_claimed_end_the_game_when_the_rules_say_so() {
    let rules = Rules { auto_claim: true, ..Chess::RULES };
    let mut game = Chess::with_rules(Position::start(), rules);
    play(&mut game, &THERE_AND_BACK.repeat(2));
    assert_eq!(end(&game), Some(Reason::Repetition));
    let mut game = Chess::with_rules(position("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"), rules);
    play(&mut game, "a1a2");
    assert_eq!(end(&game), Some(Reason::FiftyMoves));
}

#[test]
fn an_en_passant_square_makes_a_position_another_only_if_a_pawn_can_capture_there() {
    for (fen, differs, why) in [
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", true, "a pawn can capture"),
        ("4k3/8/8/8/1p2P3/8/8/4K3 b - e3 0 1", false, "no pawn stands beside"),
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", false, "the capture would uncover the king"),
        ("4k3/8/8/8/3Pb3/8/8/4K3 b - d3 0 1", false, "a bishop that can go there is no pawn"),
    ] {
        let mut setup = position(fen).setup();
        setup.en_passant = None;
        let without = Position::try_from(setup).unwrap();
        assert_eq!(position(fen).key() != without.key(), differs, "{why}");
    }
}

#[test]
fn a_position_with_a_possible_en_passant_capture_does_not_repeat_without_it() {
    let kings = "e8d8 e1d1 d8e8 d1e1";
    let mut game = game("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    play(&mut game, "e2e4");
    play(&mut game, kings);
    assert_eq!(game.repetitions(), 0, "the first time, the pawn could have been captured");
    play(&mut game, kings);
    assert_eq!(game.repetitions(), 1);
    let mut game = common::game("4k3/8/8/8/1p6/8/4P3/4K3 w - - 0 1");
    play(&mut game, "e2e4");
    play(&mut game, kings);
    assert_eq!(game.repetitions(), 1, "nobody could have captured");
}

#[test]
fn lost_castling_rights_make_a_position_another() {
    let mut game = game("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    play(&mut game, "e1d1 e8d8 d1e1 d8e8");
    assert_eq!(game.repetitions(), 0);
    play(&mut game, "e1d1 e8d8 d1e1 d8e8");
    assert_eq!(game.repetitions(), 1);
}

#[test]
fn fifty_moves_without_progress_may_be_claimed() {
    let mut game = game("4k3/8/8/8/8/8/8/R3K3 w - - 98 80");
    play(&mut game, "a1a2");
    let none = ClaimError::NothingToClaim { occurrences: 1, halfmoves: 99 };
    assert_eq!(game.claim(), Err(none));
    play(&mut game, "e8d8");
    assert_eq!((game.outcome(), game.claimable()), (None, Ok(Outcome::draw(Reason::FiftyMoves))));
    assert_eq!(game.claim(), Ok(Outcome::draw(Reason::FiftyMoves)));
}

#[test]
fn seventy_five_moves_without_progress_end_the_game_unless_the_last_one_mates() {
    let mut game = game("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 120");
    play(&mut game, "a1a7");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::SeventyFiveMoves)));
    game.undo();
    play(&mut game, "a1a8");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::Checkmate)));
}

#[test]
fn the_clock_counts_on_past_a_hundred_and_starts_again_after_a_capture() {
    let mut game = game("4k3/8/8/8/8/8/8/R3K3 w - - 99 80");
    play(&mut game, "a1a2 e8d8 a2a1");
    assert_eq!(game.notation(), "3k4/8/8/8/8/8/8/R3K3 b - - 102 81");
    let mut game = common::game("4k3/8/8/8/8/8/r7/R3K3 w - - 120 80");
    play(&mut game, "a1b1 e8d8");
    assert_eq!(game.position().halfmove_clock(), 122);
    play(&mut game, "b1a1 a2a1");
    assert_eq!(game.position().halfmove_clock(), 0);
    assert_eq!(game.undo(), Some(mv("a2a1")));
    assert_eq!(game.position().halfmove_clock(), 123);
}

#[test]
fn too_few_pieces_to_mate_are_a_draw() {
    for pieces in [
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4KN2",
        "4k3/8/8/8/8/8/8/4KB2",
        "4kb2/8/8/8/8/8/8/4K3",
        "2b1k3/8/8/8/8/8/8/4KB2",
        "2b1k3/1b6/8/8/8/8/8/4KB2",
    ] {
        let game = game(&format!("{pieces} w - - 0 1"));
        assert_eq!(end(&game), Some(Reason::InsufficientMaterial), "{pieces}");
    }
    for pieces in [
        "4k3/8/8/8/8/8/8/4KNN1",
        "4k1n1/8/8/8/8/8/8/4KN2",
        "4k1n1/8/8/8/8/8/8/4KB2",
        "4kb2/8/8/8/8/8/8/4KB2",
        "4k3/8/8/8/8/8/8/2B1KB2",
        "4k3/8/8/8/8/8/P7/4K3",
        "4k3/8/8/8/8/8/8/R3K3",
        "4k3/8/8/8/8/8/8/Q3K3",
    ] {
        let game = game(&format!("{pieces} w - - 0 1"));
        assert_eq!(end(&game), None, "{pieces}");
    }
    let mut game = game("4k3/8/8/8/8/8/4p3/4KB2 w - - 0 1");
    play(&mut game, "f1e2");
    assert_eq!(end(&game), Some(Reason::InsufficientMaterial), "by a capture");
}

#[test]
fn the_move_limit_ends_the_game_unless_its_last_move_mates() {
    let rules = Rules { move_limit: Some(4), ..Chess::RULES };
    let mut game = Chess::with_rules(Position::start(), rules);
    play(&mut game, "f2f3 e7e5 g2g4 d8g5");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::MoveLimit)));
    assert!(game.outcome().is_some_and(Outcome::truncated));
    game.undo();
    play(&mut game, "d8h4");
    assert_eq!(end(&game), Some(Reason::Checkmate));
    game.reset();
    assert_eq!((game.ply(), game.outcome(), game.rules()), (0, None, rules));
}

#[test]
fn by_default_nothing_is_claimed_for_the_players_and_no_limit_is_set() {
    assert_eq!(Chess::new().rules(), Chess::RULES);
    assert_eq!((Chess::RULES.auto_claim, Chess::RULES.move_limit), (false, None));
}

#[test]
fn an_entering_king_is_refused_where_a_person_asks_for_it() {
    let asked = Chess::RULES.with_entering_king::<Chess>(DeclarationRule::Points27, false);
    assert_eq!(asked.unwrap_err().to_string(), "chess has neither declarations nor a try rule");
    let game = Chess::with_rules(Position::start(), Rules::between_programs(None));
    assert!(!game.can_declare_win());
}

#[test]
fn a_resignation_wins_for_the_other_side_and_does_nothing_after_the_end() {
    let mut game = Chess::new();
    game.resign(Side::Second);
    game.resign(Side::First);
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::Resignation)));
    let error = game.play(mv("e2e4")).unwrap_err();
    assert_eq!(error, MoveError::GameOver(Outcome::win(Side::First, Reason::Resignation)));
    assert_eq!(error.to_string(), "the game is over: White wins by resignation");
    assert_eq!(game.parse_move("e2e4").unwrap_err(), error);
}
