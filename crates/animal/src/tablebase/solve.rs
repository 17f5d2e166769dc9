//! Retrograde analysis: from the positions that are decided back to those that lead to them.

use arrayvec::ArrayVec;

use super::Index;
use super::predecessors::{can_take_lion, predecessors};
use super::sweep::Bytes;
use super::table::Table;
use crate::board::last_rank;
use crate::{Board, MAX_MOVES};

/// What the byte of a position says while the game is being solved.
///
/// | byte | the position |
/// |---|---|
/// | 0 | was not reached |
/// | 1 | was reached and waits to be expanded |
/// | 2 | the side to move can take the lion |
/// | 3 | the side to move has lost |
/// | 4 + n | is decided in n moves |
/// | 255 − n | has n successors that may still save the side to move |
mod code {
    pub(super) const UNSEEN: u8 = 0;
    pub(super) const OPEN: u8 = 1;
    pub(super) const TAKES: u8 = 2;
    pub(super) const LOST: u8 = 3;
    pub(super) const DECIDED: u8 = 4;
    /// No number of moves is greater, and no position has as many successors.
    pub(super) const UNDECIDED: u8 = 255 - super::MAX_MOVES as u8;
    pub(super) const REFUTED: u8 = 255;
}

/// How far [`solve`] has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// So many positions more were reached, one move farther from the start.
    Reached(usize),
    /// So many positions are decided in so many moves.
    Decided {
        /// The distance from the end.
        plies: u8,
        /// How many positions have it.
        positions: usize,
    },
}

/// How many positions can be reached from a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// All of them.
    pub positions: usize,
    /// Those in which the side to move can take the lion.
    pub taking: usize,
    /// Those in which the side to move has lost.
    pub lost: usize,
}

/// Counts the positions that can be reached from `start`, the start included, as Tanaka did in
/// 2009: a position counts once with its mirror image and with the players exchanged, and one in
/// which the lion can be taken counts, but nothing else is played there. Positions without a lion
/// do not count.
///
/// # Panics
///
/// If a lion is missing.
pub fn reachable(start: Board, threads: usize, progress: impl Fn(Progress)) -> Reached {
    let analysis = Analysis::new(start, threads, false);
    analysis.reach(start, &progress);
    let mut counts = [0; 256];
    for byte in analysis.bytes.iter() {
        counts[usize::from(byte)] += 1;
    }
    Reached {
        positions: counts.iter().sum::<usize>() - counts[usize::from(code::UNSEEN)],
        taking: counts[usize::from(code::TAKES)],
        lost: counts[usize::from(code::LOST)] + counts[usize::from(code::DECIDED)],
    }
}

/// Solves the game from `start` on `threads` threads: every position that legal moves can lead to
/// has its value in the table, even those behind a lion that nobody took. While it works, it takes
/// a byte for each number of the [`Index`].
///
/// # Panics
///
/// If a lion is missing.
pub fn solve(start: Board, threads: usize, progress: impl Fn(Progress)) -> Table {
    let analysis = Analysis::new(start, threads, true);
    analysis.reach(start, &progress);
    analysis.decide(&progress);
    let value = |byte: u8| match byte {
        ..code::DECIDED => None,
        code::UNDECIDED.. => Some(None),
        _ => Some(Some(byte - code::DECIDED)),
    };
    Table::new(analysis.index, analysis.bytes.iter().map(value))
}

struct Analysis {
    index: Index,
    bytes: Bytes,
    /// Whether other moves are played where the lion can be taken.
    spares_lions: bool,
}

/// The numbers of neighbours.
type Numbers = ArrayVec<usize, { 8 * MAX_MOVES }>;

impl Analysis {
    fn new(start: Board, threads: usize, spares_lions: bool) -> Self {
        let index = Index::of(start);
        let bytes = Bytes::new(index.len(), threads.max(1));
        Self { index, bytes, spares_lions }
    }

    /// Expands everything that can be reached.
    fn reach(&self, start: Board, progress: &impl Fn(Progress)) {
        let start = self.index.number(start).expect("both lions are there");
        self.bytes.set_waiting(start, code::OPEN);
        loop {
            let reached = self.bytes.sweep(code::OPEN, |number| self.expand(number));
            if reached == 0 {
                break;
            }
            progress(Progress::Reached(reached));
        }
    }

    /// Notes what can be said of a position by looking one move ahead, and opens its successors.
    fn expand(&self, number: usize) {
        let board = self.index.board(number);
        if board.lost().is_some() {
            return self.bytes.set(number, code::LOST);
        }
        let takes = can_take_lion(board);
        if takes && !self.spares_lions {
            return self.bytes.set(number, code::TAKES);
        }
        let (mut successors, mut saving) = (Numbers::new(), Numbers::new());
        let mut wins = false;
        for mv in board.legal_moves() {
            let mut next = board;
            next.play(mv);
            // Without a number the lion was taken, and no move follows.
            let Some(successor) = self.index.number_unchecked(next) else { continue };
            successors.push(successor);
            if !takes && !can_take_lion(next) {
                wins |= entered(next);
                if !saving.contains(&successor) {
                    saving.push(successor);
                }
            }
        }
        let byte = if takes {
            code::TAKES
        } else if successors.is_empty() {
            code::DECIDED
        } else if wins {
            code::DECIDED + 1
        } else if saving.is_empty() {
            code::DECIDED + 2
        } else {
            code::REFUTED - saving.len() as u8
        };
        self.bytes.set(number, byte);
        for successor in successors {
            self.bytes.change(successor, code::UNSEEN, code::OPEN);
        }
    }

    /// Goes back from the decided positions, the nearest to the end first.
    fn decide(&self, progress: &impl Fn(Progress)) {
        for plies in 0.. {
            // Looking ahead has found some positions that are decided in up to two moves.
            if plies <= 2 {
                self.bytes.wait_for_all();
            }
            let decided = code::DECIDED + plies;
            assert!(decided + 1 < code::UNDECIDED, "no game takes so many moves");
            let positions = self.bytes.sweep(decided, |number| self.go_back(number, plies));
            if positions == 0 && plies > 2 {
                break;
            }
            progress(Progress::Decided { plies, positions });
        }
    }

    /// Tells the predecessors of a position that it is decided in `plies`.
    fn go_back(&self, number: usize, plies: u8) {
        let decided = code::DECIDED + plies + 1;
        let mut told = Numbers::new();
        predecessors(self.index.board(number), |before| {
            let before = self.index.number_unchecked(before).expect("both lions are there");
            let undecided = (code::UNDECIDED..code::REFUTED).contains(&self.bytes.get(before));
            if !undecided || told.contains(&before) {
                return;
            }
            told.push(before);
            let lost = plies.is_multiple_of(2);
            if lost || self.bytes.increment(before) == code::REFUTED {
                self.bytes.set_waiting(before, decided);
            }
        });
    }
}

/// Whether the lion of the side that has just moved stands on the last rank.
fn entered(board: Board) -> bool {
    let mover = !board.turn();
    board.lion(mover).is_some_and(|lion| last_rank(mover).has(lion))
}
