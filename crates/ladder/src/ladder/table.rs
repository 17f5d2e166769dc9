//! The table of a ladder: everybody with rating, error and results.

use std::fmt::Write;

use serde::Serialize;

use super::{Met, Rung};
use crate::stats::{Bound, Games, Pairing, Rating, rate};

/// Somebody who is rated on the ladder.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The name.
    pub name: String,
    /// The kind of play, such as the policy alone.
    pub kind: String,
    /// After how many moves of training, if known.
    pub step: Option<u64>,
    /// After how many minutes of training, if known.
    pub minutes: Option<f64>,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The name.
    pub name: String,
    /// The candidate, if it is not a rung.
    pub candidate: Option<Candidate>,
    /// The rating; none without games that connect it with the anchor.
    pub rating: Option<Rating>,
    /// The games against each opponent on this ladder, from this player's view.
    pub results: Vec<Met>,
}

/// The table of a ladder, the strongest first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The game.
    pub game: String,
    /// How the games were played.
    pub conditions: String,
    /// Everybody.
    pub rows: Vec<Row>,
    /// The rungs that could not play, with the reason.
    pub left_out: Vec<(String, String)>,
}

impl Table {
    /// Rates `candidates` and `rungs` by the games of the ladder and those of the calibration,
    /// whoever else played in it. The first rung is the anchor.
    pub fn new(
        rungs: &[Rung],
        candidates: &[Candidate],
        calibration: &[Met],
        games: &[Met],
    ) -> Self {
        let rung_names = rungs.iter().map(|rung| rung.name);
        let mut names: Vec<&str> =
            rung_names.chain(candidates.iter().map(|candidate| candidate.name.as_str())).collect();
        let shown = names.len();
        for met in calibration {
            for name in [met.first.as_str(), met.second.as_str()] {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let index = |name: &str| names.iter().position(|&known| known == name);
        let pairing = |met: &Met| {
            let (first, second) = (index(&met.first)?, index(&met.second)?);
            Some(Pairing { first, second, games: met.games })
        };
        let pairings: Vec<_> = calibration.iter().chain(games).filter_map(pairing).collect();
        let ratings = rate(names.len(), &pairings, 0);
        let row = |(place, name): (usize, &&str)| {
            let candidate = place.checked_sub(rungs.len()).map(|place| candidates[place].clone());
            let results = games.iter().filter_map(|met| seen_by(met, name)).collect();
            Row { name: (*name).to_owned(), candidate, rating: ratings[place], results }
        };
        let mut rows: Vec<_> = names.iter().take(shown).enumerate().map(row).collect();
        let strength = |row: &Row| row.rating.map_or(f64::NEG_INFINITY, |rating| rating.elo);
        rows.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        Self { game: String::new(), conditions: String::new(), rows, left_out: Vec::new() }
    }

    /// The table for a terminal.
    pub fn text(&self) -> String {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        let mut out = format!("{:<width$}  {:>16}  {:>6}  results\n", "player", "Elo", "games");
        for row in &self.rows {
            let [elo, games, results] = cells(row);
            let _ = writeln!(out, "{:<width$}  {elo:>16}  {games:>6}  {results}", row.name);
        }
        out + &self.notes().iter().map(|note| format!("{note}\n")).collect::<String>()
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let mut out = "| player | Elo | games | results |\n|---|---|---|---|\n".to_owned();
        for row in &self.rows {
            let [elo, games, results] = cells(row);
            let name = if row.candidate.is_some() {
                format!("**{}**", row.name)
            } else {
                row.name.clone()
            };
            let _ = writeln!(out, "| {name} | {elo} | {games} | {results} |");
        }
        out + &self.notes().iter().map(|note| format!("\n{note}\n")).collect::<String>()
    }

    /// What has to be said below the numbers.
    fn notes(&self) -> Vec<String> {
        let mut notes =
            vec![format!("{}: {}; random play is 0, ± is 95 %", self.game, self.conditions)];
        let open = |row: &Row| row.rating.is_some_and(|rating| rating.bound.is_some());
        if self.rows.iter().any(open) {
            let note = "≥, ≤: won or lost every game that connects it with random play; the number \
                        counts one drawn game with each opponent, and the truth may lie further";
            notes.push(note.to_owned());
        }
        let left_out = self.left_out.iter();
        notes.extend(left_out.map(|(rung, problem)| format!("left out: {rung}: {problem}")));
        notes
    }
}

/// The games of `name`, if they are its own, from its view.
fn seen_by(met: &Met, name: &str) -> Option<Met> {
    match name {
        _ if met.first == name => Some(met.clone()),
        _ if met.second == name => Some(Met {
            first: met.second.clone(),
            second: met.first.clone(),
            games: met.games.reversed(),
        }),
        _ => None,
    }
}

/// Rating, games and results as texts.
fn cells(row: &Row) -> [String; 3] {
    let elo = match row.rating {
        None => "–".to_owned(),
        Some(Rating { elo, error, bound, .. }) => {
            let open = match bound {
                None => "",
                Some(Bound::AtLeast) => "≥ ",
                Some(Bound::AtMost) => "≤ ",
            };
            format!("{open}{elo:.0} ± {error:.0}")
        }
    };
    let games = row.rating.map_or(0, |rating| rating.games).to_string();
    // The rungs' games are those of the candidates, seen from the other side.
    let results = row.results.iter().filter(|_| row.candidate.is_some());
    let result = |met: &Met| {
        let Games { wins, draws, losses } = met.games;
        format!("{} +{wins} ={draws} −{losses}", met.second)
    };
    let results: Vec<_> = results.map(result).collect();
    [elo, games, results.join(", ")]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(first: &str, second: &str, wins: u64, losses: u64) -> Met {
        let games = Games { wins, draws: 0, losses };
        Met { first: first.to_owned(), second: second.to_owned(), games }
    }

    fn table() -> Table {
        let rungs = ["random", "mate1", "unplayed"].map(|name| Rung { name, player: name });
        let candidate = |name: &str| Candidate {
            name: name.to_owned(),
            kind: "policy".to_owned(),
            step: Some(100),
            minutes: None,
        };
        let calibration = [met("mate1", "random", 80, 20)];
        let games = [
            met("late", "mate1", 15, 5),
            met("late", "random", 20, 0),
            met("early", "random", 0, 20),
        ];
        let mut table =
            Table::new(&rungs, &[candidate("early"), candidate("late")], &calibration, &games);
        table.left_out.push(("unplayed".to_owned(), "no such program".to_owned()));
        table.conditions = "20 games each".to_owned();
        table.game = "shogi".to_owned();
        table
    }

    #[test]
    fn the_strongest_comes_first_and_random_play_is_zero() {
        let table = table();
        let names: Vec<_> = table.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["late", "mate1", "random", "early", "unplayed"]);
        assert_eq!(table.rows[2].rating.unwrap().elo, 0.0);
        assert_eq!(table.rows[4].rating, None);
        assert_eq!(table.rows[1].results, [met("mate1", "late", 5, 15)]);
    }

    #[test]
    fn others_of_the_calibration_connect_the_rungs_without_a_row() {
        let rungs = ["random", "strong"].map(|name| Rung { name, player: name });
        let calibration = [met("between", "random", 9, 1), met("strong", "between", 9, 1)];
        let table = Table::new(&rungs, &[], &calibration, &[]);
        assert_eq!(table.rows.len(), 2);
        let strong = table.rows[0].rating.unwrap();
        assert_eq!((table.rows[0].name.as_str(), strong.bound), ("strong", None));
        assert!(strong.elo > 600.0, "{strong:?}");
    }

    #[test]
    fn texts_name_results_open_bounds_and_who_was_left_out() {
        for text in [table().text(), table().markdown()] {
            assert!(text.contains("mate1 +15 =0 −5, random +20 =0 −0"), "{text}");
            assert!(text.contains("≤ -645"), "{text}");
            assert!(text.contains("may lie further"), "{text}");
            assert!(text.contains("left out: unplayed: no such program"), "{text}");
            assert!(text.contains("shogi: 20 games each; random play is 0"), "{text}");
        }
        assert!(table().markdown().contains("| **late** |"));
    }
}
