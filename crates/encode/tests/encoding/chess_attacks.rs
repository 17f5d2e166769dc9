//! The planes that show what pieces attack in chess.

use keisei_chess::{Chess, Color, PieceKind, Square};
use keisei_encode::{Encode, PieceMoves, View, chess};
use keisei_game::Game;

use crate::sample::{game, walk};

fn view() -> View<Chess> {
    Chess::view(chess::attacks::NAME).expect("chess has this view")
}

fn see(game: &Chess) -> Vec<f32> {
    let view = view();
    let mut planes = vec![f32::NAN; view.planes * Chess::SQUARES];
    (view.expand)(&game.pack(), &mut planes);
    planes
}

/// The squares with a 1 in a plane, as White sees it.
fn ones(planes: &[f32], plane: usize) -> Vec<String> {
    let plane = &planes[plane * 64..][..64];
    let name = |place: usize| format!("{}{}", (b'a' + place as u8 % 8) as char, 8 - place / 8);
    (0..64).filter(|&place| plane[place] == 1.0).map(name).collect()
}

#[test]
fn the_first_21_planes_are_the_games_own() {
    walk::<Chess>(4, 12, 240, |game, _| {
        assert_eq!(see(game)[..21 * 64], game.planes(), "{}", game.notation());
    });
}

#[test]
fn planes_of_attacks_agree_with_the_rules_for_every_square() {
    let (mut checks, mut three) = (0, 0);
    walk::<Chess>(6, 40, 240, |game, _| {
        let position = game.position();
        let us = position.turn();
        let mut expected = vec![0.0; 19 * 64];
        for square in Square::ALL {
            let seen = if us == Color::White { square.flip_rank() } else { square } as usize;
            for (side, color) in [us, !us].into_iter().enumerate() {
                // From the square back to those who attack it.
                let attackers = position.attackers_to(square, color);
                for kind in PieceKind::ALL {
                    let any = !(attackers & position.pieces_of(color, kind)).is_empty();
                    expected[(9 * side + kind as usize) * 64 + seen] = f32::from(u8::from(any));
                }
                three += usize::from(attackers.len() >= 3);
                for level in 0..3 {
                    let full = f32::from(u8::from(attackers.len() > level));
                    expected[(9 * side + 6 + level as usize) * 64 + seen] = full;
                }
            }
        }
        if position.in_check() {
            checks += 1;
            expected[18 * 64..].fill(1.0);
        }
        assert_eq!(see(game)[21 * 64..], expected, "{}", game.notation());
    });
    assert!(checks > 100 && three > 1000, "{checks} {three}");
}

#[test]
fn a_pawn_attacks_to_both_sides_and_a_bishop_up_to_the_first_piece() {
    let planes = see(&game("4r2k/8/8/8/6p1/8/P7/2B1K3 w - - 0 1", ""));
    assert_eq!(ones(&planes, 21), ["b3"], "the pawn's");
    assert_eq!(ones(&planes, 23), ["h6", "g5", "f4", "a3", "e3", "b2", "d2"], "the bishop's");
    assert_eq!(ones(&planes, 28), ["d2"], "attacked twice");
    assert_eq!(ones(&planes, 30), ["f3", "h3"], "the other pawn's");
    assert_eq!(ones(&planes, 30 + 3).len(), 7 + 7, "the rook's");
    assert_eq!(ones(&planes, 39).len(), 64, "in check");
}

#[test]
fn every_piece_has_its_moves_and_none_more_than_a_device_has_room_for() {
    let moves = view().moves.expect("a view with attacks")();
    let counts: Vec<_> = moves.iter().map(|moves| moves.directions.len()).collect();
    let side = [2, 8, 4, 4, 8, 8];
    assert_eq!(counts, [side, side].concat());
    assert!(counts.iter().all(|&count| count <= PieceMoves::MOST));
}
