//! The fixed workload: the same positions and moves in every run.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use keisei_game::{BoardStyle, Leaves, Position, perft, random_game};

use super::Phase;
use crate::text_game::TextGame;

/// The random games that the positions come from, and how long they may last.
const GAMES: u64 = 24;
const PLIES: usize = 200;

/// A position of a random game with the move that was played there, as values and as texts.
struct Sample<G: TextGame> {
    game: G,
    mv: G::Move,
    notation: String,
    move_text: String,
    book_move: String,
}

/// Does the whole workload `repeat` times.
pub(super) fn run<G: TextGame>(repeat: u64) -> Result<Vec<Phase>> {
    let samples = samples::<G>()?;
    let mut timer = Timer { repeat, phases: Vec::new() };
    let start = G::new();
    let mut games: Vec<_> = (0..GAMES).map(played::<G>).collect();

    timer.time("perft, listing the last ply", || perft(start.position(), 4, Leaves::Bulk));
    timer.time("perft, counting the last ply", || perft(start.position(), 4, Leaves::Count));
    timer.time("perft, playing the last ply", || perft(start.position(), 4, Leaves::Make));
    timer.time("random games", || (0..GAMES).map(|seed| played::<G>(seed).ply() as u64).sum());
    timer.time("games taken back and played", || games.iter_mut().map(take_back_and_play).sum());

    timer.each("legal moves", &samples, |s| s.game.position().legal_moves().as_ref().len());
    timer.each("legality of one move", &samples, |s| s.game.position().is_legal(s.mv));
    timer.each("check", &samples, |s| s.game.position().in_check());
    timer.each("position from text", &samples, |s| G::from_notation(&s.notation).is_ok());
    timer.each("position to text", &samples, |s| s.game.notation());
    timer.each("board as text", &samples, |s| s.game.board(BoardStyle::Ascii).is_ok());
    timer.each("move from text", &samples, |s| s.game.parse_move(&s.move_text).is_ok());
    timer.each("move to text", &samples, |s| s.mv.to_string());
    timer.each("move from book notation", &samples, |s| s.game.read_move(&s.book_move).is_ok());
    timer.each("move to book notation", &samples, |s| s.game.book_move(s.mv).is_ok());
    Ok(timer.phases)
}

/// A random game of the workload.
fn played<G: TextGame>(seed: u64) -> G {
    let mut game = G::new();
    random_game(&mut game, seed, PLIES);
    game
}

/// Takes back all moves of `game` and plays them again; says how many there are.
fn take_back_and_play<G: TextGame>(game: &mut G) -> u64 {
    let moves = game.moves().to_vec();
    while game.undo().is_some() {}
    moves.iter().for_each(|&mv| game.play_unchecked(mv));
    moves.len() as u64
}

/// Every position of the random games in which a move was played.
fn samples<G: TextGame>() -> Result<Vec<Sample<G>>> {
    let mut samples = Vec::new();
    for seed in 0..GAMES {
        let mut game = G::new();
        for &mv in played::<G>(seed).moves() {
            samples.push(Sample {
                notation: game.notation(),
                move_text: mv.to_string(),
                book_move: game.book_move(mv)?,
                mv,
                game: game.clone(),
            });
            game.play(mv)?;
        }
    }
    Ok(samples)
}

/// Collects the phases.
struct Timer {
    repeat: u64,
    phases: Vec<Phase>,
}

impl Timer {
    /// Times `work`, which says how many calls it makes.
    fn time(&mut self, name: &str, mut work: impl FnMut() -> u64) {
        let begin = Instant::now();
        let calls = (0..self.repeat).map(|_| work()).sum();
        let seconds = begin.elapsed().as_secs_f64();
        self.phases.push(Phase { name: name.to_owned(), calls, seconds });
    }

    /// Times `work` on every sample.
    fn each<T, R>(&mut self, name: &str, samples: &[T], mut work: impl FnMut(&T) -> R) {
        self.time(name, || {
            for sample in samples {
                black_box(work(black_box(sample)));
            }
            samples.len() as u64
        });
    }
}
