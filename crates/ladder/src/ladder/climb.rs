//! Which rungs a candidate plays against.

use crate::stats::Games;

/// A rung is hopelessly far if less than this share of the points is made against it, or by it.
const FAR: f64 = 0.1;

/// Plays against rungs around `start`, upwards and downwards, until the next ones are hopelessly
/// far. Gives back the rungs that were played against, the weakest first, with the games.
pub fn climb<E>(
    rungs: usize,
    start: usize,
    mut play: impl FnMut(usize) -> Result<Games, E>,
) -> Result<Vec<(usize, Games)>, E> {
    let score = |games: Games| games.score().unwrap_or(0.5);
    let mut played = Vec::new();
    for rung in start..rungs {
        let games = play(rung)?;
        played.push((rung, games));
        if score(games) < FAR {
            break;
        }
    }
    for rung in (0..start).rev() {
        if played.first().is_some_and(|&(_, games)| score(games) > 1.0 - FAR) {
            break;
        }
        played.insert(0, (rung, play(rung)?));
    }
    Ok(played)
}

/// Where to start with the next, probably stronger, candidate: at the strongest rung that this one
/// held its own against.
pub fn next_start(played: &[(usize, Games)]) -> usize {
    let held = |&&(_, games): &&(usize, Games)| games.score().is_some_and(|score| score >= 0.5);
    played.iter().rev().find(held).map_or(0, |&(rung, _)| rung)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A candidate as strong as rung `strength` and a half: it wins against all below, except that
    /// those next to it are close.
    fn played(start: usize, strength: usize) -> Vec<usize> {
        let games = |rung: usize| match rung.abs_diff(strength) {
            0 => Games { wins: 6, draws: 0, losses: 4 },
            1 if rung > strength => Games { wins: 3, draws: 0, losses: 7 },
            _ if rung > strength => Games { wins: 0, draws: 1, losses: 9 },
            _ => Games { wins: 10, draws: 0, losses: 0 },
        };
        let played = climb(8, start, |rung| Ok::<_, ()>(games(rung))).unwrap();
        played.into_iter().map(|(rung, _)| rung).collect()
    }

    #[test]
    fn rungs_are_climbed_until_one_is_hopelessly_far() {
        assert_eq!(played(0, 2), [0, 1, 2, 3, 4]);
        assert_eq!(played(0, 7), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn who_starts_too_high_goes_down_and_who_starts_right_plays_few() {
        assert_eq!(played(6, 2), [1, 2, 3, 4, 5, 6]);
        assert_eq!(played(3, 3), [2, 3, 4, 5]);
        assert_eq!(played(0, 0), [0, 1, 2]);
    }

    #[test]
    fn the_next_candidate_starts_where_this_one_held_its_own() {
        let games = |wins, losses| Games { wins, draws: 0, losses };
        let climbed = [(1, games(9, 1)), (2, games(5, 5)), (3, games(2, 8))];
        assert_eq!(next_start(&climbed), 2);
        assert_eq!(next_start(&[(0, games(0, 5))]), 0);
    }

    #[test]
    fn a_game_that_fails_ends_the_climb() {
        assert_eq!(
            climb(3, 0, |rung| if rung == 1 { Err("gone") } else { Ok(Games::default()) }),
            Err("gone")
        );
    }
}
