//! Solves animal shogi: counts the positions, finds the value of every one, and writes the table.
//!
//! ```text
//! cargo run --release -p keisei-animal --example solve -- [THREADS] [TABLE]
//! ```

// An example talks to whoever runs it.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::Instant;

use keisei_animal::Position;
use keisei_animal::tablebase::{Progress, reachable, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let threads = match arguments.next() {
        Some(threads) => threads.parse()?,
        None => std::thread::available_parallelism()?.get(),
    };
    let start = Position::start();
    let begin = Instant::now();
    let report = |progress| {
        let seconds = begin.elapsed().as_secs_f64();
        match progress {
            Progress::Reached(positions) => println!("{seconds:5.0} s: {positions} more reached"),
            Progress::Decided { plies, positions } => {
                println!("{seconds:5.0} s: {positions} decided in {plies} moves");
            }
        }
    };
    let reached = reachable(start.board(), threads, report);
    println!("{reached:?}");
    let table = solve(start.board(), threads, report);
    let (draws, by_plies) = table.histogram();
    println!(
        "{} values: {draws} draws, the longest win takes {} moves",
        table.len(),
        by_plies.len() - 1
    );
    let value = table.value(start.board()).ok_or("the start has a value")?;
    println!("the start is {value}");
    for mv in start.legal_moves() {
        let after = table.value_after(start.board(), mv).ok_or("a successor has a value")?;
        println!("after {mv} the second player's position is {after}");
    }
    if let Some(path) = arguments.next() {
        table.save(Path::new(&path))?;
        println!("written to {path}");
    }
    println!("{:.0} s", begin.elapsed().as_secs_f64());
    Ok(())
}
