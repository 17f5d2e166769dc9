//! Solved positions, in memory and in a file.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use super::predecessors::can_take_lion;
use super::{Index, Value};
use crate::{Board, Move};

/// The values of all positions that can be reached from a start.
///
/// A bit for each number of the [`Index`] says whether the position has a value here, and the
/// values follow in order, a byte each. Positions in which a lion can be taken or the game is lost
/// need none.
pub struct Table {
    index: Index,
    known: Vec<u64>,
    /// How many values come before each group of words.
    before: Vec<u32>,
    /// The moves to the end, or [`DRAW`].
    values: Vec<u8>,
}

const DRAW: u8 = 255;
/// How many words of [`Table::known`] are counted together.
const GROUP: usize = 8;
/// The first bytes of a file, with the version of its format.
const MAGIC: &[u8; 16] = b"keisei animal 1\n";

/// Why a file is no table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("this is no table of animal shogi, or one of another version")]
    Format,
    /// The file is cut off or has something behind its end.
    #[error("the table has {found} values; {expected} are missing or too many")]
    Length {
        /// How many values there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
}

impl Table {
    /// A table of values by number: `None` for positions that need none, else the moves to the end,
    /// `None` for a draw.
    pub(super) fn new(index: Index, values: impl Iterator<Item = Option<Option<u8>>>) -> Self {
        let mut known = vec![0; index.len().div_ceil(64)];
        let mut bytes = Vec::new();
        for (number, value) in values.enumerate() {
            if let Some(plies) = value {
                known[number / 64] |= 1 << (number % 64);
                bytes.push(plies.unwrap_or(DRAW));
            }
        }
        bytes.shrink_to_fit();
        Self { index, before: counts_before(&known), known, values: bytes }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// What a position is worth to the side to move, or `None` if it cannot be reached from the
    /// start of the table.
    pub fn value(&self, board: Board) -> Option<Value> {
        if board.lost().is_some() {
            return Some(Value::Loss(0));
        }
        if can_take_lion(board) {
            return Some(Value::Win(1));
        }
        let number = self.index.number(board)?;
        let word = self.known[number / 64];
        if word >> (number % 64) & 1 == 0 {
            return None;
        }
        let group = number / 64 / GROUP;
        let words = &self.known[group * GROUP..number / 64];
        let earlier: u32 = words.iter().map(|word| word.count_ones()).sum();
        let below = (word & ((1 << (number % 64)) - 1)).count_ones();
        Some(match self.values[(self.before[group] + earlier + below) as usize] {
            DRAW => Value::Draw,
            plies => Value::decided_in(plies),
        })
    }

    /// What a legal move leads to: the value for the side that is to move after it.
    pub fn value_after(&self, board: Board, mv: Move) -> Option<Value> {
        let mut next = board;
        next.play(mv);
        self.value(next)
    }

    /// How many of the values are draws, and how many are decided in each number of moves.
    pub fn histogram(&self) -> (usize, Vec<usize>) {
        let mut counts = [0; 256];
        for &value in &self.values {
            counts[usize::from(value)] += 1;
        }
        let longest = (0..usize::from(DRAW)).rev().find(|&plies| counts[plies] > 0);
        (counts[usize::from(DRAW)], counts[..longest.map_or(0, |plies| plies + 1)].to_vec())
    }

    /// Writes the table to a file.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(MAGIC)?;
        file.write_all(&self.index.totals())?;
        for word in &self.known {
            file.write_all(&word.to_le_bytes())?;
        }
        file.write_all(&self.values)?;
        file.flush()
    }

    /// Reads a table from a file.
    pub fn load(path: &Path) -> Result<Self, TableError> {
        let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
        let (mut magic, mut totals) = ([0; MAGIC.len()], [0; 3]);
        file.read_exact(&mut magic)?;
        file.read_exact(&mut totals)?;
        if &magic != MAGIC || totals.iter().any(|&total| total > 2) {
            return Err(TableError::Format);
        }
        let index = Index::with_totals(totals);
        let mut known = vec![0; index.len().div_ceil(64)];
        for word in &mut known {
            let mut bytes = [0; 8];
            file.read_exact(&mut bytes)?;
            *word = u64::from_le_bytes(bytes);
        }
        let expected = known.iter().map(|word| word.count_ones() as usize).sum();
        let mut values = Vec::with_capacity(expected);
        file.read_to_end(&mut values)?;
        if values.len() != expected {
            return Err(TableError::Length { expected, found: values.len() });
        }
        Ok(Self { index, before: counts_before(&known), known, values })
    }
}

/// How many bits are set before each group of words.
fn counts_before(known: &[u64]) -> Vec<u32> {
    let mut total = 0;
    let count = |group: &[u64]| {
        let before = total;
        total += group.iter().map(|word| word.count_ones()).sum::<u32>();
        before
    };
    known.chunks(GROUP).map(count).collect()
}
