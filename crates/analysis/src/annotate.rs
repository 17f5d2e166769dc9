//! Writing an analysis into its record.

use keisei_engine::{Arena, Protocol};
use keisei_records::{Evaluator, NodeId, Notes, Record, Recorded};

use crate::evaluation::kept;
use crate::{Analysis, Judged, Mark};

/// Writes `analysis` into the record it was made of: the score of every position, and a comment on
/// every move that deserves a mark, with the best move as `spell` spells it. With `variations` the
/// best line stands beside such a move. An analysis that the record held before is replaced where
/// there is a new opinion.
pub fn annotate<G: Arena + Recorded>(
    record: &mut Record<G>,
    analysis: &Analysis<G::Move>,
    variations: bool,
    spell: impl Fn(&Judged<G::Move>) -> String,
) {
    let moves = record.main_line().filter(|&id| record.node(id).mv().is_some());
    let nodes: Vec<_> = [NodeId::ROOT].into_iter().chain(moves).collect();
    for (node, opinion) in nodes.into_iter().zip(&analysis.opinions) {
        let Some(opinion) = opinion else { continue };
        let notes = record.notes_mut(node);
        forget(notes);
        notes.evaluations.extend(opinion.evaluation.clone().map(kept::<G>));
    }
    for judged in &analysis.moves {
        let Some(mark) = judged.mark() else { continue };
        let notes = record.notes_mut(judged.node);
        notes.add_comment(&remark(mark, judged, &spell(judged)));
        if G::PROTOCOL == Protocol::Uci {
            notes.nags.push(mark.nag());
        }
        if variations {
            add_variation(record, judged);
        }
    }
}

/// `?? blunder: 62% → 18%, best ▲７六歩`.
fn remark<M>(mark: Mark, judged: &Judged<M>, best: &str) -> String {
    let [before, after] = [judged.before, judged.after].map(|chance| (100.0 * chance).round());
    let best = if best.is_empty() { String::new() } else { format!(", best {best}") };
    format!("{} {mark}: {before}% → {after}%{best}", mark.sign())
}

/// Removes what an earlier analysis wrote.
fn forget<M>(notes: &mut Notes<M>) {
    notes.evaluations.retain(|evaluation| evaluation.by != Evaluator::Analysis);
    let ours = |line: &&str| {
        Mark::ALL.iter().any(|mark| line.starts_with(&format!("{} {mark}: ", mark.sign())))
    };
    let (old, kept): (Vec<_>, Vec<_>) = notes.comment.split('\n').partition(ours);
    if !old.is_empty() {
        notes.comment = kept.join("\n");
        notes.nags.retain(|nag| Mark::ALL.iter().all(|mark| mark.nag() != *nag));
    }
}

/// Adds the best line beside the move that was played.
fn add_variation<G: Recorded>(record: &mut Record<G>, judged: &Judged<G::Move>) {
    let before = record.node(judged.node).parent().expect("a move comes from somewhere");
    let cursor = record.current();
    record.jump(before);
    for &mv in &judged.best {
        if record.play(mv).is_err() {
            break;
        }
    }
    record.jump(cursor);
}
