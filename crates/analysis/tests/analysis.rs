//! Analyses of short games by a player whose opinions are given.

use std::time::Duration;

use keisei_analysis::{
    Analysis, AnalysisError, Judged, Mark, Opinion, analyze, annotate, evaluation_after,
};
use keisei_chess::Chess;
use keisei_engine::{Answer, Arena, Limits, Player, PlayerError, Report, Score, Signal};
use keisei_game::{Game, Side};
use keisei_records::{AnyRecord, Ending, Format, Mate, Record, Recorded, read, write};
use keisei_shogi::Shogi;

/// Thinks what it is told to about one position after the other; `None` is a move without a score.
/// Then it is silent, or says stop and ends.
struct Scripted {
    scores: Vec<Option<Score>>,
    asked: usize,
    stops: Option<Signal>,
}

impl Scripted {
    fn new(scores: impl IntoIterator<Item = Score>) -> Self {
        Self { scores: scores.into_iter().map(Some).collect(), asked: 0, stops: None }
    }

    fn centipawns(scores: &[i32]) -> Self {
        Self::new(scores.iter().map(|&score| Score::Centipawns(score)))
    }
}

impl<G: Game> Player<G> for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn think(
        &mut self,
        game: &G,
        _: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        assert!(game.outcome().is_none(), "nobody thinks about a game that is over");
        let mv = game.legal_moves()[0];
        let script = self.scores.get(self.asked);
        if let Some(&Some(score)) = script {
            report(&thought(score, mv));
        } else if script.is_none() && self.stops.is_some() {
            signal.stop();
            let player = "scripted".to_owned();
            return Err(PlayerError::Ended { player, how: "with the signal".to_owned() });
        }
        self.asked += 1;
        Ok(Answer::play(mv))
    }
}

/// What a player says who means to play `mv`.
fn thought<M>(score: Score, mv: M) -> Report<M> {
    Report {
        line: 1,
        depth: 7,
        selective_depth: None,
        score,
        win_rate: None,
        nodes: 1000,
        time: Duration::ZERO,
        hash_full: None,
        moves: vec![mv],
    }
}

fn record<G: Recorded>(moves: &str) -> Record<G> {
    let (mut record, mut game) = (Record::<G>::new(), G::new());
    for text in moves.split(' ') {
        let mv = game.parse_move(text).unwrap();
        record.play(mv).unwrap();
        game.play(mv).unwrap();
    }
    record
}

fn analysis<G: Arena + Recorded>(
    record: &Record<G>,
    mut player: Scripted,
) -> Result<Analysis<G::Move>, AnalysisError> {
    let signal = player.stops.clone().unwrap_or_default();
    analyze(record, &mut player, &Limits::nodes(1000), &signal, || ())
}

fn marks<M: Copy + PartialEq>(analysis: &Analysis<M>) -> Vec<Option<Mark>> {
    analysis.moves.iter().map(Judged::mark).collect()
}

/// The chances of the first side in hundredths.
fn chances<M>(analysis: &Analysis<M>) -> Vec<i64> {
    let hundredths = |opinion: &Opinion<M>| (100.0 * opinion.chance).round() as i64;
    analysis.opinions.iter().flatten().map(hundredths).collect()
}

fn spell<M: std::fmt::Display>(judged: &Judged<M>) -> String {
    judged.best.first().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn scores_of_the_side_to_move_become_chances_of_the_first_side_and_marks_of_moves() {
    let game = record::<Shogi>("2g2f 8c8d 2f2e 8d8e");
    // Even; White to move thinks it is worse; Black too; White is winning; Black agrees.
    let found = analysis(&game, Scripted::centipawns(&[0, -200, -200, 900, -900])).unwrap();
    assert_eq!(chances(&found), [50, 58, 42, 18, 18]);
    assert_eq!(marks(&found), [None, None, Some(Mark::Mistake), None]);
    let scores: Vec<_> = found
        .opinions
        .iter()
        .flatten()
        .map(|one| one.evaluation.as_ref().unwrap().centipawns)
        .collect();
    assert_eq!(scores, [0, 200, -200, -900, -900].map(Some));
    assert_eq!(found.moves[2].side, Side::First);
    assert_eq!((found.moves[2].ply, found.moves[2].best.len()), (3, 1));
}

#[test]
fn the_end_of_a_game_needs_no_player() {
    let mate = record::<Chess>("f2f3 e7e5 g2g4 d8h4");
    let found = analysis(&mate, Scripted::centipawns(&[0, 0, 0, 1000])).unwrap();
    assert_eq!(chances(&found).last(), Some(&0), "White is mated");
    assert_eq!(found.opinions[4].as_ref().unwrap().evaluation, None);
    assert_eq!(marks(&found), [None, None, Some(Mark::Blunder), None]);
}

#[test]
fn a_record_that_goes_on_after_a_repetition_is_analysed_to_its_end() {
    let mut game = Record::<Shogi>::new();
    for text in "2h3h 8b7b 3h2h 7b8b ".repeat(4).split_whitespace() {
        game.play(text.parse().unwrap()).unwrap();
    }
    let found = analysis(&game, Scripted::centipawns(&[0; 17])).unwrap();
    assert_eq!(found.opinions.len(), 17);
}

#[test]
fn a_player_that_evaluates_nothing_cannot_analyse() {
    let error = analysis(&record::<Shogi>("2g2f"), Scripted::centipawns(&[])).unwrap_err();
    assert!(error.to_string().starts_with("scripted evaluated no position"), "{error}");
}

#[test]
fn an_analysis_that_is_stopped_keeps_what_it_has() {
    let game = record::<Shogi>("2g2f 8c8d 2f2e 8d8e");
    let player = Scripted { stops: Some(Signal::new()), ..Scripted::centipawns(&[0, 0, 0]) };
    let found = analysis(&game, player).unwrap();
    assert_eq!((found.opinions.len(), found.moves.len()), (3, 2));
}

#[test]
fn positions_without_an_opinion_are_named_and_the_others_are_kept() {
    let mut game = record::<Shogi>("2g2f 8c8d 2f2e 8d8e");
    let mut player = Scripted::centipawns(&[0, 0, 0, 300, -300]);
    player.scores[1] = None;
    let found = analysis(&game, player).unwrap();
    assert_eq!((found.evaluated(), found.silent().collect::<Vec<_>>()), (4, vec![1]));
    let judged: Vec<_> = found.moves.iter().map(|judged| judged.ply).collect();
    assert_eq!(judged, [3, 4], "a move is judged between two opinions");
    annotate(&mut game, &found, false, spell);
    let evaluated = game.main_line().filter(|&id| !game.node(id).notes.evaluations.is_empty());
    assert_eq!(evaluated.map(|id| game.node(id).ply()).collect::<Vec<_>>(), [2, 3, 4]);
}

#[test]
fn an_analysis_keeps_what_it_has_when_its_player_fails() {
    struct Failing(Scripted);
    impl Player<Shogi> for Failing {
        fn name(&self) -> &str {
            "failing"
        }

        fn think(
            &mut self,
            game: &Shogi,
            limits: &Limits,
            signal: &Signal,
            report: &mut dyn FnMut(&Report<<Shogi as Game>::Move>),
        ) -> Result<Answer<<Shogi as Game>::Move>, PlayerError> {
            if self.0.asked == self.0.scores.len() {
                let how = "signal 11".to_owned();
                return Err(PlayerError::Ended { player: "failing".to_owned(), how });
            }
            self.0.think(game, limits, signal, report)
        }
    }
    let game = record::<Shogi>("2g2f 8c8d 2f2e 8d8e");
    let run = |scores: &[i32]| {
        let mut player = Failing(Scripted::centipawns(scores));
        analyze(&game, &mut player, &Limits::nodes(1000), &Signal::new(), || ())
    };
    let found = run(&[0, 0]).unwrap();
    assert_eq!((found.evaluated(), found.moves.len()), (2, 1));
    assert_eq!(found.failure.unwrap().to_string(), "failing ended: signal 11");
    assert_eq!(run(&[]).unwrap_err().to_string(), "failing ended: signal 11");
}

#[test]
fn mates_are_counted_in_plies_in_shogi_and_in_moves_in_chess() {
    fn mates<G: Arena + Recorded>(moves: &str) -> Vec<Option<Mate>> {
        let player = Scripted::new([Score::Mate(5), Score::Mate(-4)]);
        let found = analysis(&record::<G>(moves), player).unwrap();
        found.opinions.iter().flatten().map(|one| one.evaluation.as_ref().unwrap().mate).collect()
    }
    let mate = |distance| Some(Mate { winner: Side::First, distance: Some(distance) });
    assert_eq!(mates::<Shogi>("2g2f"), [mate(5), mate(4)]);
    assert_eq!(mates::<Chess>("e2e4"), [mate(3), mate(2)]);
}

#[test]
fn after_its_move_a_player_sees_the_mate_one_ply_nearer() {
    fn after<G: Arena + Recorded>(score: Score, mv: &str) -> Option<Mate> {
        let mv = G::new().parse_move(mv).unwrap();
        evaluation_after::<G>(&thought(score, mv), Side::First, mv)?.mate
    }
    let mate = |winner, distance| Some(Mate { winner, distance: Some(distance) });
    assert_eq!(after::<Shogi>(Score::Mate(5), "2g2f"), mate(Side::First, 4));
    assert_eq!(after::<Shogi>(Score::Mate(-4), "2g2f"), mate(Side::Second, 3));
    assert_eq!(after::<Chess>(Score::Mate(5), "e2e4"), mate(Side::First, 2));
    assert_eq!(after::<Chess>(Score::Mate(-4), "e2e4"), mate(Side::Second, 2));
    assert_eq!(after::<Chess>(Score::Mate(1), "e2e4"), None, "the board says it");
}

#[test]
fn a_record_keeps_its_analysis_in_a_file_and_a_new_one_replaces_it() {
    let mut game = record::<Shogi>("2g2f 8c8d 2f2e 8d8e");
    game.end(Ending::Resignation).unwrap();
    let third = game.main_line().nth(2).unwrap();
    game.notes_mut(third).add_comment("a person wrote this");
    let scores = [0, -200, -200, 900, -900];
    for _ in 0..2 {
        let found = analysis(&game, Scripted::centipawns(&scores)).unwrap();
        annotate(&mut game, &found, true, spell);
    }
    let notes = &game.node(third).notes;
    let lines: Vec<_> = notes.comment.lines().collect();
    assert_eq!(lines[0], "a person wrote this");
    assert!(lines[1].starts_with("? mistake: 42% → 18%, best "), "{lines:?}");
    assert_eq!((lines.len(), notes.evaluations.len()), (2, 1));
    let before = game.node(third).parent().unwrap();
    assert_eq!(game.node(before).children().len(), 2, "the best line is a variation, once");

    for format in [Format::Kif, Format::Jkf] {
        let game = AnyRecord::from(game.clone());
        let written = write(&game, format).unwrap();
        assert!(written.lost.is_empty(), "{:?}", written.lost);
        let back = read(&written.bytes, Some(format)).unwrap();
        assert!(back[0].same_as(&game), "{format}\n{}", written.text().unwrap());
    }
}

#[test]
fn a_chess_record_keeps_scores_glyphs_and_variations() {
    let mut game = record::<Chess>("e2e4 e7e5 d1h5 g7g6");
    let found = analysis(&game, Scripted::centipawns(&[20, -30, 30, 10, 500])).unwrap();
    annotate(&mut game, &found, true, spell);
    annotate(&mut game, &found, true, spell);
    let written = write(&game.clone().into(), Format::Pgn).unwrap();
    assert!(written.lost.is_empty(), "{:?}", written.lost);
    let text = written.text().unwrap();
    assert!(text.contains("g6 $4") && text.contains("[%eval 5.00,7]"), "{text}");
    assert!(text.contains("?? blunder: 51% → 5%, best a7a5"), "{text}");
    assert!(read(&written.bytes, None).unwrap()[0].same_as(&game.into()), "{text}");
}
