//! Chess with its attacks shown: the game's own planes, then the squares that the pieces attack.
//!
//! | planes | what they hold |
//! |---|---|
//! | 0–20 | the planes of [`crate::chess`] |
//! | 21–26 | the squares that own pieces of each kind attack, the kinds in the order of planes 0–5 |
//! | 27, 28, 29 | the squares that at least one, two, three own pieces attack |
//! | 30–35, 36–38 | the same for the opponent |
//! | 39 | 1 everywhere if the side to move is in check |
//!
//! A piece attacks a square if it could take an enemy there, as in [shogi's](crate::shogi::attacks):
//! a pawn attacks to both sides ahead, whether or not anything stands there. The packed form is that
//! of the own planes, and squares lie where they lie there.

use keisei_chess::attacks::attacks;
use keisei_chess::{BitBoard, Chess, Color, PieceKind};

use super::planes::{OPPONENT, Packed};
use super::{place, square_at};
use crate::attack_planes::{self, AttackPlanes, Attacker};
use crate::{Direction, Encode, PieceMoves, Ports, Source, View};

const SQUARES: usize = Chess::SQUARES;
const KINDS: usize = OPPONENT as usize;
const OWN_PLANES: usize = Chess::PLANES;
const ATTACKS: AttackPlanes = AttackPlanes { kinds: KINDS, king: PieceKind::King as usize };
const PLANES: usize = OWN_PLANES + ATTACKS.len();

/// The name of this view in settings and models.
pub const NAME: &str = attack_planes::NAME;

/// Chess with its attacks shown.
pub(super) const VIEW: View<Chess> = View {
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

/// The side to move, as which it sees the board, and its opponent.
const OWNERS: [Color; 2] = [Color::White, Color::Black];

fn expand(packed: &Packed, planes: &mut [f32]) {
    assert_eq!(planes.len(), PLANES * SQUARES, "an observation has 40 planes of 64 squares");
    let (own, attacked) = planes.split_at_mut(OWN_PLANES * SQUARES);
    Chess::expand(packed, own);
    let see = |place| square_at(OWNERS[0], place);
    let occupied = packed.pieces().fold(BitBoard::EMPTY, |set, (place, _)| set | see(place).into());
    let attackers = packed.pieces().map(|(from, plane)| {
        let (owner, kind) = (OWNERS[plane / KINDS], PieceKind::ALL[plane % KINDS]);
        let targets = attacks(owner, kind, see(from), occupied);
        Attacker { plane, place: from, targets: targets.into_iter().map(|to| place(OWNERS[0], to)) }
    });
    ATTACKS.expand(attackers, attacked);
}

fn sources() -> Vec<Source> {
    [Chess::sources(), ATTACKS.sources()].concat()
}

/// How the pieces attack, in the order of their bytes.
fn moves() -> Vec<PieceMoves> {
    let moves = |owner: Color| {
        PieceKind::ALL.into_iter().map(move |kind| {
            let steps = kind.steps().iter();
            // A pawn does not attack where it advances.
            let steps = steps.filter(|&&(files, _)| kind != PieceKind::Pawn || files != 0);
            let direction = |&(files, ranks): &(i8, i8)| Direction {
                rows: if owner == OWNERS[0] { -ranks } else { ranks },
                columns: files,
                slides: kind.is_slider(),
            };
            PieceMoves { directions: steps.map(direction).collect() }
        })
    };
    OWNERS.into_iter().flat_map(moves).collect()
}

const _: () = assert!(PLANES == 40);
