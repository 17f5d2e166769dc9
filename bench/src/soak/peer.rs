//! rsshogi's view of a game, in Keisei's words.

use anyhow::{Context, Result};
use keisei_game::Side;
use keisei_shogi::{HandKind, Move, Origin, Square};
use rsshogi::board::{self, MoveList, Position};
use rsshogi::movegen::generate_legal_all;
use rsshogi::types::{self, PieceType, RepetitionState};

/// A game as rsshogi sees it.
pub(super) struct Peer {
    position: Position,
    moves: MoveList,
}

/// How rsshogi judges a position that occurred before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeated {
    /// Fewer than four times.
    NotYet,
    /// Four times, without perpetual check.
    Draw,
    /// Four times, and this side gave check all the while.
    PerpetualCheckBy(Side),
}

impl Peer {
    pub(super) fn new(sfen: &str) -> Result<Self> {
        let mut position = board::position_from_sfen(sfen)
            .with_context(|| format!("rsshogi refuses the position {sfen}"))?;
        position.init_stack();
        Ok(Self { position, moves: MoveList::new() })
    }

    /// Puts the legal moves into `list`.
    pub(super) fn list_moves(&mut self, list: &mut Vec<Move>) {
        generate_legal_all(&self.position, &mut self.moves);
        list.clear();
        list.extend(self.moves.iter().map(|&mv| from_peer(mv)));
    }

    pub(super) fn play(&mut self, mv: Move) {
        self.position.apply_move(to_peer(mv));
    }

    pub(super) fn gives_check(&self, mv: Move) -> bool {
        self.position.gives_check_move(to_peer(mv))
    }

    pub(super) fn checkers(&self) -> usize {
        self.position.checkers().count() as usize
    }

    pub(super) fn has_pin(&self) -> bool {
        !self.position.pinned_pieces(self.position.turn()).is_empty()
    }

    pub(super) fn sfen(&self) -> String {
        self.position.to_sfen(None)
    }

    /// How often the position occurred before, as far as rsshogi counts.
    pub(super) fn repetitions(&self) -> usize {
        self.position.repetition_times() as usize
    }

    pub(super) fn repeated(&self) -> Repeated {
        let turn = match self.position.turn() {
            types::Color::BLACK => Side::First,
            types::Color::WHITE => Side::Second,
        };
        match self.position.repetition_state() {
            RepetitionState::Draw => Repeated::Draw,
            RepetitionState::Lose => Repeated::PerpetualCheckBy(turn),
            RepetitionState::Win => Repeated::PerpetualCheckBy(!turn),
            // rsshogi also tells positions that differ by hands that one side would like better.
            RepetitionState::None | RepetitionState::Superior | RepetitionState::Inferior => {
                Repeated::NotYet
            }
        }
    }
}

/// The kinds that are dropped, as rsshogi numbers them.
const DROPPED: [(PieceType, HandKind); 7] = [
    (PieceType::PAWN, HandKind::Pawn),
    (PieceType::LANCE, HandKind::Lance),
    (PieceType::KNIGHT, HandKind::Knight),
    (PieceType::SILVER, HandKind::Silver),
    (PieceType::BISHOP, HandKind::Bishop),
    (PieceType::ROOK, HandKind::Rook),
    (PieceType::GOLD, HandKind::Gold),
];

fn from_peer(mv: types::Move) -> Move {
    let square = |square: types::Square| {
        Square::new(square.raw() as u8).expect("rsshogi names a square of the board")
    };
    match mv.dropped_piece() {
        Some(kind) => {
            let (_, kind) = DROPPED[kind.to_index() - 1];
            Move::drop(kind, square(mv.to_sq()))
        }
        None => Move::new(square(mv.from_sq()), square(mv.to_sq()), mv.is_promotion()),
    }
}

fn to_peer(mv: Move) -> types::Move {
    let square = |square: Square| types::Square::new(square.index() as i8);
    match mv.origin() {
        Origin::Board(from) if mv.promotes() => {
            types::Move::promotion(square(from), square(mv.to()))
        }
        Origin::Board(from) => types::Move::normal(square(from), square(mv.to())),
        Origin::Hand(kind) => {
            let named = DROPPED.iter().find(|&&(_, own)| own == kind);
            let (kind, _) = named.expect("a drop has a kind that a hand can hold");
            types::Move::drop(*kind, square(mv.to()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_the_same_usi_text_on_both_sides() {
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            // No piece moves to where it stands: rsshogi has other uses for such bits.
            if mv.from() == Some(mv.to()) {
                continue;
            }
            assert_eq!(to_peer(mv).to_usi(), mv.to_string());
            assert_eq!(from_peer(to_peer(mv)), mv);
        }
    }

    #[test]
    fn a_perpetual_check_names_the_checker() {
        let mut peer = Peer::new("4k4/9/9/9/9/9/9/9/4K3R b - 1").unwrap();
        let cycle = ["1i1a", "5a5b", "1a1b", "5b5a", "1b1a"];
        peer.play(cycle[0].parse().unwrap());
        for _ in 0..3 {
            assert_eq!(peer.repeated(), Repeated::NotYet);
            cycle[1..].iter().for_each(|mv| peer.play(mv.parse().unwrap()));
        }
        assert_eq!(peer.repeated(), Repeated::PerpetualCheckBy(Side::First));
        assert_eq!(peer.repetitions(), 3);
    }
}
