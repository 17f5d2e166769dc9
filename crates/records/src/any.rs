//! Records of any game, and reading and writing them in any format.

use std::collections::HashMap;

use keisei_games::GameName;
use keisei_shogi::Shogi;

use crate::encoding::{Encoding, decode};
use crate::formats::{csa, jkf, ki2, kif, pgn, sfenx, usi};
use crate::{
    Construct, Format, Limits, Listed, Loss, NodeId, Problem, ReadError, Record, Recorded, Text,
    WriteError, Written,
};

macro_rules! any_record {
    ([$($game:ident = $krate:ident::$type:ident, $about:literal;)*]) => {
        /// A record of one of the games.
        #[derive(Clone, Debug)]
        pub enum AnyRecord {
            $(
                #[doc = concat!("A record of [`", stringify!($type), "`](keisei_games::", stringify!($game), ").")]
                $game(Record<keisei_games::$game>),
            )*
        }

        $(
            impl Listed for keisei_games::$game {
                fn into_any(record: Record<Self>) -> AnyRecord {
                    AnyRecord::$game(record)
                }

                fn of_any(record: &AnyRecord) -> Option<&Record<Self>> {
                    match record {
                        AnyRecord::$game(record) => Some(record),
                        #[allow(unreachable_patterns, reason = "there may be one game only")]
                        _ => None,
                    }
                }
            }
        )*

        impl AnyRecord {
            /// The name of the game.
            pub const fn game(&self) -> GameName {
                match self {
                    $(Self::$game(_) => GameName::$game,)*
                }
            }
        }
    };
}

keisei_games::for_each_game!(any_record! {});

/// Evaluates an expression with the record that is in an [`AnyRecord`], of whatever game it is:
/// `with_record!(any, record => record.headers.len())`.
#[macro_export]
macro_rules! with_record {
    ($any:expr, $record:pat => $body:expr) => {
        $crate::games::for_each_game!($crate::match_record! { ($any) ($record) ($body) })
    };
}

/// What [`with_record!`] becomes.
#[doc(hidden)]
#[macro_export]
macro_rules! match_record {
    (
        [$($game:ident = $krate:ident::$type:ident, $about:literal;)*]
        ($any:expr) ($record:pat) ($body:expr)
    ) => {
        match $any {
            $($crate::AnyRecord::$game($record) => $body,)*
        }
    };
}

impl AnyRecord {
    /// The record, if it is one of `G`.
    pub fn of<G: Recorded>(&self) -> Option<&Record<G>> {
        G::of_any(self)
    }

    /// Whether the two records say the same, as [`Record::same_as`] compares them.
    pub fn same_as(&self, other: &Self) -> bool {
        with_record!(self, record => other.of().is_some_and(|other| record.same_as(other)))
    }
}

impl<G: Recorded> From<Record<G>> for AnyRecord {
    fn from(record: Record<G>) -> Self {
        G::into_any(record)
    }
}

/// Reads a file in the format `hint`, or in the one its text shows.
pub fn read(bytes: &[u8], hint: Option<Format>) -> Result<Vec<AnyRecord>, ReadError> {
    read_within(bytes, hint, Limits::default())
}

/// Reads a KIF file.
pub fn read_kif(bytes: &[u8]) -> Result<Vec<AnyRecord>, ReadError> {
    read(bytes, Some(Format::Kif))
}

/// Reads a KI2 file.
pub fn read_ki2(bytes: &[u8]) -> Result<Vec<AnyRecord>, ReadError> {
    read(bytes, Some(Format::Ki2))
}

/// Reads a CSA file.
pub fn read_csa(bytes: &[u8]) -> Result<Vec<AnyRecord>, ReadError> {
    read(bytes, Some(Format::Csa))
}

/// Reads a JKF file.
pub fn read_jkf(bytes: &[u8]) -> Result<Vec<AnyRecord>, ReadError> {
    read(bytes, Some(Format::Jkf))
}

/// Reads USI or UCI position lines.
pub fn read_usi(bytes: &[u8]) -> Result<Vec<AnyRecord>, ReadError> {
    read(bytes, Some(Format::Usi))
}

/// Reads an SFENX file.
pub fn read_sfenx(bytes: &[u8]) -> Result<Vec<AnyRecord>, ReadError> {
    read(bytes, Some(Format::Sfenx))
}

/// Reads a PGN file.
pub fn read_pgn(bytes: &[u8]) -> Result<Vec<AnyRecord>, ReadError> {
    read(bytes, Some(Format::Pgn))
}

/// Reads a file as [`read`] does, with limits of your own.
pub fn read_within(
    bytes: &[u8],
    hint: Option<Format>,
    limits: Limits,
) -> Result<Vec<AnyRecord>, ReadError> {
    if bytes.len() > limits.bytes {
        let problem = Problem::Limit { limit: limits.bytes, what: "bytes" };
        return Err(ReadError::at("", 0, "", problem));
    }
    let text = decode(bytes)?;
    let format = hint.or_else(|| Format::detect(&text));
    let format = format.ok_or_else(|| ReadError::at(&text, 0, &text, Problem::Format))?;
    fn any<G: Recorded>(records: Vec<Record<G>>) -> Vec<AnyRecord> {
        records.into_iter().map(AnyRecord::from).collect()
    }
    Ok(match format {
        Format::Kif => vec![kif::read(&text, limits)?.into()],
        Format::Ki2 => vec![ki2::read(&text, limits)?.into()],
        Format::Csa => any(csa::read(&text, limits)?),
        Format::Jkf => vec![jkf::read(&text, limits)?.into()],
        Format::Usi => usi::read(&text, limits)?,
        Format::Sfenx => any(sfenx::read(&text, limits)?),
        Format::Pgn => any(pgn::read(&text, limits)?),
    })
}

/// Writes a record in UTF-8.
pub fn write(record: &AnyRecord, format: Format) -> Result<Written, WriteError> {
    write_encoded(record, format, Encoding::Utf8)
}

/// Writes a record. Characters that the encoding lacks are listed as losses of what they stood in.
/// Only KIF, KI2 and CSA files are ever written in anything but UTF-8.
pub fn write_encoded(
    record: &AnyRecord,
    format: Format,
    encoding: Encoding,
) -> Result<Written, WriteError> {
    let Text { text, mut lost } = write_text(record, format)?;
    let encoding = encoding.within(format);
    with_record!(record, record => add_unencodable(record, format, encoding, &mut lost));
    Ok(Written { bytes: encoding.encode(&declare(text, format, encoding)), lost })
}

/// Writes several records into one file, if the format holds several. The losses of each record
/// stand apart, in the order of the records.
pub fn write_several(
    records: &[AnyRecord],
    format: Format,
    encoding: Encoding,
) -> Result<(Vec<u8>, Vec<Vec<Loss>>), WriteError> {
    if let [record] = records {
        let written = write_encoded(record, format, encoding)?;
        return Ok((written.bytes, vec![written.lost]));
    }
    let encoding = encoding.within(format);
    let (text, mut lost) = match format {
        Format::Kif | Format::Ki2 | Format::Jkf | Format::Sfenx => {
            return Err(WriteError::OneRecord(format));
        }
        Format::Csa => {
            let shogi = records.iter().map(|record| {
                record.of::<Shogi>().ok_or(WriteError::Game { game: record.game(), format })
            });
            csa::write_several(&shogi.collect::<Result<Vec<_>, _>>()?)
        }
        Format::Usi | Format::Pgn => {
            let texts = records.iter().map(|record| write_text(record, format));
            let texts = texts.collect::<Result<Vec<_>, _>>()?;
            let text = texts.iter().map(|one| one.text.as_str()).collect();
            (text, texts.into_iter().map(|one| one.lost).collect())
        }
    };
    for (record, lost) in records.iter().zip(&mut lost) {
        with_record!(record, record => add_unencodable(record, format, encoding, lost));
    }
    Ok((encoding.encode(&declare(text, format, encoding)), lost))
}

fn write_text(record: &AnyRecord, format: Format) -> Result<Text, WriteError> {
    let text = with_record!(record, record => Recorded::write(record, format));
    text.ok_or(WriteError::Game { game: record.game(), format })
}

/// The text with its encoding declared where the format declares one.
fn declare(text: String, format: Format, encoding: Encoding) -> String {
    let name = match (encoding, format) {
        (Encoding::ShiftJis, Format::Kif) => "encoding=Shift_JIS",
        (Encoding::ShiftJis, Format::Csa) => "encoding=SHIFT_JIS",
        _ => return text,
    };
    text.replacen("encoding=UTF-8", name, 1)
}

/// Lists the texts of the record that have characters the encoding lacks, unless they are lost
/// anyway.
fn add_unencodable<G: Recorded>(
    record: &Record<G>,
    format: Format,
    encoding: Encoding,
    lost: &mut Vec<Loss>,
) {
    let mut losses = crate::loss::Losses::new(record);
    for (key, value) in record.headers.iter() {
        if !encoding.holds(key) || !encoding.holds(value) {
            losses.add(Construct::Header, NodeId::ROOT, format!("{key}：{value}"));
        }
    }
    let written: Vec<_> = match format {
        Format::Csa => record.main_line().collect(),
        _ => record.preorder().collect(),
    };
    for id in std::iter::once(NodeId::ROOT).chain(written) {
        let notes = &record.node(id).notes;
        if !encoding.holds(&notes.comment) {
            losses.add(Construct::Comment, id, &notes.comment);
        }
        if let Some(name) = notes.bookmark.as_ref().filter(|name| !encoding.holds(name)) {
            losses.add(Construct::Bookmark, id, name);
        }
        let mut engines = notes.evaluations.iter().filter_map(|found| found.engine.as_deref());
        if let Some(engine) = engines.find(|engine| !encoding.holds(engine)) {
            losses.add(Construct::Evaluation, id, engine);
        }
    }
    let name = |loss: &Loss| {
        let header = (loss.construct == Construct::Header).then(|| loss.detail.clone());
        (loss.construct, loss.node, header)
    };
    let mut known: HashMap<_, usize> = HashMap::new();
    lost.iter().for_each(|loss| *known.entry(name(loss)).or_default() += 1);
    for loss in losses.into_list() {
        match known.get_mut(&name(&loss)).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => lost.push(loss),
        }
    }
}
