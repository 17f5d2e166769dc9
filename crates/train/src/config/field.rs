//! What a configured value may be: its type, its limits and how it is shown.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A value that a configuration can hold.
pub(super) trait Setting: Serialize + DeserializeOwned {
    /// What it is, in words that fit after "not".
    const KIND: &'static str;

    /// Whether there may be no value.
    const OPTIONAL: bool = false;

    /// The value as a number, where limits apply to it.
    fn number(&self) -> Option<f64> {
        None
    }
}

macro_rules! numbers {
    ($($type:ty: $kind:literal),*) => {
        $(impl Setting for $type {
            const KIND: &'static str = $kind;

            fn number(&self) -> Option<f64> {
                Some(*self as f64)
            }
        })*
    };
}

numbers!(f64: "a number", usize: "a whole number", u64: "a whole number");

impl Setting for bool {
    const KIND: &'static str = "true or false";
}

impl Setting for keisei_games::GameName {
    const KIND: &'static str = "a name";
}

impl Setting for String {
    const KIND: &'static str = "a text";
}

impl Setting for Vec<String> {
    const KIND: &'static str = "a list of texts";
}

impl<T: Setting> Setting for Option<T> {
    const KIND: &'static str = T::KIND;
    const OPTIONAL: bool = true;

    fn number(&self) -> Option<f64> {
        self.as_ref().and_then(T::number)
    }
}

/// The values that a setting may take, beyond its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limits {
    /// All of its type.
    Any,
    /// Numbers from the first to the second, both included.
    Between(f64, f64),
    /// Numbers from this one on.
    AtLeast(f64),
    /// Numbers above this one.
    Above(f64),
    /// These names.
    OneOf(&'static [&'static str]),
}

impl Limits {
    /// Whether `number` lies within. Never true of what is no number.
    fn allow(self, number: f64) -> bool {
        match self {
            Self::Any | Self::OneOf(_) => !number.is_nan(),
            Self::Between(low, high) => (low..=high).contains(&number),
            Self::AtLeast(low) => number >= low && number.is_finite(),
            Self::Above(low) => number > low && number.is_finite(),
        }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Between(low, high) => write!(f, "{low} to {high}"),
            Self::AtLeast(low) => write!(f, "at least {low}"),
            Self::Above(low) => write!(f, "above {low}"),
            Self::OneOf(names) => f.write_str(&names.join(", ")),
        }
    }
}

/// Why a value is refused for a key.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ValueError {
    /// No setting has this name.
    #[error("there is no such setting{}", suggestion.map(|s| format!("; is {s:?} meant?")).unwrap_or_default())]
    Unknown {
        /// The name that comes nearest, if one is near.
        suggestion: Option<&'static str>,
    },
    /// The value is of another type.
    #[error("{value} is not {expected}")]
    Type {
        /// The value as it was written.
        value: String,
        /// What it should be.
        expected: String,
    },
    /// The value lies outside its limits.
    #[error("{value} is out of range: {limits}")]
    Range {
        /// The value.
        value: String,
        /// The limits.
        limits: Limits,
    },
}

/// Reads a setting from `value`. Null and the text "none" stand for no value, where that is allowed.
pub(super) fn read<T: Setting>(value: &Value, limits: Limits) -> Result<T, ValueError> {
    let meant = if T::OPTIONAL && value == "none" { &Value::Null } else { value };
    let Ok(setting) = T::deserialize(meant) else {
        let expected = match limits {
            Limits::OneOf(names) => format!("one of {}", names.join(", ")),
            _ => T::KIND.to_owned(),
        };
        return Err(ValueError::Type { value: value.to_string(), expected });
    };
    match setting.number() {
        Some(number) if !limits.allow(number) => {
            Err(ValueError::Range { value: value.to_string(), limits })
        }
        _ => Ok(setting),
    }
}

/// A setting as a configuration file writes it; "none" where there is no value.
pub(super) fn shown<T: Setting>(setting: &T) -> String {
    match toml::Value::try_from(setting) {
        Ok(value) => value.to_string(),
        Err(_) => "none".to_owned(),
    }
}

/// The candidate that `name` was probably meant to be: one that differs in few letters.
pub(super) fn nearest(
    name: &str,
    candidates: impl Iterator<Item = &'static str>,
) -> Option<&'static str> {
    let ranked = candidates.map(|candidate| (distance(name, candidate), candidate));
    ranked.min().filter(|&(distance, _)| distance <= 1 + name.len() / 4).map(|(_, near)| near)
}

/// How many letters must be added, removed or replaced to turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let replaced = diagonal + usize::from(letter != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn limits_hold_at_their_edges_and_refuse_what_is_no_number() {
        assert!(Limits::Between(0.0, 1.0).allow(0.0) && Limits::Between(0.0, 1.0).allow(1.0));
        assert!(!Limits::Above(0.0).allow(0.0) && Limits::AtLeast(0.0).allow(0.0));
        for limits in [Limits::Between(0.0, 1.0), Limits::AtLeast(0.0), Limits::Above(0.0)] {
            assert!(!limits.allow(f64::NAN) && !limits.allow(f64::INFINITY), "{limits}");
        }
    }

    #[test]
    fn a_value_of_another_type_is_refused_with_the_value_and_the_type() {
        let refused = |value| read::<usize>(&value, Limits::Any).unwrap_err().to_string();
        assert_eq!(refused(json!("many")), "\"many\" is not a whole number");
        assert_eq!(refused(json!(-1)), "-1 is not a whole number");
        assert_eq!(refused(json!(1.5)), "1.5 is not a whole number");
        assert_eq!(refused(json!(null)), "null is not a whole number");
        assert_eq!(read::<f64>(&json!(1), Limits::Any), Ok(1.0));
        assert_eq!(read::<Option<usize>>(&json!("none"), Limits::Any), Ok(None));
    }

    #[test]
    fn a_misspelt_name_finds_its_neighbour_and_a_strange_one_none() {
        let names = || ["learning_rate", "gamma"].into_iter();
        assert_eq!(nearest("lerning_rate", names()), Some("learning_rate"));
        assert_eq!(nearest("temperature", names()), None);
    }
}
