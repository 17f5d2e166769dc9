//! Reading and printing the names of players.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use keisei_net::InferencePrecision;

use super::quotes::{Unclosed, split, with_quotes, without_quotes, words};
use super::{EngineKind, EngineSpec, NetSpec, OwnLimits, PlayerSpec};

/// Why a text names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no such player.
    #[error("{name:?} is no player; known are human, {}", PROGRAMS.join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// Something has to follow the name.
    #[error("{kind} needs {missing}: {example}")]
    Missing {
        /// The kind of player.
        kind: &'static str,
        /// What it needs.
        missing: &'static str,
        /// How that looks.
        example: &'static str,
    },
    /// A player has no such setting.
    #[error("{kind} has no setting {key:?}; it has {}", known.join(", "))]
    UnknownSetting {
        /// The kind of player.
        kind: &'static str,
        /// The setting.
        key: String,
        /// The settings it has.
        known: &'static [&'static str],
    },
    /// A setting cannot have this value.
    #[error("{key} cannot be {value:?}: it is {expected}")]
    Value {
        /// The setting.
        key: String,
        /// The value.
        value: String,
        /// What it can be.
        expected: &'static str,
    },
    /// Nothing can follow this name.
    #[error("{name} stands alone, without {rest:?}")]
    Alone {
        /// The player.
        name: &'static str,
        /// What follows.
        rest: String,
    },
    /// A quote is not closed.
    #[error("a quote is not closed in {0:?}")]
    Unclosed(String),
}

/// The names of the players that are programs.
pub const PROGRAMS: [&str; 10] = [
    "random",
    "mate1",
    "greedy",
    "level:N",
    "ab:DEPTH",
    "policy:MODEL",
    "net:MODEL",
    "usi:COMMAND",
    "uci:COMMAND",
    "gnushogi",
];
const POLICY_SETTINGS: &[&str] = &["greedy", "temperature=T", "mirror"];
const NET_SETTINGS: &[&str] = &[
    "simulations=N",
    "seconds=S",
    "threads=N",
    "batch=N",
    "precision=f32|int16",
    "policy_temperature=T",
    "exploration=C",
    "fpu_reduction=R",
    "gumbel_up_to=N",
    "mirror",
];
const ENGINE_SETTINGS: &[&str] =
    &["depth=N", "nodes=N", "seconds=S", "name=NAME", "option.NAME=VALUE"];
const WHOLE: &str = "a whole number from 1";

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let end = text.find([':', ';']).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let after = rest.strip_prefix(':');
        let alone = |name, player| match rest {
            "" => Ok(player),
            _ => Err(SpecError::Alone { name, rest: rest.to_owned() }),
        };
        match name.trim() {
            "human" => alone("human", Self::Human),
            "random" => alone("random", Self::Random),
            "mate1" => alone("mate1", Self::MateInOne),
            "greedy" => alone("greedy", Self::Greedy),
            "level" => level(after.unwrap_or_default()),
            "ab" => alpha_beta(after.unwrap_or_default()),
            "policy" => policy(after.unwrap_or_default()),
            "net" => net(after.unwrap_or_default()),
            "usi" => engine(EngineKind::Usi, after.unwrap_or_default()),
            "uci" => engine(EngineKind::Uci, after.unwrap_or_default()),
            "gnushogi" => engine(EngineKind::GnuShogi, after.unwrap_or(rest)),
            _ => Err(SpecError::Unknown { name: name.trim().to_owned() }),
        }
    }
}

fn level(text: &str) -> Result<PlayerSpec, SpecError> {
    let (text, example) = (text.trim(), "level:3");
    if text.is_empty() {
        return Err(SpecError::Missing { kind: "level", missing: "a number", example });
    }
    Ok(PlayerSpec::Level(positive("level", text)?))
}

fn alpha_beta(text: &str) -> Result<PlayerSpec, SpecError> {
    let mut parts = parts(text, ',')?.into_iter();
    let example = "ab:2";
    let depth = parts.next().filter(|depth| !depth.is_empty());
    let depth = depth.ok_or(SpecError::Missing { kind: "ab", missing: "a depth", example })?;
    let depth = positive("the depth of ab", depth)?;
    let mut quiescence = false;
    for part in parts {
        match part {
            "quiescence" => quiescence = true,
            _ => return Err(unknown_setting("ab", part, &["quiescence"])),
        }
    }
    Ok(PlayerSpec::AlphaBeta { depth, quiescence })
}

fn policy(text: &str) -> Result<PlayerSpec, SpecError> {
    let (checkpoint, settings) = checkpoint("policy", text)?;
    let (mut greedy, mut temperature, mut mirror) = (false, None, false);
    for part in settings {
        match part.split_once('=') {
            None if part == "greedy" => greedy = true,
            None if part == "mirror" => mirror = true,
            Some((key @ "temperature", value)) => temperature = Some(above_zero(key, value)?),
            _ => return Err(unknown_setting("policy", part, POLICY_SETTINGS)),
        }
    }
    Ok(PlayerSpec::Policy { checkpoint, greedy, temperature, mirror })
}

fn net(text: &str) -> Result<PlayerSpec, SpecError> {
    let (checkpoint, settings) = checkpoint("net", text)?;
    let mut net = NetSpec { checkpoint, ..NetSpec::default() };
    for part in settings {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        match key {
            "simulations" => net.simulations = Some(positive(key, value)?),
            "seconds" => net.seconds = Some(seconds(value)?),
            "threads" => net.threads = Some(positive(key, value)?),
            "batch" => net.batch = Some(positive(key, value)?),
            "precision" => {
                let precision = InferencePrecision::from_name(value);
                let wrong = || refused(key, value, "f32 or int16");
                net.precision = Some(precision.ok_or_else(wrong)?);
            }
            "policy_temperature" => net.policy_temperature = Some(above_zero(key, value)?),
            "exploration" => net.exploration = Some(above_zero(key, value)?),
            "fpu_reduction" => net.fpu_reduction = Some(above_zero(key, value)?),
            "gumbel_up_to" => {
                let wrong = || refused(key, value, "a whole number");
                net.gumbel_up_to = Some(value.parse().map_err(|_| wrong())?);
            }
            "mirror" if part == key => net.mirror = true,
            _ => return Err(unknown_setting("net", key, NET_SETTINGS)),
        }
    }
    Ok(PlayerSpec::Net(net))
}

/// The file of a network, and the settings after it.
fn checkpoint<'a>(
    kind: &'static str,
    text: &'a str,
) -> Result<(PathBuf, impl Iterator<Item = &'a str>), SpecError> {
    let mut parts = parts(text, ',')?.into_iter();
    let file = parts.next().map(without_quotes).filter(|file| !file.is_empty());
    let example = if kind == "net" { "net:model.safetensors" } else { "policy:model.safetensors" };
    let file = file.ok_or(SpecError::Missing { kind, missing: "a checkpoint", example })?;
    Ok((file.into(), parts))
}

fn engine(kind: EngineKind, text: &str) -> Result<PlayerSpec, SpecError> {
    let mut parts = parts(text, ';')?.into_iter();
    let command = parts.next().unwrap_or_default();
    let mut command = words(command).map_err(|Unclosed| unclosed(text))?;
    if command.is_empty() {
        let example = match kind {
            EngineKind::GnuShogi => None,
            EngineKind::Usi => Some("usi:fairy-stockfish"),
            EngineKind::Uci => Some("uci:stockfish"),
        };
        if let Some(example) = example {
            let missing = "a command";
            return Err(SpecError::Missing { kind: kind.name(), missing, example });
        }
        command.push(kind.name().to_owned());
    }
    let (options, limits) = (Vec::new(), OwnLimits::default());
    let mut engine = EngineSpec { kind, command, options, limits, name: None };
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let bare = without_quotes(value);
        match key {
            "depth" => engine.limits.depth = Some(positive(key, &bare)?),
            "nodes" => engine.limits.nodes = Some(positive(key, &bare)?),
            "seconds" => engine.limits.seconds = Some(seconds(&bare)?),
            "name" => engine.name = Some(bare),
            _ => match key.strip_prefix("option.").filter(|name| !name.is_empty()) {
                Some(name) => engine.options.push((name.to_owned(), bare)),
                None => return Err(unknown_setting(kind.name(), key, ENGINE_SETTINGS)),
            },
        }
    }
    Ok(PlayerSpec::Engine(engine))
}

/// The parts of `text`, without the blanks around them.
fn parts(text: &str, separator: char) -> Result<Vec<&str>, SpecError> {
    let parts = split(text, separator).map_err(|Unclosed| unclosed(text))?;
    Ok(parts.into_iter().map(str::trim).collect())
}

fn positive<T: FromStr + From<u8> + PartialOrd>(key: &str, value: &str) -> Result<T, SpecError> {
    let number = value.parse().ok().filter(|number: &T| *number >= T::from(1));
    number.ok_or_else(|| refused(key, value, WHOLE))
}

fn above_zero(key: &str, value: &str) -> Result<f32, SpecError> {
    let number = value.parse().ok().filter(|number: &f32| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| refused(key, value, "a number above 0"))
}

fn seconds(value: &str) -> Result<Duration, SpecError> {
    let time = read_seconds(value).filter(|time| !time.is_zero());
    time.ok_or_else(|| refused("seconds", value, "a number above 0 and less than a month"))
}

/// Reads a time in seconds. A month is enough for whatever people wait for, and much more would not
/// add up on clocks, so that `None` is what comes of it.
pub fn read_seconds(text: &str) -> Option<Duration> {
    const A_MONTH: f64 = 31.0 * 24.0 * 3600.0;
    let seconds = text.parse().ok().filter(|seconds| (0.0..A_MONTH).contains(seconds));
    Duration::try_from_secs_f64(seconds?).ok()
}

fn refused(key: &str, value: &str, expected: &'static str) -> SpecError {
    SpecError::Value { key: key.to_owned(), value: value.to_owned(), expected }
}

fn unknown_setting(kind: &'static str, key: &str, known: &'static [&'static str]) -> SpecError {
    SpecError::UnknownSetting { kind, key: key.to_owned(), known }
}

fn unclosed(text: &str) -> SpecError {
    SpecError::Unclosed(text.to_owned())
}

impl EngineKind {
    /// The word that names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Usi => "usi",
            Self::Uci => "uci",
            Self::GnuShogi => "gnushogi",
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::Random => f.write_str("random"),
            Self::MateInOne => f.write_str("mate1"),
            Self::Greedy => f.write_str("greedy"),
            Self::Level(number) => write!(f, "level:{number}"),
            Self::AlphaBeta { depth, quiescence } => {
                write!(f, "ab:{depth}")?;
                flag(f, ",quiescence", *quiescence)
            }
            Self::Policy { checkpoint, greedy, temperature, mirror } => {
                write!(f, "policy:{}", file(checkpoint))?;
                flag(f, ",greedy", *greedy)?;
                setting(f, ",temperature", *temperature)?;
                flag(f, ",mirror", *mirror)
            }
            Self::Net(net) => net.fmt(f),
            Self::Engine(engine) => engine.fmt(f),
        }
    }
}

impl fmt::Display for NetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "net:{}", file(&self.checkpoint))?;
        setting(f, ",simulations", self.simulations)?;
        setting(f, ",seconds", self.seconds.map(|time| time.as_secs_f64()))?;
        setting(f, ",threads", self.threads)?;
        setting(f, ",batch", self.batch)?;
        setting(f, ",precision", self.precision.map(InferencePrecision::name))?;
        setting(f, ",policy_temperature", self.policy_temperature)?;
        setting(f, ",exploration", self.exploration)?;
        setting(f, ",fpu_reduction", self.fpu_reduction)?;
        setting(f, ",gumbel_up_to", self.gumbel_up_to)?;
        flag(f, ",mirror", self.mirror)
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command: Vec<_> =
            self.command.iter().map(|word| with_quotes(word, &[' ', ';'])).collect();
        match (self.kind, &command[..]) {
            (EngineKind::GnuShogi, [word]) if word == self.kind.name() => f.write_str(word)?,
            (kind, command) => write!(f, "{}:{}", kind.name(), command.join(" "))?,
        }
        for (name, value) in &self.options {
            write!(f, ";option.{name}={}", with_quotes(value, &[';']))?;
        }
        setting(f, ";depth", self.limits.depth)?;
        setting(f, ";nodes", self.limits.nodes)?;
        setting(f, ";seconds", self.limits.seconds.map(|time| time.as_secs_f64()))?;
        setting(f, ";name", self.name.as_deref().map(|name| with_quotes(name, &[';'])))
    }
}

fn file(path: &Path) -> String {
    with_quotes(&path.to_string_lossy(), &[','])
}

fn flag(f: &mut fmt::Formatter<'_>, word: &str, set: bool) -> fmt::Result {
    if set { f.write_str(word) } else { Ok(()) }
}

fn setting(f: &mut fmt::Formatter<'_>, key: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, "{key}={value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> PlayerSpec {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn names_come_back_as_they_were_written() {
        for text in [
            "human",
            "random",
            "mate1",
            "greedy",
            "level:3",
            "ab:3",
            "ab:1,quiescence",
            "policy:runs/a/model.safetensors",
            "policy:m,greedy,temperature=0.5,mirror",
            "net:m",
            "net:'a,b.safetensors',simulations=64,seconds=0.1,threads=2,batch=8,mirror",
            "net:m,precision=int16,policy_temperature=2.5,exploration=1.5,fpu_reduction=0.3,gumbel_up_to=0,mirror",
            "usi:fairy-stockfish;option.USI_Variant=shogi;option.Skill_Level=-20;depth=1",
            "usi:'my engines/run' --weights 'a b';seconds=2.5;name=Mine",
            "uci:stockfish;option.Skill Level=3;nodes=100",
            "gnushogi;depth=1",
            "gnushogi:/opt/gnushogi -a;depth=2",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
    }

    #[test]
    fn an_engine_is_read_with_its_command_options_and_limits() {
        let text = "usi: 'my engine' -v ; option.Skill Level=-20 ; option.Book='a;b'; depth=1";
        let PlayerSpec::Engine(engine) = read(text) else { panic!("{text}") };
        assert_eq!(engine.command, ["my engine", "-v"]);
        let options = [("Skill Level", "-20"), ("Book", "a;b")];
        assert_eq!(engine.options, options.map(|(name, value)| (name.into(), value.into())));
        assert_eq!(engine.limits, OwnLimits { depth: Some(1), ..OwnLimits::default() });
    }

    #[test]
    fn errors_name_the_part_that_is_wrong_and_what_is_known() {
        for (text, message) in [
            ("alphabeta:2", "\"alphabeta\" is no player; known are human, random, mate1, greedy"),
            ("", "\"\" is no player"),
            ("random:7", "random stands alone, without \":7\""),
            ("level", "level needs a number: level:3"),
            ("level:easy", "level cannot be \"easy\": it is a whole number from 1"),
            ("ab", "ab needs a depth: ab:2"),
            ("ab:0", "the depth of ab cannot be \"0\": it is a whole number from 1"),
            ("ab:2,quiet", "ab has no setting \"quiet\"; it has quiescence"),
            ("policy:", "policy needs a checkpoint: policy:model.safetensors"),
            ("policy:m,temperature=-1", "temperature cannot be \"-1\": it is a number above 0"),
            ("net:m,sims=3", "net has no setting \"sims\"; it has simulations=N, seconds=S"),
            ("net:m,simulations=many", "simulations cannot be \"many\": it is a whole number"),
            ("net:m,precision=int4", "precision cannot be \"int4\": it is f32 or int16"),
            ("usi:", "usi needs a command: usi:fairy-stockfish"),
            ("usi:x;depht=1", "usi has no setting \"depht\"; it has depth=N"),
            ("uci:x;seconds=0", "seconds cannot be \"0\": it is a number above 0"),
            ("uci:x;seconds=1e19", "seconds cannot be \"1e19\": it is a number above 0 and less"),
            ("net:m,seconds=2678400", "seconds cannot be \"2678400\": it is a number above 0"),
            ("uci:x;name='open", "a quote is not closed in \"x;name='open\""),
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
