//! What a GUI can set.

use std::path::PathBuf;
use std::time::Duration;

use keisei_game::Side;

use crate::search::SearchSettings;
use crate::{Limits, Protocol};

/// The settings of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The weights of the network; `None` for whatever the engine has without one.
    pub model: Option<PathBuf>,
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
    /// How much of the time for a move is lost on the way to the GUI and back.
    pub overhead: Duration,
    /// Give up when the chance to win is below so many thousandths; 0 for never.
    pub resign_value: u32,
}

/// One of the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// [`Settings::model`].
    Model,
    /// [`Settings::simulations`].
    Simulations,
    /// [`Settings::threads`].
    Threads,
    /// [`Settings::hash`].
    Hash,
    /// [`Settings::ponder`].
    Ponder,
    /// [`Settings::multi_pv`].
    MultiPv,
    /// [`Settings::batch`].
    Batch,
    /// [`Settings::overhead`].
    Overhead,
    /// [`Settings::resign_value`].
    ResignValue,
}

/// Why a value cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
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
}

/// The values that a setting takes.
enum Values {
    Switch,
    Numbers { min: u64, max: u64 },
    File,
}

/// How a text without characters is written.
const EMPTY: &str = "<empty>";

impl Default for Settings {
    fn default() -> Self {
        let search = SearchSettings::default();
        Self {
            model: None,
            simulations: 0,
            threads: search.threads,
            hash: search.memory,
            ponder: false,
            multi_pv: search.multi_pv,
            batch: search.batch,
            overhead: Duration::from_millis(30),
            resign_value: 0,
        }
    }
}

impl Setting {
    /// The name in a protocol. USI's names are one word each, because GUIs split at blanks.
    pub fn name(self, protocol: Protocol) -> &'static str {
        let (usi, uci) = match self {
            Self::Model => ("EvalFile", "EvalFile"),
            Self::Simulations => ("Simulations", "Simulations"),
            Self::Threads => ("Threads", "Threads"),
            Self::Hash => ("USI_Hash", "Hash"),
            Self::Ponder => ("USI_Ponder", "Ponder"),
            Self::MultiPv => ("MultiPV", "MultiPV"),
            Self::Batch => ("Batch", "Batch"),
            Self::Overhead => ("NetworkDelay", "Move Overhead"),
            Self::ResignValue => ("ResignValue", "ResignValue"),
        };
        match protocol {
            Protocol::Usi => usi,
            Protocol::Uci => uci,
        }
    }

    /// Whether a GUI means this setting by `name`.
    pub(super) fn is_called(self, protocol: Protocol, name: &str) -> bool {
        let also = (self == Self::Model).then_some("Model");
        [Some(self.name(protocol)), also].iter().flatten().any(|it| it.eq_ignore_ascii_case(name))
    }

    fn values(self) -> Values {
        let numbers = |min, max| Values::Numbers { min, max };
        match self {
            Self::Model => Values::File,
            Self::Ponder => Values::Switch,
            Self::Simulations => numbers(0, 1_000_000_000),
            Self::Threads => numbers(1, 64),
            Self::Hash => numbers(1, 16 << 10),
            Self::MultiPv => numbers(1, 600),
            Self::Batch => numbers(1, 256),
            Self::Overhead => numbers(0, 10_000),
            Self::ResignValue => numbers(0, 1000),
        }
    }

    /// The line that offers this setting, now at `value`.
    pub(super) fn offer(self, protocol: Protocol, settings: &Settings) -> String {
        let value = settings.get(self);
        let kind = match self.values() {
            Values::Switch => format!("check default {value}"),
            Values::Numbers { min, max } => format!("spin default {value} min {min} max {max}"),
            Values::File => format!("{} default {value}", protocol.file_type()),
        };
        format!("option name {} type {kind}", self.name(protocol))
    }
}

impl Settings {
    /// Sets one of the settings to what a GUI wrote, or says why that cannot be.
    pub fn set(&mut self, setting: Setting, text: &str) -> Result<(), SettingError> {
        match setting.values() {
            Values::File => {
                self.model = (!text.is_empty() && text != EMPTY).then(|| PathBuf::from(text));
            }
            Values::Switch => {
                let switch = text.to_ascii_lowercase().parse();
                self.ponder = switch.map_err(|_| SettingError::NoSwitch(text.to_owned()))?;
            }
            Values::Numbers { min, max } => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                let wrong = || SettingError::OutOfRange { found: text.to_owned(), min, max };
                self.set_number(setting, number.ok_or_else(wrong)?);
            }
        }
        Ok(())
    }

    fn set_number(&mut self, setting: Setting, number: u64) {
        match setting {
            Setting::Simulations => self.simulations = number,
            Setting::Threads => self.threads = number as usize,
            Setting::Hash => self.hash = number as usize,
            Setting::MultiPv => self.multi_pv = number as usize,
            Setting::Batch => self.batch = number as usize,
            Setting::Overhead => self.overhead = Duration::from_millis(number),
            Setting::ResignValue => self.resign_value = number as u32,
            Setting::Model | Setting::Ponder => unreachable!("{setting:?} is no number"),
        }
    }

    /// What is left of `limits` for a player who thinks for `turn`: less the time that is lost on
    /// the way, but never less than half of it, and no more simulations than are set.
    pub(super) fn within(&self, mut limits: Limits, turn: Side) -> Limits {
        let lost = |time: Duration| self.overhead.min(time / 2);
        if let Some(clock) = &mut limits.clock {
            let lost = lost(clock.left[turn] + clock.byoyomi);
            let of_byoyomi = lost.min(clock.byoyomi);
            clock.byoyomi -= of_byoyomi;
            clock.left[turn] -= lost - of_byoyomi;
        }
        limits.move_time = limits.move_time.map(|time| time - lost(time));
        if self.simulations > 0 && !limits.infinite {
            let asked = limits.nodes.unwrap_or(u64::MAX);
            limits.nodes = Some(asked.min(self.simulations));
        }
        limits
    }

    /// The value of a setting as a GUI reads it.
    fn get(&self, setting: Setting) -> String {
        match setting {
            Setting::Model => match &self.model {
                Some(path) => path.display().to_string(),
                None => EMPTY.to_owned(),
            },
            Setting::Simulations => self.simulations.to_string(),
            Setting::Threads => self.threads.to_string(),
            Setting::Hash => self.hash.to_string(),
            Setting::Ponder => self.ponder.to_string(),
            Setting::MultiPv => self.multi_pv.to_string(),
            Setting::Batch => self.batch.to_string(),
            Setting::Overhead => self.overhead.as_millis().to_string(),
            Setting::ResignValue => self.resign_value.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use keisei_game::BySide;

    use super::*;
    use crate::Clock;

    const ALL: [Setting; 9] = [
        Setting::Model,
        Setting::Simulations,
        Setting::Threads,
        Setting::Hash,
        Setting::Ponder,
        Setting::MultiPv,
        Setting::Batch,
        Setting::Overhead,
        Setting::ResignValue,
    ];

    #[test]
    fn every_default_can_be_sent_back() {
        for setting in ALL {
            let mut settings = Settings::default();
            let value = settings.get(setting);
            settings.set(setting, &value).unwrap();
            assert_eq!(settings, Settings::default(), "{setting:?}");
        }
    }

    #[test]
    fn every_setting_can_be_changed() {
        let other = |setting| match setting {
            Setting::Model => "nets/a b.safetensors",
            Setting::Ponder => "True",
            _ => "7",
        };
        for setting in ALL {
            let mut settings = Settings::default();
            settings.set(setting, other(setting)).unwrap();
            assert!(settings.get(setting).eq_ignore_ascii_case(other(setting)), "{setting:?}");
        }
    }

    #[test]
    fn values_out_of_range_are_refused_and_change_nothing() {
        let mut settings = Settings::default();
        for text in ["0", "65", "-1", "", "two", "1e3", "99999999999999999999"] {
            let wrong = settings.set(Setting::Threads, text).unwrap_err();
            let expected = format!("expected a number from 1 to 64, found {text:?}");
            assert_eq!(wrong.to_string(), expected);
        }
        let wrong = settings.set(Setting::Ponder, "yes").unwrap_err();
        assert_eq!(wrong.to_string(), "expected true or false, found \"yes\"");
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn an_empty_file_name_means_none() {
        for text in ["", "<empty>"] {
            let mut settings = Settings { model: Some("a".into()), ..Settings::default() };
            settings.set(Setting::Model, text).unwrap();
            assert_eq!(settings.model, None);
        }
    }

    #[test]
    fn names_of_usi_are_one_word_and_any_case_is_understood() {
        for setting in ALL {
            let name = setting.name(Protocol::Usi);
            assert!(!name.contains(' '), "{name}");
            assert!(setting.is_called(Protocol::Usi, &name.to_lowercase()));
        }
        assert!(Setting::Overhead.is_called(Protocol::Uci, "move overhead"));
        assert!(Setting::Model.is_called(Protocol::Usi, "model"));
        assert!(ALL.iter().all(|setting| !setting.is_called(Protocol::Usi, "")));
    }

    #[test]
    fn time_on_the_way_is_taken_from_byoyomi_first_and_never_more_than_half() {
        let ms = Duration::from_millis;
        let settings = Settings { overhead: ms(30), ..Settings::default() };
        let left = |left, byoyomi| {
            let left = BySide([ms(left), ms(900)]);
            let clock = Clock { left, byoyomi: ms(byoyomi), ..Clock::default() };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let clock = settings.within(limits, Side::First).clock.unwrap();
            assert_eq!(clock.left[Side::Second], ms(900));
            (clock.left[Side::First].as_millis(), clock.byoyomi.as_millis())
        };
        assert_eq!(left(1000, 0), (970, 0));
        assert_eq!(left(1000, 500), (1000, 470));
        assert_eq!(left(1000, 10), (980, 0));
        assert_eq!(left(0, 20), (0, 10));
        let limits = settings.within(Limits::move_time(ms(100)), Side::First);
        assert_eq!(limits.move_time, Some(ms(70)));
    }

    #[test]
    fn simulations_are_a_limit_except_where_there_is_none() {
        let settings = Settings { simulations: 50, ..Settings::default() };
        let nodes = |limits| settings.within(limits, Side::First).nodes;
        assert_eq!(nodes(Limits::default()), Some(50));
        assert_eq!(nodes(Limits::nodes(20)), Some(20));
        assert_eq!(nodes(Limits { infinite: true, ..Limits::default() }), None);
    }
}
