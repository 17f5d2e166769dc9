//! `keisei stats`: which moves were played in a folder of records, and how they scored.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use keisei_games::GameName;
use keisei_records::{Favorites, Library, MoveStatistics, Occurrence, Sides, Source};
use serde::Serialize;

use crate::pick::{ForAnyGame, game_name};
use crate::record_file::replace;
use crate::start::usage;
use crate::text_game::{SpellingArgs, TextGame, from_text};
use crate::words::counted;

/// Statistics over a folder of records: the moves played in a position and their scores
///
/// Reads all record files in the folder and its subfolders. Files that cannot be read are listed on
/// standard error and skipped.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Stats {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The game
    #[arg(long, value_name = "GAME", value_parser = game_name(), default_value_t)]
    game: GameName,
    /// The position: SFEN or FEN, `startpos`, a handicap's name, or a `position` line with moves
    #[arg(long, value_name = "SFEN|FEN", default_value = "startpos")]
    position: String,
    /// Count a position together with the same one seen from the other side (shogi)
    #[arg(long)]
    both_sides: bool,
    /// How many of the games with the position to name
    #[arg(long, value_name = "N", default_value_t = 10)]
    games: usize,
    /// A file of favourite moves; they are marked with a star
    #[arg(long, value_name = "FILE")]
    favorites: Option<PathBuf>,
    /// Mark this move as a favourite, or remove the mark
    #[arg(long, value_name = "MOVE", requires = "favorites")]
    favorite: Option<String>,
    #[command(flatten)]
    spelling: SpellingArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  keisei stats records
  keisei stats records --position 'startpos moves 7g7f 3c3d' --both-sides
  keisei stats records --favorites liked.txt --favorite 2g2f
  keisei stats records --game chess --json";

/// What `keisei stats --json` prints.
#[derive(Serialize)]
struct Overview {
    game: &'static str,
    games: usize,
    positions: usize,
    position: String,
    moves: Vec<Row>,
    found: Vec<Found>,
    unreadable: Vec<String>,
}

/// What became of a move.
#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    mv: String,
    name: String,
    favorite: bool,
    played: usize,
    wins: usize,
    draws: usize,
    losses: usize,
    score: Option<f64>,
}

/// A game in which the position occurred.
#[derive(Serialize)]
struct Found {
    file: String,
    /// Which game of the file, from 1.
    number: usize,
    /// How many moves were played before.
    ply: u32,
}

impl ForAnyGame for Stats {
    fn game(&self) -> GameName {
        self.game
    }

    fn run<G: TextGame>(&self, out: &mut dyn Write) -> Result<()> {
        let at: G = from_text(&self.position).map_err(usage)?;
        let sides = if self.both_sides { Sides::Together } else { Sides::Apart };
        let library = Library::<G>::open(&self.folder, sides)
            .with_context(|| format!("cannot read {}", self.folder.display()))?;
        let favorites = self.favorites(&at, sides)?;
        let overview = self::overview(&library, &at, &favorites, self.spelling);
        for problem in &overview.unreadable {
            eprintln!("skipped: {problem}");
        }
        if overview.games == 0 {
            bail!("{} holds no records of {}", self.folder.display(), G::NAME);
        }
        if self.json {
            return Ok(writeln!(out, "{}", serde_json::to_string_pretty(&overview)?)?);
        }
        self.print(&overview, out)
    }
}

impl Stats {
    /// The favourites of the file, with the move of the command line marked or unmarked in it.
    fn favorites<G: TextGame>(&self, at: &G, sides: Sides) -> Result<Favorites<G>> {
        let Some(file) = &self.favorites else { return Ok(Favorites::new(sides)) };
        let name = file.display();
        let text = match fs::read_to_string(file) {
            Err(error) if error.kind() == ErrorKind::NotFound && self.favorite.is_some() => {
                String::new()
            }
            text => text.with_context(|| format!("cannot read {name}"))?,
        };
        let mut favorites = Favorites::from_text(&text, sides).with_context(|| name.to_string())?;
        if let Some(mv) = &self.favorite {
            let mv = at.read_move(mv).map_err(usage)?;
            at.clone().play(mv).map_err(usage)?;
            favorites.toggle(at.position(), mv);
            replace(file, favorites.to_text().as_bytes())?;
        }
        Ok(favorites)
    }

    fn print(&self, overview: &Overview, out: &mut dyn Write) -> Result<()> {
        let (games, positions) = (counted(overview.games, "game"), overview.positions);
        writeln!(
            out,
            "{games} of {}, {}",
            overview.game,
            counted(positions, "different position")
        )?;
        writeln!(out, "{}: {}\n", overview.position, counted(overview.found.len(), "time"))?;
        if overview.found.is_empty() {
            return Ok(());
        }
        writeln!(out, "  played   share   score    won  drawn   lost  move")?;
        let all: usize = overview.moves.iter().map(|row| row.played).sum();
        for Row { mv, name, favorite, played, wins, draws, losses, score } in &overview.moves {
            let share = format!("{:.1}%", 100.0 * *played as f64 / all as f64);
            let score = score.map_or("-".to_owned(), |score| format!("{:.1}%", 100.0 * score));
            let star = if *favorite { "★" } else { "" };
            writeln!(
                out,
                "{played:>8} {share:>7} {score:>7} {wins:>6} {draws:>6} {losses:>6}  {mv} {name}{star}"
            )?;
        }
        writeln!(out)?;
        for Found { file, number, ply } in overview.found.iter().take(self.games) {
            writeln!(out, "after {ply} moves in {file}, game {number}")?;
        }
        let more = overview.found.len().saturating_sub(self.games);
        if more > 0 {
            writeln!(out, "and {more} more (see --games)")?;
        }
        Ok(())
    }
}

fn overview<G: TextGame>(
    library: &Library<G>,
    at: &G,
    favorites: &Favorites<G>,
    spelling: SpellingArgs,
) -> Overview {
    let Library { statistics, sources, .. } = library;
    let liked = favorites.moves(at.position());
    let row = |found: MoveStatistics<G::Move>| Row {
        mv: found.mv.to_string(),
        name: spelling.spell(&at.book_move(found.mv).unwrap_or_default()),
        favorite: liked.contains(&found.mv),
        played: found.played,
        wins: found.wins,
        draws: found.draws,
        losses: found.losses,
        score: found.score(),
    };
    let found = |&Occurrence { game, ply }: &Occurrence| {
        let Source { path, game } = &sources[game as usize];
        Found { file: path.display().to_string(), number: game + 1, ply }
    };
    Overview {
        game: G::NAME,
        games: statistics.games(),
        positions: statistics.positions(),
        position: at.notation(),
        moves: statistics.moves(at.position()).into_iter().map(row).collect(),
        found: statistics.occurrences(at.position()).iter().map(found).collect(),
        unreadable: library.unreadable.iter().map(ToString::to_string).collect(),
    }
}
