//! Errors as JavaScript knows them.

use std::error::Error;

use keisei_records::ReadError;
use tsify::Tsify;
use wasm_bindgen::JsValue;

use crate::explanation::{Explanation, RefusalCode};

/// A refusal: the sentence of an error of ours, as an `Error` of JavaScript. Where people cause it,
/// its property `explanation` says the same as data.
#[derive(Debug)]
pub struct Refusal(JsValue);

/// What callers of the package get instead of a value.
pub type Result<T, E = Refusal> = std::result::Result<T, E>;

impl Refusal {
    /// A refusal in words.
    pub(crate) fn new(sentence: &str) -> Self {
        Self(js_sys::Error::new(sentence).into())
    }

    /// A refusal of a text that shows no board of the game.
    pub(crate) fn no_position(sentence: &str) -> Self {
        Self::new(sentence).explained(Some(RefusalCode::NotAPosition.into()))
    }

    /// The same refusal with another property.
    fn with(self, name: &str, value: &JsValue) -> Self {
        // An object that was just made takes any property.
        let _ = js_sys::Reflect::set(&self.0, &name.into(), value);
        self
    }

    fn explained(self, explanation: Option<Explanation>) -> Self {
        match explanation.map(|explanation| explanation.into_js()) {
            Some(Ok(explanation)) => self.with("explanation", &explanation),
            _ => self,
        }
    }
}

impl<E: Error + 'static> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::new(&error.to_string()).explained(Explanation::of(&error))
    }
}

impl From<Refusal> for JsValue {
    fn from(refusal: Refusal) -> Self {
        refusal.0
    }
}

/// A refusal of a file, with the place of the problem as `line` and `column`.
pub(crate) fn unreadable(error: &ReadError) -> Refusal {
    Refusal::new(&error.to_string())
        .explained(Some(Explanation::of_record(error)))
        .with("line", &(error.line as u32).into())
        .with("column", &(error.column as u32).into())
}
