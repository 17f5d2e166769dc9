//! Japanese encodings beside UTF-8, as the browser knows them: its tables need not be downloaded.

use std::cell::OnceCell;
use std::collections::HashMap;

use js_sys::{JsString, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    type TextDecoder;

    #[wasm_bindgen(constructor, catch)]
    fn new(label: &str, options: &Object) -> Result<TextDecoder, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn decode(this: &TextDecoder, bytes: &Uint8Array) -> Result<JsString, JsValue>;
}

/// The text in an encoding; where bytes are none of it, nothing, or � if that is let pass.
fn decode(label: &str, bytes: &[u8], strictly: bool) -> Option<String> {
    let options = Object::new();
    Reflect::set(&options, &"fatal".into(), &strictly.into()).ok()?;
    let decoder = TextDecoder::new(label, &options).ok()?;
    decoder.decode(&Uint8Array::from(bytes)).ok().map(String::from)
}

/// The text in Shift_JIS, if all of it is.
pub(super) fn from_shift_jis(bytes: &[u8]) -> Option<String> {
    decode("shift_jis", bytes, true)
}

/// The text in EUC-JP, if all of it is.
pub(super) fn from_euc_jp(bytes: &[u8]) -> Option<String> {
    decode("euc-jp", bytes, true)
}

/// Adds a character in Shift_JIS. False for one that it lacks, or that would come back changed.
pub(super) fn to_shift_jis(c: char, bytes: &mut Vec<u8>) -> bool {
    thread_local! {
        static CODES: OnceCell<HashMap<char, [u8; 2]>> = const { OnceCell::new() };
    }
    match c {
        '\0'..='\u{80}' => bytes.push(c as u8),
        '\u{ff61}'..='\u{ff9f}' => bytes.push((c as u32 - 0xff61 + 0xa1) as u8),
        _ => match CODES.with(|codes| codes.get_or_init(double_bytes).get(&c).copied()) {
            Some(code) => bytes.extend(code),
            None => return false,
        },
    }
    true
}

/// The characters of two bytes. Browsers only decode Shift_JIS, so all its codes are decoded at once.
/// Of several codes for a character the first is the one that is written, but never one of the rows
/// that repeat IBM's characters for old NEC machines (ED to EF); rows from F0 on are private.
fn double_bytes() -> HashMap<char, [u8; 2]> {
    let leads = (0x81..=0x9f).chain(0xe0..=0xec).chain(0xfa..=0xfc);
    let trails = || (0x40..=0x7e).chain(0x80..=0xfc_u8);
    let pairs: Vec<[u8; 2]> =
        leads.flat_map(|lead| trails().map(move |trail| [lead, trail])).collect();
    let lines: Vec<u8> = pairs.iter().flat_map(|&[lead, trail]| [lead, trail, b'\n']).collect();
    let text = decode("shift_jis", &lines, false).unwrap_or_default();
    let mut codes = HashMap::new();
    for (line, code) in text.split('\n').zip(pairs) {
        let mut characters = line.chars();
        if let (Some(c), None) = (characters.next(), characters.next())
            && c != '\u{fffd}'
        {
            codes.entry(c).or_insert(code);
        }
    }
    codes
}
