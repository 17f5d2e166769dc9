//! The repetition rule in its plainest form: every position of the game kept whole and compared
//! with all that came before.

use keisei_game::Side;
use keisei_shogi::{Color, Position, Setup};

/// The positions of a game, first to last.
pub(super) struct History(Vec<Entry>);

struct Entry {
    /// Board, hands and turn; the number of the move is left out.
    setup: Setup,
    key: u64,
    in_check: bool,
}

/// What the history says about the current position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    /// How often the position occurred before.
    pub(super) repetitions: usize,
    /// Which sides gave check with every move since the first occurrence; none if this is it.
    pub(super) always_checked: Vec<Side>,
    /// Whether the keys of the game tell the same positions apart as the positions themselves.
    pub(super) keys_agree: bool,
    /// Whether the same board occurred with other hands since the first occurrence.
    pub(super) other_hands: bool,
}

impl History {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds the current position and judges it.
    pub(super) fn push(&mut self, position: &Position, in_check: bool) -> Verdict {
        let now = Entry {
            setup: Setup { move_number: 1, ..position.setup() },
            key: position.key(),
            in_check,
        };
        let same = |entry: &&Entry| entry.setup == now.setup;
        let first = self.0.iter().position(|entry| same(&entry)).unwrap_or(self.0.len());
        let since = &self.0[first..];
        let verdict = Verdict {
            repetitions: since.iter().filter(same).count(),
            always_checked: if since.is_empty() { Vec::new() } else { checkers(since, &now) },
            keys_agree: self.0.iter().all(|old| (old.key == now.key) == same(&old)),
            other_hands: since.iter().any(|old| {
                old.setup.turn == now.setup.turn
                    && old.setup.hands != now.setup.hands
                    && old.setup.board == now.setup.board
            }),
        };
        self.0.push(now);
        verdict
    }
}

/// The sides whose every move after the first position of `since` gave check.
fn checkers(since: &[Entry], now: &Entry) -> Vec<Side> {
    let reached = || since[1..].iter().chain([now]);
    Color::ALL
        .into_iter()
        .filter(|&color| {
            reached().filter(|entry| entry.setup.turn != color).all(|entry| entry.in_check)
        })
        .map(Side::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdicts after each of `moves` from `sfen`.
    fn verdicts(sfen: &str, moves: &str) -> Vec<Verdict> {
        let mut position: Position = sfen.parse().unwrap();
        let mut history = History::new();
        let mut verdicts = vec![history.push(&position, position.in_check())];
        for mv in moves.split(' ') {
            position.play(mv.parse().unwrap()).unwrap();
            verdicts.push(history.push(&position, position.in_check()));
        }
        verdicts
    }

    #[test]
    fn the_start_is_the_first_occurrence() {
        let verdicts = verdicts("4k4/9/9/9/9/9/9/9/4K4 b - 1", "5i5h 5a5b 5h5i 5b5a 5i5h");
        let repetitions: Vec<_> = verdicts.iter().map(|verdict| verdict.repetitions).collect();
        assert_eq!(repetitions, [0, 0, 0, 0, 1, 1]);
        assert!(verdicts.iter().all(|v| v.keys_agree && v.always_checked.is_empty()));
    }

    #[test]
    fn the_side_that_checked_all_the_while_is_named() {
        let verdicts = verdicts("4k4/9/9/9/9/9/9/9/4K3R b - 1", "1i1a 5a5b 1a1b 5b5a 1b1a");
        assert_eq!(verdicts[5].repetitions, 1);
        assert_eq!(verdicts[5].always_checked, [Side::First]);
        assert_eq!(verdicts[4].repetitions, 0);
    }

    #[test]
    fn the_same_board_with_other_hands_is_another_position() {
        // The rook takes a dropped pawn and goes home by a detour.
        let verdicts = verdicts("r7k/9/9/9/9/9/9/9/4K4 b P 1", "P*9e 9a9e 5i5h 9e9c 5h5i 9c9a");
        assert!(verdicts.iter().all(|verdict| verdict.repetitions == 0 && verdict.keys_agree));
    }
}
