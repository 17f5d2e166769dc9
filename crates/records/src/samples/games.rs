//! From games to samples and back.

use keisei_game::{Outcome, Reason, Side};
use keisei_shogi::{Position, Setup, Shogi};

use super::Sample;
use crate::{Ending, Evaluation, Evaluator, Record};

/// The score of a forced mate, which samples cannot tell otherwise.
pub const MATE_SCORE: i16 = 30_000;

/// The samples of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSamples {
    /// One for each move of the main line.
    pub samples: Vec<Sample>,
    /// Which of them the record has a score for.
    pub scored: Vec<bool>,
}

/// The main line of a game as samples, or `None` if the record does not say how it ended.
///
/// The score of a position is what the player who moved there thought, or if nothing is known of
/// that, what an analysis found: either is noted with the move.
pub fn samples_of(record: &Record<Shogi>) -> Option<GameSamples> {
    let winner = outcome(record)?.winner();
    let mut game = GameSamples::default();
    let mut position = *record.start();
    for node in record.main_line().map(|id| record.node(id)) {
        let Some(mv) = node.mv() else { break };
        let evaluations = &node.notes.evaluations;
        let by = |by: Evaluator| evaluations.iter().find(|evaluation| evaluation.by == by);
        let evaluation = by(Evaluator::Player).or_else(|| by(Evaluator::Analysis));
        let score = evaluation.and_then(|evaluation| score(evaluation, position.turn().into()));
        game.scored.push(score.is_some());
        game.samples.push(Sample { position, mv, score: score.unwrap_or(0), winner });
        position.play_unchecked(mv);
    }
    Some(game)
}

/// How the main line ended, by its mark or on the board.
fn outcome(record: &Record<Shogi>) -> Option<Outcome> {
    let last = record.main_line().last()?;
    let turn = record.turn_at(last);
    match record.node(last).ending() {
        Some(ending) => ending.outcome(turn),
        None => {
            let mated = !record.position_at(last).has_legal_moves();
            mated.then(|| Outcome::win(!turn, Reason::Checkmate))
        }
    }
}

/// The score as `side` sees it.
fn score(evaluation: &Evaluation<keisei_shogi::Move>, side: Side) -> Option<i16> {
    let most = i32::from(MATE_SCORE);
    let first = match (evaluation.mate, evaluation.centipawns) {
        (Some(mate), _) if mate.winner == Side::First => most,
        (Some(_), _) => -most,
        (None, score) => score?.clamp(-most, most),
    };
    i16::try_from(if side == Side::First { first } else { -first }).ok()
}

/// Puts samples together to games again: those that follow from each other are one.
#[derive(Debug, Default)]
pub struct Games {
    current: Option<Current>,
}

#[derive(Debug)]
struct Current {
    record: Record<Shogi>,
    winner: Option<Side>,
}

impl Games {
    /// Takes the next sample; the game before it, if this one does not go on with it.
    pub fn add(&mut self, sample: &Sample) -> Option<Record<Shogi>> {
        let goes_on = self.current.as_ref().is_some_and(|current| {
            current.winner == sample.winner && same(current.record.position(), &sample.position)
        });
        let finished = if goes_on { None } else { self.finish() };
        let current = self.current.get_or_insert_with(|| Current {
            record: Record::from_position(sample.position),
            winner: sample.winner,
        });
        let side = Side::from(sample.position.turn());
        if let Ok(id) = current.record.play(sample.mv) {
            let mut evaluation = Evaluation::new(Evaluator::Player);
            let score = i32::from(sample.score);
            evaluation.centipawns = Some(if side == Side::First { score } else { -score });
            current.record.notes_mut(id).evaluations.push(evaluation);
        }
        finished
    }

    /// The game that is still open.
    pub fn finish(&mut self) -> Option<Record<Shogi>> {
        let Current { mut record, winner } = self.current.take()?;
        let mated = !record.position().has_legal_moves();
        let ending = match winner {
            Some(_) if mated => Ending::Checkmate,
            // Most formats have no word for a win without a reason.
            Some(side) if side != record.position().turn().into() => Ending::Resignation,
            Some(side) => Ending::Won(side),
            None => Ending::Draw,
        };
        // The line ends in a move, so an ending may follow.
        let _ = record.end(ending);
        Some(record)
    }
}

/// Whether both are the same but for the number of the move, which HCPE does not have.
fn same(one: &Position, other: &Position) -> bool {
    let plain = |position: &Position| Setup { move_number: 1, ..position.setup() };
    plain(one) == plain(other)
}

#[cfg(test)]
mod tests {
    use super::super::{SampleFormat, Samples};
    use super::*;
    use keisei_game::{Game, random_game};

    fn game(seed: u64, plies: usize) -> Record<Shogi> {
        let mut game = Shogi::new();
        random_game(&mut game, seed, plies);
        let mut record = Record::new();
        for (i, &mv) in game.moves().iter().enumerate() {
            let id = record.play(mv).unwrap();
            let mut evaluation = Evaluation::new(Evaluator::Player);
            evaluation.centipawns = Some(i as i32 * 7 - 100);
            record.notes_mut(id).evaluations.push(evaluation);
        }
        record
    }

    fn read(format: SampleFormat, bytes: &[u8]) -> Samples<&[u8]> {
        format.read(bytes)
    }

    #[test]
    fn games_come_back_from_every_format_with_moves_scores_and_results() {
        let endings = [Ending::Resignation, Ending::Repetition, Ending::Won(Side::First)];
        let records: Vec<_> = (0..30)
            .map(|i| {
                let mut record = game(i, 40 + i as usize);
                record.end(endings[i as usize % 3]).unwrap();
                record
            })
            .collect();
        for format in SampleFormat::ALL {
            let mut bytes = Vec::new();
            for sample in records.iter().flat_map(|record| samples_of(record).unwrap().samples) {
                format.write(&sample, &mut bytes).unwrap();
            }
            let mut games = Games::default();
            let mut back = Vec::new();
            for sample in read(format, &bytes) {
                back.extend(games.add(&sample.unwrap()));
            }
            back.extend(games.finish());
            assert_eq!(back.len(), records.len(), "{format}");
            for (back, record) in back.iter().zip(&records) {
                let (back, before) = (samples_of(back).unwrap(), samples_of(record).unwrap());
                let told = |game: &GameSamples| -> Vec<_> {
                    game.samples.iter().map(|s| (s.mv, s.score, s.winner)).collect()
                };
                assert_eq!(told(&back), told(&before), "{format}");
            }
        }
    }

    #[test]
    fn a_game_that_the_side_to_move_has_lost_comes_back_as_resigned() {
        let ending = |winner| {
            let mut record = game(1, 3);
            record.end(Ending::Won(winner)).unwrap();
            let mut games = Games::default();
            for sample in samples_of(&record).unwrap().samples {
                assert!(games.add(&sample).is_none());
            }
            let back = games.finish().unwrap();
            back.node(back.main_line().last().unwrap()).ending()
        };
        assert_eq!(ending(Side::First), Some(Ending::Resignation));
        assert_eq!(ending(Side::Second), Some(Ending::Won(Side::Second)));
    }

    #[test]
    fn scores_are_those_of_the_side_to_move() {
        let mut record = game(1, 3);
        record.end(Ending::Resignation).unwrap();
        let GameSamples { samples, scored } = samples_of(&record).unwrap();
        assert_eq!(scored, [true; 3]);
        assert_eq!(samples.iter().map(|s| s.score).collect::<Vec<_>>(), [-100, 93, -86]);
        assert!(samples.iter().all(|sample| sample.winner == Some(Side::First)));
    }

    #[test]
    fn a_game_without_an_end_is_no_sample() {
        assert_eq!(samples_of(&game(1, 10)), None);
        let mut stopped = game(1, 10);
        stopped.end(Ending::Interruption).unwrap();
        assert_eq!(samples_of(&stopped), None);
    }

    #[test]
    fn a_broken_file_is_refused_with_the_number_of_the_sample() {
        let mut record = game(1, 3);
        record.end(Ending::Resignation).unwrap();
        let samples = samples_of(&record).unwrap().samples;
        let problem = |format: SampleFormat, change: fn(&mut Vec<u8>)| {
            let mut bytes = Vec::new();
            samples.iter().for_each(|sample| format.write(sample, &mut bytes).unwrap());
            change(&mut bytes);
            read(format, &bytes).find_map(Result::err).map(|error| error.to_string())
        };
        let said = |format, change, text: &str| {
            let problem = problem(format, change).unwrap();
            assert!(problem.contains(text), "{problem}");
        };
        assert_eq!(problem(SampleFormat::Hcpe, |_| ()), None);
        said(
            SampleFormat::Hcpe,
            |b| b.truncate(b.len() - 1),
            "sample 3: the file ends in the middle",
        );
        said(SampleFormat::Hcpe, |b| b[36] = 3, "sample 1: 3 is no result");
        said(SampleFormat::Psv, |b| b[40 + 34] = 0xff, "sample 2: the move 0x");
        said(SampleFormat::Psv, |b| b[..32].fill(0xff), "sample 1: a king stands on square 127");
        said(SampleFormat::JsonLines, |b| b[2] = b'x', "sample 1: the object has no \"sfen\"");
        said(SampleFormat::JsonLines, |b| b.truncate(30), "sample 1: ");
    }
}
