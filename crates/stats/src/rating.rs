//! Ratings of many players from the games between them: the Bradley–Terry model.
//!
//! A player who is better by d Elo is expected to score 1 / (1 + 10^(−d/400)). A draw counts as
//! half a win and half a loss. The ratings are those under which the results are most likely, with
//! one drawn game added between any two players who met (Jeffreys' prior on their score). Without
//! it a player who won every game would be infinitely strong. It pulls every difference a little
//! towards 0: with 100 games, a score of .99 becomes 730 Elo instead of 800.

mod linear;

use std::collections::BTreeMap;

use serde::Serialize;

use super::elo::{ELO_PER_NAT, Z95};
use super::{Games, score_of_elo};
use linear::{invert, multiply};

/// The games between two players, from the first one's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The index of one player.
    pub first: usize,
    /// The index of the other.
    pub second: usize,
    /// Their games.
    pub games: Games,
}

/// What is known of a player's strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The distance from the anchor.
    pub elo: f64,
    /// The half-width of its 95 % interval, from the Fisher information.
    pub error: f64,
    /// How many games the player played.
    pub games: u64,
    /// Set when the games alone name no number: the player, or a group it belongs to, won or lost
    /// every game against the anchor's side. Then `elo` rests on the prior.
    pub bound: Option<Bound>,
}

/// In which direction a rating is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Nobody on the anchor's side ever took half a point: any higher rating would do as well.
    AtLeast,
    /// Never half a point against the anchor's side: any lower rating would do as well.
    AtMost,
}

/// The ratings of `players` from their games. The player `anchor` has rating 0; players who are not
/// connected with it by games have none.
///
/// # Panics
///
/// If an index is not below `players`.
pub fn rate(players: usize, pairings: &[Pairing], anchor: usize) -> Vec<Option<Rating>> {
    assert!(anchor < players, "the anchor is one of the players");
    let met = meetings(pairings);
    let connected = reachable(players, anchor, |from, to| met.contains_key(&key(from, to)));
    let scored = |from, to| pairings.iter().any(|pairing| took_points(pairing, from, to));
    let below = reachable(players, anchor, scored);
    let above = reachable(players, anchor, |from, to| scored(to, from));
    // The unknowns: every connected player except the anchor.
    let unknown: Vec<_> = (0..players).filter(|&i| connected[i] && i != anchor).collect();
    let (ratings, covariance) = fit(players, &unknown, &met);
    let rating = |player: usize| {
        let error = match unknown.iter().position(|&index| index == player) {
            Some(place) => Z95 * ELO_PER_NAT * covariance[place][place].sqrt(),
            None => 0.0,
        };
        let bound = match (below[player], above[player]) {
            (false, _) => Some(Bound::AtLeast),
            (_, false) => Some(Bound::AtMost),
            _ => None,
        };
        let own = pairings.iter().filter(|one| one.first == player || one.second == player);
        let games = own.map(|pairing| pairing.games.count()).sum();
        Rating { elo: ELO_PER_NAT * ratings[player], error, games, bound }
    };
    (0..players).map(|player| connected[player].then(|| rating(player))).collect()
}

/// Games and the lower-numbered player's points in them, for every two players who met, with the
/// prior's draw.
type Meetings = BTreeMap<(usize, usize), (f64, f64)>;

fn meetings(pairings: &[Pairing]) -> Meetings {
    let mut met = Meetings::new();
    for &Pairing { first, second, games } in pairings {
        if games.count() == 0 || first == second {
            continue;
        }
        let games = if first < second { games } else { games.reversed() };
        let entry = met.entry(key(first, second)).or_insert((1.0, 0.5));
        entry.0 += games.count() as f64;
        entry.1 += games.points();
    }
    met
}

fn key(one: usize, two: usize) -> (usize, usize) {
    (one.min(two), one.max(two))
}

/// Whether `from` took at least half a point from `to` in these games.
fn took_points(pairing: &Pairing, from: usize, to: usize) -> bool {
    let points = match (pairing.first, pairing.second) {
        pair if pair == (from, to) => pairing.games.points(),
        pair if pair == (to, from) => pairing.games.reversed().points(),
        _ => 0.0,
    };
    points > 0.0
}

/// Who can be reached from `start` along `edges`.
fn reachable(players: usize, start: usize, edge: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut found = vec![false; players];
    found[start] = true;
    let mut open = vec![start];
    while let Some(from) = open.pop() {
        let new: Vec<_> = (0..players).filter(|&to| !found[to] && edge(from, to)).collect();
        new.iter().for_each(|&to| found[to] = true);
        open.extend(new);
    }
    found
}

/// The most likely ratings in natural units by Newton's method, and the covariance of the unknown
/// ones. All others stay at 0.
fn fit(players: usize, unknown: &[usize], met: &Meetings) -> (Vec<f64>, Vec<Vec<f64>>) {
    let place: BTreeMap<usize, usize> =
        unknown.iter().enumerate().map(|(place, &player)| (player, place)).collect();
    let mut ratings = vec![0.0; players];
    loop {
        let mut gradient = vec![0.0; unknown.len()];
        let mut information = vec![vec![0.0; unknown.len()]; unknown.len()];
        for (&(one, two), &(games, points)) in met {
            let expected = score_of_elo(ELO_PER_NAT * (ratings[one] - ratings[two]));
            let surplus = points - games * expected;
            let weight = games * expected * (1.0 - expected);
            let (a, b) = (place.get(&one), place.get(&two));
            for (at, surplus) in [(a, surplus), (b, -surplus)] {
                if let Some(&at) = at {
                    gradient[at] += surplus;
                    information[at][at] += weight;
                }
            }
            if let (Some(&a), Some(&b)) = (a, b) {
                information[a][b] -= weight;
                information[b][a] -= weight;
            }
        }
        let covariance = invert(information);
        let step = multiply(&covariance, &gradient);
        let largest = step.iter().fold(0.0_f64, |largest, change| largest.max(change.abs()));
        // Far from the solution a full step may overshoot; half a unit is 87 Elo.
        let scale = if largest > 0.5 { 0.5 / largest } else { 1.0 };
        for (&player, change) in unknown.iter().zip(&step) {
            ratings[player] += scale * change;
        }
        if largest < 1e-9 {
            return (ratings, covariance);
        }
    }
}

#[cfg(test)]
mod tests;
