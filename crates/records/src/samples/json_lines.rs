//! Samples as JSON objects, one a line, for people and for programs without a reader of their own.

use super::binary::{seen_by, winner};
use super::{Problem, Sample};
use crate::formats::json::{Document, Json};

pub(super) fn write(sample: &Sample) -> String {
    let Sample { position, mv, score, winner } = sample;
    let result = seen_by(position.turn(), *winner);
    // Neither an SFEN nor a move has a character that JSON would escape.
    format!("{{\"sfen\":\"{position}\",\"move\":\"{mv}\",\"score\":{score},\"result\":{result}}}\n")
}

pub(super) fn read(line: &str) -> Result<Sample, Problem> {
    let json = |error: crate::ReadError| Problem::Json(error.to_string());
    let document = Document::parse(line).map_err(json)?;
    let root = document.root();
    let field = |key: &str| -> Result<Json<'_>, Problem> {
        root.get(key).ok_or_else(|| Problem::Json(format!("the object has no {key:?}")))
    };
    let sfen = field("sfen")?.text().map_err(json)?;
    let position: keisei_shogi::Position =
        sfen.parse().map_err(|error| Problem::Json(format!("{sfen:?}: {error}")))?;
    let text = field("move")?.text().map_err(json)?;
    let legal = text.parse().ok().filter(|&mv| position.is_legal(mv));
    let mv =
        legal.ok_or_else(|| Problem::Move { mv: text.to_owned(), sfen: position.to_string() })?;
    let (least, most) = (i64::from(i16::MIN), i64::from(i16::MAX));
    let score = field("score")?.whole(least, most).map_err(json)? as i16;
    let result = field("result")?.whole(-1, 1).map_err(json)?;
    Ok(Sample { position, mv, score, winner: winner(position.turn(), result)? })
}
