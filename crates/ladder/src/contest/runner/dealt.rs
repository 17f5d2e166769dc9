//! A match on several ranks: rank 0 deals the rounds out and counts, all play.
//!
//! A rank that has reported all says goodbye and leaves when that is answered, and rank 0 says
//! nothing more to it. So every message is read in the match that it belongs to.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use keisei_cluster::Communicator;
use serde::{Deserialize, Serialize};

use super::worker::{Recorded, Worker};
use super::{Course, Journal, Match, MatchError, MatchSettings, Summary};
use crate::contest::Contested;
use crate::contest::fingerprint::same_contents;
use crate::contest::journal::differences;
use crate::contest::watchdog::Watchdog;

/// How often a rank looks for messages: games take much longer.
const LOOK: Duration = Duration::from_millis(2);

/// What a rank tells rank 0.
#[derive(Serialize, Deserialize)]
enum Report {
    /// It can play another round.
    Idle,
    /// A game is finished, or cannot be played.
    Game(Box<Result<Recorded, String>>),
    /// It was asked to end.
    Stopped,
    /// All its games are reported. It waits for the answer.
    Bye,
}

/// What rank 0 tells a rank.
#[derive(Serialize, Deserialize)]
enum Order {
    /// Play these games.
    Play(Vec<u64>),
    /// There are no more.
    NoMore,
    /// Leave off.
    Halt,
    /// The answer to a goodbye, after which nothing comes.
    Bye,
}

/// Games that wait for whoever is free.
#[derive(Default)]
struct Queue {
    games: Mutex<VecDeque<u64>>,
    /// Whether more may come.
    closed: AtomicBool,
}

impl Queue {
    fn games(&self) -> MutexGuard<'_, VecDeque<u64>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game; waits while more may come.
    fn next(&self, halt: &dyn Fn() -> bool) -> Option<u64> {
        loop {
            let closed = self.closed.load(Ordering::Acquire);
            if let Some(game) = self.games().pop_front() {
                return Some(game);
            }
            if closed || halt() {
                return None;
            }
            thread::sleep(LOOK);
        }
    }

    /// Takes out the games of the next round.
    fn next_round(&self, games_per_round: u64) -> Vec<u64> {
        let mut games = self.games();
        let Some(&first) = games.front() else { return Vec::new() };
        let round = first / games_per_round;
        let count = games.iter().take_while(|&&game| game / games_per_round == round).count();
        games.drain(..count).collect()
    }
}

/// A game's result, or why there is none.
type Played = Result<Recorded, MatchError>;

impl<G: Contested> Match<G> {
    /// Makes sure that all ranks would play the same match: each compares its settings with those
    /// of rank 0, and all hear of the first that has others.
    pub(super) fn agree(&self, ranks: &dyn Communicator) -> Result<(), MatchError> {
        let first = ranks.share(self.settings.clone());
        let problems = ranks.collect(self.difference(&first));
        match problems.into_iter().enumerate().find_map(|(rank, problem)| Some((rank, problem?))) {
            Some((rank, problem)) => Err(MatchError::Rank { rank, problem }),
            None => Ok(()),
        }
    }

    /// How this match differs from that of rank 0.
    fn difference(&self, first: &MatchSettings) -> Option<String> {
        let MatchSettings { players, identities, .. } = &self.settings;
        for ((player, own), first) in players.iter().zip(identities).zip(&first.identities) {
            if !same_contents(own, first) {
                return Some(format!(
                    "{player} would play with other weights than at rank 0: {own}, there {first}"
                ));
            }
        }
        let own = MatchSettings { identities: first.identities.clone(), ..self.settings.clone() };
        let differences = differences(&own, first);
        (!differences.is_empty()).then(|| format!("its match is not that of rank 0: {differences}"))
    }

    /// Deals out the `open` games, plays its part of them, and counts all.
    pub(super) fn deal(
        &self,
        ranks: &dyn Communicator,
        open: &[u64],
        course: &mut Course<'_, G>,
        journal: &mut Option<Journal>,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&Summary),
    ) -> Result<(), MatchError> {
        let queue =
            Queue { games: Mutex::new(open.iter().copied().collect()), closed: true.into() };
        let done = AtomicBool::new(false);
        let halt = || stop.load(Ordering::Relaxed) || done.load(Ordering::Relaxed);
        let watchdog = Watchdog::new(self.concurrency.max(1));
        thread::scope(|scope| {
            let results = self.start(scope, &queue, &watchdog, &halt);
            let mut end = Ok(());
            let mut others: BTreeSet<_> = (1..ranks.size()).collect();
            let mut own = true;
            let mut halted = false;
            while own || !others.is_empty() {
                let mut found = Vec::new();
                match results.recv_timeout(LOOK) {
                    Ok(result) => found.push(result),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        own = false;
                        thread::sleep(LOOK);
                    }
                }
                while let Some((rank, report)) = ranks.poll() {
                    match read(&report) {
                        Report::Idle => {
                            let round = queue.next_round(self.settings.games_per_round);
                            let order =
                                if round.is_empty() { Order::NoMore } else { Order::Play(round) };
                            post(ranks, rank, &order);
                        }
                        Report::Game(result) => found
                            .push((*result).map_err(|problem| MatchError::Rank { rank, problem })),
                        Report::Stopped => done.store(true, Ordering::Relaxed),
                        Report::Bye => {
                            others.remove(&rank);
                            post(ranks, rank, &Order::Bye);
                        }
                    }
                }
                for result in found {
                    if end.is_err() || course.is_over() {
                        continue;
                    }
                    end = result
                        .and_then(|recorded| Ok(course.take(recorded, journal.as_mut(), told)?));
                    if end.is_err() || course.is_over() {
                        done.store(true, Ordering::Relaxed);
                    }
                }
                if halt() && !halted {
                    halted = true;
                    others.iter().for_each(|&rank| post(ranks, rank, &Order::Halt));
                }
            }
            watchdog.end();
            end
        })
    }

    /// Plays what rank 0 deals out, and reports it.
    pub(super) fn play_dealt(&self, ranks: &dyn Communicator, stop: &AtomicBool) {
        let queue = Queue::default();
        let done = AtomicBool::new(false);
        let halt = || stop.load(Ordering::Relaxed) || done.load(Ordering::Relaxed);
        let watchdog = Watchdog::new(self.concurrency.max(1));
        thread::scope(|scope| {
            let results = self.start(scope, &queue, &watchdog, &halt);
            let (mut asked, mut told, mut plays) = (false, false, true);
            while plays {
                while let Some((_, order)) = ranks.poll() {
                    asked = false;
                    match read(&order) {
                        Order::Play(games) => queue.games().extend(games),
                        Order::NoMore => queue.closed.store(true, Ordering::Release),
                        Order::Halt => done.store(true, Ordering::Relaxed),
                        Order::Bye => unreachable!("nobody has said goodbye"),
                    }
                }
                match results.recv_timeout(LOOK) {
                    Ok(result) => {
                        let result = result.map_err(|error| error.to_string());
                        post(ranks, 0, &Report::Game(Box::new(result)));
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => plays = false,
                }
                let open = !queue.closed.load(Ordering::Acquire) && !halt();
                if open && !asked && queue.games().is_empty() {
                    asked = true;
                    post(ranks, 0, &Report::Idle);
                }
                if stop.load(Ordering::Relaxed) && !told {
                    told = true;
                    post(ranks, 0, &Report::Stopped);
                }
            }
            watchdog.end();
        });
        post(ranks, 0, &Report::Bye);
        // Other orders may have been on their way.
        let answered = |order: &[u8]| matches!(read(order), Order::Bye);
        while !ranks.poll().is_some_and(|(_, order)| answered(&order)) {
            thread::sleep(LOOK);
        }
    }

    /// Starts the threads that play.
    fn start<'scope, 'env>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        queue: &'env Queue,
        watchdog: &'env Watchdog,
        halt: &'env (dyn Fn() -> bool + Sync),
    ) -> mpsc::Receiver<Played> {
        let (sender, results) = mpsc::channel();
        for place in 0..self.concurrency.max(1) {
            let sender: Sender<Played> = sender.clone();
            let mut worker = Worker::new(self, place, watchdog, halt);
            scope.spawn(move || {
                while let Some(game) = queue.next(halt) {
                    // Nothing comes of a game when the match is stopped meanwhile.
                    let Some(result) = worker.play(game).transpose() else { return };
                    if sender.send(result).is_err() {
                        return;
                    }
                }
            });
        }
        scope.spawn(move || watchdog.run(halt));
        results
    }
}

fn post(ranks: &dyn Communicator, to: usize, message: &impl Serialize) {
    ranks.post(to, &serde_json::to_vec(message).expect("what ranks tell each other is plain JSON"));
}

fn read<'a, T: Deserialize<'a>>(message: &'a [u8]) -> T {
    serde_json::from_slice(message).expect("all ranks run the same program")
}
