//! The board and its moves as plain text.

use cozy_chess::{File, Rank, Square};

use crate::{Color, Move, PieceKind, Position};

const RULE: &str = "  +---+---+---+---+---+---+---+---+\n";

impl Position {
    /// The board in letters, capitals for White, with the ranks on the left and the files below.
    ///
    /// ```
    /// print!("{}", keisei_chess::Position::start().board_text());
    /// ```
    pub fn board_text(&self) -> String {
        let cell = |square| self.piece_at(square).map_or(' ', |piece| piece.letter());
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            let cells = File::ALL.map(|file| format!("| {} ", cell(Square::new(file, rank))));
            text += &format!("{RULE}{rank} {}|\n", cells.concat());
        }
        let files = File::ALL.map(|file| format!("  {file} "));
        text + RULE + "  " + &files.concat() + "\n"
    }

    /// The legal moves as `a2 -> a3`: by kind of piece, pawns first, then by square from a1, then
    /// in the order of the piece's [steps](PieceKind::steps). A promotion is `a7 -> a8=Q`.
    pub fn listed_moves(&self) -> Vec<String> {
        let mut moves = self.legal_moves();
        moves.sort_by_key(|&mv| self.place_in_list(mv));
        let promotion =
            |mv: Move| mv.promotion().map_or(String::new(), |k| format!("={}", k.letter()));
        moves
            .into_iter()
            .map(|mv| format!("{} -> {}{}", mv.from(), mv.to(), promotion(mv)))
            .collect()
    }

    /// Kind, origin, direction and length of a legal move.
    fn place_in_list(&self, mv: Move) -> (Option<PieceKind>, Square, usize, u8) {
        let (from, to) = (mv.from(), mv.to());
        let files = to.file() as i8 - from.file() as i8;
        let up = if self.turn() == Color::White { 1 } else { -1 };
        let ranks = to.rank() as i8 - from.rank() as i8;
        let kind = self.piece_at(from).map(|piece| piece.kind);
        let ranks = if kind == Some(PieceKind::Pawn) { ranks * up } else { ranks };
        let leads_there = |&(x, y): &(i8, i8)| (1..8).any(|n| (x * n, y * n) == (files, ranks));
        let direction = kind.and_then(|kind| kind.steps().iter().position(leads_there));
        (kind, from, direction.unwrap_or(0), files.unsigned_abs().max(ranks.unsigned_abs()))
    }
}
