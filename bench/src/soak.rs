//! The rules of shogi compared with rsshogi's over random games.
//!
//! Every ply compares the legal moves, checks, the SFEN and the key; every game compares its end.
//! A game depends on the seed and its number alone, so a disagreement can be met again with
//! `--game`.

mod bout;
mod history;
mod peer;
mod starts;
mod style;
mod tally;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use clap::Args;

use self::starts::Starts;
use self::tally::Tally;

/// How much is played.
#[derive(Args)]
pub(crate) struct Options {
    /// How many plies are compared, at least
    #[arg(long, default_value_t = 10_000_000)]
    plies: u64,
    /// Another seed gives other games
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many threads play [default: one a processor]
    #[arg(long)]
    threads: Option<usize>,
    /// Play only the game of this number
    #[arg(long)]
    game: Option<u64>,
}

/// What the threads share.
struct Soak<'a> {
    options: &'a Options,
    starts: Starts,
    /// The number of the next game.
    next: AtomicU64,
    /// How many plies were compared.
    plies: AtomicU64,
    over: AtomicBool,
    results: Mutex<(Tally, Result<()>)>,
}

/// Compares until enough plies were played or a disagreement is found, which is an error.
pub(crate) fn run(options: &Options) -> Result<()> {
    let soak = Soak {
        options,
        starts: Starts::new(),
        next: AtomicU64::new(0),
        plies: AtomicU64::new(0),
        over: AtomicBool::new(false),
        results: Mutex::new((Tally::default(), Ok(()))),
    };
    let start = Instant::now();
    if let Some(game) = options.game {
        soak.play(game);
    } else {
        let threads = match options.threads {
            Some(threads) => threads.max(1),
            None => thread::available_parallelism()?.get(),
        };
        soak.play_all(threads, start);
    }
    let (tally, result) = soak.results.into_inner().expect("no thread panicked");
    result?;
    let (plies, seconds) = (soak.plies.into_inner(), start.elapsed().as_secs_f64());
    println!("{tally}");
    println!("{plies} plies compared in {seconds:.1} s: no disagreement");
    Ok(())
}

impl Soak<'_> {
    fn play_all(&self, threads: usize, start: Instant) {
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|_| {
                    scope.spawn(|| {
                        while !self.is_over() {
                            self.play(self.next.fetch_add(1, Ordering::Relaxed));
                        }
                    })
                })
                .collect();
            let mut shown = Instant::now();
            while workers.iter().any(|worker| !worker.is_finished()) {
                thread::sleep(Duration::from_millis(50));
                if shown.elapsed() >= Duration::from_secs(10) {
                    shown = Instant::now();
                    let plies = self.plies.load(Ordering::Relaxed);
                    let pace = plies as f64 / start.elapsed().as_secs_f64();
                    println!("{plies} of {} plies, {pace:.0} plies/s", self.options.plies);
                }
            }
        });
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
            || self.plies.load(Ordering::Relaxed) >= self.options.plies
    }

    /// Plays one game and adds its events to the tally, or notes its disagreement and stops all.
    fn play(&self, game: u64) {
        let seed = self.options.seed;
        let played = catch_unwind(AssertUnwindSafe(|| bout::play(&self.starts, seed, game)));
        let played = played.unwrap_or_else(|_| Err(anyhow!("a panic, printed above")));
        let mut results = self.results.lock().expect("no thread panicked");
        match played {
            Ok(tally) => {
                self.plies.fetch_add(tally.plies(), Ordering::Relaxed);
                results.0.add(&tally);
            }
            Err(error) => {
                self.over.store(true, Ordering::Relaxed);
                if results.1.is_ok() {
                    let again = format!("a disagreement; again: --seed {seed} --game {game}");
                    results.1 = Err(error).context(again);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_soak_finds_no_disagreement() {
        let options = Options { plies: 3000, seed: 1, threads: Some(2), game: None };
        run(&options).unwrap();
    }

    #[test]
    fn a_game_depends_on_seed_and_number_alone() {
        let starts = Starts::new();
        let play = |seed, game| bout::play(&starts, seed, game).unwrap();
        assert_eq!(play(5, 17), play(5, 17));
        assert_ne!(play(5, 17), play(5, 18));
    }
}
