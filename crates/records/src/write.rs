//! Writing records into files.

use std::collections::HashMap;

use keisei_shogi::Shogi;

use crate::formats::csa;
use crate::loss::Losses;
use crate::{
    AnyRecord, Construct, Encoding, Format, Loss, NodeId, Record, Recorded, Text, WriteError,
    Written, with_record,
};

impl<G: Recorded> Record<G> {
    /// The record as a file in UTF-8.
    pub fn write(&self, format: Format) -> Result<Written, WriteError> {
        self.write_encoded(format, Encoding::Utf8)
    }

    /// The record as a file. Characters that the encoding lacks are listed as losses of what they
    /// stood in. Only KIF, KI2 and CSA files are ever written in anything but UTF-8.
    pub fn write_encoded(&self, format: Format, encoding: Encoding) -> Result<Written, WriteError> {
        let Text { text, mut lost } = self.text(format)?;
        let encoding = encoding.within(format);
        add_unencodable(self, format, encoding, &mut lost);
        Ok(Written { bytes: encoding.encode(&declare(text, format, encoding)), lost })
    }

    fn text(&self, format: Format) -> Result<Text, WriteError> {
        G::write(self, format).ok_or(WriteError::Game { game: G::GAME, format })
    }
}

impl Format {
    /// The formats that hold records of `G`.
    pub fn holding<G: Recorded>() -> Vec<Self> {
        let record = Record::<G>::new();
        Self::ALL.into_iter().filter(|&format| G::write(&record, format).is_some()).collect()
    }
}

/// Writes a record of any game in UTF-8: see [`Record::write`].
pub fn write(record: &AnyRecord, format: Format) -> Result<Written, WriteError> {
    with_record!(record, record => record.write(format))
}

/// Writes a record of any game: see [`Record::write_encoded`].
pub fn write_encoded(
    record: &AnyRecord,
    format: Format,
    encoding: Encoding,
) -> Result<Written, WriteError> {
    with_record!(record, record => record.write_encoded(format, encoding))
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
            let texts =
                records.iter().map(|record| with_record!(record, record => record.text(format)));
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
    let mut losses = Losses::new(record);
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
