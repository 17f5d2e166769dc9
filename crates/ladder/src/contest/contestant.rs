//! From names of players to players of matches.

use std::fs;

use anyhow::{Context, Result};
use keisei_engine::network_player::{SHIPPED, find_weights, shipped_weights};
use keisei_engine::{Arena, PlayerSpec};
use keisei_ladder::contest::{Contestant, TimeControl, identity};

/// The player `spec` of a match, and what tells it from another of the same name. A folder stands
/// for the weights that are the newest there now, so that all games are played with the same ones.
pub(crate) fn contestant<G: Arena>(
    spec: &PlayerSpec,
    control: TimeControl,
) -> Result<(Contestant<G>, String)> {
    let (made, identity) = pinned::<G>(spec)?;
    let contestant = Contestant {
        name: spec.to_string(),
        control,
        make: Box::new(move |seed| Ok(made.build::<G>(seed)?)),
        lasting: matches!(spec, PlayerSpec::Engine(_)),
    };
    Ok((contestant, identity))
}

/// `spec` with the file of its weights in place of a folder, and the identity of those weights.
fn pinned<G: Arena>(spec: &PlayerSpec) -> Result<(PlayerSpec, String)> {
    let mut pinned = spec.resolved::<G>()?;
    let weights = match &mut pinned {
        PlayerSpec::Policy { checkpoint, .. } => checkpoint,
        PlayerSpec::Net(net) => &mut net.checkpoint,
        _ => return Ok((pinned, String::new())),
    };
    let identity = if weights.starts_with(SHIPPED) {
        identity(&weights.display().to_string(), shipped_weights::<G>(weights)?)
    } else {
        *weights = find_weights(weights)?;
        let name = weights.display().to_string();
        identity(&name, &fs::read(&*weights).with_context(|| format!("cannot read {name}"))?)
    };
    Ok((pinned, identity))
}
