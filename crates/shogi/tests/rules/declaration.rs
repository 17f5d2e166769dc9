//! Winning by an entered king, and the try rule.

use keisei_game::{Game, Outcome, Reason};
use keisei_shogi::{Color, DeclarationError, DeclarationRule, Rules, Shogi};

use crate::boards::{View, both_colours};

fn rules(declaration: DeclarationRule) -> Rules {
    Rules { declaration, ..Shogi::RULES }
}

/// The king on 5a with nine tokins and a gold, ten points, in the zone. `hand` adds what the king's
/// side holds; the other side must hold the rest.
fn entered(hand: &str) -> [View; 2] {
    both_colours(&format!("4K4/4G4/+P+P+P+P+P+P+P+P+P/9/9/9/9/9/4k4 b {hand} 1"))
}

/// What a declaration is worth to the declaring side.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Declaration {
    Win,
    Draw,
}

fn declaration(view: &View, rule: DeclarationRule) -> Result<Declaration, DeclarationError> {
    let game = view.game(rules(rule));
    let outcome = game.claimable()?;
    assert_eq!(outcome.reason(), Reason::Declaration);
    Ok(match outcome.winner() {
        Some(winner) => {
            assert_eq!(winner, game.turn(), "nobody loses by declaring");
            Declaration::Win
        }
        None => Declaration::Draw,
    })
}

/// Hands for [`entered`] that give its king 23 to 34 points in all.
fn hands(points: u32) -> String {
    let count = |number: u32, letter: char| match number {
        0 => String::new(),
        _ => format!("{number}{letter}"),
    };
    // Ten points stand in the zone, ten are two rooks, the rest are a bishop and pawns.
    let (bishops, pawns) = if points >= 28 { (1, points - 25) } else { (0, points - 20) };
    let ours = count(bishops, 'B') + &count(pawns, 'P');
    let theirs = count(2 - bishops, 'b') + "3g4s4n4l" + &count(9 - pawns, 'p');
    format!("2R{ours}{theirs}")
}

#[test]
fn by_27_points_black_needs_28_and_white_27() {
    let declared =
        |points| entered(&hands(points)).map(|view| declaration(&view, DeclarationRule::Points27));
    let short = |points, needed| Err(DeclarationError::TooFewPoints { points, needed });
    let win = Ok(Declaration::Win);
    assert_eq!(declared(28), [win, win]);
    assert_eq!(declared(27), [short(27, 28), win]);
    assert_eq!(declared(26), [short(26, 28), short(26, 27)]);
}

#[test]
fn by_24_points_31_win_and_24_draw_for_either_side() {
    for (points, expected) in [
        (33, Ok(Declaration::Win)),
        (31, Ok(Declaration::Win)),
        (30, Ok(Declaration::Draw)),
        (24, Ok(Declaration::Draw)),
        (23, Err(DeclarationError::TooFewPoints { points: 23, needed: 24 })),
    ] {
        for view in entered(&hands(points)) {
            let declared = declaration(&view, DeclarationRule::Points24);
            assert_eq!(declared, expected, "{points} points for {}", view.position.turn());
        }
    }
}

#[test]
fn a_declared_win_ends_the_game() {
    for view in entered(&hands(28)) {
        let mut game = view.game(rules(DeclarationRule::Points27));
        let expected = Outcome::win(view.color(Color::Black).into(), Reason::Declaration);
        assert_eq!(game.claim(), Ok(expected));
        assert_eq!(game.outcome(), Some(expected));
        assert!(game.legal_moves().is_empty());
        assert_eq!(game.claim(), Err(DeclarationError::GameOver));
    }
}

#[test]
fn a_declared_draw_ends_the_game() {
    for view in entered(&hands(24)) {
        let mut game = view.game(rules(DeclarationRule::Points24));
        let expected = Outcome::draw(Reason::Declaration);
        assert_eq!(game.claim(), Ok(expected));
        assert_eq!((game.outcome(), game.winner()), (Some(expected), None));
    }
}

/// Declares, is refused for `expected`, and the game goes on.
fn assert_refused(view: &View, rule: DeclarationRule, expected: DeclarationError) {
    let mut game = view.game(rules(rule));
    assert_eq!(game.claim(), Err(expected));
    assert_eq!((game.outcome(), *game.position()), (None, view.position));
}

#[test]
fn declarations_are_off_by_default() {
    assert_eq!(Shogi::RULES.declaration, DeclarationRule::Off);
    for view in entered(&hands(33)) {
        assert_refused(&view, DeclarationRule::Off, DeclarationError::Off);
    }
}

#[test]
fn programs_and_people_may_declare_by_27_points_and_learners_may_not() {
    for view in entered(&hands(28)) {
        assert!(view.game(Rules::between_programs(None)).can_declare_win());
        assert!(view.game(Rules::between_people::<Shogi>()).can_declare_win());
        assert!(!view.game(Rules::LEARNING).can_declare_win());
    }
    assert_eq!(Rules::between_people::<Shogi>().move_limit, Shogi::RULES.move_limit);
}

#[test]
fn the_king_must_be_in_the_three_far_rows() {
    let sfen = "9/4G4/+P+P+P+P+P+P+P+P+P/4K4/9/9/9/9/4k4 b 2R2B4P3g4s4n4l5p 1";
    for view in both_colours(sfen) {
        assert_refused(&view, DeclarationRule::Points27, DeclarationError::KingOutside);
    }
    // The third row is far enough.
    let sfen = "4G4/4+P4/+P+P+P+PK+P+P+P+P/9/9/9/9/9/4k4 b 2R2B4P3g4s4n4l5p 1";
    for view in both_colours(sfen) {
        assert_eq!(declaration(&view, DeclarationRule::Points27), Ok(Declaration::Win));
    }
}

#[test]
fn the_king_must_not_be_in_check() {
    let sfen = "4K3r/4G4/+P+P+P+P+P+P+P+P+P/9/9/9/9/9/4k4 b R2B4P3g4s4n4l5p 1";
    for view in both_colours(sfen) {
        assert_refused(&view, DeclarationRule::Points27, DeclarationError::InCheck);
    }
}

#[test]
fn ten_pieces_besides_the_king_must_have_entered() {
    // Nine in the zone, the tenth one row behind.
    let sfen = "4K4/4G4/+P+P+P+P+P+P+P+P1/8+P/9/9/9/9/4k4 b 2R2B9P3g4s4n4l 1";
    for view in both_colours(sfen) {
        assert_refused(&view, DeclarationRule::Points27, DeclarationError::TooFewPieces(9));
        assert_refused(&view, DeclarationRule::Points24, DeclarationError::TooFewPieces(9));
    }
}

#[test]
fn rooks_and_bishops_count_five_promoted_or_not_and_only_in_the_zone_or_in_hand() {
    // In the zone: dragon, horse, gold and eight tokins are 5 + 5 + 9 = 19. In hand: rook and three
    // pawns, 8. The bishop in the middle of the board counts nothing.
    let sfen = "+R3K3+B/4G4/+P+P+P+P+P+P+P+P1/9/1B7/9/9/9/4k4 b R3P3g4s4n4l7p 1";
    for (view, needed) in both_colours(sfen).into_iter().zip([28, 27]) {
        let declared = declaration(&view, DeclarationRule::Points27);
        let short = DeclarationError::TooFewPoints { points: 27, needed };
        let expected = if needed == 28 { Err(short) } else { Ok(Declaration::Win) };
        assert_eq!(declared, expected);
    }
}

#[test]
fn whites_handicap_counts_as_whites_points() {
    // One rook is missing from the start of the game. White has 22 points of its own, or 21.
    for (hands, expected) in [
        ("B3G4S4N4L7Prb2p", Ok(Declaration::Win)),
        ("B3G4S4N4L8Prbp", Err(DeclarationError::TooFewPoints { points: 26, needed: 27 })),
    ] {
        let sfen = format!("4K4/9/9/9/9/9/+p+p+p+p+p+p+p+p+p/4g4/4k4 w {hands} 1");
        let [white, black] = both_colours(&sfen);
        assert_eq!(declaration(&white, DeclarationRule::Points27), expected);
        // Black gets nothing for it in the same place.
        let declared = declaration(&black, DeclarationRule::Points27);
        assert!(matches!(declared, Err(DeclarationError::TooFewPoints { points: 21..=22, .. })));
    }
}

#[test]
fn a_handicap_counts_for_nobody_where_the_rules_say_so() {
    let sfen = "4K4/9/9/9/9/9/+p+p+p+p+p+p+p+p+p/4g4/4k4 w B3G4S4N4L7Prb2p 1";
    let [white, _] = both_colours(sfen);
    let counted = rules(DeclarationRule::Points27);
    assert!(white.game(counted).can_declare_win());
    let game = white.game(Rules { handicap_points: false, ..counted });
    let short = DeclarationError::TooFewPoints { points: 22, needed: 27 };
    assert_eq!(game.claimable(), Err(short));
    assert!(!game.can_declare_win());
}

fn try_rule(try_rule: bool) -> Rules {
    Rules { try_rule, ..Shogi::RULES }
}

#[test]
fn by_the_try_rule_a_king_on_the_other_kings_square_wins() {
    for view in both_colours("9/4K4/9/9/9/9/9/9/k8 b - 1") {
        let mut game = view.game(try_rule(true));
        view.play(&mut game, "5b5a");
        let winner = view.color(Color::Black).into();
        assert_eq!(game.outcome(), Some(Outcome::win(winner, Reason::Try)));
        assert_eq!(game.reward(), 1.0);
    }
}

#[test]
fn the_try_rule_is_off_by_default() {
    assert_eq!(Shogi::RULES, try_rule(false));
    for view in both_colours("9/4K4/9/9/9/9/9/9/k8 b - 1") {
        let mut game = view.game(Shogi::RULES);
        view.play(&mut game, "5b5a");
        assert_eq!(game.outcome(), None);
    }
}

#[test]
fn only_a_king_wins_by_the_try_rule_and_only_by_arriving() {
    for view in both_colours("4K4/3G5/9/9/9/9/9/9/k8 b - 1") {
        let mut game = view.game(try_rule(true));
        view.play(&mut game, "6b6c 9i8i 6c6b 8i9i");
        assert_eq!(game.outcome(), None, "the king was set up there");
        view.play(&mut game, "5a5b 9i8i 6b6a 8i9i 6a5a");
        assert_eq!(game.outcome(), None, "a gold arrives");
        view.play(&mut game, "9i8i 5a4a 8i9i");
        assert_eq!(game.outcome(), None);
        view.play(&mut game, "5b5a");
        assert!(game.is_over());
    }
}

#[test]
fn a_mate_by_a_trying_king_is_a_mate() {
    // The king steps out of the line of the rook on 1b.
    for view in both_colours("9/k3K3R/9/1R7/1N2B4/9/9/9/9 b - 1") {
        let mut game = view.game(try_rule(true));
        view.play(&mut game, "5b5a");
        let winner = view.color(Color::Black).into();
        assert_eq!(game.outcome(), Some(Outcome::win(winner, Reason::Checkmate)));
    }
}
