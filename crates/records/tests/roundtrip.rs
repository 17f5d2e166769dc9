//! Every sample through every format and every pair of formats: what is lost is listed, and what
//! is listed is lost.

#[path = "support/difference.rs"]
mod difference;
#[path = "support/samples.rs"]
mod samples;

use difference::missing;
use keisei_records::{AnyRecord, Construct, Encoding, Format, NodeId, read, write, write_encoded};
use samples::samples;

/// The formats that hold records of this game.
fn formats(record: &AnyRecord) -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(move |&format| write(record, format).is_ok())
}

/// Writes the record, reads it back and checks that exactly the listed things are lost.
#[track_caller]
fn through(record: &AnyRecord, format: Format, encoding: Encoding, what: &str) -> AnyRecord {
    let written = write_encoded(record, format, encoding).unwrap();
    let text = String::from_utf8_lossy(&written.bytes).into_owned();
    let back = read(&written.bytes, Some(format));
    let back = back.unwrap_or_else(|error| panic!("{what} as {format}: {error}\n{text}"));
    let [back] = back.try_into().expect("one record was written");
    let mut listed: Vec<(Construct, NodeId)> =
        written.lost.iter().map(|loss| (loss.construct, loss.node)).collect();
    listed.sort();
    assert_eq!(missing(record, &back), listed, "{what} as {format}\n{text}");
    back
}

fn records() -> impl Iterator<Item = (String, AnyRecord)> {
    samples().into_iter().flat_map(|sample| {
        let records = read(&sample.bytes, Some(sample.format));
        let records = records.unwrap_or_else(|error| panic!("{}: {error}", sample.name));
        let name = move |index| format!("{} #{index}", sample.name);
        let numbered = records.into_iter().enumerate();
        numbered.map(move |(index, record)| (name(index), record))
    })
}

#[test]
fn there_are_more_than_forty_samples_and_each_is_known_by_its_content() {
    let samples = samples();
    assert!(samples.len() >= 40, "{} samples", samples.len());
    for sample in samples {
        let by_name = read(&sample.bytes, Some(sample.format)).unwrap();
        let by_content =
            read(&sample.bytes, None).unwrap_or_else(|e| panic!("{}: {e}", sample.name));
        assert_eq!(by_name.len(), by_content.len(), "{}", sample.name);
        for (one, two) in by_name.iter().zip(&by_content) {
            assert!(one.same_as(two), "{}", sample.name);
        }
    }
}

#[test]
fn every_sample_survives_every_format_but_for_what_is_listed_as_lost() {
    for (name, record) in records() {
        for format in formats(&record) {
            let back = through(&record, format, Encoding::Utf8, &name);
            // What a format has once taken it keeps.
            let again = write(&back, format).unwrap();
            assert_eq!(again.lost, [], "{name} as {format} twice");
            let text = again.text().unwrap();
            assert_eq!(Format::detect(text), Some(format), "{text}");
        }
    }
}

#[test]
fn every_sample_survives_every_pair_of_formats_but_for_what_is_listed_as_lost() {
    for (name, record) in records() {
        for first in formats(&record) {
            let between = through(&record, first, Encoding::Utf8, &name);
            for second in formats(&record) {
                through(&between, second, Encoding::Utf8, &format!("{name} after {first}"));
            }
        }
    }
}

#[test]
fn every_sample_survives_every_encoding() {
    for (name, record) in records() {
        for format in formats(&record) {
            for encoding in [Encoding::Utf8WithMark, Encoding::ShiftJis] {
                through(&record, format, encoding, &format!("{name} in {encoding:?}"));
            }
        }
    }
}
