//! The built-in help on settings.

use super::field::nearest;
use super::sources::{PREFIX, PRESETS};
use super::{Config, ConfigError, Explanation, ValueError};

impl Config {
    /// What `key` means: a section, a setting as `section.name`, or everything without a key.
    pub fn explain(key: Option<&str>) -> Result<String, ConfigError> {
        let (section, name) = match key {
            None => (None, None),
            Some(key) => match key.split_once('.') {
                Some((section, name)) => (Some(section), Some(name)),
                None => (Some(key), None),
            },
        };
        let mut text = String::new();
        for ((title, about), (_, settings)) in Self::abouts().into_iter().zip(Self::settings()) {
            if section.is_some_and(|section| section != title) {
                continue;
            }
            if name.is_none() {
                text += &format!("[{title}]\n{}\n", wrapped(&about, ""));
            }
            for setting in settings {
                if name.is_none_or(|name| name == setting.name) {
                    text += &paragraph(title, &setting);
                }
            }
        }
        if key.is_none() {
            text.insert_str(0, &about_sources());
        }
        if text.is_empty() {
            let key = key.unwrap_or_default();
            return Err(unknown(key, section.unwrap_or_default()));
        }
        Ok(text)
    }
}

/// Where settings may be written.
fn about_sources() -> String {
    let presets: Vec<_> = PRESETS.iter().map(|&(name, _)| name).collect();
    format!(
        "Settings are read from these places, each over the one before:\n\
         \n    --preset NAME: {}\
         \n    a TOML or YAML file with the sections below\
         \n    environment variables: {PREFIX}SECTION__NAME, such as {PREFIX}TRAINING__GAMMA=0.99\
         \n    --set section.name=value on the command line\n\n",
        presets.join(", ")
    )
}

fn unknown(key: &str, section: &str) -> ConfigError {
    let suggestion = nearest(section, Config::SECTIONS.iter().copied());
    let problem = ValueError::Unknown { suggestion: suggestion.filter(|&near| near != section) };
    ConfigError::Setting { source_name: "explain".to_owned(), key: key.to_owned(), problem }
}

fn paragraph(section: &str, setting: &Explanation) -> String {
    let Explanation { name, meaning, kind, default, limits } = setting;
    format!("{section}.{name} = {default}   ({kind}: {limits})\n{}\n", wrapped(meaning, "    "))
}

/// Breaks a text into lines of at most 96 characters.
fn wrapped(text: &str, indent: &str) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width == 0 || width + 1 + length > 96 {
            if width > 0 {
                lines.push('\n');
            }
            lines += indent;
            width = indent.len();
        } else {
            lines.push(' ');
            width += 1;
        }
        lines += word;
        width += length;
    }
    lines.push('\n');
    lines
}
