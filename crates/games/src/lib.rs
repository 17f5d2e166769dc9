#![doc = include_str!("../README.md")]

use std::fmt;
use std::str::FromStr;

use keisei_game::Game;

/// Calls a macro with the list of games: `for_each_game!(name! { input })` becomes
/// `name! { [Variant = crate::Type, "how it is written"; …] input }`. The first game is the usual
/// one.
#[macro_export]
macro_rules! for_each_game {
    ($($then:ident)::+ ! { $($input:tt)* }) => {
        $($then)::+! {
            [
                Shogi = keisei_shogi::Shogi, "Positions as SFEN, moves as USI";
                Chess = keisei_chess::Chess, "Positions as FEN, moves as UCI";
                Animal = keisei_animal::Animal, "On 3 × 4 squares; positions as SFEN, moves as USI";
            ]
            $($input)*
        }
    };
}

/// Evaluates an expression with `G` standing for the type of the named game:
/// `with_game!(name, G => f::<G>(x))`.
#[macro_export]
macro_rules! with_game {
    ($name:expr, $G:ident => $body:expr) => {
        $crate::for_each_game!($crate::match_game! { ($name) $G ($body) })
    };
}

/// What [`with_game!`] becomes.
#[doc(hidden)]
#[macro_export]
macro_rules! match_game {
    (
        [$($game:ident = $krate:ident::$type:ident, $about:literal;)*]
        ($name:expr) $G:ident ($body:expr)
    ) => {
        match $name {
            $($crate::GameName::$game => {
                type $G = $crate::$game;
                $body
            })*
        }
    };
}

macro_rules! names {
    ([$($game:ident = $krate:ident::$type:ident, $about:literal;)*]) => {
        $(pub use $krate::$type as $game;)*

        /// A game by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum GameName {
            $(#[doc = $about] $game,)*
        }

        impl GameName {
            /// All games, the usual one first.
            pub const ALL: &[Self] = &[$(Self::$game),*];

            /// The names of all games, in the same order.
            pub const NAMES: &[&str] = &[$(<$game as Game>::NAME),*];

            /// How positions and moves of the game are written.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$game => $about,)*
                }
            }
        }
    };
}

for_each_game!(names! {});

impl GameName {
    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl Default for GameName {
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no game has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGame(pub String);

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no game {:?}; there are {}", self.0, GameName::NAMES.join(", "))
    }
}

impl std::error::Error for UnknownGame {}

impl FromStr for GameName {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        let found = Self::ALL.iter().find(|game| game.name() == text);
        found.copied().ok_or_else(|| UnknownGame(text.to_owned()))
    }
}

#[cfg(feature = "serde")]
mod serde_names {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};

    use super::GameName;

    impl Serialize for GameName {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.name())
        }
    }

    impl<'de> Deserialize<'de> for GameName {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_stands_for_its_own_game() {
        for &name in GameName::ALL {
            assert_eq!(name.to_string().parse(), Ok(name));
            assert_eq!(with_game!(name, G => G::NAME), name.name());
        }
        assert_eq!(GameName::default(), GameName::Shogi);
    }

    #[test]
    fn an_unknown_game_is_refused_with_the_names_of_all() {
        let error = "go".parse::<GameName>().unwrap_err().to_string();
        assert!(error.starts_with("there is no game \"go\"; there are shogi, chess"), "{error}");
    }
}
