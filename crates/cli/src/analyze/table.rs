//! An analysis as text: how well each side played, and its bad moves as people write them.

use std::io::Write;

use anyhow::Result;
use keisei_analysis::{Analysis, Judged, Mark, Tally};
use keisei_engine::Arena;
use keisei_game::{Rules, Side};
use keisei_records::{NodeId, Record, TextError};

use crate::text_game::{SpellingArgs, TextGame};

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

/// A move and the one that would have been best, in Western notation and as books print them.
pub(super) struct Spelled {
    pub(super) played_western: String,
    pub(super) played: String,
    pub(super) best_western: Option<String>,
    pub(super) best: Option<String>,
}

impl Spelled {
    pub(super) fn new<G: TextGame + Arena>(
        record: &Record<G>,
        judged: &Judged<G::Move>,
        spelling: SpellingArgs,
    ) -> Self {
        let game = game_before(record, judged.node);
        let spelled = |mv: G::Move, spell: fn(&G, G::Move) -> Result<String, TextError>| {
            let name = spell(&game, mv).ok();
            // Whose move it is stands beside it, and not every encoding has the signs of sides.
            name.unwrap_or_else(|| mv.to_string()).trim_start_matches(['☗', '☖']).to_owned()
        };
        let western = |mv| spelled(mv, G::western_move);
        let book = |mv| spelling.spell(&spelled(mv, G::book_move));
        let best = judged.best.first().copied();
        Self {
            played_western: western(judged.played),
            played: book(judged.played),
            best_western: best.map(western),
            best: best.map(book),
        }
    }
}

/// A game at the position before the move that leads to `node`. It knows the move before, because
/// a recapture is written by it.
fn game_before<G: TextGame + Arena>(record: &Record<G>, node: NodeId) -> G {
    let before = record.node(node).parent().unwrap_or(NodeId::ROOT);
    let at = |node| G::with_rules(record.position_at(node).clone(), Rules::between_programs(None));
    let earlier = record.node(before).parent().zip(record.node(before).mv());
    let played = earlier.and_then(|(earlier, mv)| {
        let mut game: G = at(earlier);
        game.play(mv).is_ok().then_some(game)
    });
    played.unwrap_or_else(|| at(before))
}
