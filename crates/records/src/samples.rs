//! Positions for learning, as programs exchange them: HCPE, PSV and JSON lines.
//!
//! A sample is a position of a game with the move that was played, a score and how the game ended.
//! Files of samples have no names, times or comments, and need not hold whole games; consecutive
//! samples that follow from each other are one game again.
//!
//! | format | bytes | score | result |
//! |---|---|---|---|
//! | HCPE, of Apery and dlshogi | 38: position 32, score 2, move 2, result 1, unused 1 | side to move | 0 draw, 1 Black, 2 White |
//! | PSV, of YaneuraOu | 40: position 32, score 2, move 2, ply 2, result 1, unused 1 | side to move | 1 won, 0 draw, −1 lost by the side to move |
//! | JSON lines | `{"sfen":…,"move":"7g7f","score":35,"result":1}` | side to move | as in PSV |

mod binary;
mod games;
mod huffman;
mod json_lines;

use std::fmt;
use std::io::{self, BufRead, Write};
use std::path::Path;

use keisei_game::Side;
use keisei_shogi::{Move, Position};

pub use games::{GameSamples, Games, MATE_SCORE, samples_of};
pub use huffman::{Code, PackError, UnpackError, pack, unpack};

/// A position of a game, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The move that was played, a legal one.
    pub mv: Move,
    /// How good the position is for the side to move, in hundredths of a pawn.
    pub score: i16,
    /// Who won the game: `None` for a draw.
    pub winner: Option<Side>,
}

/// A file format of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SampleFormat {
    /// Huffman-coded positions with evaluations, as Apery and dlshogi learn from.
    Hcpe,
    /// Packed SFENs with values, as YaneuraOu learns from.
    Psv,
    /// A JSON object a line.
    JsonLines,
}

impl SampleFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Hcpe, Self::Psv, Self::JsonLines];

    /// The format that the extension of `path` stands for.
    pub fn from_path(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "hcpe" => Self::Hcpe,
            "psv" | "bin" => Self::Psv,
            "jsonl" | "ndjson" => Self::JsonLines,
            _ => return None,
        })
    }

    /// The usual extension, without a dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Hcpe => "hcpe",
            Self::Psv => "psv",
            Self::JsonLines => "jsonl",
        }
    }

    /// Writes one sample.
    ///
    /// # Errors
    ///
    /// If the writer refuses, or the position cannot be packed.
    pub fn write(self, sample: &Sample, to: &mut dyn Write) -> Result<(), SampleError> {
        match self {
            Self::Hcpe => to.write_all(&binary::hcpe(sample)?)?,
            Self::Psv => to.write_all(&binary::psv(sample)?)?,
            Self::JsonLines => to.write_all(json_lines::write(sample).as_bytes())?,
        }
        Ok(())
    }

    /// The samples that `from` holds, one after the other. Each is checked: the position can occur
    /// and its move is legal.
    pub fn read<R: BufRead>(self, from: R) -> Samples<R> {
        Samples { format: self, from, number: 0 }
    }
}

impl fmt::Display for SampleFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Hcpe => "HCPE",
            Self::Psv => "PSV",
            Self::JsonLines => "JSON lines",
        })
    }
}

/// The samples of a file.
#[derive(Debug)]
pub struct Samples<R> {
    format: SampleFormat,
    from: R,
    number: u64,
}

impl<R: BufRead> Iterator for Samples<R> {
    type Item = Result<Sample, SampleError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.number += 1;
        let read = match self.format {
            SampleFormat::Hcpe => record(&mut self.from).map(|r| r.map(|b| binary::read_hcpe(&b))),
            SampleFormat::Psv => record(&mut self.from).map(|r| r.map(|b| binary::read_psv(&b))),
            SampleFormat::JsonLines => {
                line(&mut self.from).map(|r| r.map(|text| json_lines::read(&text)))
            }
        };
        let number = self.number;
        match read {
            Ok(None) => None,
            Ok(Some(Ok(sample))) => Some(Ok(sample)),
            Ok(Some(Err(problem))) => Some(Err(SampleError::Bad { number, problem })),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Some(Err(SampleError::Bad { number, problem: Problem::Truncated }))
            }
            Err(error) => Some(Err(error.into())),
        }
    }
}

/// The next `N` bytes, or `None` at the end of the file.
fn record<const N: usize>(from: &mut impl BufRead) -> io::Result<Option<[u8; N]>> {
    if from.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

/// The next line that is not empty.
fn line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    loop {
        let mut text = String::new();
        if from.read_line(&mut text)? == 0 {
            return Ok(None);
        }
        if !text.trim().is_empty() {
            return Ok(Some(text));
        }
    }
}

/// Why samples cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The disk refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The format cannot hold the position.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A sample is broken.
    #[error("sample {number}: {problem}")]
    Bad {
        /// Its number, from 1.
        number: u64,
        /// What is wrong with it.
        problem: Problem,
    },
}

/// What is wrong with a sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file ends in it.
    #[error("the file ends in the middle of it")]
    Truncated,
    /// The position cannot be unpacked.
    #[error(transparent)]
    Position(#[from] UnpackError),
    /// The move is none, or not legal there.
    #[error("the move {mv} is not legal in {sfen}")]
    Move {
        /// The move, as the file writes it.
        mv: String,
        /// The position.
        sfen: String,
    },
    /// The result is none of the format's.
    #[error("{0} is no result")]
    Result(i64),
    /// A line that is no JSON object with the fields of a sample.
    #[error("{0}")]
    Json(String),
}
