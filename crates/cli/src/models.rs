//! `keisei models`: the built-in networks and levels, and models in half the bytes.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use keisei_engine::models::{Level, Network, models};
use keisei_engine::network_player::find_weights;
use keisei_net::in_half_precision;

/// List the built-in networks and the levels to play against, with their ratings
///
/// Ratings are in Elo on the ladder of the game, where random play is 0. With a model and --half,
/// write that model with its numbers in 16 bits: in half the bytes, as the built-in ones are kept.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ModelsCommand {
    /// A weights file, or the folder of a run, whose newest model is taken
    #[arg(value_name = "MODEL", requires = "half")]
    model: Option<PathBuf>,
    /// Where to write the model in half the bytes
    #[arg(long, value_name = "FILE", requires = "model")]
    half: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  keisei models
  keisei models runs/shogi-1 --half shogi.safetensors";

impl ModelsCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let (Some(model), Some(half)) = (&self.model, &self.half) else { return list(out) };
        let file = find_weights(model)?;
        let name = file.display();
        let bytes = fs::read(&file).with_context(|| format!("cannot read {name}"))?;
        let halved = in_half_precision(&bytes).with_context(|| name.to_string())?;
        crate::record_file::replace(half, &halved)?;
        let sizes = [bytes.len(), halved.len()];
        Ok(writeln!(out, "{name}: {} bytes; {}: {} bytes", sizes[0], half.display(), sizes[1])?)
    }
}

fn list(out: &mut dyn Write) -> Result<()> {
    let rated = |rating: Option<f64>, error: Option<f64>| match (rating, error) {
        (Some(rating), Some(error)) => format!("{rating:.0} ± {error:.0}"),
        (Some(rating), None) => format!("{rating:.0}"),
        (None, _) => "–".to_owned(),
    };
    writeln!(out, "{:<25} {:>7} {:>11} {:>13}", "network", "minutes", "moves", "policy's Elo")?;
    for Network { id, game, minutes, moves, rating, error, .. } in &models().networks {
        let minutes = minutes.map_or("–".to_owned(), |minutes| format!("{minutes:.1}"));
        let moves = moves.map_or("–".to_owned(), |moves| moves.to_string());
        let name = format!("{game}: shipped/{id}");
        writeln!(out, "{name:<25} {minutes:>7} {moves:>11} {:>13}", rated(*rating, *error))?;
    }
    writeln!(out, "\n{:<15} {:>12}  player", "level", "Elo")?;
    for level in models().levels.iter().filter(|level| level.level.is_some()) {
        let Level { game, rating, error, usual, .. } = level;
        let name = format!("{game}: {}", level.spec());
        let first = if *usual { " (the usual opponent)" } else { "" };
        let player = level.player();
        writeln!(out, "{name:<15} {:>12}  {player}{first}", rated(*rating, *error))?;
    }
    Ok(())
}
