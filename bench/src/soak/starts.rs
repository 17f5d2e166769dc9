//! Where the games of a soak begin.

mod interposing;

use keisei_game::SplitMix64;
use keisei_shogi::{Color, HandKind, Handicap, Piece, PieceKind, Position, Setup, Square};

use super::tally::Event;

/// Positions with many kinds of moves, from the tests of the rules.
const RECORDED: &str = include_str!("../../../crates/shogi/tests/data/legal-move-counts.tsv");

/// The starts to choose from.
pub(super) struct Starts {
    recorded: Vec<Position>,
}

impl Starts {
    pub(super) fn new() -> Self {
        let sfens = RECORDED.lines().filter(|line| !line.starts_with('#'));
        let recorded = sfens
            .filter_map(|line| line.split('\t').next())
            .map(|sfen| sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}")))
            .collect();
        Self { recorded }
    }

    /// A start and what kind of start it is.
    pub(super) fn choose(&self, rng: &mut SplitMix64) -> (Position, Event) {
        match rng.below(8) {
            0 => (Position::start(), Event::StandardStart),
            1 => {
                let handicap = rng.choose(&Handicap::ALL).unwrap_or_default();
                (handicap.position(), Event::HandicapStart)
            }
            2 | 3 => match rng.choose(&self.recorded) {
                Some(position) => (position, Event::RecordedStart),
                None => (Position::start(), Event::StandardStart),
            },
            4 => (position(rng, interposing::setup), Event::InterposingStart),
            _ => (position(rng, |rng| Some(random_setup(rng))), Event::RandomStart),
        }
    }
}

/// The first legal position that `setup` leads to.
fn position(rng: &mut SplitMix64, setup: fn(&mut SplitMix64) -> Option<Setup>) -> Position {
    loop {
        if let Some(Ok(position)) = setup(rng).map(Position::try_from) {
            return position;
        }
    }
}

/// Pieces anywhere: on the board, promoted or not, in a hand, or left out.
fn random_setup(rng: &mut SplitMix64) -> Setup {
    let mut setup = Setup { turn: random_color(rng), ..Setup::EMPTY };
    // One game in eight lacks a king, as mate problems do.
    let lonely = (rng.below(8) == 0).then(|| random_color(rng));
    for color in Color::ALL.into_iter().filter(|&color| Some(color) != lonely) {
        let square = empty_square(&setup, rng);
        setup.board[square.index()] = Some(Piece::new(color, PieceKind::King));
    }
    // Of nine pieces so many go to the board and so many to a hand; the others are left out.
    let (to_board, to_hand) = (rng.below(10), rng.below(10));
    for kind in HandKind::ALL {
        for _ in 0..kind.total() {
            let color = random_color(rng);
            let place = rng.below(9);
            if place < to_board {
                let square = empty_square(&setup, rng);
                put(&mut setup, square, color, kind.kind(), rng);
            } else if place < to_board + to_hand {
                let hand = setup.hands[color];
                setup.hands[color] = hand.with(kind, hand.count(kind) + 1);
            }
        }
    }
    setup
}

/// Puts a piece on a square, promoted if it could not stand there otherwise.
fn put(setup: &mut Setup, square: Square, color: Color, kind: PieceKind, rng: &mut SplitMix64) {
    let plain = Piece::new(color, kind);
    let rows_ahead = color.relative_row(square.row());
    let stuck = match kind {
        PieceKind::Pawn => {
            let same_file = |row| setup.get(row, square.column()) == Some(plain);
            rows_ahead == 0 || (0..9).any(same_file)
        }
        PieceKind::Lance => rows_ahead == 0,
        PieceKind::Knight => rows_ahead <= 1,
        _ => false,
    };
    let promoted = kind.promoted().filter(|_| stuck || rng.below(4) == 0);
    setup.board[square.index()] = Some(Piece::new(color, promoted.unwrap_or(kind)));
}

/// There are 40 pieces and 81 squares, so one is found.
fn empty_square(setup: &Setup, rng: &mut SplitMix64) -> Square {
    loop {
        let square = Square::new(rng.below(Square::COUNT) as u8).expect("a number below 81");
        if setup.board[square.index()].is_none() {
            return square;
        }
    }
}

fn random_color(rng: &mut SplitMix64) -> Color {
    if rng.next_u64() & 1 == 0 { Color::Black } else { Color::White }
}

#[cfg(test)]
mod tests {
    use super::super::bout::forbidden_pawn_drop;
    use super::*;

    #[test]
    fn all_kinds_of_start_are_chosen() {
        let starts = Starts::new();
        assert_eq!(starts.recorded.len(), 2000);
        let mut rng = SplitMix64::new(3);
        let kinds: Vec<_> = (0..100).map(|_| starts.choose(&mut rng).1).collect();
        for kind in [
            Event::StandardStart,
            Event::HandicapStart,
            Event::RecordedStart,
            Event::InterposingStart,
            Event::RandomStart,
        ] {
            assert!(kinds.contains(&kind), "{kind:?}");
        }
    }

    #[test]
    fn many_random_setups_are_legal_positions() {
        let mut rng = SplitMix64::new(4);
        let legal = (0..200).filter(|_| Position::try_from(random_setup(&mut rng)).is_ok());
        let legal = legal.count();
        assert!(legal > 20, "{legal} of 200");
    }

    #[test]
    fn some_interposed_pawns_are_forbidden_mates() {
        let mut rng = SplitMix64::new(5);
        let forbidden = (0..200).filter(|_| {
            let position = position(&mut rng, interposing::setup);
            let mut moves = position.legal_moves().to_vec();
            moves.sort_unstable();
            forbidden_pawn_drop(&position, &moves) == Some(true)
        });
        let forbidden = forbidden.count();
        assert!(forbidden > 3, "{forbidden} of 200");
    }
}
