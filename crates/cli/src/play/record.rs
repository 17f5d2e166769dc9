//! The record of a game that is played at the terminal.

use anyhow::{Result, anyhow};
use jiff::Timestamp;
use keisei_engine::Protocol;
use keisei_game::{BySide, Side};
use keisei_records::{Ending, Evaluation, Loss, Record, write_encoded};

use super::seat::Seat;
use crate::record_file::{Target, replace};
use crate::text_game::TextGame;

/// What a record says besides the moves.
pub(super) struct Recorder<G: TextGame> {
    players: BySide<String>,
    /// What a program thought of each position it moved to, by plies.
    thoughts: Vec<Option<Evaluation<G::Move>>>,
    /// The header with the date, in UTC.
    date: (&'static str, String),
}

impl<G: TextGame> Recorder<G> {
    /// The recorder of a game that begins now.
    pub(super) fn new(players: &BySide<Seat<G>>) -> Self {
        let [first, second] = &players.0;
        let players = BySide([first.name().to_owned(), second.name().to_owned()]);
        Self { players, thoughts: Vec::new(), date: date(G::PROTOCOL, Timestamp::now()) }
    }

    /// Keeps what a program thinks of the position after its move, the first after `plies` others.
    pub(super) fn note(&mut self, plies: usize, thought: Option<Evaluation<G::Move>>) {
        // Moves that were taken back leave nothing behind.
        self.thoughts.resize(plies, None);
        self.thoughts.push(thought);
    }

    /// Writes `game` to `target`, and gives back what the format cannot hold. A game that goes on
    /// is marked as interrupted if `left`.
    pub(super) fn save(&self, game: &G, left: bool, target: &Target) -> Result<Vec<Loss>> {
        let record = self.record(game, left)?.into();
        let written = write_encoded(&record, target.format, target.encoding)?;
        replace(&target.path, &written.bytes)?;
        Ok(written.lost)
    }

    fn record(&self, game: &G, left: bool) -> Result<Record<G>> {
        let mut record = Record::from_position(game.start().clone());
        let (key, date) = &self.date;
        record.headers.set(key, date);
        for side in Side::ALL {
            record.headers.set(G::PLAYER_KEYS[side as usize], &self.players[side]);
        }
        let unrecorded = |error| anyhow!("the game cannot be recorded: {error}");
        for (ply, &mv) in game.moves().iter().enumerate() {
            let node = record.play(mv).map_err(unrecorded)?;
            let thought = self.thoughts.get(ply).cloned().flatten();
            record.notes_mut(node).evaluations.extend(thought);
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
}

/// The header that shogi or chess records have for the date.
fn date(protocol: Protocol, time: Timestamp) -> (&'static str, String) {
    match protocol {
        Protocol::Uci => ("Date", time.strftime("%Y.%m.%d").to_string()),
        Protocol::Usi => ("開始日時", time.strftime("%Y/%m/%d %H:%M:%S").to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_each_game_has_them() {
        let time = "2024-02-29T23:59:59Z".parse().unwrap();
        assert_eq!(date(Protocol::Usi, time), ("開始日時", "2024/02/29 23:59:59".to_owned()));
        assert_eq!(date(Protocol::Uci, time), ("Date", "2024.02.29".to_owned()));
    }
}
