//! From names of players to players of matches.

use std::fs;
use std::path::PathBuf;

use keisei_cluster::Communicator;
use keisei_engine::network_player::{LoadError, SHIPPED, find_weights, shipped_weights};
use keisei_engine::{Arena, BuildError, PlayerSpec};

use super::{Contestant, TimeControl, identity};

impl<G: Arena> Contestant<G> {
    /// The player `spec`, and what tells it from another of the same name. A folder stands for the
    /// weights that are the newest there now, so that all games are played with the same ones; of
    /// several ranks, which all call this, rank 0 finds them for all.
    pub fn named(
        ranks: &dyn Communicator,
        spec: &PlayerSpec,
        control: TimeControl,
    ) -> Result<(Self, String), BuildError> {
        let (made, identity) = pinned::<G>(ranks, spec)?;
        let contestant = Self {
            name: spec.to_string(),
            control,
            make: Box::new(move |seed| Ok(made.build::<G>(seed)?)),
            lasting: matches!(spec, PlayerSpec::Engine(_)),
        };
        Ok((contestant, identity))
    }
}

/// `spec` with the file of its weights in place of a folder, and the identity of those weights.
fn pinned<G: Arena>(
    ranks: &dyn Communicator,
    spec: &PlayerSpec,
) -> Result<(PlayerSpec, String), BuildError> {
    let mut pinned = spec.resolved::<G>()?;
    let weights = match &mut pinned {
        PlayerSpec::Policy { checkpoint, .. } => checkpoint,
        PlayerSpec::Net(net) => &mut net.checkpoint,
        _ => return Ok((pinned, String::new())),
    };
    let identity = if weights.starts_with(SHIPPED) {
        identity(&weights.display().to_string(), shipped_weights::<G>(weights)?)
    } else {
        let found = if ranks.is_first() { find_weights(weights)? } else { PathBuf::new() };
        let told = ranks.share(found.to_string_lossy().into_owned());
        let path = if ranks.is_first() { found } else { told.into() };
        *weights = path.clone();
        let bytes = fs::read(&path).map_err(|error| LoadError::Disk { path, error })?;
        identity(&weights.display().to_string(), &bytes)
    };
    Ok((pinned, identity))
}
