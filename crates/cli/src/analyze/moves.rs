//! The moves of an analysis as people read them.

use keisei_analysis::Judged;
use keisei_records::{NodeId, Record};

use crate::text_game::TextGame;

/// A move and the one that would have been best, in Western notation and as books print them.
pub(super) struct Spelled {
    pub(super) played_western: String,
    pub(super) played: String,
    pub(super) best_western: Option<String>,
    pub(super) best: Option<String>,
}

impl Spelled {
    pub(super) fn new<G: TextGame>(record: &Record<G>, judged: &Judged<G::Move>) -> Self {
        let game = game_before(record, judged.node);
        let western = |mv: G::Move| game.western_move(mv).unwrap_or_else(|_| mv.to_string());
        let book = |mv: G::Move| {
            let name = game.book_move(mv).unwrap_or_else(|_| mv.to_string());
            // Whose move it is stands beside it, and not every encoding has these signs.
            name.trim_start_matches(['☗', '☖']).to_owned()
        };
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
fn game_before<G: TextGame>(record: &Record<G>, node: NodeId) -> G {
    let before = record.node(node).parent().unwrap_or(NodeId::ROOT);
    let at = |node| G::between_people(&record.position_at(node), None);
    let earlier = record.node(before).parent().zip(record.node(before).mv());
    let played = earlier.and_then(|(earlier, mv)| {
        let mut game = at(earlier);
        game.play(mv).is_ok().then_some(game)
    });
    played.unwrap_or_else(|| at(before))
}
