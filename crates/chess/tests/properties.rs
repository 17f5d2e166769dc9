//! Laws of positions, tried on random ones.

mod common;

use std::collections::HashSet;

use common::{STARTS, legal, naive, random};
use keisei_chess::{CastlingRights, Color, Move, Piece, PieceKind, Position, Setup, Square};
use keisei_game::{BySide, Game};
use proptest::prelude::*;

/// A game after some random moves.
fn games() -> impl Strategy<Value = keisei_chess::Chess> {
    (0..STARTS.len(), any::<u64>(), 0..150_usize)
        .prop_map(|(start, seed, plies)| random(start, seed, plies))
}

/// A board with anything on it.
fn setups() -> impl Strategy<Value = Setup> {
    let squares = || proptest::sample::select(&Square::ALL[..]);
    let pieces = proptest::collection::vec((squares(), 1_u8..=12), 0..20);
    let rights = || any::<(bool, bool)>().prop_map(|(short, long)| CastlingRights { short, long });
    let numbers = (any::<u16>(), any::<u16>());
    let kings = (squares(), squares());
    let castling = (rights(), rights(), any::<bool>());
    (pieces, kings, castling, proptest::option::weighted(0.2, squares()), any::<bool>(), numbers)
        .prop_map(|(pieces, kings, (white, black, none), en_passant, turn, numbers)| {
            let mut setup = Setup::EMPTY;
            for (square, token) in pieces {
                let piece = Piece::from_token(token).filter(|piece| piece.kind != PieceKind::King);
                setup.board[square as usize] = piece;
            }
            setup.board[kings.0 as usize] = Some(Piece::new(Color::White, PieceKind::King));
            setup.board[kings.1 as usize] = Some(Piece::new(Color::Black, PieceKind::King));
            if !none {
                setup.castling = BySide([white, black]);
            }
            setup.turn = if turn { Color::White } else { Color::Black };
            (setup.halfmove_clock, setup.move_number) = numbers;
            setup.en_passant = en_passant;
            setup
        })
}

/// Setups that are positions.
fn custom_positions() -> impl Strategy<Value = Position> {
    setups().prop_filter_map("not a position", |setup| {
        // Pawns on the edge and stray rights would refuse nearly all of them.
        let mut setup = setup;
        for square in Square::ALL {
            let edge = [1, 8].contains(&(square.rank() as u8 + 1));
            let cell = &mut setup.board[square as usize];
            *cell = cell.filter(|piece| !(edge && piece.kind == PieceKind::Pawn));
        }
        setup.castling = BySide::default();
        setup.en_passant = None;
        setup.move_number = setup.move_number.max(1);
        Position::try_from(setup).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn fen_round_trips(game in games()) {
        let fen = game.notation();
        let again: Position = fen.parse().unwrap();
        prop_assert_eq!(&again, game.position());
        prop_assert_eq!(again.to_string(), fen);
        prop_assert_eq!(again.key(), game.position().key());
    }

    #[test]
    fn the_fen_of_any_setup_reads_back(setup in setups()) {
        prop_assert_eq!(setup.to_string().parse(), Ok(setup));
    }

    #[test]
    fn a_setup_is_refused_or_can_be_played(setup in setups()) {
        if let Ok(position) = Position::try_from(setup.clone()) {
            prop_assert_eq!(position.setup(), setup);
            prop_assert_eq!(legal(&position), naive::legal(&position.setup()));
        }
    }

    #[test]
    fn legal_moves_are_those_that_no_reply_punishes_by_taking_the_king(game in games()) {
        prop_assert_eq!(legal(game.position()), naive::legal(&game.position().setup()));
    }

    #[test]
    fn the_same_holds_for_positions_that_no_game_reaches(position in custom_positions()) {
        prop_assert_eq!(legal(&position), naive::legal(&position.setup()));
        prop_assert_eq!(position.in_check(), naive::king_vulnerable(&position.setup(), position.turn()));
    }

    #[test]
    fn uci_round_trips_also_with_castling_as_the_king_taking_its_rook(game in games()) {
        for mv in game.legal_moves() {
            prop_assert_eq!(game.parse_move(&mv.to_string()).ok(), Some(mv));
            if game.position().is_castling(mv) {
                let rook = mv.to().try_offset(1, 0).filter(|_| mv.to() > mv.from());
                let rook = rook.unwrap_or_else(|| mv.to().offset(-2, 0));
                let text = format!("{}{rook}", mv.from());
                prop_assert_eq!(game.parse_move(&text).ok(), Some(mv));
            }
        }
    }

    #[test]
    fn san_round_trips_and_tells_all_legal_moves_apart(game in games()) {
        let position = game.position();
        let mut texts = HashSet::new();
        for mv in position.legal_moves() {
            let text = position.san(mv).unwrap();
            prop_assert_eq!(position.parse_san(&text), Ok(mv));
            prop_assert!(texts.insert(text.trim_end_matches(['+', '#']).to_owned()), "{}", text);
        }
    }

    #[test]
    fn san_never_says_more_than_it_must(position in custom_positions()) {
        for mv in position.legal_moves() {
            let text = position.san(mv).unwrap();
            let kind = position.piece_at(mv.from()).unwrap().kind;
            let origin = text[1..].split(['x', '+', '#']).next().unwrap();
            let told = kind != PieceKind::Pawn && !position.is_castling(mv)
                && (text.contains('x') && !origin.is_empty() || !text.contains('x') && origin.len() > 2);
            if told {
                let short = format!("{}{}", kind.letter(), mv.to());
                prop_assert!(position.parse_san(&short).is_err(), "{} could be {}", text, short);
            }
        }
    }

    #[test]
    fn play_then_undo_restores_everything(game in games(), choice in any::<usize>()) {
        let moves = game.legal_moves();
        let Some(&mv) = moves.get(choice % moves.len().max(1)) else { return Ok(()) };
        let mut played = game.clone();
        played.play(mv).unwrap();
        prop_assert_ne!(played.position(), game.position());
        prop_assert_eq!(played.undo(), Some(mv));
        prop_assert_eq!(played.position(), game.position());
        prop_assert_eq!(played.moves(), game.moves());
        prop_assert_eq!(played.outcome(), game.outcome());
        prop_assert_eq!(played.repetitions(), game.repetitions());
    }

    #[test]
    fn exchanging_the_colours_exchanges_the_moves(game in games()) {
        let position = game.position();
        let mirror = Position::try_from(position.setup().flipped()).unwrap();
        let mut flipped: Vec<_> =
            position.legal_moves().iter().map(|mv| mv.flipped().to_string()).collect();
        flipped.sort();
        prop_assert_eq!(legal(&mirror), flipped);
        prop_assert_eq!(mirror.outcome().map(|outcome| outcome.reason()),
            position.outcome().map(|outcome| outcome.reason()));
    }

    #[test]
    fn the_en_passant_square_is_in_the_key_exactly_when_a_pawn_can_capture_there(game in games()) {
        let position = game.position();
        let mut without = position.setup();
        without.en_passant = None;
        let moves = naive::legal(&without);
        let key = Position::try_from(without).unwrap().key();
        prop_assert_eq!(position.key() != key, legal(position) != moves);
    }

    #[test]
    fn positions_that_differ_in_more_than_their_numbers_have_different_keys(
        one in games(), two in games(),
    ) {
        let essence = |position: &Position| {
            let setup = position.setup();
            (setup.board, setup.turn, setup.castling, legal(position))
        };
        let (one, two) = (one.position(), two.position());
        prop_assert_eq!(one.key() == two.key(), essence(one) == essence(two));
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC*", game in games()) {
        let _ = text.parse::<Position>();
        let _ = text.parse::<Setup>();
        let _ = text.parse::<Move>();
        let _ = game.position().parse_san(&text);
        let _ = game.parse_move(&text);
    }

    #[test]
    fn no_text_that_looks_like_a_move_makes_a_parser_panic(
        text in "[KQRBNPO0a-i0-9]{0,4}[x-]?[a-i0-9]{0,3}=?[QRBNKPqrbnkp]?[+#!? é]{0,2}",
        game in games(),
    ) {
        let _ = game.position().parse_san(&text);
        let _ = game.parse_move(&text);
    }

    #[test]
    fn no_damaged_fen_makes_the_parser_panic(
        game in games(), at in any::<prop::sample::Index>(), new in "[ /a-zA-Z0-9é-]{0,3}",
    ) {
        let mut fen = game.notation();
        let at = at.index(fen.len());
        fen.replace_range(at..=at, &new);
        if let Ok(position) = fen.parse::<Position>() {
            prop_assert_eq!(legal(&position), naive::legal(&position.setup()));
        }
    }
}

proptest! {
    // Each case tries all 20,480 moves.
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_move_is_legal_exactly_when_it_is_listed_and_else_breaks_a_rule(game in games()) {
        let position = game.position();
        let listed: HashSet<_> = position.legal_moves().into_iter().collect();
        let pseudo: HashSet<_> = naive::pseudo_moves(&position.setup(), position.turn())
            .into_iter()
            .collect();
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            prop_assert_eq!(position.is_legal(mv), listed.contains(&mv), "{}", mv);
            let check = position.check_legal(mv);
            prop_assert_eq!(check.is_ok(), listed.contains(&mv), "{}", mv);
            if let Err(rule) = check {
                let in_check = matches!(rule, keisei_chess::IllegalMove::LeavesKingInCheck { .. });
                let can_go = pseudo.contains(&(mv.from(), mv.to(), mv.promotion()));
                prop_assert_eq!(in_check, can_go, "{}: {}", mv, rule);
            }
        }
    }
}
