//! The speed of many games at once, as a learner plays them: random legal actions, masks, packed
//! observations, and these expanded to planes.
//!
//! One thread is measured by its processor time, several by the clock on the wall. The best of many
//! short turns counts. Games begin spread over their whole length, so that every turn sees the same
//! mixture of openings and endings. The peers run in a Python of their own.

mod peers;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use keisei_encode::{Actions, Encode, Episode, Standard, VecEnv, chess, expand_batch, shogi};
use keisei_game::{Game, Position, SplitMix64, random_game};

use crate::clock::timed;

/// The games begin at most this many plies from the start.
const SPREAD: usize = 500;
/// How many steps make one turn.
const STEPS_A_TURN: usize = 32;

/// What is measured, how long and beside whom.
#[derive(Args)]
pub(crate) struct Options {
    /// How many games are played at once
    #[arg(long, default_value_t = 256, value_name = "N")]
    games: usize,
    /// How long to go on with each kind of work, at least
    #[arg(long, default_value_t = 2.0, value_name = "SECONDS")]
    seconds: f64,
    /// How many threads play
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,
    /// A Python that has cshogi, pgx or both: they are measured too
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
}

/// A row of the report, in plies a second; `None` for work that a library cannot do.
struct Row {
    name: String,
    packed: Option<f64>,
    planes: Option<f64>,
}

/// Runs the benchmark and prints its report.
pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(options.games > 0, "at least one game is needed");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    let mut rows = pool.install(|| -> Result<_> {
        Ok(vec![
            measure::<shogi::Compact>(options)?,
            measure::<shogi::Full>(options)?,
            measure::<chess::AlphaZero>(options)?,
        ])
    })?;
    if let Some(python) = &options.python {
        rows.extend(peers::measure(python, options.games, options.seconds)?);
    }
    let threads = match options.threads {
        1 => "one thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    println!(
        "{:<28}{:>16}{:>16}",
        format!("thousand plies/s, {threads}"),
        "packed + mask",
        "with planes"
    );
    for Row { name, packed, planes } in rows {
        println!("  {name:<26}{}{}", cell(packed), cell(planes));
    }
    Ok(())
}

fn cell(rate: Option<f64>) -> String {
    rate.map_or(format!("{:>16}", "–"), |rate| format!("{:>16.1}", rate / 1e3))
}

fn measure<A: Actions>(options: &Options) -> Result<Row> {
    let mut rates = [false, true].into_iter().map(|planes| rate::<A>(options, planes));
    Ok(Row {
        name: format!("keisei {}, {}", A::Game::NAME, A::NAME),
        packed: rates.next().transpose()?,
        planes: rates.next().transpose()?,
    })
}

/// The best rate of many turns.
fn rate<A: Actions>(options: &Options, with_planes: bool) -> Result<f64> {
    let mut env: VecEnv<A> = VecEnv::resume(spread::<A::Game>(options.games));
    check(&env)?;
    let mut rng = SplitMix64::new(0);
    let mut actions = vec![0; env.len()];
    let mut planes = vec![0.0; env.len() * A::Game::PLANES * A::Game::SQUARES];
    let mut turn = || -> Result<()> {
        for _ in 0..STEPS_A_TURN {
            for (game, action) in actions.iter_mut().enumerate() {
                *action = rng.choose(env.legal_actions(game)).context("a game goes on")?;
            }
            env.step(&actions, &Standard)?;
            if with_planes {
                expand_batch::<A::Game>(env.observations(), &mut planes);
            }
        }
        Ok(())
    };
    let plies = (STEPS_A_TURN * options.games) as f64;
    let mut best: f64 = 0.0;
    let start = Instant::now();
    while best == 0.0 || start.elapsed().as_secs_f64() < options.seconds {
        let (time, done) = if options.threads == 1 { timed(&mut turn) } else { walled(&mut turn) };
        done?;
        best = best.max(plies / time.as_secs_f64());
    }
    Ok(best)
}

fn walled<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let value = work();
    (start.elapsed(), value)
}

/// Games in all stages.
fn spread<G: Game>(games: usize) -> impl Iterator<Item = Episode<G>> {
    (0..games).map(move |index| {
        let mut game = G::new();
        random_game(&mut game, index as u64, index * SPREAD / games);
        if game.outcome().is_some() {
            game.reset();
        }
        Episode { game, number: 0, truncate_at: None, plan: () }
    })
}

/// The masks show as many actions as there are legal moves.
fn check<A: Actions>(env: &VecEnv<A>) -> Result<()> {
    for (game, mask) in env.masks().chunks_exact(A::MASK_WORDS).enumerate() {
        let shown: u32 = mask.iter().map(|word| word.count_ones()).sum();
        let legal = env.game(game).position().count_legal_moves();
        ensure!(shown as usize == legal, "{legal} legal moves, {shown} actions in game {game}");
    }
    Ok(())
}
