//! Compares the Japanese notation with the crate `shogi_official_kifu` on random moves:
//! `cargo run --release -p keisei-records --example notation_soak -- 300000`.

#![allow(clippy::print_stdout, reason = "a report for the terminal")]

#[path = "../tests/support/official.rs"]
mod official;

fn main() {
    let wanted = std::env::args().nth(1).map_or(Ok(300_000), |count| count.parse());
    let wanted = wanted.expect("the argument is a number of moves");
    let found = official::compare(20_260_101, wanted);
    println!(
        "{} moves compared ({} with marks), {} differences; {} need fewer marks by the rules",
        found.moves,
        found.marked,
        found.differences.len(),
        found.fewer_marks
    );
    found.differences.iter().take(20).for_each(|difference| println!("{difference}"));
    std::process::exit(i32::from(!found.differences.is_empty()));
}
