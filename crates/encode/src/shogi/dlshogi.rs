//! Shogi as dlshogi shows it to its networks, so that a network learned here runs there and in
//! FukauraOu.
//!
//! | planes | what they hold |
//! |---|---|
//! | 0–13 | own pawn, lance, knight, silver, bishop, rook, gold, king, tokin, promoted lance, promoted knight, promoted silver, horse, dragon |
//! | 14–27 | the squares that own pieces of each of these kinds attack |
//! | 28, 29, 30 | the squares that at least one, two, three own pieces attack |
//! | 31–61 | the same for the opponent |
//! | 62–69, 70–73, 74–77, 78–81, 82–85, 86–87, 88–89 | own hand: a plane each for the first pawn, the second … the eighth; the same for lances, knights, silvers, golds, bishops, rooks |
//! | 90–117 | the opponent's hand |
//! | 118 | 1 if the side to move is in check |
//!
//! The first 62 planes are `input1`, the others `input2`. Squares count down the files from the
//! right, 1a to 9i, as the side to move sees the board. The numbering of moves is that of
//! [`Compact`](super::Compact).

use keisei_shogi::{HandKind, PieceKind, Shogi, Square};

use super::planes::Packed;
use super::sight::count_attacks;
use crate::view::{Ports, View};

const SQUARES: usize = Square::COUNT;
const KINDS: usize = 14;
const COUNTS: usize = 3;
const PIECES: usize = 2 * (2 * KINDS + COUNTS);
const HAND: usize = 28;
const CHECK: usize = PIECES + 2 * HAND;
const PLANES: usize = CHECK + 1;

/// The kinds in the order of their planes.
const ORDER: [PieceKind; KINDS] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Gold,
    PieceKind::King,
    PieceKind::Tokin,
    PieceKind::PromotedLance,
    PieceKind::PromotedKnight,
    PieceKind::PromotedSilver,
    PieceKind::Horse,
    PieceKind::Dragon,
];

/// How many pieces of each kind a hand shows, pawn to rook.
const SHOWN: [u8; 7] = [8, 4, 4, 4, 4, 2, 2];

/// The name of this view in settings and models.
pub const NAME: &str = "dlshogi";

/// dlshogi's view of shogi.
pub(super) const VIEW: View<Shogi> = View {
    planes: PLANES,
    expand,
    square: file_by_file,
    sources: None,
    moves: None,
    ports: Ports {
        inputs: &[("input1", PIECES), ("input2", PLANES - PIECES)],
        policy: "output_policy",
        value: "output_value",
        value_is_chance: true,
    },
};

/// The number of a square that is counted row by row from the top left.
const fn file_by_file(place: usize) -> usize {
    (8 - place % 9) * 9 + place / 9
}

fn expand(packed: &Packed, planes: &mut [f32]) {
    assert_eq!(planes.len(), PLANES * SQUARES, "an observation has 119 planes of 81 squares");
    planes.fill(0.0);
    let counts = count_attacks(packed, |piece| {
        let first = piece.owner as usize * (2 * KINDS + COUNTS) + place_of(piece.kind);
        planes[first * SQUARES + piece.square.index()] = 1.0;
        for target in piece.attacks {
            planes[(first + KINDS) * SQUARES + target.index()] = 1.0;
        }
    });
    for (owner, counts) in counts.by_side.iter().enumerate() {
        let first = owner * (2 * KINDS + COUNTS) + 2 * KINDS;
        for (square, &count) in counts.iter().enumerate() {
            for level in 0..COUNTS.min(count.into()) {
                planes[(first + level) * SQUARES + square] = 1.0;
            }
        }
    }
    let mut plane = PIECES;
    for hand in packed.hands() {
        for (&count, shown) in hand.iter().zip(SHOWN) {
            let full = plane + usize::from(count.min(shown));
            planes[plane * SQUARES..full * SQUARES].fill(1.0);
            plane += usize::from(shown);
        }
    }
    if counts.in_check {
        planes[CHECK * SQUARES..].fill(1.0);
    }
}

/// The place of a kind among a player's fourteen planes.
const fn place_of(kind: PieceKind) -> usize {
    const PLACES: [usize; KINDS] = {
        let mut places = [0; KINDS];
        let mut place = 0;
        while place < KINDS {
            places[ORDER[place] as usize] = place;
            place += 1;
        }
        places
    };
    PLACES[kind as usize]
}

const _: () = assert!(HandKind::ALL.len() == SHOWN.len() && PLANES == 119 && PIECES == 62);
