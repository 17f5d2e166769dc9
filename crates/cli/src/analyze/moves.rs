//! The moves of an analysis as people read them.

use keisei_analysis::Judged;
use keisei_engine::Arena;
use keisei_game::Rules;
use keisei_records::{NodeId, Record, TextError};

use crate::text_game::TextGame;

/// A move and the one that would have been best, in Western notation and as books print them.
pub(super) struct Spelled {
    pub(super) played_western: String,
    pub(super) played: String,
    pub(super) best_western: Option<String>,
    pub(super) best: Option<String>,
}

impl Spelled {
    pub(super) fn new<G: TextGame + Arena>(record: &Record<G>, judged: &Judged<G::Move>) -> Self {
        let game = game_before(record, judged.node);
        let spelled = |mv: G::Move, spell: fn(&G, G::Move) -> Result<String, TextError>| {
            let name = spell(&game, mv).ok();
            // Whose move it is stands beside it, and not every encoding has the signs of sides.
            name.unwrap_or_else(|| mv.to_string()).trim_start_matches(['☗', '☖']).to_owned()
        };
        let western = |mv| spelled(mv, G::western_move);
        let book = |mv| spelled(mv, G::book_move);
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
