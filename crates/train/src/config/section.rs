//! How sections are declared: each field with its meaning, default and limits in one place, from
//! which reading, checking and the built-in help are made.

use serde_json::Value;

use super::field::{Limits, ValueError};

/// What the help says of one setting.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The name inside its section.
    pub name: &'static str,
    /// What it means.
    pub meaning: String,
    /// What kind of value it takes.
    pub kind: &'static str,
    /// The default, as a configuration file writes it.
    pub default: String,
    /// The values it may take.
    pub limits: Limits,
}

/// A group of settings.
pub(super) trait Section {
    /// What the group is about.
    fn about() -> String;

    /// Its settings in order.
    fn explanations() -> Vec<Explanation>;

    /// Changes one setting, or says why not and changes nothing.
    fn set(&mut self, name: &str, value: &Value) -> Result<(), ValueError>;
}

/// Joins the lines of a doc comment.
pub(super) fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// Declares a section: `name: Type = default, limits;` for every field.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        $section:ident {
            $($(#[doc = $meaning:literal])+ $name:ident: $type:ty = $default:expr, $limits:expr;)*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        pub struct $section {
            $($(#[doc = $meaning])+ pub $name: $type,)*
        }

        impl Default for $section {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl $crate::config::section::Section for $section {
            fn about() -> String {
                $crate::config::section::joined(&[$($about),+])
            }

            fn explanations() -> Vec<$crate::config::section::Explanation> {
                let defaults = Self::default();
                vec![$($crate::config::section::Explanation {
                    name: stringify!($name),
                    meaning: $crate::config::section::joined(&[$($meaning),+]),
                    kind: <$type as $crate::config::field::Setting>::KIND,
                    default: $crate::config::field::shown(&defaults.$name),
                    limits: $limits,
                }),*]
            }

            fn set(
                &mut self,
                name: &str,
                value: &serde_json::Value,
            ) -> Result<(), $crate::config::field::ValueError> {
                match name {
                    $(stringify!($name) => {
                        self.$name = $crate::config::field::read(value, $limits)?;
                        Ok(())
                    })*
                    _ => {
                        let names = [$(stringify!($name)),*].into_iter();
                        let suggestion = $crate::config::field::nearest(name, names);
                        Err($crate::config::field::ValueError::Unknown { suggestion })
                    }
                }
            }
        }
    };
}

/// Declares a setting that takes one of a few names.
macro_rules! choice {
    (
        $(#[doc = $about:literal])+
        $choice:ident { $($(#[doc = $meaning:literal])+ $name:ident = $text:literal,)* }
    ) => {
        $(#[doc = $about])+
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        pub enum $choice {
            $($(#[doc = $meaning])+ #[serde(rename = $text)] $name,)*
        }

        impl $choice {
            /// The names in configurations.
            pub const NAMES: &'static [&'static str] = &[$($text),*];

            /// The name in configurations.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }

        impl $crate::config::field::Setting for $choice {
            const KIND: &'static str = "a name";
        }
    };
}

pub(super) use {choice, section};
