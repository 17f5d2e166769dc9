//! `keisei profile`: a fixed workload, timed by phase.

mod table;
mod workload;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use keisei_games::GameName;
use serde::{Deserialize, Serialize};

use crate::pick::{ForAnyGame, game_name};
use crate::start::usage;
use crate::text_game::TextGame;

/// Time a fixed workload by phase: move generation, games, notation
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Profile {
    /// The game
    #[arg(long, value_name = "GAME", value_parser = game_name(), default_value_t)]
    game: GameName,
    /// How many times the workload is done
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    repeat: u64,
    /// Also write the profile to FILE as JSON
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Run nothing: set two saved profiles side by side
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"],
          conflicts_with_all = ["game", "repeat", "save"])]
    compare: Option<Vec<PathBuf>>,
}

const EXAMPLES: &str = "\
Examples:
  keisei profile
  keisei profile --game chess --repeat 50 --save before.json
  keisei profile --compare before.json after.json";

/// The times of all phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Times {
    game: String,
    phases: Vec<Phase>,
}

/// How often something was done and how long that took altogether.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Phase {
    name: String,
    calls: u64,
    seconds: f64,
}

impl ForAnyGame for Profile {
    fn game(&self) -> GameName {
        self.game
    }

    fn run<G: TextGame>(&self, out: &mut dyn Write) -> Result<()> {
        if let Some([before, after]) = self.compare.as_deref() {
            return compare(before, after, out);
        }
        let times = Times { game: G::NAME.to_owned(), phases: workload::run::<G>(self.repeat)? };
        write!(out, "{}", table::of(&times))?;
        if let Some(file) = &self.save {
            fs::write(file, serde_json::to_string_pretty(&times)? + "\n")
                .with_context(|| format!("cannot write {}", file.display()))?;
            writeln!(out, "\nsaved to {}", file.display())?;
        }
        Ok(())
    }
}

fn compare(before: &Path, after: &Path, out: &mut dyn Write) -> Result<()> {
    let (before, after) = (load(before)?, load(after)?);
    if before.game != after.game {
        let (one, other) = (before.game, after.game);
        return Err(usage(format!("a profile of {one} does not compare with one of {other}")));
    }
    Ok(write!(out, "{}", table::side_by_side(&before, &after))?)
}

fn load(file: &Path) -> Result<Times> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    serde_json::from_str(&text).with_context(|| format!("{name} is no saved profile"))
}
