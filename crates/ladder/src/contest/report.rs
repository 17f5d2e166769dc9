//! What a match says about its players, for people and for programs.

use std::fmt::Write;

use serde::Serialize;

use super::{Faults, MatchSettings, Standing};
use crate::stats::{Estimate, Games, Pairs, Sprt, Verdict, wilson};

/// How a match stands, in numbers. Everything is from the first player's view. A number that is
/// not finite is null in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The settings of the match.
    pub settings: MatchSettings,
    /// How many rounds are counted.
    pub rounds: u64,
    /// Whether nothing more will be played.
    pub finished: bool,
    /// The games.
    pub games: Games,
    /// The games in which the first player had the first side.
    pub as_first: Games,
    /// Points a game.
    pub score: Option<f64>,
    /// Wilson's 95 % interval of the score.
    pub score_interval: Option<(f64, f64)>,
    /// The difference in Elo.
    pub elo: Option<Estimate>,
    /// The difference in normalised Elo.
    pub normalized_elo: Option<Estimate>,
    /// How likely the first player is the stronger one.
    pub los: Option<f64>,
    /// The share of drawn games.
    pub draw_ratio: Option<f64>,
    /// How many pairs brought 0, ½, 1, 1½ and 2 points.
    pub pentanomial: Option<Pairs>,
    /// Pairs won for each pair lost.
    pub pairs_ratio: Option<f64>,
    /// The share of pairs that brought both players the same.
    pub even_pairs: Option<f64>,
    /// The test.
    pub sprt: Option<TestSummary>,
    /// Games cut off by the limit of moves.
    pub cut_off: u64,
    /// Moves a game.
    pub mean_length: Option<f64>,
    /// What each player did wrong.
    pub faults: [Faults; 2],
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TestSummary {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where the null hypothesis is accepted.
    pub lower: f64,
    /// Where the other one is accepted.
    pub upper: f64,
    /// What was found, if anything.
    pub verdict: Option<Verdict>,
}

impl Summary {
    /// How a match stands after `rounds`.
    pub fn new(settings: &MatchSettings, standing: Standing, rounds: u64, finished: bool) -> Self {
        let Standing { games, pairs, as_first, cut_off, plies, faults } = standing;
        let sample = pairs.map_or_else(|| games.sample(), Pairs::sample);
        let count = games.count();
        let test = |sprt: &Sprt| {
            let llr = standing.llr(sprt);
            let (lower, upper) = sprt.bounds();
            TestSummary { llr, lower, upper, verdict: sprt.verdict(llr) }
        };
        Self {
            settings: settings.clone(),
            rounds,
            finished,
            games,
            as_first,
            score: games.score(),
            score_interval: games.score().map(|score| wilson(score, count)),
            elo: sample.map(|sample| sample.elo()),
            normalized_elo: sample.map(|sample| sample.normalised_elo()),
            los: sample.map(|sample| sample.superiority()),
            draw_ratio: games.draw_ratio(),
            pentanomial: pairs,
            pairs_ratio: pairs.and_then(Pairs::ratio),
            even_pairs: pairs.and_then(Pairs::draw_ratio),
            sprt: settings.sprt.as_ref().map(test),
            cut_off,
            mean_length: (count > 0).then(|| plies as f64 / count as f64),
            faults,
        }
    }
}

/// A summary to read, in the order and the words of fastchess.
pub fn text(summary: &Summary) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = write_text(&mut out, summary);
    out
}

fn write_text(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let settings = &summary.settings;
    let [first, second] = &settings.players;
    let Games { wins, draws, losses } = summary.games;
    writeln!(out, "Results of {first} vs {second} ({}):", conditions(settings))?;
    let (Some(elo), Some(nelo), Some(los), Some(score)) =
        (summary.elo, summary.normalized_elo, summary.los, summary.score)
    else {
        return writeln!(out, "no games yet");
    };
    writeln!(out, "Elo: {elo}, nElo: {nelo}")?;
    write!(out, "LOS: {:.2} %, DrawRatio: {:.2} %", 100.0 * los, percent(summary.draw_ratio))?;
    match (summary.pentanomial, summary.pairs_ratio) {
        (None, _) => writeln!(out)?,
        (Some(_), None) => writeln!(out, ", PairsRatio: inf")?,
        (Some(_), Some(ratio)) => writeln!(out, ", PairsRatio: {ratio:.2}")?,
    }
    let (low, high) = summary.score_interval.unwrap_or((0.0, 1.0));
    writeln!(
        out,
        "Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {:.1} ({:.2} %, \
         95 %: {:.1} to {:.1})",
        summary.games.count(),
        summary.games.points(),
        100.0 * score,
        100.0 * low,
        100.0 * high
    )?;
    if let Some(Pairs(pairs)) = summary.pentanomial {
        writeln!(out, "Ptnml(0-2): {pairs:?}")?;
    }
    if let (Some(test), Some(sprt)) = (summary.sprt, settings.sprt) {
        write!(
            out,
            "LLR: {:.2} ({:.2}, {:.2}) [{:.2}, {:.2}]",
            test.llr, test.lower, test.upper, sprt.elo0, sprt.elo1
        )?;
        match test.verdict {
            Some(verdict) => writeln!(out, ": {verdict} is accepted")?,
            None => writeln!(out)?,
        }
    }
    let length = summary.mean_length.unwrap_or_default();
    writeln!(out, "Length: {length:.0} plies a game, {} cut off by the limit", summary.cut_off)?;
    for (player, faults) in settings.players.iter().zip(summary.faults) {
        if faults.count() > 0 {
            let Faults { crashes, time_losses, illegal_moves } = faults;
            writeln!(
                out,
                "{player}: {crashes} crashes, {time_losses} losses on time, {illegal_moves} \
                 illegal moves"
            )?;
        }
    }
    Ok(())
}

/// The limits and openings in a few words.
fn conditions(settings: &MatchSettings) -> String {
    let [first, second] = &settings.limits;
    let limits = match first == second {
        true => first.clone(),
        false => format!("{first} / {second}"),
    };
    let mut parts = vec![limits, settings.openings.clone(), format!("seed {}", settings.seed)];
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

fn percent(share: Option<f64>) -> f64 {
    100.0 * share.unwrap_or_default()
}
