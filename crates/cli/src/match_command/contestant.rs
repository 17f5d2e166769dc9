//! From names of players to players of matches.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use keisei_engine::{Arena, PlayerSpec};
use keisei_ladder::contest::{Contestant, TimeControl, fingerprint};

/// The player `spec` of a match.
pub(crate) fn contestant<G: Arena>(spec: &PlayerSpec, control: TimeControl) -> Contestant<G> {
    let made = spec.clone();
    Contestant {
        name: spec.to_string(),
        control,
        make: Box::new(move |seed| Ok(made.build::<G>(seed)?)),
        lasting: matches!(spec, PlayerSpec::Engine(_)),
    }
}

/// What tells a player from another of the same name: the weights it plays with.
pub(crate) fn identity(spec: &PlayerSpec) -> Result<String> {
    let weights = match spec {
        PlayerSpec::Policy { checkpoint, .. } => checkpoint,
        PlayerSpec::Net(net) => &net.checkpoint,
        _ => return Ok(String::new()),
    };
    match weights.is_file() {
        true => of_file(weights),
        // A folder is looked into by whoever loads it.
        false => Ok(String::new()),
    }
}

fn of_file(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(format!("{:016x}", fingerprint(&bytes)))
}
