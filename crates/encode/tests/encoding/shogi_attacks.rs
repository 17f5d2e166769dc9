//! The planes that show what pieces attack.

use keisei_encode::{Encode, PieceMoves, View, shogi};
use keisei_game::Game;
use keisei_shogi::attacks::attacks;
use keisei_shogi::{Color, Piece, Shogi, Square};

use crate::sample::{game, walk};

/// The kinds in the order of their planes.
const SYMBOLS: [&str; 14] =
    ["P", "L", "N", "S", "G", "B", "R", "+P", "+L", "+N", "+S", "+B", "+R", "K"];

fn view() -> View<Shogi> {
    Shogi::view(shogi::attacks::NAME).expect("shogi has this view")
}

fn see(game: &Shogi) -> Vec<f32> {
    let view = view();
    let mut planes = vec![f32::NAN; view.planes * Shogi::SQUARES];
    (view.expand)(&game.pack(), &mut planes);
    planes
}

/// The rows and columns with a 1 in a plane.
fn ones(planes: &[f32], plane: usize) -> Vec<(usize, usize)> {
    let plane = &planes[plane * 81..][..81];
    (0..81).filter(|&place| plane[place] == 1.0).map(|place| (place / 9, place % 9)).collect()
}

#[test]
fn the_first_46_planes_are_the_games_own() {
    walk::<Shogi>(4, 12, 240, |game, _| {
        assert_eq!(see(game)[..46 * 81], game.planes(), "{}", game.notation());
    });
}

#[test]
fn planes_of_attacks_agree_with_the_rules_for_every_piece() {
    let (mut checks, mut three) = (0, 0);
    walk::<Shogi>(6, 40, 240, |game, _| {
        let position = game.position();
        let us = position.turn();
        // Plainly: the attacks on the board as it stands, turned round for White.
        let mut expected = vec![0.0; 35 * 81];
        let mut counts = [[0; 81]; 2];
        for square in Square::all() {
            let Some(piece) = position.piece_at(square) else { continue };
            let side = usize::from(piece.color != us);
            let symbol = Piece::new(Color::Black, piece.kind).symbol();
            let kind = SYMBOLS.iter().position(|&s| s == symbol).expect("a known symbol");
            for target in attacks(piece.color, piece.kind, square, position.occupied()) {
                let target = if us == Color::Black { target } else { target.rotated() };
                let place = usize::from(target.row()) * 9 + usize::from(target.column());
                expected[(17 * side + kind) * 81 + place] = 1.0;
                counts[side][place] += 1;
            }
        }
        for (side, counts) in counts.iter().enumerate() {
            for (place, &count) in counts.iter().enumerate() {
                three += usize::from(count >= 3);
                for level in 0..3 {
                    let full = f32::from(u8::from(count > level));
                    expected[(17 * side + 14 + level) * 81 + place] = full;
                }
            }
        }
        if position.in_check() {
            checks += 1;
            expected[34 * 81..].fill(1.0);
        }
        assert_eq!(see(game)[46 * 81..], expected, "{}", game.notation());
    });
    assert!(checks > 100 && three > 1000, "{checks} {three}");
}

#[test]
fn a_lance_sees_up_to_the_first_piece_and_a_knight_over_it() {
    // A lance behind its pawn, a knight beside; White's rook looks down on the king.
    let planes = see(&game("4r3k/9/9/9/9/9/9/P8/LN2K4 b - 1", ""));
    assert_eq!(ones(&planes, 46), [(6, 0)], "the pawn's");
    assert_eq!(ones(&planes, 47), [(7, 0)], "the lance defends the pawn");
    assert_eq!(ones(&planes, 48), [(6, 0), (6, 2)], "the knight's");
    assert_eq!(ones(&planes, 61), [(6, 0)], "attacked twice");
    assert_eq!(ones(&planes, 63 + 6).len(), 8 + 8, "the rook's");
    assert_eq!(ones(&planes, 80).len(), 81, "in check");
}

#[test]
fn every_piece_has_its_moves_and_none_more_than_a_device_has_room_for() {
    let moves = view().moves.expect("a view with attacks")();
    let counts: Vec<_> = moves.iter().map(|moves| moves.directions.len()).collect();
    let side = [1, 1, 2, 5, 6, 4, 4, 6, 6, 6, 6, 8, 8, 8];
    assert_eq!(counts, [side, side].concat());
    assert!(counts.iter().all(|&count| count <= PieceMoves::MOST));
}
