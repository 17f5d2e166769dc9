//! The sum of an analysis as text.

use std::io::Write;

use anyhow::Result;
use keisei_analysis::{Analysis, Mark, Tally};
use keisei_game::Side;

use super::moves::Spelled;
use crate::text_game::TextGame;

/// Writes how well each side played, and the moves that deserve a mark.
pub(super) fn write<G: TextGame>(
    analysis: &Analysis<G::Move>,
    spelled: &[Spelled],
    out: &mut dyn Write,
) -> Result<()> {
    writeln!(out, "\n       moves  accuracy    best   ?!    ?   ??")?;
    for side in [Side::First, Side::Second] {
        let tally = Tally::of(&analysis.moves, side);
        let [mild, bad, worst] = Mark::ALL.map(|mark| tally.marked(mark));
        writeln!(
            out,
            "{:<6} {:>5} {:>9} {:>7} {mild:>4} {bad:>4} {worst:>4}",
            G::color(side),
            tally.moves,
            percent(tally.accuracy()),
            percent(tally.best_share()),
        )?;
    }
    writeln!(out)?;
    for (judged, spelled) in analysis.moves.iter().zip(spelled) {
        let Some(mark) = judged.mark() else { continue };
        let chances = [judged.before, judged.after].map(|chance| format!("{:.0}%", 100.0 * chance));
        let best = spelled.best_western.as_deref().unwrap_or("-");
        let mut line = format!(
            "{:>4} {:<2} {:<11} {:>4} → {:<4} {:<8} best {best:<8}",
            judged.ply,
            mark.sign(),
            mark.to_string(),
            chances[0],
            chances[1],
            spelled.played_western,
        );
        // In chess both notations are one.
        if let Some(best) = &spelled.best
            && spelled.played != spelled.played_western
        {
            line += &format!(" {}, best {best}", spelled.played);
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The positions that the player said nothing about: `the start and the positions after moves 3, 5`.
pub(super) fn silent<M>(analysis: &Analysis<M>) -> Option<String> {
    let plies: Vec<_> = analysis.silent().collect();
    let after = |plies: &[usize]| match plies {
        [ply] => format!("the position after move {ply}"),
        plies => {
            let numbers: Vec<_> = plies.iter().map(ToString::to_string).collect();
            format!("the positions after moves {}", numbers.join(", "))
        }
    };
    match &plies[..] {
        [] => None,
        [0] => Some("the start".to_owned()),
        [0, plies @ ..] => Some(format!("the start and {}", after(plies))),
        plies => Some(after(plies)),
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share))
}
