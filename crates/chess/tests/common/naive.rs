//! The rules of movement once more, as slowly and plainly as they can be told: every step of every
//! piece is tried on a board of 64 squares, and a move is legal if no reply takes the king.

use keisei_chess::{Color, File, Piece, PieceKind, Rank, Setup, Square};

/// A move as origin, destination and promotion.
type Step = (Square, Square, Option<PieceKind>);

/// All moves of `color` that its pieces can make, whatever happens to its king. Castling is left
/// out: it captures nothing.
pub(crate) fn pseudo_moves(setup: &Setup, color: Color) -> Vec<Step> {
    let mut moves = Vec::new();
    for from in Square::ALL {
        match setup.board[from as usize] {
            Some(piece) if piece.color == color => match piece.kind {
                PieceKind::Pawn => pawn_moves(setup, color, from, &mut moves),
                kind => piece_moves(setup, color, kind, from, &mut moves),
            },
            _ => {}
        }
    }
    moves
}

fn piece_moves(setup: &Setup, color: Color, kind: PieceKind, from: Square, moves: &mut Vec<Step>) {
    for &(files, ranks) in kind.steps() {
        let mut square = from;
        while let Some(to) = square.try_offset(files, ranks) {
            let target = setup.board[to as usize];
            if target.is_some_and(|piece| piece.color == color) {
                break;
            }
            moves.push((from, to, None));
            if target.is_some() || !kind.is_slider() {
                break;
            }
            square = to;
        }
    }
}

fn pawn_moves(setup: &Setup, color: Color, from: Square, moves: &mut Vec<Step>) {
    let (up, second, last) = match color {
        Color::White => (1, Rank::Second, Rank::Eighth),
        Color::Black => (-1, Rank::Seventh, Rank::First),
    };
    let mut push = |to: Square| {
        if to.rank() == last {
            moves.extend(PieceKind::PROMOTIONS.map(|kind| (from, to, Some(kind))));
        } else {
            moves.push((from, to, None));
        }
    };
    for side in [1, -1] {
        let Some(to) = from.try_offset(side, up) else { continue };
        let enemy = setup.board[to as usize].is_some_and(|piece| piece.color != color);
        if enemy || (setup.en_passant == Some(to) && setup.turn == color) {
            push(to);
        }
    }
    let ahead = from.offset(0, up);
    if setup.board[ahead as usize].is_none() {
        push(ahead);
        if from.rank() == second && setup.board[from.offset(0, 2 * up) as usize].is_none() {
            push(from.offset(0, 2 * up));
        }
    }
}

/// Whether some move of the other player takes the king of `color`.
pub(crate) fn king_vulnerable(setup: &Setup, color: Color) -> bool {
    let king = Some(Piece::new(color, PieceKind::King));
    pseudo_moves(setup, !color).into_iter().any(|(_, to, _)| setup.board[to as usize] == king)
}

/// The board after a move, as far as the safety of kings depends on it.
fn after(setup: &Setup, (from, to, promotion): Step) -> Setup {
    let mut next = setup.clone();
    let piece = next.board[from as usize].take().expect("a piece moves");
    if piece.kind == PieceKind::Pawn && setup.en_passant == Some(to) {
        next.board[Square::new(to.file(), from.rank()) as usize] = None;
    }
    next.board[to as usize] = Some(Piece::new(piece.color, promotion.unwrap_or(piece.kind)));
    next.en_passant = None;
    next
}

fn castling_moves(setup: &Setup) -> Vec<Step> {
    let rank = if setup.turn == Color::White { Rank::First } else { Rank::Eighth };
    let square = |file| Square::new(file, rank);
    let rights = setup.castling[setup.turn];
    let ways = [
        (rights.short, &[File::F, File::G][..], File::F, File::G),
        (rights.long, &[File::B, File::C, File::D][..], File::D, File::C),
    ];
    let mut moves = Vec::new();
    for (right, between, passed, to) in ways {
        let free = between.iter().all(|&file| setup.board[square(file) as usize].is_none());
        let safe = |file| {
            let step = after(setup, (square(File::E), square(file), None));
            !king_vulnerable(&step, setup.turn)
        };
        if right && free && !king_vulnerable(setup, setup.turn) && safe(passed) && safe(to) {
            moves.push((square(File::E), square(to), None));
        }
    }
    moves
}

/// The legal moves in UCI, sorted.
pub(crate) fn legal(setup: &Setup) -> Vec<String> {
    let safe = |&step: &Step| !king_vulnerable(&after(setup, step), setup.turn);
    let steps = pseudo_moves(setup, setup.turn).into_iter().filter(safe);
    let text = |(from, to, promotion): Step| {
        let letter = promotion.map_or(String::new(), |kind| kind.letter().to_lowercase().collect());
        format!("{from}{to}{letter}")
    };
    let mut moves: Vec<_> = steps.chain(castling_moves(setup)).map(text).collect();
    moves.sort();
    moves
}
