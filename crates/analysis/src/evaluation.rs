//! A player's report as a record keeps it.

use keisei_engine::{Arena, Protocol, Report, Score};
use keisei_game::Side;
use keisei_records::{Evaluation, Evaluator, Mate};

/// What `report` says of the position it was made in, with `turn` to move. Records have scores from
/// the first side's view and count mates as the game does.
pub fn evaluation<G: Arena>(
    report: &Report<G::Move>,
    turn: Side,
    by: Evaluator,
) -> Evaluation<G::Move> {
    let (centipawns, mate) = match report.score {
        Score::Centipawns(score) => (Some(if turn == Side::First { score } else { -score }), None),
        Score::Mate(plies) => (None, Some(mate::<G>(plies, turn))),
    };
    Evaluation {
        by,
        centipawns,
        mate,
        line: report.moves.clone(),
        depth: Some(report.depth),
        nodes: Some(report.nodes),
        engine: None,
    }
}

/// What a player's last report, made before it played `mv`, says of the position after that move.
/// A mate is one ply nearer by then; a move that mates leaves nothing to say.
pub fn evaluation_after<G: Arena>(
    report: &Report<G::Move>,
    mover: Side,
    mv: G::Move,
) -> Option<Evaluation<G::Move>> {
    let score = match report.score {
        Score::Mate(plies) if plies.abs() <= 1 => return None,
        Score::Mate(plies) => Score::Mate(plies - plies.signum()),
        score => score,
    };
    let moves = match report.moves.split_first() {
        Some((&first, rest)) if first == mv => rest.to_vec(),
        _ => Vec::new(),
    };
    let report = Report { score, moves, ..report.clone() };
    Some(kept::<G>(evaluation::<G>(&report, mover, Evaluator::Player)))
}

/// What the formats of the game keep of an evaluation: PGN has the score and the depth, and does not
/// say whether a player or an analysis thought so.
pub(crate) fn kept<G: Arena>(evaluation: Evaluation<G::Move>) -> Evaluation<G::Move> {
    match G::PROTOCOL {
        Protocol::Usi => evaluation,
        Protocol::Uci => Evaluation {
            by: Evaluator::Analysis,
            line: Vec::new(),
            nodes: None,
            engine: None,
            ..evaluation
        },
    }
}

/// A mate in `plies`, given by the side to move if that is positive.
fn mate<G: Arena>(plies: i32, turn: Side) -> Mate {
    let winner = if plies > 0 { turn } else { !turn };
    let distance = match G::PROTOCOL {
        Protocol::Usi => plies.unsigned_abs(),
        Protocol::Uci => plies.unsigned_abs().div_ceil(2),
    };
    Mate { winner, distance: Some(distance) }
}
