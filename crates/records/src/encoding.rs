//! The bytes of a record file as text, and back.

#[cfg_attr(target_family = "wasm", path = "encoding/browser.rs")]
mod japanese;

use crate::{Format, Problem, ReadError};

/// The character encoding of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// UTF-8 with a byte order mark, as some Windows programs want it.
    Utf8WithMark,
    /// Shift_JIS, as `.kif` and old `.csa` files have it.
    ShiftJis,
}

const MARK: &str = "\u{feff}";

impl Encoding {
    /// This encoding where the format allows it, otherwise UTF-8.
    pub(crate) const fn within(self, format: Format) -> Self {
        match format {
            Format::Kif | Format::Ki2 | Format::Csa => self,
            Format::Jkf | Format::Usi | Format::Sfenx | Format::Pgn => Self::Utf8,
        }
    }

    /// The encoding that [`decode`] finds `bytes` in, if records are written in it: EUC-JP is only
    /// read.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        match std::str::from_utf8(bytes) {
            Ok(text) if text.starts_with(MARK) => Some(Self::Utf8WithMark),
            Ok(_) => Some(Self::Utf8),
            Err(_) => japanese::from_shift_jis(bytes).map(|_| Self::ShiftJis),
        }
    }

    /// Whether every character of `text` can be written. Shift_JIS has one code for several
    /// characters; those that would come back changed count as not writable.
    pub(crate) fn holds(self, text: &str) -> bool {
        let mut bytes = Vec::new();
        self != Self::ShiftJis || text.chars().all(|c| japanese::to_shift_jis(c, &mut bytes))
    }

    /// The bytes of `text`, with 〓 for characters that cannot be written.
    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Utf8WithMark => [MARK, text].concat().into_bytes(),
            Self::ShiftJis => {
                let mut bytes = Vec::with_capacity(text.len());
                for c in text.chars() {
                    if !japanese::to_shift_jis(c, &mut bytes) {
                        japanese::to_shift_jis('〓', &mut bytes);
                    }
                }
                bytes
            }
        }
    }
}

/// Decodes a file: UTF-8 with or without a byte order mark, otherwise Shift_JIS, or EUC-JP in old
/// files from Unix.
pub fn decode(bytes: &[u8]) -> Result<String, ReadError> {
    let bytes = bytes.strip_prefix(MARK.as_bytes()).unwrap_or(bytes);
    let broken = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text.to_owned()),
        Err(broken) => broken,
    };
    let text = japanese::from_shift_jis(bytes).or_else(|| japanese::from_euc_jp(bytes));
    text.ok_or_else(|| {
        let valid = String::from_utf8_lossy(&bytes[..broken.valid_up_to()]);
        ReadError::at(&valid, valid.len(), "", Problem::Encoding)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euc_jp_is_read_where_the_bytes_are_no_shift_jis() {
        let text = "'平手の盤面\nN+山田将棋\n";
        let bytes = encoding_rs::EUC_JP.encode(text).0;
        assert_eq!(decode(&bytes).unwrap(), text);
    }

    #[test]
    fn utf_8_with_or_without_a_mark_and_shift_jis_read_alike() {
        let text = "手合割：平手　▲７六歩\n";
        for encoding in [Encoding::Utf8, Encoding::Utf8WithMark, Encoding::ShiftJis] {
            assert!(encoding.holds(text));
            assert_eq!(decode(&encoding.encode(text)).unwrap(), text, "{encoding:?}");
            assert_eq!(Encoding::detect(&encoding.encode(text)), Some(encoding));
        }
    }

    #[test]
    fn what_shift_jis_lacks_becomes_a_geta_mark() {
        assert!(!Encoding::ShiftJis.holds("☗"));
        assert_eq!(decode(&Encoding::ShiftJis.encode("☗７六歩")).unwrap(), "〓７六歩");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_where_they_stand() {
        let error = decode(b"V2.2\nN+\xff\xff").unwrap_err();
        assert_eq!((error.line, error.column, error.problem), (2, 3, Problem::Encoding));
    }
}
