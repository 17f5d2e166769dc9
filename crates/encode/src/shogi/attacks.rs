//! Shogi with its attacks shown: the game's own planes, then the squares that the pieces attack.
//!
//! | planes | what they hold |
//! |---|---|
//! | 0–45 | the planes of [`crate::shogi`] |
//! | 46–59 | the squares that own pieces of each kind attack, the kinds in the order of planes 0–13 |
//! | 60, 61, 62 | the squares that at least one, two, three own pieces attack |
//! | 63–76, 77–79 | the same for the opponent |
//! | 80 | 1 everywhere if the side to move is in check |
//!
//! A piece attacks a square if it could take an enemy there: own pieces are defended by the attacks
//! on them, a line ends with the first piece that stands on it, and whether the move would leave the
//! king in check does not matter. The packed form is that of the own planes, and squares lie where
//! they lie there.

use keisei_shogi::attacks::vectors;
use keisei_shogi::{Color, PieceKind, Shogi, Square};

use super::place;
use super::planes::{OPPONENT, PLANE_OF, Packed};
use super::sight::count_attacks;
use crate::{Direction, Encode, PieceMoves, Pieces, Ports, Source, View};

const SQUARES: usize = Square::COUNT;
const KINDS: usize = OPPONENT;
/// Planes that count attacks: one, two, three.
const COUNTS: usize = 3;
const OWN_PLANES: usize = Shogi::PLANES;
/// The planes of each side's attacks.
const SIDE: usize = KINDS + COUNTS;
const IN_CHECK: usize = OWN_PLANES + 2 * SIDE;
const PLANES: usize = IN_CHECK + 1;

/// The name of this view in settings and models.
pub const NAME: &str = "attacks";

/// Shogi with its attacks shown.
pub(super) const VIEW: View<Shogi> = View {
    planes: PLANES,
    expand,
    square: |square| square,
    sources: Some(sources),
    moves: Some(moves),
    ports: Ports {
        inputs: &[("planes", PLANES)],
        policy: "policy",
        value: "value",
        value_is_chance: false,
    },
};

fn expand(packed: &Packed, planes: &mut [f32]) {
    assert_eq!(planes.len(), PLANES * SQUARES, "an observation has 81 planes of 81 squares");
    let (own, attacked) = planes.split_at_mut(OWN_PLANES * SQUARES);
    Shogi::expand(packed, own);
    attacked.fill(0.0);
    let first = |owner: Color| owner as usize * SIDE;
    let counts = count_attacks(packed, |piece| {
        let plane = first(piece.owner) + usize::from(PLANE_OF[piece.kind as usize]);
        for target in piece.attacks {
            attacked[plane * SQUARES + place(target)] = 1.0;
        }
    });
    for (owner, counts) in Color::ALL.into_iter().zip(&counts.by_side) {
        for (square, &count) in Square::all().zip(counts) {
            for level in 0..COUNTS.min(count.into()) {
                attacked[(first(owner) + KINDS + level) * SQUARES + place(square)] = 1.0;
            }
        }
    }
    if counts.in_check {
        attacked[(IN_CHECK - OWN_PLANES) * SQUARES..].fill(1.0);
    }
}

fn sources() -> Vec<Source> {
    /// The byte of the first piece of each side.
    const FIRST: [u8; 2] = [1, 1 + KINDS as u8];
    let all = |first: u8| Pieces { first, last: first + KINDS as u8 - 1 };
    let sides = FIRST.into_iter().flat_map(|first| {
        let one = |byte| Source::Attack { pieces: Pieces { first: byte, last: byte }, at_least: 1 };
        let kinds = (first..first + KINDS as u8).map(one);
        let pieces = all(first);
        kinds.chain((1..=COUNTS as u8).map(move |at_least| Source::Attack { pieces, at_least }))
    });
    let target = FIRST[0] + PLANE_OF[PieceKind::King as usize];
    let in_check = Source::Attacked { target, pieces: all(FIRST[1]) };
    Shogi::sources().into_iter().chain(sides).chain([in_check]).collect()
}

/// How the pieces attack, in the order of their bytes.
fn moves() -> Vec<PieceMoves> {
    let mut moves = vec![PieceMoves { directions: Vec::new() }; 2 * KINDS];
    for owner in Color::ALL {
        for kind in PieceKind::ALL {
            let plane = owner as usize * KINDS + usize::from(PLANE_OF[kind as usize]);
            let directions = vectors(owner, kind).iter();
            let direction = |v: &keisei_shogi::attacks::Vector| Direction {
                rows: v.r,
                columns: v.c,
                slides: v.slide,
            };
            moves[plane].directions = directions.map(direction).collect();
        }
    }
    moves
}

const _: () = assert!(PLANES == 81 && IN_CHECK == 80);
