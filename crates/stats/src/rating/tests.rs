use super::super::elo_of_score;
use super::*;

fn pairing(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Pairing {
    Pairing { first, second, games: Games { wins, draws, losses } }
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{found} for {expected}");
}

#[test]
fn two_players_are_as_far_apart_as_their_score_says() {
    // 60 wins, 20 draws, 20 losses, and the prior's draw: 70.5 points of 101.
    let ratings = rate(2, &[pairing(1, 0, 60, 20, 20)], 0);
    let (anchor, player) = (ratings[0].unwrap(), ratings[1].unwrap());
    assert_eq!((anchor.elo, anchor.error, anchor.bound), (0.0, 0.0, None));
    let score = 70.5 / 101.0;
    close(player.elo, elo_of_score(score));
    // The Fisher information of a score is n p (1 − p) in natural units.
    let information: f64 = 101.0 * score * (1.0 - score);
    close(player.error, Z95 * 400.0 / std::f64::consts::LN_10 / information.sqrt());
    assert_eq!((player.games, player.bound), (100, None));
}

#[test]
fn distances_add_up_along_a_chain() {
    let ratings = rate(3, &[pairing(0, 1, 25, 0, 75), pairing(2, 1, 75, 0, 25)], 0);
    let [_, middle, top] = [0, 1, 2].map(|index| ratings[index].unwrap());
    close(middle.elo, elo_of_score(75.5 / 101.0));
    close(top.elo, 2.0 * middle.elo);
    // Independent links: their variances add.
    close(top.error, middle.error * 2.0_f64.sqrt());
}

#[test]
fn a_triangle_is_fitted_so_that_expected_points_are_the_points_made() {
    let pairings = [pairing(0, 1, 30, 10, 60), pairing(1, 2, 20, 0, 80), pairing(0, 2, 3, 2, 95)];
    let ratings: Vec<_> = rate(3, &pairings, 0).into_iter().map(Option::unwrap).collect();
    for player in 1..3 {
        let (mut expected, mut made) = (0.0, 0.0);
        for &Pairing { first, second, games } in &pairings {
            if first != player && second != player {
                continue;
            }
            let other = if first == player { second } else { first };
            let games = if first == player { games } else { games.reversed() };
            let chance = score_of_elo(ratings[player].elo - ratings[other].elo);
            expected += chance * (games.count() + 1) as f64;
            made += games.points() + 0.5;
        }
        close(expected, made);
    }
    assert!(ratings.iter().all(|rating| rating.bound.is_none()));
}

#[test]
fn the_same_games_in_two_lists_are_the_same_games() {
    let once = rate(2, &[pairing(0, 1, 10, 4, 6)], 0);
    let twice = rate(2, &[pairing(0, 1, 5, 4, 1), pairing(1, 0, 5, 0, 5)], 0);
    close(once[1].unwrap().elo, twice[1].unwrap().elo);
}

#[test]
fn winning_everything_gives_a_finite_bound() {
    let pairings = [pairing(1, 0, 20, 0, 0), pairing(2, 1, 5, 0, 5), pairing(3, 0, 0, 0, 20)];
    let ratings: Vec<_> = rate(4, &pairings, 0).into_iter().map(Option::unwrap).collect();
    close(ratings[1].elo, elo_of_score(20.5 / 21.0));
    // The player who held its own against the winner is open upwards too.
    let bounds: Vec<_> = ratings.iter().map(|rating| rating.bound).collect();
    assert_eq!(bounds, [None, Some(Bound::AtLeast), Some(Bound::AtLeast), Some(Bound::AtMost)]);
}

#[test]
fn players_without_a_link_to_the_anchor_have_no_rating() {
    let ratings = rate(5, &[pairing(0, 1, 1, 0, 1), pairing(2, 3, 1, 0, 1)], 0);
    let rated: Vec<_> = ratings.iter().map(Option::is_some).collect();
    assert_eq!(rated, [true, true, false, false, false]);
}

#[test]
fn far_apart_players_are_fitted_too() {
    let pairings = [pairing(1, 0, 999, 1, 0), pairing(2, 1, 999, 1, 0), pairing(3, 2, 999, 1, 0)];
    let top = rate(4, &pairings, 0)[3].unwrap();
    close(top.elo, 3.0 * elo_of_score(1000.0 / 1001.0));
}
