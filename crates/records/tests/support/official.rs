//! Random games whose notation is compared with that of the crate `shogi_official_kifu`.

use keisei_game::{Game, SplitMix64};
use keisei_records::notation::{
    DragonForm, Marks, Rivals, SideMark, Spelling, japanese, marks, parse_japanese,
};
use keisei_shogi::{
    Color, Handicap, Move, Origin, Piece, PieceKind, Position, Setup, Shogi, Square,
};
use shogi_core as core;

/// What a comparison found.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// The moves compared.
    pub(crate) moves: usize,
    /// Moves with marks.
    pub(crate) marked: usize,
    /// Moves that need fewer marks by the rules than by attacks alone.
    pub(crate) fewer_marks: usize,
    /// Every move on which the crate says something else.
    pub(crate) differences: Vec<String>,
}

/// Plays random games until `wanted` moves were compared. In every position all legal moves are.
/// Every other game starts from a board crowded with pieces that get into each other's way.
pub(crate) fn compare(seed: u64, wanted: usize) -> Comparison {
    let mut found = Comparison::default();
    let mut rng = SplitMix64::new(seed);
    while found.moves < wanted {
        let start = if rng.below(2) == 0 {
            Handicap::ALL[rng.below(Handicap::ALL.len())].position()
        } else {
            crowded(&mut rng)
        };
        let mut game = Shogi::with_rules(start, Shogi::RULES);
        let mut theirs = convert(game.position());
        let mut previous = None;
        for _ in 0..200 {
            let moves = game.legal_moves();
            for &mv in &moves {
                compare_move(game.position(), &theirs, mv, previous, &mut found);
            }
            let Some(mv) = rng.choose(&moves) else { break };
            theirs.make_move(convert_move(game.position(), mv)).expect("a legal move");
            game.play_unchecked(mv);
            previous = Some(mv.to());
            if found.moves >= wanted {
                break;
            }
        }
    }
    found
}

/// A legal position with most generals, tokins, dragons and horses on the board of one side.
fn crowded(rng: &mut SplitMix64) -> Position {
    let kinds = [
        (PieceKind::Gold, 4),
        (PieceKind::Silver, 4),
        (PieceKind::Tokin, 6),
        (PieceKind::Knight, 2),
        (PieceKind::PromotedKnight, 2),
        (PieceKind::PromotedLance, 3),
        (PieceKind::Dragon, 2),
        (PieceKind::Horse, 2),
    ];
    loop {
        let mut setup = Setup::EMPTY;
        setup.turn = if rng.below(2) == 0 { Color::Black } else { Color::White };
        let pieces = kinds.iter().flat_map(|&(kind, count)| vec![(setup.turn, kind); count]);
        let kings = Color::ALL.map(|color| (color, PieceKind::King));
        for (color, kind) in kings.into_iter().chain(pieces) {
            setup.board[rng.below(Square::COUNT)] = Some(Piece::new(color, kind));
        }
        if let Ok(position) = Position::try_from(setup) {
            return position;
        }
    }
}

fn compare_move(
    position: &Position,
    theirs: &core::PartialPosition,
    mv: Move,
    previous: Option<Square>,
    found: &mut Comparison,
) {
    found.moves += 1;
    let marks = marks(position, mv, Rivals::Attacking).expect("a legal move");
    found.marked += usize::from(marks != Marks::default());
    let files = Spelling { dragon: DragonForm::Simplified, ..Spelling::FOR_FILES };
    let ours = japanese(position, mv, previous, files).expect("a legal move");
    let official =
        shogi_official_kifu::display_single_move_kansuji(theirs, convert_move(position, mv));
    if official.as_deref() != Some(&ours.replace('　', "")) {
        found.differences.push(format!("{position} {mv}: {ours}, theirs {official:?}"));
    }
    // By the rules a move has the same marks, or none where its rivals cannot really move; either
    // way it is read back.
    let short = Spelling { rivals: Rivals::Legal, mark: SideMark::Triangles, ..files };
    let short = japanese(position, mv, previous, short).expect("a legal move");
    found.fewer_marks += usize::from(short != ours);
    for text in [&ours, &short] {
        let read = parse_japanese(position, text, previous);
        if read.as_ref() != Ok(&mv) {
            found.differences.push(format!("{position} {mv}: {text} reads as {read:?}"));
        }
    }
}

fn convert(position: &Position) -> core::PartialPosition {
    let mut theirs = core::PartialPosition::empty();
    for square in Square::all() {
        if let Some(piece) = position.piece_at(square) {
            let kind = core::PieceKind::from_u8(KINDS[piece.kind as usize]).expect("a kind");
            theirs.piece_set(
                convert_square(square),
                Some(core::Piece::new(kind, color(piece.color))),
            );
        }
    }
    theirs.side_to_move_set(color(position.turn()));
    theirs
}

/// The numbers of the crate for our kinds, in our order.
const KINDS: [u8; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

fn color(color: Color) -> core::Color {
    match color {
        Color::Black => core::Color::Black,
        Color::White => core::Color::White,
    }
}

fn convert_square(square: Square) -> core::Square {
    core::Square::new(square.file(), square.row() + 1).expect("a square")
}

fn convert_move(position: &Position, mv: Move) -> core::Move {
    let to = convert_square(mv.to());
    match mv.origin() {
        Origin::Board(from) => {
            core::Move::Normal { from: convert_square(from), to, promote: mv.promotes() }
        }
        Origin::Hand(kind) => {
            let kind = core::PieceKind::from_u8(KINDS[kind as usize]).expect("a kind");
            core::Move::Drop { piece: core::Piece::new(kind, color(position.turn())), to }
        }
    }
}
