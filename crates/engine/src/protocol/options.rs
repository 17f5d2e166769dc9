//! What a GUI can set.

use std::path::PathBuf;
use std::time::Duration;

use keisei_game::{DeclarationRule, Game, Rules};
use keisei_net::InferencePrecision;

use crate::search::SearchSettings;
use crate::{Limits, Protocol};

/// The values of an engine's options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The weights of the network; `None` for whatever the engine has without one.
    pub model: Option<PathBuf>,
    /// The built-in opponent that plays, from 1; `None` for the network at its full strength.
    pub level: Option<u8>,
    /// The most simulations for a move; 0 for as many as there is time for.
    pub simulations: u64,
    /// How many threads think.
    pub threads: usize,
    /// How much memory a search may use, in MiB.
    pub hash: usize,
    /// Whether the GUI may let the engine think in the other side's time.
    pub ponder: bool,
    /// How many lines are shown.
    pub multi_pv: usize,
    /// How many positions the network evaluates at once.
    pub batch: usize,
    /// The numbers that the network is computed with.
    pub precision: InferencePrecision,
    /// How much of the time for a move is lost on the way to the GUI and back.
    pub latency: Duration,
    /// Give up when the score is so many hundredths of a pawn below 0;
    /// [`EngineOptions::NEVER_RESIGN`] for never.
    pub resign_value: u32,
    /// By what the logits of the network's policy are divided, in hundredths; 0 for what suits the
    /// size of the search.
    pub policy_temperature: u32,
    /// After how many moves a game is drawn, counted as the position's notation counts; 0 for
    /// never.
    pub max_moves: usize,
    /// What an entered king is worth.
    pub entering_king: EnteringKing,
}

/// What an entered king is worth, by the names that shogi programs have agreed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnteringKing {
    /// Nothing.
    Nothing,
    /// 31 points win.
    Points24,
    /// The same, and a giver of a handicap counts what it gave.
    Points24Handicap,
    /// 28 points win for the first side, 27 for the second.
    #[default]
    Points27,
    /// The same, and a giver of a handicap counts what it gave.
    Points27Handicap,
    /// A king wins that reaches the other king's starting square.
    Try,
}

impl EnteringKing {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Nothing, "NoEnteringKing"),
        (Self::Points24, "CSARule24"),
        (Self::Points24Handicap, "CSARule24H"),
        (Self::Points27, "CSARule27"),
        (Self::Points27Handicap, "CSARule27H"),
        (Self::Try, "TryRule"),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(rule, _)| *rule == self).map_or("", |(_, name)| name)
    }
}

/// One of the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineOption {
    /// [`EngineOptions::model`].
    Model,
    /// [`EngineOptions::level`].
    Level,
    /// [`EngineOptions::simulations`].
    Simulations,
    /// [`EngineOptions::threads`].
    Threads,
    /// [`EngineOptions::hash`].
    Hash,
    /// [`EngineOptions::ponder`].
    Ponder,
    /// [`EngineOptions::multi_pv`].
    MultiPv,
    /// [`EngineOptions::batch`].
    Batch,
    /// [`EngineOptions::precision`].
    Precision,
    /// [`EngineOptions::latency`].
    Latency,
    /// [`EngineOptions::resign_value`].
    ResignValue,
    /// [`EngineOptions::policy_temperature`].
    PolicyTemperature,
    /// [`EngineOptions::max_moves`].
    MaxMoves,
    /// [`EngineOptions::entering_king`].
    EnteringKing,
}

/// Why a value cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// Neither true nor false.
    #[error("expected true or false, found {0:?}")]
    NoSwitch(String),
    /// No number.
    #[error("expected a number from {min} to {max}, found {found:?}")]
    OutOfRange {
        /// What was found.
        found: String,
        /// The least that can be set.
        min: u64,
        /// The most that can be set.
        max: u64,
    },
    /// None of the words that can be set.
    #[error("expected one of {expected}, found {found:?}")]
    NoChoice {
        /// What was found.
        found: String,
        /// The words.
        expected: String,
    },
}

/// The values that an option takes.
enum Values {
    Switch,
    Numbers { min: u64, max: u64 },
    File,
    Words(Vec<&'static str>),
}

/// The levels by their names, after the network at its full strength.
const LEVELS: [&str; 11] = ["Strongest", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// How a text without characters is written.
const EMPTY: &str = "<empty>";

impl Default for EngineOptions {
    fn default() -> Self {
        let search = SearchSettings::default();
        Self {
            model: None,
            level: None,
            simulations: 0,
            threads: search.threads,
            hash: search.memory,
            ponder: false,
            multi_pv: search.multi_pv,
            batch: search.batch,
            precision: InferencePrecision::default(),
            latency: Limits::LATENCY,
            resign_value: Self::NEVER_RESIGN,
            policy_temperature: 0,
            max_moves: 0,
            entering_king: EnteringKing::default(),
        }
    }
}

impl EngineOption {
    /// The options that set the rules of `G`, whoever plays.
    pub(super) fn of_rules<G: Game>(protocol: Protocol) -> &'static [Self] {
        match protocol {
            Protocol::Uci => &[],
            Protocol::Usi if G::ENTERING_KING => &[Self::MaxMoves, Self::EnteringKing],
            Protocol::Usi => &[Self::MaxMoves],
        }
    }

    /// The name in a protocol. USI's names are one word each, because GUIs split at blanks.
    pub fn name(self, protocol: Protocol) -> &'static str {
        let (usi, uci) = match self {
            Self::Model => ("EvalFile", "EvalFile"),
            Self::Level => ("Level", "Level"),
            Self::Simulations => ("Simulations", "Simulations"),
            Self::Threads => ("Threads", "Threads"),
            Self::Hash => ("USI_Hash", "Hash"),
            Self::Ponder => ("USI_Ponder", "Ponder"),
            Self::MultiPv => ("MultiPV", "MultiPV"),
            Self::Batch => ("Batch", "Batch"),
            Self::Precision => ("Precision", "Precision"),
            Self::Latency => ("NetworkDelay", "Move Overhead"),
            Self::ResignValue => ("ResignValue", "ResignValue"),
            Self::PolicyTemperature => ("Softmax_Temperature", "PolicyTemperature"),
            Self::MaxMoves => ("MaxMovesToDraw", "MaxMovesToDraw"),
            Self::EnteringKing => ("EnteringKingRule", "EnteringKingRule"),
        };
        match protocol {
            Protocol::Usi => usi,
            Protocol::Uci => uci,
        }
    }

    /// Whether a GUI means this option by `name`.
    pub(super) fn is_called(self, protocol: Protocol, name: &str) -> bool {
        let also = match self {
            Self::Model => Some("Model"),
            Self::MaxMoves => Some("Draw_Ply"),
            _ => None,
        };
        [Some(self.name(protocol)), also].iter().flatten().any(|it| it.eq_ignore_ascii_case(name))
    }

    fn values(self) -> Values {
        let numbers = |min, max| Values::Numbers { min, max };
        match self {
            Self::Model => Values::File,
            Self::Ponder => Values::Switch,
            Self::Simulations => numbers(0, 1_000_000_000),
            Self::Threads => numbers(1, SearchSettings::MOST_THREADS as u64),
            Self::Hash => numbers(1, SearchSettings::MOST_MEMORY as u64),
            Self::MultiPv => numbers(1, 600),
            Self::Batch => numbers(1, 256),
            Self::Latency => numbers(0, 10_000),
            Self::ResignValue => numbers(0, EngineOptions::NEVER_RESIGN.into()),
            Self::PolicyTemperature => numbers(0, 1000),
            Self::MaxMoves => numbers(0, 100_000),
            Self::Level => Values::Words(LEVELS.to_vec()),
            Self::EnteringKing => Values::Words(EnteringKing::ALL.map(|(_, name)| name).to_vec()),
            Self::Precision => {
                Values::Words(InferencePrecision::ALL.map(|(_, name)| name).to_vec())
            }
        }
    }

    /// The line that offers this option with its value.
    pub(super) fn offer(self, protocol: Protocol, options: &EngineOptions) -> String {
        let value = options.get(self);
        let kind = match self.values() {
            Values::Switch => format!("check default {value}"),
            Values::Numbers { min, max } => format!("spin default {value} min {min} max {max}"),
            Values::File => format!("{} default {value}", protocol.file_type()),
            Values::Words(words) => format!("combo default {value} var {}", words.join(" var ")),
        };
        format!("option name {} type {kind}", self.name(protocol))
    }
}

impl EngineOptions {
    /// The [`resign_value`](Self::resign_value) of an engine that never gives up.
    pub const NEVER_RESIGN: u32 = 99_999;

    /// The rules that a game is played by.
    pub fn rules(&self) -> Rules {
        use EnteringKing::{Nothing, Points24, Points24Handicap, Points27, Points27Handicap, Try};
        let declaration = match self.entering_king {
            Nothing | Try => DeclarationRule::Off,
            Points24 | Points24Handicap => DeclarationRule::Points24,
            Points27 | Points27Handicap => DeclarationRule::Points27,
        };
        Rules {
            declaration,
            handicap_points: matches!(self.entering_king, Points24Handicap | Points27Handicap),
            try_rule: self.entering_king == Try,
            ..Rules::between_programs((self.max_moves > 0).then_some(self.max_moves))
        }
    }

    /// Sets an option to what a GUI wrote, or says why that cannot be.
    pub fn set(&mut self, option: EngineOption, text: &str) -> Result<(), OptionError> {
        match option.values() {
            Values::File => {
                self.model = (!text.is_empty() && text != EMPTY).then(|| PathBuf::from(text));
            }
            Values::Switch => {
                let switch = text.to_ascii_lowercase().parse();
                self.ponder = switch.map_err(|_| OptionError::NoSwitch(text.to_owned()))?;
            }
            Values::Numbers { min, max } => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                let wrong = || OptionError::OutOfRange { found: text.to_owned(), min, max };
                self.set_number(option, number.ok_or_else(wrong)?);
            }
            Values::Words(words) => {
                let (found, expected) = (text.to_owned(), words.join(", "));
                let wrong = OptionError::NoChoice { found, expected };
                self.set_word(option, text).ok_or(wrong)?;
            }
        }
        Ok(())
    }

    /// Sets an option to one of its words, if `text` is one.
    fn set_word(&mut self, option: EngineOption, text: &str) -> Option<()> {
        match option {
            EngineOption::Precision => self.precision = InferencePrecision::from_name(text)?,
            EngineOption::Level => {
                let level = LEVELS.iter().position(|name| name.eq_ignore_ascii_case(text))?;
                self.level = (level > 0).then_some(level as u8);
            }
            _ => {
                let mut rules = EnteringKing::ALL.iter();
                self.entering_king = rules.find(|(_, name)| name.eq_ignore_ascii_case(text))?.0;
            }
        }
        Some(())
    }

    fn set_number(&mut self, option: EngineOption, number: u64) {
        match option {
            EngineOption::Simulations => self.simulations = number,
            EngineOption::Threads => self.threads = number as usize,
            EngineOption::Hash => self.hash = number as usize,
            EngineOption::MultiPv => self.multi_pv = number as usize,
            EngineOption::Batch => self.batch = number as usize,
            EngineOption::Latency => self.latency = Duration::from_millis(number),
            EngineOption::ResignValue => self.resign_value = number as u32,
            EngineOption::PolicyTemperature => self.policy_temperature = number as u32,
            EngineOption::MaxMoves => self.max_moves = number as usize,
            EngineOption::Model
            | EngineOption::Level
            | EngineOption::Ponder
            | EngineOption::Precision
            | EngineOption::EnteringKing => {
                unreachable!("{option:?} is no number")
            }
        }
    }

    /// `limits` with the time that is lost on the way, and no more simulations than are set.
    pub(super) fn limited(&self, mut limits: Limits) -> Limits {
        limits.latency = self.latency;
        if self.simulations > 0 && !limits.infinite {
            let asked = limits.nodes.unwrap_or(u64::MAX);
            limits.nodes = Some(asked.min(self.simulations));
        }
        limits
    }

    /// The value of an option as a GUI reads it.
    fn get(&self, option: EngineOption) -> String {
        match option {
            EngineOption::Model => match &self.model {
                Some(path) => path.display().to_string(),
                None => EMPTY.to_owned(),
            },
            EngineOption::Level => LEVELS[usize::from(self.level.unwrap_or(0))].to_owned(),
            EngineOption::Simulations => self.simulations.to_string(),
            EngineOption::Threads => self.threads.to_string(),
            EngineOption::Hash => self.hash.to_string(),
            EngineOption::Ponder => self.ponder.to_string(),
            EngineOption::MultiPv => self.multi_pv.to_string(),
            EngineOption::Batch => self.batch.to_string(),
            EngineOption::Precision => self.precision.name().to_owned(),
            EngineOption::Latency => self.latency.as_millis().to_string(),
            EngineOption::ResignValue => self.resign_value.to_string(),
            EngineOption::PolicyTemperature => self.policy_temperature.to_string(),
            EngineOption::MaxMoves => self.max_moves.to_string(),
            EngineOption::EnteringKing => self.entering_king.name().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [EngineOption; 14] = [
        EngineOption::Model,
        EngineOption::Level,
        EngineOption::Simulations,
        EngineOption::Threads,
        EngineOption::Hash,
        EngineOption::Ponder,
        EngineOption::MultiPv,
        EngineOption::Batch,
        EngineOption::Precision,
        EngineOption::Latency,
        EngineOption::ResignValue,
        EngineOption::PolicyTemperature,
        EngineOption::MaxMoves,
        EngineOption::EnteringKing,
    ];

    #[test]
    fn every_default_can_be_sent_back() {
        for option in ALL {
            let mut options = EngineOptions::default();
            let value = options.get(option);
            options.set(option, &value).unwrap();
            assert_eq!(options, EngineOptions::default(), "{option:?}");
        }
    }

    #[test]
    fn every_option_can_be_changed() {
        let other = |option| match option {
            EngineOption::Model => "nets/a b.safetensors",
            EngineOption::Ponder => "True",
            EngineOption::EnteringKing => "TryRule",
            EngineOption::Precision => "F32",
            _ => "7",
        };
        for option in ALL {
            let mut options = EngineOptions::default();
            options.set(option, other(option)).unwrap();
            assert!(options.get(option).eq_ignore_ascii_case(other(option)), "{option:?}");
        }
    }

    #[test]
    fn values_out_of_range_are_refused_and_change_nothing() {
        let mut options = EngineOptions::default();
        for text in ["0", "65", "-1", "", "two", "1e3", "99999999999999999999"] {
            let wrong = options.set(EngineOption::Threads, text).unwrap_err();
            let expected = format!("expected a number from 1 to 64, found {text:?}");
            assert_eq!(wrong.to_string(), expected);
        }
        let wrong = options.set(EngineOption::Ponder, "yes").unwrap_err();
        assert_eq!(wrong.to_string(), "expected true or false, found \"yes\"");
        assert_eq!(options, EngineOptions::default());
    }

    #[test]
    fn an_empty_file_name_means_none() {
        for text in ["", "<empty>"] {
            let mut options = EngineOptions { model: Some("a".into()), ..EngineOptions::default() };
            options.set(EngineOption::Model, text).unwrap();
            assert_eq!(options.model, None);
        }
    }

    #[test]
    fn names_of_usi_are_one_word_and_any_case_is_understood() {
        for option in ALL {
            let name = option.name(Protocol::Usi);
            assert!(!name.contains(' '), "{name}");
            assert!(option.is_called(Protocol::Usi, &name.to_lowercase()));
        }
        assert!(EngineOption::Latency.is_called(Protocol::Uci, "move overhead"));
        assert!(EngineOption::Model.is_called(Protocol::Usi, "model"));
        assert!(EngineOption::MaxMoves.is_called(Protocol::Usi, "Draw_Ply"));
        assert!(ALL.iter().all(|option| !option.is_called(Protocol::Usi, "")));
    }

    #[test]
    fn every_name_of_an_entering_king_rule_reaches_the_rules() {
        use DeclarationRule::{Off, Points24, Points27};
        for (name, declaration, handicap_points, try_rule) in [
            ("NoEnteringKing", Off, false, false),
            ("CSARule24", Points24, false, false),
            ("CSARule24H", Points24, true, false),
            ("CSARule27", Points27, false, false),
            ("CSARule27H", Points27, true, false),
            ("TryRule", Off, false, true),
        ] {
            let mut options = EngineOptions::default();
            options.set(EngineOption::EnteringKing, name).unwrap();
            options.set(EngineOption::MaxMoves, "320").unwrap();
            let usual = Rules::between_programs(Some(320));
            let rules = Rules { declaration, handicap_points, try_rule, ..usual };
            assert_eq!(options.rules(), rules, "{name}");
        }
        let wrong =
            EngineOptions::default().set(EngineOption::EnteringKing, "CSARule").unwrap_err();
        assert!(wrong.to_string().starts_with("expected one of NoEnteringKing, CSARule24"));
        assert_eq!(EngineOptions::default().rules().move_limit, None);
    }

    #[test]
    fn the_time_on_the_way_becomes_a_limit() {
        let latency = Duration::from_millis(70);
        let options = EngineOptions { latency, ..EngineOptions::default() };
        assert_eq!(options.limited(Limits::default()).latency, latency);
    }

    #[test]
    fn simulations_are_a_limit_except_where_there_is_none() {
        let options = EngineOptions { simulations: 50, ..EngineOptions::default() };
        let nodes = |limits| options.limited(limits).nodes;
        assert_eq!(nodes(Limits::default()), Some(50));
        assert_eq!(nodes(Limits::nodes(20)), Some(20));
        assert_eq!(nodes(Limits { infinite: true, ..Limits::default() }), None);
    }
}
