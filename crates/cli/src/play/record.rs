//! The record of a game that is played at the terminal.

use anyhow::{Result, anyhow};
use keisei_game::{BySide, Outcome, Reason, Side};
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
        Some(outcome) => Some(ending(outcome, game.turn())),
        None => left.then_some(Ending::Interruption),
    };
    if let Some(ending) = ending {
        record.end(ending).map_err(unrecorded)?;
    }
    Ok(record)
}

/// The mark of `outcome` when `mover` is to move.
fn ending(outcome: Outcome, mover: Side) -> Ending {
    let same = |ending: &Ending| ending.outcome(mover) == Some(outcome);
    match (outcome.reason(), outcome.winner()) {
        // Perpetual check is a breach of the rules by the checker.
        (Reason::PerpetualCheck, Some(winner)) if winner == mover => Ending::OpponentIllegalMove,
        (Reason::PerpetualCheck, _) => Ending::IllegalMove,
        (_, winner) => Ending::ALL.into_iter().find(same).unwrap_or(match winner {
            Some(winner) => Ending::Won(winner),
            None => Ending::Draw,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_marked_as_records_know_them() {
        let mark = |outcome| ending(outcome, Side::First);
        let lost = |reason| mark(Outcome::win(Side::Second, reason));
        let won = |reason| mark(Outcome::win(Side::First, reason));
        assert_eq!(lost(Reason::Checkmate), Ending::Checkmate);
        assert_eq!(lost(Reason::Resignation), Ending::Resignation);
        assert_eq!(won(Reason::Declaration), Ending::Declaration);
        assert_eq!(won(Reason::PerpetualCheck), Ending::OpponentIllegalMove);
        assert_eq!(lost(Reason::PerpetualCheck), Ending::IllegalMove);
        assert_eq!(lost(Reason::Try), Ending::Won(Side::Second));
        assert_eq!(mark(Outcome::draw(Reason::Repetition)), Ending::Repetition);
        assert_eq!(mark(Outcome::draw(Reason::MoveLimit)), Ending::MaxMoves);
        assert_eq!(mark(Outcome::draw(Reason::NoMoves)), Ending::Stalemate);
        assert_eq!(mark(Outcome::draw(Reason::InsufficientMaterial)), Ending::Draw);
    }
}
