//! The record of a game that is played at the terminal.

use anyhow::{Result, anyhow};
use keisei_game::{BySide, Side};
use keisei_records::{Ending, Loss, Record, write_encoded};

use crate::record_file::{Target, replace};
use crate::text_game::TextGame;

/// Writes `game` with the names of its players to `target`, and gives back what the format cannot
/// hold. A game that goes on is marked as interrupted if `left`.
pub(super) fn save<G: TextGame>(
    game: &G,
    players: &BySide<String>,
    left: bool,
    target: &Target,
) -> Result<Vec<Loss>> {
    let record = G::any_record(record(game, players, left)?);
    let written = write_encoded(&record, target.format, target.encoding)?;
    replace(&target.path, &written.bytes)?;
    Ok(written.lost)
}

fn record<G: TextGame>(game: &G, players: &BySide<String>, left: bool) -> Result<Record<G>> {
    let mut record = Record::from_position(game.start().clone());
    for side in Side::ALL {
        record.headers.set(G::PLAYER_KEYS[side as usize], &players[side]);
    }
    let unrecorded = |error| anyhow!("the game cannot be recorded: {error}");
    for &mv in game.moves() {
        record.play(mv).map_err(unrecorded)?;
    }
    let ending = match game.outcome() {
        Some(outcome) => Some(Ending::of(outcome, game.turn())),
        None => left.then_some(Ending::Interruption),
    };
    if let Some(ending) = ending {
        record.end(ending).map_err(unrecorded)?;
    }
    Ok(record)
}
