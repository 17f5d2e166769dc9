//! Plays a match: several games at once, counted in their order.

mod dealt;
mod worker;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use keisei_cluster::{Alone, Communicator};
use keisei_engine::Player;
use keisei_records::{AnyRecord, Format, WriteError};
use serde::{Deserialize, Serialize};

use super::watchdog::Watchdog;
use super::{
    Contested, DrawRule, FinishedGame, Journal, JournalError, Openings, ResignRule, Standing,
    Summary, TimeControl, TooLong,
};
use crate::stats::Sprt;
use worker::{Recorded, Worker};

/// Makes a player whose chances follow from a seed.
pub type MakePlayer<G> =
    dyn Fn(u64) -> Result<Box<dyn Player<G>>, Box<dyn Error + Send + Sync>> + Send + Sync;

/// One of the two players of a match.
pub struct Contestant<G> {
    /// Its name in reports and records.
    pub name: String,
    /// How long it may think.
    pub control: TimeControl,
    /// Makes it. Players are made anew for every game, with a seed of that game.
    pub make: Box<MakePlayer<G>>,
    /// Whether it is kept from game to game, as programs are that take long to start. One that
    /// failed is made anew all the same.
    pub lasting: bool,
}

/// What decides how the games of a match go. A match goes on only with the same settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSettings {
    /// The game.
    pub game: String,
    /// The players' names.
    pub players: [String; 2],
    /// Whatever else tells these players from others, such as the weights they play with.
    pub identities: [String; 2],
    /// The players' limits.
    pub limits: [String; 2],
    /// The openings.
    pub openings: String,
    /// What everything random follows from.
    pub seed: u64,
    /// How many games each opening is played in: 2 with colours exchanged, or 1.
    pub games_per_round: u64,
    /// After how many moves a game is drawn.
    pub max_moves: Option<usize>,
    /// When games are drawn early.
    pub draw: Option<DrawRule>,
    /// When games are given up early.
    pub resign: Option<ResignRule>,
    /// The test that may end the match.
    pub sprt: Option<Sprt>,
}

/// A match between two players.
pub struct Match<G: Contested> {
    /// What decides how its games go.
    pub settings: MatchSettings,
    /// The players. Their names and limits are those of the settings.
    pub contestants: [Contestant<G>; 2],
    /// The openings.
    pub openings: Openings,
    /// How many rounds are played.
    pub rounds: u64,
    /// How many games are played at once.
    pub concurrency: usize,
    /// The format of the records.
    pub format: Format,
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// Its folder cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A player cannot be made.
    #[error("{player} cannot play: {problem}")]
    Player {
        /// Who.
        player: String,
        /// Why.
        problem: String,
    },
    /// A game cannot be recorded in the format that was asked for.
    #[error(transparent)]
    Record(#[from] WriteError),
    /// Another rank cannot play its games.
    #[error("rank {rank}: {problem}")]
    Rank {
        /// Which.
        rank: usize,
        /// What it says.
        problem: String,
    },
    /// An opening cannot be played.
    #[error("the opening {0} cannot be played")]
    Opening(String),
    /// There are no openings.
    #[error(transparent)]
    Openings(#[from] TooLong),
}

impl<G: Contested> Match<G> {
    /// Plays until all rounds are played, the test has found something, or `stop` is set, and
    /// tells how the match stands after every round in order. With a folder, the match goes on
    /// from what is there.
    pub fn play(
        &self,
        folder: Option<&Path>,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Summary),
    ) -> Result<Summary, MatchError> {
        self.play_among(&Alone, folder, stop, told)
    }

    /// The same on several ranks, to which the rounds are dealt out. Rank 0 keeps the folder and
    /// tells how the match stands; all know the result. All have to have the same players and
    /// settings: if one has not, none plays.
    pub fn play_among(
        &self,
        ranks: &dyn Communicator,
        folder: Option<&Path>,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Summary),
    ) -> Result<Summary, MatchError> {
        self.agree(ranks)?;
        if !ranks.is_first() {
            if ranks.share(false) {
                self.play_dealt(ranks, stop);
            }
            let mut course = Course::new(self);
            ranks.share(Vec::new()).into_iter().for_each(|game| course.insert(game));
            course.advance();
            return Ok(course.summary());
        }
        let (mut journal, finished) = match folder {
            Some(folder) => Journal::open(folder, &self.settings)
                .map(|(journal, finished)| (Some(journal), finished))?,
            None => (None, Vec::new()),
        };
        let mut course = Course::new(self);
        finished.into_iter().for_each(|game| course.insert(game));
        course.advance();
        let total = self.rounds * self.settings.games_per_round;
        let open: Vec<_> = (0..total).filter(|game| !course.games.contains_key(game)).collect();
        let goes_on = ranks.share(!course.is_over() && !open.is_empty());
        if goes_on && ranks.size() == 1 {
            self.play_open(&open, &mut course, &mut journal, stop, told)?;
        } else if goes_on {
            self.deal(ranks, &open, &mut course, &mut journal, stop, told)?;
        }
        if ranks.size() > 1 {
            ranks.share(course.games.values().cloned().collect::<Vec<_>>());
        }
        let summary = course.summary();
        if let Some(journal) = &journal {
            journal.write_result(&summary)?;
        }
        Ok(summary)
    }

    /// Plays without a folder, and gives the records of the games that count in their order.
    pub fn play_recorded(
        &self,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Summary),
    ) -> Result<(Summary, Vec<AnyRecord>), MatchError> {
        let mut course = Course { records: Some(BTreeMap::new()), ..Course::new(self) };
        let per_round = self.settings.games_per_round;
        let open: Vec<_> = (0..self.rounds * per_round).collect();
        if !open.is_empty() {
            self.play_open(&open, &mut course, &mut None, stop, told)?;
        }
        let summary = course.summary();
        let counted = summary.rounds * per_round;
        let records = course.records.into_iter().flatten();
        let records = records.filter(|(game, _)| *game < counted).map(|(_, record)| record);
        Ok((summary, records.collect()))
    }

    fn play_open(
        &self,
        open: &[u64],
        course: &mut Course<'_, G>,
        journal: &mut Option<Journal>,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Summary),
    ) -> Result<(), MatchError> {
        let places = self.concurrency.clamp(1, open.len());
        let next = AtomicUsize::new(0);
        let done = AtomicBool::new(false);
        let halt = || stop.load(Ordering::Relaxed) || done.load(Ordering::Relaxed);
        let watchdog = Watchdog::new(places);
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for place in 0..places {
                let sender = sender.clone();
                let mut worker = Worker::new(self, place, &watchdog, &halt);
                let next = &next;
                scope.spawn(move || {
                    while let Some(&game) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // Nothing comes of a game when the match is stopped meanwhile.
                        let Some(result) = worker.play(game).transpose() else { return };
                        if sender.send(result).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            scope.spawn(|| watchdog.run(&halt));
            let mut end = Ok(());
            for result in results {
                if end.is_err() || course.is_over() {
                    continue;
                }
                end = result.and_then(|recorded| {
                    course.take(recorded, journal.as_mut(), told)?;
                    Ok(())
                });
                if end.is_err() || course.is_over() {
                    done.store(true, Ordering::Relaxed);
                }
            }
            watchdog.end();
            end
        })
    }
}

/// The games of a match that are finished, and how it stands by those that count.
struct Course<'a, G: Contested> {
    contest: &'a Match<G>,
    games: BTreeMap<u64, FinishedGame>,
    standing: Standing,
    /// How many rounds are counted in the standing.
    rounds: u64,
    /// The records of the games, if they are to be kept.
    records: Option<BTreeMap<u64, AnyRecord>>,
}

impl<'a, G: Contested> Course<'a, G> {
    fn new(contest: &'a Match<G>) -> Self {
        let standing = Standing::new(contest.settings.games_per_round);
        Self { contest, games: BTreeMap::new(), standing, rounds: 0, records: None }
    }

    fn insert(&mut self, game: FinishedGame) {
        self.games.insert(game.game, game);
    }

    /// Keeps a finished game, and tells of every round that it completes.
    fn take(
        &mut self,
        recorded: Recorded,
        journal: Option<&mut Journal>,
        told: &mut dyn FnMut(&Summary),
    ) -> Result<(), JournalError> {
        if let Some(journal) = journal {
            // The record comes first: a game whose line is there has its record.
            journal.write_record(&recorded.name, &recorded.bytes)?;
            journal.add(&recorded.game)?;
        }
        if let (Some(records), Some(record)) = (&mut self.records, recorded.record) {
            records.insert(recorded.game.game, record);
        }
        self.insert(recorded.game);
        while self.advance_one() {
            told(&self.summary());
        }
        Ok(())
    }

    /// Counts all rounds that can be counted.
    fn advance(&mut self) {
        while self.advance_one() {}
    }

    /// Counts the next round, if its games are finished and the match is not over.
    fn advance_one(&mut self) -> bool {
        let per_round = self.contest.settings.games_per_round;
        let first = self.rounds * per_round;
        let games = (first..first + per_round).map(|game| self.games.get(&game));
        let Some(round) = games.collect::<Option<Vec<_>>>() else { return false };
        if self.is_over() {
            return false;
        }
        self.standing.add_round(&round);
        self.rounds += 1;
        true
    }

    fn is_over(&self) -> bool {
        let sprt = self.contest.settings.sprt.as_ref();
        self.rounds >= self.contest.rounds || self.standing.verdict(sprt).is_some()
    }

    fn summary(&self) -> Summary {
        Summary::new(&self.contest.settings, self.standing, self.rounds, self.is_over())
    }
}
