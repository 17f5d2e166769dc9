//! SAN: moves as players write them.

mod common;

use common::{mv, position};
use keisei_chess::SanError;

#[test]
fn moves_are_written_as_worked_out_by_hand_and_read_back() {
    let cases = [
        // Pawns: bare squares, the file when capturing, also en passant.
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e4"),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", "e4d5", "exd5"),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6", "exf6"),
        // Pieces, captures, the king.
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"),
        ("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", "e1d2", "Kxd2"),
        ("4k3/8/8/8/1b6/8/3N4/R3K3 b - - 0 1", "b4d2", "Bxd2+"),
        // The file tells two knights apart, the rank two rooks, both one of three queens.
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "f3d2", "Nfd2"),
        ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
        ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a5a3", "R5a3"),
        ("6k1/8/8/8/4Q2Q/8/K7/7Q w - - 0 1", "h4e1", "Qh4e1"),
        ("6k1/8/8/8/4Q2Q/8/K7/7Q w - - 0 1", "h1e1", "Q1e1"),
        ("6k1/8/8/8/4Q2Q/8/K7/7Q w - - 0 1", "e4e1", "Qee1"),
        // No need to tell apart from a pinned or a blocked piece.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1"),
        // Promotion, with and without capture.
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", "bxa8=Q+"),
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8n", "bxa8=N"),
        ("6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", "a8=R#"),
        ("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2a1b", "a1=B"),
        // Castling, with check.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        // Mate.
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2", "d8h4", "Qh4#"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        // En passant that uncovers a check.
        ("8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6+"),
    ];
    for (fen, uci, san) in cases {
        let position = position(fen);
        assert_eq!(position.san(mv(uci)).as_deref(), Ok(san), "{fen}");
        assert_eq!(position.parse_san(san), Ok(mv(uci)), "{fen}");
    }
}

#[test]
fn other_usual_ways_of_writing_are_read_too() {
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    let capture = "4k3/8/8/3pP3/2N5/8/8/4K3 w - d6 0 1";
    let promotion = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    for (fen, san, uci) in [
        (castling, "0-0", "e1g1"),
        (castling, "0-0-0", "e1c1"),
        (castling, "O-O+", "e1g1"),
        (castling, "Ra1xa8+", "a1a8"),
        (castling, "Ra8", "a1a8"),
        (knights, "Nb1d2", "b1d2"),
        (knights, "N1d2", "b1d2"),
        (knights, "Ng5!?", "f3g5"),
        (capture, "exd6 e.p.", "e5d6"),
        (capture, "exd6e.p.", "e5d6"),
        (capture, "e5xd6", "e5d6"),
        (capture, "ed6", "e5d6"),
        (capture, " Nd2 ", "c4d2"),
        (promotion, "a8Q", "a7a8q"),
        (promotion, "a8=N", "a7a8n"),
        (promotion, "a8=Q+!!", "a7a8q"),
    ] {
        assert_eq!(position(fen).parse_san(san), Ok(mv(uci)), "{san}");
    }
}

#[test]
fn a_text_that_is_no_san_is_refused_by_name() {
    let position = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    for text in ["", "e", "e9", "Xe4", "Ke2e3e4", "O-O-O-O", "o-o", "++", "N", "=Q", "é4", "a8=K"]
    {
        assert_eq!(position.parse_san(text), Err(SanError::Syntax(text.to_owned())), "{text}");
    }
}

#[test]
fn a_san_move_that_cannot_be_played_says_why() {
    let said = |fen: &str, san: &str| position(fen).parse_san(san).expect_err(san).to_string();
    let knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    assert_eq!(said(knights, "Nd2"), "Nd2 could be the knight on b1 or the one on f3");
    assert_eq!(said(knights, "Qd2"), "Qd2: White has no queen there");
    assert_eq!(said(knights, "Ncd2"), "Ncd2: White has no knight there");
    assert_eq!(said(knights, "Nxd4"), "Nxd4: there is nothing to capture on d4");
    assert_eq!(said(knights, "Nb4"), "Nb4 is illegal: a knight does not move from f3 to b4");
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(said(castling, "Kg1"), "Kg1 is illegal: a king does not move from e1 to g1");
    let blocked = "4k3/8/8/8/8/8/8/R2QK2R w - - 0 1";
    assert_eq!(said(blocked, "Rb3"), "Rb3 is illegal: a rook does not move from h1 to b3");
    assert_eq!(
        said(blocked, "O-O"),
        "O-O is illegal: castling is not allowed: the king or the rook on h1 has moved"
    );
    let rook_at_home = "3k4/8/8/8/8/8/8/K3R3 w - - 0 1";
    assert_eq!(
        said(rook_at_home, "O-O"),
        "O-O is illegal: castling is not allowed: the king or the rook on h1 has moved"
    );
    let pinned = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1";
    assert_eq!(said(pinned, "Nc3"), "Nc3 is illegal: the king on e1 would be in check from e8");
    let promotion = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(
        said(promotion, "a8"),
        "a8 is illegal: a pawn that reaches a8 must be promoted: add q, r, b or n"
    );
    assert_eq!(
        said(promotion, "Ke2=Q"),
        "Ke2=Q is illegal: a king that goes to e2 is not promoted"
    );
}

#[test]
fn only_a_legal_move_has_a_san() {
    let position = position("4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1");
    let rule = position.san(mv("e2d3")).unwrap_err();
    assert_eq!(rule.to_string(), "the king on e1 would be in check from e8");
}
