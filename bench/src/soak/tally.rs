//! How often each event was met, rare ones above all: a soak proves nothing about what it never
//! meets.

use std::fmt;

/// Something that happened in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    StandardStart,
    HandicapStart,
    RecordedStart,
    InterposingStart,
    RandomStart,
    MissingKing,
    Ply,
    Drop,
    Capture,
    Promotion,
    Check,
    DoubleCheck,
    Pin,
    PawnDropMate,
    PawnDropMateInCheck,
    Recurrence,
    Checkmate,
    NoMoves,
    Repetition,
    PerpetualCheckByMover,
    PerpetualCheckByOther,
    BothAlwaysCheck,
    Unfinished,
    PeerCountsOtherwise,
}

use Event::*;

/// The events with what they are called in the report.
const EVENTS: [(Event, &str); 24] = [
    (StandardStart, "games from the standard start"),
    (HandicapStart, "games from a handicap start"),
    (RecordedStart, "games from a position of the test data"),
    (InterposingStart, "games from a check to be met in front of the other king"),
    (RandomStart, "games from a random position"),
    (MissingKing, "games with one king only"),
    (Ply, "plies"),
    (Drop, "drops played"),
    (Capture, "captures played"),
    (Promotion, "promotions played"),
    (Check, "positions in check"),
    (DoubleCheck, "positions in double check"),
    (Pin, "positions with a pinned piece of the mover"),
    (PawnDropMate, "positions with a forbidden pawn-drop mate"),
    (PawnDropMateInCheck, "the same while the dropper is in check"),
    (Recurrence, "positions met before in their game"),
    (Checkmate, "games ended by checkmate"),
    (NoMoves, "games ended without a move and without check"),
    (Repetition, "games drawn by repetition"),
    (PerpetualCheckByMover, "games lost by perpetual check, the last move by the checker"),
    (PerpetualCheckByOther, "games lost by perpetual check, the last move by the checked"),
    (BothAlwaysCheck, "games drawn by repetition with checks only, by both"),
    (Unfinished, "games cut off"),
    (PeerCountsOtherwise, "positions met before whose repetition rsshogi does not count"),
];

/// The number of each event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally([u64; EVENTS.len()]);

impl Tally {
    /// Counts `event`.
    pub(super) fn count(&mut self, event: Event) {
        self.0[event as usize] += 1;
    }

    /// Counts `event` if `happened`.
    pub(super) fn count_if(&mut self, happened: bool, event: Event) {
        self.0[event as usize] += u64::from(happened);
    }

    /// The number of plies.
    pub(super) fn plies(&self) -> u64 {
        self.0[Ply as usize]
    }

    /// Adds the events of another tally.
    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = EVENTS.map(|(event, name)| format!("{:>12} {name}", self.0[event as usize]));
        f.write_str(&lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_stand_in_the_order_of_their_numbers() {
        for (number, (event, _)) in EVENTS.into_iter().enumerate() {
            assert_eq!(event as usize, number);
        }
    }

    #[test]
    fn tallies_add_up() {
        let mut one = Tally::default();
        one.count(Ply);
        one.count_if(true, Drop);
        one.count_if(false, Capture);
        let mut sum = one.clone();
        sum.add(&one);
        assert_eq!(sum.plies(), 2);
        assert!(sum.to_string().contains("2 drops played"));
        assert!(sum.to_string().contains("0 captures played"));
    }
}
