//! How pieces move, how moves change the board, and how they are taken back.

mod common;

use common::{game, legal, mv, naive, play, position};
use keisei_chess::{Chess, Color, Piece, PieceKind, Position, Setup, Square};
use keisei_game::{Game, Side};

#[test]
fn a_piece_alone_moves_by_its_steps_from_every_square() {
    let kings = Setup::EMPTY
        .with(Square::A1, Piece::new(Color::White, PieceKind::King))
        .with(Square::H8, Piece::new(Color::Black, PieceKind::King));
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        for from in Square::ALL {
            let mut setup = kings.clone().with(from, Piece::new(Color::White, kind));
            setup.turn = Color::White;
            let Ok(position) = Position::try_from(setup) else { continue };
            let reach = if kind.is_slider() { 7 } else { 1 };
            let mut expected: Vec<_> = kind
                .steps()
                .iter()
                .flat_map(|&(x, y)| {
                    (1..=reach)
                        .map_while(move |n| from.try_offset(x * n, y * n))
                        .take_while(|&to| to != Square::A1)
                })
                .collect();
            let moves = position.legal_moves();
            let mut found: Vec<_> =
                moves.iter().filter(|mv| mv.from() == from).map(|mv| mv.to()).collect();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{kind} on {from}");
        }
    }
}

#[test]
fn a_slider_stops_before_its_own_pieces_and_on_the_first_it_captures() {
    let position = position("4k3/8/8/8/1p1R1P2/8/8/3K4 w - - 0 1");
    let moves: Vec<_> =
        legal(&position).into_iter().filter(|text| text.starts_with("d4")).collect();
    let expected =
        ["d4b4", "d4c4", "d4d2", "d4d3", "d4d5", "d4d6", "d4d7", "d4d8", "d4e4"].map(String::from);
    assert_eq!(moves, expected);
}

#[test]
fn knights_jump_and_at_the_start_only_they_and_the_pawns_move() {
    let moves = legal(&Position::start());
    let pieces: Vec<_> = moves.iter().filter(|text| text.contains('1')).collect();
    assert_eq!(pieces, ["b1a3", "b1c3", "g1f3", "g1h3"]);
    assert_eq!(moves.len(), 20);
}

#[test]
fn a_pawn_advances_captures_diagonally_and_steps_twice_only_from_its_first_rank() {
    let moves = |fen: &str, from: &str| {
        let moves = legal(&position(fen)).into_iter();
        moves.filter_map(|text| text.strip_prefix(from).map(str::to_owned)).collect::<Vec<_>>()
    };
    let fen = "4k3/8/8/2n1n3/3P4/8/PP6/4K3 w - - 0 1";
    assert_eq!(moves(fen, "d4"), ["c5", "d5", "e5"], "both captures, one step");
    assert_eq!(moves(fen, "a2"), ["a3", "a4"]);
    assert!(moves("4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "a2").is_empty(), "blocked at once");
    assert_eq!(moves("4k3/8/8/8/n7/8/P7/4K3 w - - 0 1", "a2"), ["a3"], "blocked at the second");
    let fen = "4k3/pp6/8/3p4/2N1N3/8/8/4K3 b - - 0 1";
    assert_eq!(moves(fen, "d5"), ["c4", "d4", "e4"], "Black's pawns go down");
    assert_eq!(moves(fen, "b7"), ["b5", "b6"]);
}

#[test]
fn the_start_lists_its_twenty_moves_pawns_first() {
    let pawns = ('a'..='h').flat_map(|file| [3, 4].map(|rank| format!("{file}2 -> {file}{rank}")));
    let knights = ["b1 -> c3", "b1 -> a3", "g1 -> h3", "g1 -> f3"].map(String::from);
    let expected: Vec<_> = pawns.chain(knights).collect();
    assert_eq!(Position::start().listed_moves(), expected);
}

#[test]
fn the_list_of_moves_goes_by_kind_square_direction_and_length() {
    let listed = position("1n2k3/P7/8/8/8/8/8/R3K3 w Q - 0 1").listed_moves();
    let expected = "a7 -> b8=Q, a7 -> b8=R, a7 -> b8=B, a7 -> b8=N, \
                    a7 -> a8=Q, a7 -> a8=R, a7 -> a8=B, a7 -> a8=N, \
                    a1 -> b1, a1 -> c1, a1 -> d1, \
                    a1 -> a2, a1 -> a3, a1 -> a4, a1 -> a5, a1 -> a6, \
                    e1 -> f1, e1 -> d1, e1 -> c1, e1 -> e2, e1 -> f2, e1 -> d2";
    assert_eq!(listed.join(", "), expected);
    let listed = position("4k3/8/8/8/8/8/2p5/3R2K1 b - - 0 1").listed_moves();
    assert_eq!(listed[0], "c2 -> d1=Q", "a pawn's captures come first for Black too");
}

#[test]
fn a_move_changes_the_squares_of_the_pieces_and_of_both_colours() {
    let mut game = game("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    play(&mut game, "e4d5");
    let position = game.position();
    assert_eq!(position.piece_at(Square::E4), None);
    assert_eq!(position.piece_at(Square::D5), Some(Piece::new(Color::White, PieceKind::Pawn)));
    assert_eq!(position.pieces_of(Color::White, PieceKind::Pawn), Square::D5.bitboard());
    assert!(position.pieces_of(Color::Black, PieceKind::Pawn).is_empty());
    assert_eq!(position.pieces(Color::Black), Square::E8.bitboard());
    assert_eq!(position.occupied().len(), 3);
}

#[test]
fn a_game_remembers_its_last_move_and_what_it_took() {
    let mut game = game("4k3/P7/8/8/1p1p4/8/2P5/4K1n1 w - - 0 1");
    assert_eq!(game.last_move(), None);
    play(&mut game, "c2c4");
    assert_eq!(game.last_move(), Some((mv("c2c4"), None)));
    play(&mut game, "b4c3");
    let pawn = Piece::new(Color::White, PieceKind::Pawn);
    assert_eq!(game.last_move(), Some((mv("b4c3"), Some(pawn))), "taken en passant");
    play(&mut game, "a7a8n");
    assert_eq!(
        game.position().piece_at(Square::A8),
        Some(Piece::new(Color::White, PieceKind::Knight))
    );
    game.undo();
    assert_eq!(game.last_move(), Some((mv("b4c3"), Some(pawn))));
}

#[test]
fn undo_restores_both_squares_the_taken_piece_and_everything_else() {
    let cases = [
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 7 30", "e4d5"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9", "e8c8"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 5", "e5d6"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a2a4"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 149 99", "a1a8"),
    ];
    for (fen, text) in cases {
        let mut game = game(fen);
        play(&mut game, text);
        assert_ne!(game.notation(), fen);
        assert_eq!(game.undo(), Some(mv(text)));
        assert_eq!((game.notation(), game.position()), (fen.to_owned(), &position(fen)));
        assert_eq!(game.undo(), None, "there is no earlier move");
    }
}

#[test]
fn undo_also_takes_back_a_resignation() {
    let mut game = Chess::new();
    game.resign(Side::First);
    assert_eq!(game.winner(), Some(Color::Black));
    assert_eq!(game.undo(), None);
    assert!(!game.is_over(), "the resignation before the first move is taken back");
    play(&mut game, "e2e4");
    game.resign(Side::Second);
    assert_eq!(game.undo(), Some(mv("e2e4")));
    assert!(!game.is_over());
    assert_eq!(game.position(), &Position::start());
}

#[test]
fn the_turn_passes_once_with_each_move() {
    let mut game = Chess::new();
    let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";
    for (text, turn) in moves.split(' ').zip([Color::White, Color::Black].into_iter().cycle()) {
        assert_eq!(game.position().turn(), turn);
        play(&mut game, text);
        assert_eq!(game.position().turn(), !turn);
    }
    assert_eq!((game.ply(), game.position().move_number()), (6, 4));
}

#[test]
fn a_king_is_in_check_exactly_when_an_enemy_move_could_take_it_and_asking_changes_nothing() {
    for (fen, in_check) in [
        ("4k3/8/8/8/8/8/8/4KR2 b - - 0 1", false),
        ("4k3/8/8/8/8/8/8/3KR3 b - - 0 1", true),
        ("4k3/8/3N4/8/8/8/8/4K3 b - - 0 1", true),
        ("4k3/3P4/8/8/8/8/8/4K3 b - - 0 1", true),
        ("4k3/4P3/8/8/8/8/8/4K3 b - - 0 1", false),
        ("4k3/4p3/8/8/8/8/8/3KR3 b - - 0 1", false),
    ] {
        let position = position(fen);
        assert_eq!(position.in_check(), in_check, "{fen}");
        assert_eq!(naive::king_vulnerable(&position.setup(), Color::Black), in_check, "{fen}");
        let king = position.king(Color::Black);
        assert_eq!(!position.attackers_to(king, Color::White).is_empty(), in_check, "{fen}");
        assert_eq!(position.to_string(), fen);
    }
}

#[test]
fn no_legal_move_leaves_the_own_king_in_check() {
    let pinned = position("4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1");
    assert!(legal(&pinned).iter().all(|text| !text.starts_with("e2")), "the bishop is pinned");
    let along = position("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1");
    assert!(legal(&along).contains(&"e2e8".to_owned()), "along the pin it may move");
    assert!(!legal(&along).contains(&"e2d2".to_owned()));
}

#[test]
fn a_king_in_check_finds_every_evasion() {
    // The rook on e8 checks along the e-file: the king steps aside, the knight blocks, the bishop
    // captures.
    let position = position("4r1k1/8/8/7B/8/8/8/2N1K3 w - - 0 1");
    let expected = ["c1e2", "e1d1", "e1d2", "e1f1", "e1f2", "h5e2", "h5e8"].map(String::from);
    assert_eq!(legal(&position), expected);
    let double = common::position("4r1k1/8/8/8/7b/8/8/R3K2R w KQ - 0 1");
    assert_eq!(legal(&double), ["e1d1", "e1d2", "e1f1"].map(String::from), "only the king moves");
}

#[test]
fn kings_and_knights_find_all_their_moves_and_play_on() {
    let fen = "1n2k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1";
    let expected =
        ["b1a3", "b1c3", "b1d2", "e1d1", "e1d2", "e1e2", "e1f1", "e1f2", "g1e2", "g1f3", "g1h3"];
    assert_eq!(legal(&position(fen)), expected.map(String::from));
    for seed in 0..20 {
        let mut game = game(fen);
        keisei_game::random_game(&mut game, seed, 60);
        assert!(game.ply() >= 4, "it goes on: {}", game.notation());
        let reasons = [keisei_game::Reason::InsufficientMaterial, keisei_game::Reason::Repetition];
        let fits = game.outcome().is_none_or(|end| reasons.contains(&end.reason()));
        assert!(fits, "{:?}", game.outcome());
    }
}

#[test]
fn a_king_next_to_the_corner_wraps_around_no_edge() {
    // h6 and b7 are two squares apart if the board is read as one row of 64.
    let position = position("8/1k6/8/8/8/8/8/R3K3 b - - 0 1");
    assert!(!position.is_legal(mv("b7h6")));
    assert!(!position.is_castling(mv("b7h6")));
}
