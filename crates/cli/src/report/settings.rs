//! What a run was told, beside the preset that is nearest to it.

use keisei_train::Config;
use keisei_train::config::{ConfigError, PRESETS, Sources};
use serde_json::Value;

/// A preset, and the settings of the run that differ from it as `section.name = value`.
pub(super) struct Difference {
    pub(super) preset: &'static str,
    pub(super) settings: Vec<String>,
}

/// The preset from which `config` differs least.
pub(super) fn nearest_preset(config: &Config) -> Result<Difference, ConfigError> {
    let mut nearest: Option<Difference> = None;
    for (preset, _) in PRESETS {
        let sources = Sources { preset: Some((*preset).to_owned()), ..Sources::default() };
        let settings = differing(config, &Config::load(&sources)?);
        if nearest.as_ref().is_none_or(|found| settings.len() < found.settings.len()) {
            nearest = Some(Difference { preset, settings });
        }
    }
    Ok(nearest.expect("there are presets"))
}

/// What is no choice worth naming: the seed, which has a line of its own, and the place.
const UNNAMED: [&str; 2] = ["env.seed", "logging.runs_dir"];

/// The settings of `config` that `other` has otherwise.
fn differing(config: &Config, other: &Config) -> Vec<String> {
    let ours = as_json(config);
    let theirs = as_json(other);
    let mut found = Vec::new();
    for (section, settings) in ours.as_object().into_iter().flatten() {
        for (name, value) in settings.as_object().into_iter().flatten() {
            let key = format!("{section}.{name}");
            if theirs[section][name] != *value && !UNNAMED.contains(&key.as_str()) {
                found.push(format!("{key} = {value}"));
            }
        }
    }
    found
}

fn as_json(config: &Config) -> Value {
    serde_json::to_value(config).expect("settings are plain values")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_preset_is_the_one_a_run_began_from() {
        for (preset, _) in PRESETS {
            let sources = Sources {
                preset: Some((*preset).to_owned()),
                overrides: vec!["training.gamma=0.5".to_owned(), "env.seed=77".to_owned()],
                ..Sources::default()
            };
            let found = nearest_preset(&Config::load(&sources).unwrap()).unwrap();
            assert_eq!(found.preset, *preset);
            assert_eq!(found.settings, ["training.gamma = 0.5"]);
        }
    }
}
