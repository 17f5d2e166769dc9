//! Japanese encodings beside UTF-8.

use encoding_rs::{EUC_JP, SHIFT_JIS};

/// The text in Shift_JIS, if all of it is.
pub(super) fn from_shift_jis(bytes: &[u8]) -> Option<String> {
    let text = SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(text.into_owned())
}

/// The text in EUC-JP, if all of it is.
pub(super) fn from_euc_jp(bytes: &[u8]) -> Option<String> {
    let text = EUC_JP.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(text.into_owned())
}

/// Adds a character in Shift_JIS. False for one that it lacks, or that would come back changed.
pub(super) fn to_shift_jis(c: char, bytes: &mut Vec<u8>) -> bool {
    let mut text = [0; 4];
    let text = c.encode_utf8(&mut text);
    let (code, _, unmappable) = SHIFT_JIS.encode(text);
    let held = !unmappable && SHIFT_JIS.decode_without_bom_handling(&code).0 == *text;
    if held {
        bytes.extend_from_slice(&code);
    }
    held
}
