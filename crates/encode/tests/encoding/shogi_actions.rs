//! The two numberings of the moves of shogi.

use std::collections::{HashMap, HashSet};

use keisei_encode::shogi::{Arrival, Compact, Full, Spec};
use keisei_encode::{Actions, legal_actions};
use keisei_game::{Game, Side};
use keisei_shogi::attacks::attacks;
use keisei_shogi::{Bitboard, Color, HandKind, Move, PieceKind, Shogi, Square};
use rsshogi::labels::policy::MoveLabel;

use crate::sample::{game, walk};

/// All moves that can be written: 81 × 80 × 2 over the board and 7 × 81 drops.
fn all_moves() -> impl Iterator<Item = Move> {
    let over_the_board = Square::all().flat_map(|from| {
        let others = Square::all().filter(move |&to| to != from);
        others.flat_map(move |to| [false, true].map(|promote| Move::new(from, to, promote)))
    });
    let drops = HandKind::ALL
        .into_iter()
        .flat_map(|kind| Square::all().map(move |to| Move::drop(kind, to)));
    over_the_board.chain(drops)
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

#[test]
fn the_full_numbering_gives_every_move_of_either_colour_a_number_of_its_own() {
    for side in Side::ALL {
        let numbers: HashSet<_> = all_moves().map(|mv| Full::index(side, mv)).collect();
        assert_eq!(numbers.len(), all_moves().count());
        assert_eq!(numbers.len(), Full::COUNT);
        assert!(numbers.iter().all(|&number| number < Full::COUNT));
    }
}

#[test]
fn the_full_numbering_has_blocks_for_moves_promotions_and_drops() {
    for mv in all_moves() {
        let number = Full::index(Side::First, mv);
        let block = match (mv.is_drop(), mv.promotes()) {
            (true, _) => 12_960..13_527,
            (false, false) => 0..6480,
            (false, true) => 6480..12_960,
        };
        assert!(block.contains(&number), "{mv}: {number}");
    }
}

#[test]
fn the_compact_numbering_has_blocks_for_moves_promotions_and_drops() {
    for mv in all_moves() {
        for side in Side::ALL {
            let number = Compact::index(side, mv);
            let block = match (mv.is_drop(), mv.promotes()) {
                (true, _) => 1620..2187,
                (false, false) => 0..810,
                (false, true) => 810..1620,
            };
            assert!(block.contains(&number), "{mv}: {number}");
        }
    }
}

/// Whether some piece of `color` on `from` can go to `to` past `occupied`.
fn can_go(color: Color, from: Square, to: Square, occupied: Bitboard) -> bool {
    PieceKind::ALL.iter().any(|&kind| attacks(color, kind, from, occupied).has(to))
}

/// If two moves share a number, they arrive on the same square, alike promoting. No piece on one
/// of their origins can reach it while a piece stands on the other, so never are both legal.
#[test]
fn two_pieces_anywhere_on_the_board_never_make_moves_of_the_same_compact_number() {
    let mut shared = 0;
    for color in Color::ALL {
        for promote in [false, true] {
            let mut by_number: HashMap<_, Vec<Move>> = HashMap::new();
            for from in Square::all() {
                for to in Square::all() {
                    let mv = Move::new(from, to, promote);
                    if can_go(color, from, to, Bitboard::EMPTY) {
                        by_number.entry(Compact::index(color.into(), mv)).or_default().push(mv);
                    }
                }
            }
            for moves in by_number.values() {
                for one in moves {
                    for two in moves.iter().filter(|&two| two != one) {
                        let origins = [one, two].map(|mv| mv.from().unwrap());
                        let both = origins.into_iter().collect();
                        assert_eq!(one.to(), two.to());
                        let goes = origins.map(|from| can_go(color, from, one.to(), both));
                        assert_ne!(goes, [true, true], "{one} and {two} of {color}");
                        shared += 1;
                    }
                }
            }
        }
    }
    // Sliders from all distances share numbers in plenty.
    assert!(shared > 10_000, "{shared}");
}

#[test]
fn drops_have_compact_numbers_of_their_own() {
    for side in Side::ALL {
        let drops = all_moves().filter(|mv| mv.is_drop());
        let numbers: HashSet<_> = drops.map(|mv| Compact::index(side, mv)).collect();
        assert_eq!(numbers, (1620..2187).collect());
    }
}

#[test]
fn compact_numbers_of_known_moves_are_dlshogis() {
    // Plane × 81 + destination; squares count down the files from 1a.
    let known = [
        ("7g7f", 59),
        ("2g2f", 14),
        ("8h2b+", 12 * 81 + 10),
        ("6i7h", 81 + 61),
        ("8i7g", 9 * 81 + 60),
        ("2i3g", 8 * 81 + 24),
        ("P*5e", 1660),
        ("L*5e", 1741),
        ("N*5e", 1822),
        ("S*5e", 1903),
        ("B*5e", 1984),
        ("R*5e", 2065),
        ("G*5e", 2146),
    ];
    for (text, number) in known {
        assert_eq!(Compact::index(Side::First, mv(text)), number, "{text}");
        assert_eq!(Compact::index(Side::Second, mv(text).rotated()), number, "{text} by White");
    }
}

#[test]
fn full_numbers_of_known_moves_are_origin_times_80_plus_destination() {
    // 7g is 60 and 7f is 59; past the origin the destinations move up by one.
    assert_eq!(Full::index(Side::First, mv("7g7f")), 60 * 80 + 59);
    assert_eq!(Full::index(Side::First, mv("7f7g")), 59 * 80 + 59);
    assert_eq!(Full::index(Side::First, mv("1a1b+")), 6480);
    assert_eq!(Full::index(Side::First, mv("9i9h+")), 12_959);
    assert_eq!(Full::index(Side::First, mv("P*1a")), 12_960);
    assert_eq!(Full::index(Side::First, mv("R*9i")), 13_526);
    assert_eq!(Full::index(Side::Second, mv("3c3d")), 60 * 80 + 59);
}

#[test]
fn compact_numbers_are_the_policy_labels_of_another_library_for_both_colours() {
    let mut compared = [0; 2];
    walk::<Shogi>(7, 60, 200, |game, _| {
        let color = game.position().turn();
        let theirs = match color {
            Color::Black => rsshogi::types::Color::BLACK,
            Color::White => rsshogi::types::Color::WHITE,
        };
        for (number, mv) in legal_actions::<Compact>(game.position()) {
            let label = rsshogi::types::Move::from_usi(&mv.to_string())
                .and_then(|mv| MoveLabel::from_move(mv, theirs))
                .unwrap_or_else(|| panic!("{mv} has no label"));
            assert_eq!(number, usize::from(label.raw()), "{mv} of {color}");
            let mirrored = usize::from(label.mirror_file().raw());
            assert_eq!(Compact::mirrored(number), mirrored, "{mv} of {color}");
            compared[color as usize] += 1;
        }
    });
    assert!(compared.iter().all(|&count| count > 50_000), "{compared:?}");
}

#[test]
fn rider_moves_of_every_distance_have_numbers() {
    // A rook alone in a corner of the promotion zone: 1 to 8 squares up and to the left.
    let position = "k8/9/9/9/9/9/9/9/4K3R b - 1";
    let game: Shogi = game(position, "");
    let legal: HashMap<_, _> =
        legal_actions::<Compact>(game.position()).into_iter().map(|(n, mv)| (mv, n)).collect();
    for distance in 1..=8 {
        let to = Square::at(8 - distance, 8).unwrap();
        let number = legal[&Move::new(Square::at(8, 8).unwrap(), to, false)];
        let arrival = Arrival::Up;
        assert_eq!(Compact::spec(number), Some(Spec::Arrive { arrival, promote: false, to }));
    }
    let three_ahead = mv("1i1f");
    assert_eq!(Full::seen_move(Full::index(Side::First, three_ahead)), Some(three_ahead));
}

#[test]
fn the_legal_moves_of_the_start_have_30_numbers_that_lead_back_to_them() {
    fn check<A: Actions<Game = Shogi>>() {
        let start = Shogi::new();
        let actions: HashMap<_, _> = legal_actions::<A>(start.position()).into_iter().collect();
        assert_eq!(actions.len(), 30);
        for (number, mv) in actions {
            assert_eq!(A::find(start.position(), number), Some(mv));
        }
    }
    check::<Compact>();
    check::<Full>();
}

#[test]
fn the_masks_words_hold_one_bit_an_action() {
    assert_eq!(Compact::MASK_WORDS, 35);
    assert_eq!(Full::MASK_WORDS, 212);
}

#[test]
fn cells_of_a_policy_head_lie_where_the_observation_shows_the_destination() {
    // The observation's rows run from 9a to 1a at the top.
    for (text, place) in [("P*9b", 9), ("P*1b", 17), ("P*7f", 5 * 9 + 2), ("P*1i", 80)] {
        let number = Compact::index(Side::First, mv(text));
        assert_eq!(Compact::cell(number), Some(20 * 81 + place), "{text}");
    }
    let number = Compact::index(Side::Second, mv("3c3d"));
    assert_eq!(Compact::cell(number), Some(5 * 9 + 2), "White's 3d is Black's 7f");
}
