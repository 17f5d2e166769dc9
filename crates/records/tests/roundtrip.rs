//! Every sample through every format and every pair of formats: what is lost is listed, and what
//! is listed is lost.

#[path = "support/difference.rs"]
mod difference;
#[path = "support/samples.rs"]
mod samples;

use difference::through;
use keisei_records::{AnyRecord, Encoding, Format, WriteError, read, write, write_several};
use samples::samples;

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
        for format in Format::ALL {
            let Some(back) = through(&record, format, Encoding::Utf8, &name) else { continue };
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
        for first in Format::ALL {
            let Some(between) = through(&record, first, Encoding::Utf8, &name) else { continue };
            for second in Format::ALL {
                through(&between, second, Encoding::Utf8, &format!("{name} after {first}"));
            }
        }
    }
}

#[test]
fn every_sample_survives_every_encoding() {
    for (name, record) in records() {
        for format in Format::ALL {
            for encoding in [Encoding::Utf8WithMark, Encoding::ShiftJis] {
                through(&record, format, encoding, &format!("{name} in {encoding:?}"));
            }
        }
    }
}

#[test]
fn several_records_share_a_file_where_the_format_holds_several() {
    let games = |name: &str| {
        let sample = samples().into_iter().find(|sample| sample.name.ends_with(name)).unwrap();
        read(&sample.bytes, None).unwrap()
    };
    for (name, format) in [
        ("csa/two_games.csa", Format::Csa),
        ("usi/games.usi", Format::Usi),
        ("pgn/several.pgn", Format::Pgn),
    ] {
        let records = games(name);
        let (bytes, lost) = write_several(&records, format, Encoding::Utf8).unwrap();
        assert!(lost.iter().all(Vec::is_empty), "{name}: {lost:?}");
        let back = read(&bytes, None).unwrap();
        assert_eq!(records.len(), back.len());
        assert!(records.iter().zip(&back).all(|(one, two)| one.same_as(two)), "{name}");
    }
    let records = games("csa/two_games.csa");
    assert_eq!(
        write_several(&records, Format::Kif, Encoding::Utf8).unwrap_err(),
        WriteError::OneRecord(Format::Kif)
    );
    assert!(write(&records[0], Format::Pgn).is_err());
    assert!(write_several(&games("pgn/several.pgn"), Format::Csa, Encoding::Utf8).is_err());
}
