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
use super::sight::pieces;
use crate::attack_planes::{self, AttackPlanes, Attacker};
use crate::{Direction, Encode, PieceMoves, Ports, Source, View};

const KINDS: usize = OPPONENT;
const OWN_PLANES: usize = Shogi::PLANES;
const ATTACKS: AttackPlanes =
    AttackPlanes { kinds: KINDS, king: PLANE_OF[PieceKind::King as usize] as usize };
const PLANES: usize = OWN_PLANES + ATTACKS.len();

/// The name of this view in settings and models.
pub const NAME: &str = attack_planes::NAME;

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
    assert_eq!(planes.len(), PLANES * Square::COUNT, "an observation has 81 planes of 81 squares");
    let (own, attacks) = planes.split_at_mut(OWN_PLANES * Square::COUNT);
    Shogi::expand(packed, own);
    let attackers = pieces(packed).map(|piece| Attacker {
        plane: plane(piece.owner, piece.kind),
        place: place(piece.square),
        targets: piece.attacks.into_iter().map(place),
    });
    ATTACKS.expand(attackers, attacks);
}

fn plane(owner: Color, kind: PieceKind) -> usize {
    owner as usize * KINDS + usize::from(PLANE_OF[kind as usize])
}

fn sources() -> Vec<Source> {
    [Shogi::sources(), ATTACKS.sources()].concat()
}

/// How the pieces attack, in the order of their bytes.
fn moves() -> Vec<PieceMoves> {
    let mut moves = vec![PieceMoves { directions: Vec::new() }; 2 * KINDS];
    for owner in Color::ALL {
        for kind in PieceKind::ALL {
            let directions = vectors(owner, kind).iter();
            let direction = |v: &keisei_shogi::attacks::Vector| Direction {
                rows: v.r,
                columns: v.c,
                slides: v.slide,
            };
            moves[plane(owner, kind)].directions = directions.map(direction).collect();
        }
    }
    moves
}

const _: () = assert!(PLANES == 81);
