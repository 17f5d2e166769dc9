//! From a setup to a position: what cannot stand on a board is refused.

use super::{Cell, NO_KING, Position, Shape, is_dead_row};
use crate::setup::Setup;
use crate::{Bitboard, Color, HandKind, Piece, PieceKind, Square, zobrist};

/// Why a setup is no legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A player has two kings.
    #[error("{color} has two kings, on {first} and on {second}")]
    TwoKings {
        /// The player.
        color: Color,
        /// One king.
        first: Square,
        /// The other.
        second: Square,
    },
    /// There is no king at all.
    #[error("there is no king on the board")]
    NoKing,
    /// Two unpromoted pawns of one player on a file.
    #[error("nifu: {color} has two pawns on file {file}, on {first} and on {second}")]
    TwoPawns {
        /// The player.
        color: Color,
        /// The file, 1 to 9.
        file: u8,
        /// One pawn.
        first: Square,
        /// The other.
        second: Square,
    },
    /// A piece stands where it could never move.
    #[error("{color}'s {kind} on {square} could never move")]
    DeadPiece {
        /// The player.
        color: Color,
        /// The piece.
        kind: PieceKind,
        /// Where it stands.
        square: Square,
    },
    /// More pieces of a kind than a set has.
    #[error("{count} {kind}s on the board and in the hands, but a set has {total}")]
    TooMany {
        /// The kind, unpromoted.
        kind: PieceKind,
        /// How many there are.
        count: u8,
        /// How many there can be.
        total: u8,
    },
    /// The side that is not to move is in check.
    #[error("{color} is to move, but the king of {other} on {king} is in check from {checker}", other = !*color)]
    OpponentInCheck {
        /// The side to move.
        color: Color,
        /// The attacked king.
        king: Square,
        /// A piece that attacks it.
        checker: Square,
    },
    /// The side to move is in check from more pieces than one move can bring about.
    #[error(
        "{color} is in check from {count} pieces at once ({checkers:?}): no move leads to this"
    )]
    TooManyCheckers {
        /// The side to move.
        color: Color,
        /// How many pieces give check.
        count: usize,
        /// Where they stand.
        checkers: Bitboard,
    },
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let mut position = Self {
            shapes: [0; Shape::COUNT],
            colors: [0; 2],
            board: [Cell::EMPTY; Square::COUNT],
            kings: [NO_KING; 2],
            turn: setup.turn,
            hands: setup.hands,
            key: if setup.turn == Color::White { zobrist::white_to_move() } else { 0 },
            move_number: setup.move_number,
        };
        for color in Color::ALL {
            for kind in HandKind::ALL {
                position.key ^= zobrist::hand(color, kind, setup.hands[color].count(kind));
            }
        }
        for square in Square::all() {
            let Some(Piece { color, kind }) = setup.board[square.index()] else { continue };
            if kind == PieceKind::King
                && let Some(first) = position.king(color)
            {
                return Err(SetupError::TwoKings { color, first, second: square });
            }
            if is_dead_row(kind, color.relative_row(square.row())) {
                return Err(SetupError::DeadPiece { color, kind, square });
            }
            position.put(color, kind, square.index());
        }
        position.kings_and_pawns_are_possible()?;
        position.piece_counts_are_possible()?;
        position.checks_are_possible()?;
        Ok(position)
    }
}

impl Position {
    fn kings_and_pawns_are_possible(&self) -> Result<(), SetupError> {
        if self.kings == [NO_KING; 2] {
            return Err(SetupError::NoKing);
        }
        for color in Color::ALL {
            for file in 1..=9 {
                let pawns = self.pieces_of(color, PieceKind::Pawn) & Bitboard::file(file);
                let mut pawns = pawns.into_iter();
                if let (Some(first), Some(second)) = (pawns.next(), pawns.next()) {
                    return Err(SetupError::TwoPawns { color, file, first, second });
                }
            }
        }
        Ok(())
    }

    fn piece_counts_are_possible(&self) -> Result<(), SetupError> {
        for hand in HandKind::ALL {
            let kind = hand.kind();
            let on_board = self
                .board
                .iter()
                .filter(|cell| !cell.is_empty() && cell.kind().unpromoted() == kind);
            let held = Color::ALL.map(|color| self.hands[color].count(hand)).iter().sum::<u8>();
            let (count, total) = (on_board.count() as u8 + held, hand.total());
            if count > total {
                return Err(SetupError::TooMany { kind, count, total });
            }
        }
        Ok(())
    }

    fn checks_are_possible(&self) -> Result<(), SetupError> {
        let color = self.turn;
        if let Some(king) = self.king(!color)
            && let Some(checker) = self.attackers_to(king, color).first()
        {
            return Err(SetupError::OpponentInCheck { color, king, checker });
        }
        let checkers = self.checkers();
        if checkers.len() > 2 {
            return Err(SetupError::TooManyCheckers { color, count: checkers.len(), checkers });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::Position;

    fn refused(sfen: &str) -> String {
        sfen.parse::<Position>().unwrap_err().to_string()
    }

    #[test]
    fn impossible_positions_are_refused_with_the_reason_and_the_place() {
        assert_eq!(refused("k3k4/9/9/9/9/9/9/9/4K4 b - 1"), "White has two kings, on 5a and on 9a");
        assert_eq!(refused("9/9/9/9/9/9/9/9/9 b - 1"), "there is no king on the board");
        assert_eq!(
            refused("4k4/9/4P4/9/9/9/4P4/9/4K4 b - 1"),
            "nifu: Black has two pawns on file 5, on 5c and on 5g"
        );
        assert_eq!(refused("P3k4/9/9/9/9/9/9/9/4K4 b - 1"), "Black's pawn on 9a could never move");
        assert_eq!(
            refused("4k4/9/9/9/9/9/9/1n7/4K4 b - 1"),
            "White's knight on 8h could never move"
        );
        assert_eq!(
            refused("4k4/9/9/9/9/9/9/4+R+R3/4K4 b R 1"),
            "3 rooks on the board and in the hands, but a set has 2"
        );
        assert_eq!(
            refused("4k4/4G4/9/9/9/9/9/9/4K4 b - 1"),
            "Black is to move, but the king of White on 5a is in check from 5b"
        );
        assert!(refused("4k4/3GGG3/9/9/9/9/9/9/4K4 w - 1").contains("from 3 pieces at once"));
    }

    #[test]
    fn one_king_may_be_missing_as_in_mate_problems() {
        let position: Position = "4k4/9/4P4/9/9/9/9/9/9 b G 1".parse().unwrap();
        assert_eq!(position.king(crate::Color::Black), None);
        assert!(position.legal_moves().len() > 70);
    }

    #[test]
    fn tokins_do_not_count_as_pawns_of_their_file() {
        assert!("4k4/9/9/4+P4/9/9/4P4/9/4K4 b - 1".parse::<Position>().is_ok());
    }
}
