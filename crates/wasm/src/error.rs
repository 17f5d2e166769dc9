//! Errors as JavaScript knows them.

use keisei_records::ReadError;
use wasm_bindgen::JsValue;

/// A refusal: the sentence of an error of ours, as an `Error` of JavaScript.
#[derive(Debug)]
pub struct Refusal(JsValue);

/// What callers of the package get instead of a value.
pub type Result<T, E = Refusal> = std::result::Result<T, E>;

impl Refusal {
    /// A refusal in words.
    pub(crate) fn new(sentence: &str) -> Self {
        Self(js_sys::Error::new(sentence).into())
    }
}

impl<E: std::error::Error> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::new(&error.to_string())
    }
}

impl From<Refusal> for JsValue {
    fn from(refusal: Refusal) -> Self {
        refusal.0
    }
}

/// A refusal of a file, with the place of the problem as `line` and `column`.
pub(crate) fn unreadable(error: &ReadError) -> Refusal {
    let object = js_sys::Error::new(&error.to_string());
    for (name, number) in [("line", error.line), ("column", error.column)] {
        // An object that was just made takes any property.
        let _ = js_sys::Reflect::set(&object, &name.into(), &(number as u32).into());
    }
    Refusal(object.into())
}
