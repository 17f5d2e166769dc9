//! Metrics as TensorBoard reads them.
//!
//! An event file is a sequence of records: the length of the data (8 bytes, little end first), a
//! checksum of the length, the data, and a checksum of the data. The data is an `Event` message of
//! protocol buffers:
//!
//! | field | of | type |
//! |---|---|---|
//! | 1 `wall_time` | Event | 64-bit float |
//! | 2 `step` | Event | integer |
//! | 3 `file_version` | Event, the first one only | text |
//! | 5 `summary` | Event | message |
//! | 1 `value` | Summary, repeated | message |
//! | 1 `tag` | Value | text |
//! | 2 `simple_value` | Value | 32-bit float |

use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Record, Sink};
use crate::append::AppendFile;

/// An event file.
#[derive(Debug)]
pub struct TensorBoard(AppendFile);

impl TensorBoard {
    /// Writes at the end of `path`, after `length` bytes if given. TensorBoard finds files whose
    /// name contains `tfevents`.
    pub fn open(path: &Path, length: Option<u64>) -> io::Result<Self> {
        let mut file = AppendFile::open(path, length)?;
        if file.length() == 0 {
            let mut event = Message::default();
            event.double(1, now());
            event.bytes(3, b"brain.Event:2");
            file.write(&framed(&event.0))?;
        }
        Ok(Self(file))
    }
}

impl Sink for TensorBoard {
    fn name(&self) -> &'static str {
        "TensorBoard"
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        self.0.write(&framed(&event(record, now()).0))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.sync()
    }

    fn file(&self) -> Option<(&Path, u64)> {
        Some((self.0.path(), self.0.length()))
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

fn event(record: &Record, wall_time: f64) -> Message {
    let mut summary = Message::default();
    for (tag, &number) in &record.values {
        let mut value = Message::default();
        value.bytes(1, tag.as_bytes());
        value.float(2, number as f32);
        summary.bytes(1, &value.0);
    }
    let mut event = Message::default();
    event.double(1, wall_time);
    event.integer(2, record.step);
    event.bytes(5, &summary.0);
    event
}

/// A message of protocol buffers under construction.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn double(&mut self, field: u8, value: f64) {
        self.0.push(field << 3 | 1);
        self.0.extend(value.to_le_bytes());
    }

    fn float(&mut self, field: u8, value: f32) {
        self.0.push(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
    }

    fn integer(&mut self, field: u8, value: u64) {
        self.0.push(field << 3);
        self.varint(value);
    }

    fn bytes(&mut self, field: u8, bytes: &[u8]) {
        self.0.push(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
    }

    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

/// A record of an event file.
fn framed(data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u64).to_le_bytes();
    [&length[..], &masked(&length), data, &masked(data)].concat()
}

/// The checksum of a record: CRC-32C, rotated and shifted so that checksums of data that contains
/// checksums stay meaningful.
fn masked(data: &[u8]) -> [u8; 4] {
    crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

fn crc32c(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |crc, &byte| CRC_TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8))
}

/// The remainder of each byte by Castagnoli's polynomial, bits reversed.
const CRC_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_gives_the_published_values() {
        // The check value of CRC-32C, and the vectors of RFC 3720, appendix B.4.
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
    }

    #[test]
    fn an_event_is_the_protocol_buffer_it_should_be() {
        let mut record = Record::new(1, 300);
        record.set("a", 0.5);
        #[rustfmt::skip]
        let expected = [
            0x09, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, // wall_time = 1.0
            0x10, 0xac, 0x02, // step = 300
            0x2a, 0x0a, // summary of 10 bytes
            0x0a, 0x08, // value of 8 bytes
            0x0a, 0x01, b'a', // tag = "a"
            0x15, 0, 0, 0, 0x3f, // simple_value = 0.5
        ];
        assert_eq!(event(&record, 1.0).0, expected);
    }

    #[test]
    fn records_are_framed_by_length_and_checksums() {
        let record = framed(b"data");
        assert_eq!(record.len(), 8 + 4 + 4 + 4);
        assert_eq!(record[..8], 4u64.to_le_bytes());
        assert_eq!(record[8..12], masked(&4u64.to_le_bytes()));
        assert_eq!((&record[12..16], &record[16..]), (&b"data"[..], &masked(b"data")[..]));
    }

    #[test]
    fn a_new_file_begins_with_its_version_and_a_resumed_one_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.out.tfevents.1.keisei");
        let mut sink = TensorBoard::open(&path, None).unwrap();
        let header = sink.0.length();
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.windows(13).any(|window| window == b"brain.Event:2"));
        sink.write(&Record::new(1, 1)).unwrap();
        let first = sink.0.length();
        sink.write(&Record::new(2, 2)).unwrap();
        let sink = TensorBoard::open(&path, Some(first)).unwrap();
        assert!(header < first && sink.0.length() == first);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), first);
    }
}
