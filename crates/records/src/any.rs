//! Records of any game, and reading them in any format.

use keisei_games::GameName;

use crate::encoding::decode;
use crate::formats::{csa, jkf, ki2, kif, pgn, sfenx, usi};
use crate::{Format, Limits, Listed, Problem, ReadError, Record, Recorded};

macro_rules! any_record {
    ([$($game:ident = $krate:ident::$type:ident, $about:literal;)*]) => {
        /// A record of one of the games.
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant, reason = "a record is mostly its tree, which is elsewhere")]
        pub enum AnyRecord {
            $(
                #[doc = concat!("A record of [`", stringify!($type), "`](keisei_games::", stringify!($game), ").")]
                $game(Record<keisei_games::$game>),
            )*
        }

        $(
            impl Listed for keisei_games::$game {
                const GAME: GameName = GameName::$game;

                fn into_any(record: Record<Self>) -> AnyRecord {
                    AnyRecord::$game(record)
                }

                fn of_any(record: &AnyRecord) -> Option<&Record<Self>> {
                    match record {
                        AnyRecord::$game(record) => Some(record),
                        #[allow(unreachable_patterns, reason = "there may be one game only")]
                        _ => None,
                    }
                }
            }
        )*

        impl AnyRecord {
            /// The name of the game.
            pub const fn game(&self) -> GameName {
                match self {
                    $(Self::$game(_) => GameName::$game,)*
                }
            }
        }
    };
}

keisei_games::for_each_game!(any_record! {});

/// Evaluates an expression with the record that is in an [`AnyRecord`], of whatever game it is:
/// `with_record!(any, record => record.headers.len())`.
#[macro_export]
macro_rules! with_record {
    ($any:expr, $record:pat => $body:expr) => {
        $crate::games::for_each_game!($crate::match_record! { ($any) ($record) ($body) })
    };
}

/// What [`with_record!`] becomes.
#[doc(hidden)]
#[macro_export]
macro_rules! match_record {
    (
        [$($game:ident = $krate:ident::$type:ident, $about:literal;)*]
        ($any:expr) ($record:pat) ($body:expr)
    ) => {
        match $any {
            $($crate::AnyRecord::$game($record) => $body,)*
        }
    };
}

impl AnyRecord {
    /// The record, if it is one of `G`.
    pub fn of<G: Recorded>(&self) -> Option<&Record<G>> {
        G::of_any(self)
    }

    /// Whether the two records say the same, as [`Record::same_as`] compares them.
    pub fn same_as(&self, other: &Self) -> bool {
        with_record!(self, record => other.of().is_some_and(|other| record.same_as(other)))
    }
}

impl<G: Recorded> From<Record<G>> for AnyRecord {
    fn from(record: Record<G>) -> Self {
        G::into_any(record)
    }
}

/// Reads a file in the format `hint`, or in the one its text shows.
pub fn read(bytes: &[u8], hint: Option<Format>) -> Result<Vec<AnyRecord>, ReadError> {
    read_within(bytes, hint, Limits::default())
}

/// Reads a file as [`read`] does, with limits of your own.
pub fn read_within(
    bytes: &[u8],
    hint: Option<Format>,
    limits: Limits,
) -> Result<Vec<AnyRecord>, ReadError> {
    if bytes.len() > limits.bytes {
        let problem = Problem::Limit { limit: limits.bytes, what: "bytes" };
        return Err(ReadError::at("", 0, "", problem));
    }
    let text = decode(bytes)?;
    let format = hint.or_else(|| Format::detect(&text));
    let format = format.ok_or_else(|| ReadError::at(&text, 0, &text, Problem::Format))?;
    fn any<G: Recorded>(records: Vec<Record<G>>) -> Vec<AnyRecord> {
        records.into_iter().map(AnyRecord::from).collect()
    }
    Ok(match format {
        Format::Kif => vec![kif::read_within(&text, limits)?.into()],
        Format::Ki2 => vec![ki2::read_within(&text, limits)?.into()],
        Format::Csa => any(csa::read_within(&text, limits)?),
        Format::Jkf => vec![jkf::read_within(&text, limits)?.into()],
        Format::Usi => usi::read_any(&text, limits)?,
        Format::Sfenx => any(sfenx::read_within(&text, limits)?),
        Format::Pgn => any(pgn::read_within(&text, limits)?),
    })
}
