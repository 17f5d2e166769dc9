//! Any bytes are a record or are refused; what is written can be read, and says the same unless the
//! writer listed what was lost.
#![no_main]

use keisei_records::{Format, read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The first byte names the format, or leaves it to the text.
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let hint = Format::ALL.get(first as usize % (Format::ALL.len() + 1)).copied();
    let Ok(records) = read(bytes, hint) else { return };
    for record in &records {
        for format in Format::ALL {
            let Ok(written) = write(record, format) else { continue };
            let text = String::from_utf8_lossy(&written.bytes);
            let again = read(&written.bytes, Some(format))
                .unwrap_or_else(|error| panic!("{format:?} is not read back: {error}\n{text}"));
            if written.lost.is_empty() {
                assert!(again.iter().any(|again| again.same_as(record)), "{format:?}:\n{text}");
            }
        }
    }
});
