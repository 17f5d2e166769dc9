//! Where settings come from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

/// The presets, each with its name and its TOML text, as in the `configs` folder.
pub const PRESETS: &[(&str, &str)] = &[
    ("cpu", include_str!("../../../../configs/cpu.toml")),
    ("cpu-ppo", include_str!("../../../../configs/cpu-ppo.toml")),
    ("cpu-smoke", include_str!("../../../../configs/cpu-smoke.toml")),
    ("gpu", include_str!("../../../../configs/gpu.toml")),
    ("document", include_str!("../../../../configs/document.toml")),
    ("chess-cpu", include_str!("../../../../configs/chess-cpu.toml")),
    ("chess-gpu", include_str!("../../../../configs/chess-gpu.toml")),
    ("animal", include_str!("../../../../configs/animal.toml")),
];

/// What stands before the name of a setting in the environment.
pub(super) const PREFIX: &str = "KEISEI__";
/// Variables that begin with this are meant for Keisei.
const OURS: &str = "KEISEI_";
/// Those of them that are no settings: they steer the project's own tests.
const OF_TESTS: [&str; 4] =
    ["KEISEI_PYTHON", "KEISEI_BLESS", "KEISEI_WRITE_GOLDEN", "KEISEI_TEST_"];

/// The places to read settings from, in this order, each over the one before.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The name of a preset.
    pub preset: Option<String>,
    /// A file, TOML or YAML by its name.
    pub file: Option<PathBuf>,
    /// Environment variables; those that do not begin with `KEISEI_` are passed over.
    pub environment: Vec<(String, String)>,
    /// Settings as `section.name=value`.
    pub overrides: Vec<String>,
}

/// Why a source cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// No preset has this name.
    #[error("there is no preset {name:?}; there are: {}", known.join(", "))]
    Preset {
        /// The name.
        name: String,
        /// Those there are.
        known: Vec<&'static str>,
    },
    /// The file cannot be read.
    #[error("{path}: {problem}")]
    File {
        /// The file.
        path: String,
        /// What went wrong.
        problem: String,
    },
    /// The file is neither TOML nor YAML by its name.
    #[error("{0}: a configuration ends in .toml, .yaml or .yml")]
    Extension(String),
    /// The text is no TOML or YAML.
    #[error("{name}: {problem}")]
    Syntax {
        /// The file or preset.
        name: String,
        /// What the parser says.
        problem: String,
    },
    /// A variable that is meant for Keisei, but names no setting.
    #[error(
        "environment variable {0}: settings are named {PREFIX}SECTION__NAME, as in \
         {PREFIX}TRAINING__GAMMA"
    )]
    Variable(String),
    /// Not `section.name=value`.
    #[error("{0:?} is not of the form section.name=value")]
    Override(String),
}

/// One setting: where it was written, its name as `section.name`, and its value.
pub(super) type Found = (String, String, Value);

impl Sources {
    /// The variables of this process's environment that are meant for Keisei.
    pub fn environment() -> Vec<(String, String)> {
        let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        let all = std::env::vars_os().map(|(name, value)| (text(name), text(value)));
        all.filter(|(name, _)| name.starts_with(OURS)).collect()
    }

    /// All settings of all sources, later ones over earlier ones.
    pub(super) fn settings(&self) -> Result<Vec<Found>, SourceError> {
        let mut found = Vec::new();
        if let Some(name) = &self.preset {
            let preset = PRESETS.iter().find(|(preset, _)| preset == name);
            let (_, text) = preset.ok_or_else(|| SourceError::Preset {
                name: name.clone(),
                known: PRESETS.iter().map(|&(name, _)| name).collect(),
            })?;
            flatten(&format!("preset {name}"), from_toml(name, text)?, &mut found);
        }
        if let Some(path) = &self.file {
            flatten(&path.display().to_string(), read_file(path)?, &mut found);
        }
        for (variable, text) in &self.environment {
            if let Some(rest) = variable.strip_prefix(PREFIX) {
                let key = rest.to_lowercase().replacen("__", ".", 1);
                found.push((format!("environment variable {variable}"), key, value_of(text)));
            } else if variable.starts_with(OURS)
                && !OF_TESTS.iter().any(|known| variable.starts_with(known))
            {
                return Err(SourceError::Variable(variable.clone()));
            }
        }
        for text in &self.overrides {
            let (key, value) =
                text.split_once('=').ok_or_else(|| SourceError::Override(text.clone()))?;
            found.push(("command line".to_owned(), key.trim().to_owned(), value_of(value.trim())));
        }
        Ok(found)
    }
}

/// The settings in a text of TOML.
pub(super) fn settings_of(name: &str, text: &str) -> Result<Vec<Found>, SourceError> {
    let mut found = Vec::new();
    flatten(name, from_toml(name, text)?, &mut found);
    Ok(found)
}

/// Reads a file by its name's ending.
fn read_file(path: &Path) -> Result<Sections, SourceError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|e| SourceError::File { path: name.clone(), problem: e.to_string() })?;
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => from_toml(&name, &text),
        Some("yaml" | "yml") => from_yaml(&name, &text),
        _ => Err(SourceError::Extension(name)),
    }
}

fn from_toml(name: &str, text: &str) -> Result<Sections, SourceError> {
    toml::from_str(text)
        .map_err(|e| SourceError::Syntax { name: name.to_owned(), problem: e.to_string() })
}

fn from_yaml(name: &str, text: &str) -> Result<Sections, SourceError> {
    let parsed: Result<Option<Sections>, _> = serde_saphyr::from_str(text);
    let sections = parsed
        .map_err(|e| SourceError::Syntax { name: name.to_owned(), problem: e.to_string() })?;
    Ok(sections.unwrap_or_default())
}

/// What TOML and YAML can say.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Written {
    Nothing,
    Bool(bool),
    Whole(u64),
    Signed(i64),
    Number(f64),
    Text(String),
    List(Vec<Written>),
    Section(Sections),
}

type Sections = BTreeMap<String, Written>;

impl From<Written> for Value {
    fn from(written: Written) -> Self {
        match written {
            Written::Nothing => Self::Null,
            Written::Bool(yes) => yes.into(),
            Written::Whole(number) => number.into(),
            Written::Signed(number) => number.into(),
            // Infinity and the like would become null, and null may be allowed where they are not.
            Written::Number(number) if !number.is_finite() => number.to_string().into(),
            Written::Number(number) => number.into(),
            Written::Text(text) => text.into(),
            Written::List(list) => list.into_iter().map(Self::from).collect(),
            Written::Section(section) => {
                section.into_iter().map(|(name, value)| (name, Self::from(value))).collect()
            }
        }
    }
}

/// Lists the settings of a file's sections. What is no section keeps its plain name, which no
/// setting has, and is refused by it.
fn flatten(source: &str, sections: Sections, found: &mut Vec<Found>) {
    for (section, content) in sections {
        match content {
            Written::Section(settings) => {
                for (name, value) in settings {
                    found.push((source.to_owned(), format!("{section}.{name}"), value.into()));
                }
            }
            // A section that only has comments is null in YAML.
            Written::Nothing => {}
            other => found.push((source.to_owned(), section, other.into())),
        }
    }
}

/// A value as TOML writes it (`1e-4`, `true`, `["a"]`); anything else is a text.
fn value_of(text: &str) -> Value {
    let document: Result<Sections, _> = toml::from_str(&format!("value = {text}"));
    let mut value = document.ok().filter(|found| found.len() == 1);
    let value = value.as_mut().and_then(|found| found.remove("value"));
    value.map_or_else(|| Value::String(text.to_owned()), Value::from)
}
