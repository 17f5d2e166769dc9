//! A new built-in network, and the levels measured anew.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::Value;

use crate::command::{Command, root};

const LISTING: &str = "crates/engine/models/models.json";

#[derive(Args)]
pub(crate) struct Options {
    /// The model that becomes the built-in one of the game; without it, levels are only measured
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// The game
    #[arg(long, value_name = "GAME", default_value = "shogi")]
    game: String,
    /// Measure only these levels; the games of the others are kept [default: all]
    #[arg(long, value_name = "N", value_delimiter = ',')]
    levels: Vec<u8>,
    /// Rounds of two games against each neighbour
    #[arg(long, value_name = "N", default_value_t = 50)]
    rounds: u32,
    /// How many stronger neighbours everybody meets
    #[arg(long, value_name = "N", default_value_t = 4)]
    reach: u8,
    /// How many games to play at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: u16,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let Options { game, rounds, reach, concurrency, .. } = options;
    let keisei = || Command::cargo("run --release -p keisei --");
    if let Some(network) = &options.network {
        let file = format!("crates/engine/models/{game}.safetensors");
        keisei().arg("models").arg(network.display()).arg("--half").arg(file).run()?;
    }
    let out = root().join("target/levels").join(game);
    let levels =
        if options.levels.is_empty() { (1..=10).collect() } else { options.levels.clone() };
    let only: Vec<_> = levels.iter().map(|level| format!("level:{level}")).collect();
    keisei()
        .arg("ladder")
        .arg("--calibrate")
        .arg(format!("--game={game}"))
        .arg(format!("--only={}", only.join(",")))
        .arg(format!("--rounds={rounds}"))
        .arg(format!("--reach={reach}"))
        .arg(format!("--concurrency={concurrency}"))
        .arg(format!("--out={}", out.display()))
        .run()?;
    let data = root().join("crates/ladder/data").join(format!("{game}.json"));
    fs::copy(out.join("calibration.json"), &data).context("calibration.json")?;
    let ratings = ratings(&fs::read_to_string(out.join("ladder.json"))?)?;
    let listing = fs::read_to_string(root().join(LISTING))?;
    fs::write(root().join(LISTING), rated(&listing, game, &ratings))?;
    println!("rated: {LISTING} and {}", data.display());
    Ok(())
}

/// Everybody's rating with its error, from the table of a ladder.
fn ratings(ladder: &str) -> Result<HashMap<String, (f64, f64)>> {
    let table: Value = serde_json::from_str(ladder)?;
    let row = |row: &Value| {
        let rating = &row["rating"];
        let name = row["name"].as_str()?.to_owned();
        Some((name, (rating["elo"].as_f64()?, rating["error"].as_f64()?)))
    };
    Ok(table["rows"].as_array().into_iter().flatten().filter_map(row).collect())
}

/// The list of models, one entry a line, with these ratings of the levels of `game`.
fn rated(listing: &str, game: &str, ratings: &HashMap<String, (f64, f64)>) -> String {
    let line = |line: &str| {
        let mut text = line.to_owned();
        let level = number(line, "level").map(|level| format!("level:{level}"));
        let level = level.filter(|_| line.contains(&format!("\"game\": \"{game}\"")));
        if let Some((rating, error)) = level.and_then(|level| ratings.get(&level)) {
            for (key, value) in [("rating", rating), ("error", error)] {
                text = with_number(&text, key, value.round() as i64);
            }
        }
        text + "\n"
    };
    listing.lines().map(line).collect()
}

/// The number of `key` in a line of JSON.
fn number<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!("\"{key}\": "))?;
    let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

/// The entry `line` with `key` set to `value`.
fn with_number(line: &str, key: &str, value: i64) -> String {
    match number(line, key) {
        Some(old) => {
            let word = format!("\"{key}\": ");
            line.replace(&format!("{word}{old}"), &format!("{word}{value}"))
        }
        None => match line.rsplit_once(" }") {
            Some((entry, end)) => format!("{entry}, \"{key}\": {value} }}{end}"),
            None => line.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_written_into_the_levels_that_have_them() {
        let listing = "{\n  { \"game\": \"shogi\", \"level\": 1, \"rating\": 5, \"error\": 7 },\n  \
                       { \"game\": \"shogi\", \"level\": 10, \"named\": \"x\" }\n  \
                       { \"game\": \"chess\", \"level\": 1 }\n}\n";
        let ladder = r#"{"rows": [{"name": "level:1", "rating": {"elo": 99.6, "error": 20.2}},
            {"name": "level:10", "rating": {"elo": 4000.0, "error": 90.0}},
            {"name": "level:2", "rating": null}]}"#;
        let expected = "{\n  { \"game\": \"shogi\", \"level\": 1, \"rating\": 100, \"error\": 20 },\n  \
                        { \"game\": \"shogi\", \"level\": 10, \"named\": \"x\", \"rating\": 4000, \
                        \"error\": 90 }\n  { \"game\": \"chess\", \"level\": 1 }\n}\n";
        assert_eq!(rated(listing, "shogi", &ratings(ladder).unwrap()), expected);
    }
}
