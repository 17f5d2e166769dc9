//! `keisei truth`: how often players keep what a position is worth, in a game that is solved.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use keisei_animal::tablebase::{Progress, Table, solve};
use keisei_animal::{Animal, Board, Move, Position};
use keisei_engine::{Answer, Limits, Player, PlayerSpec};
use keisei_game::{Game, Rules, SplitMix64};
use keisei_stats::wilson;
use serde::Serialize;

use crate::players::{help, program};
use crate::record_file::{cannot_write, check_writable};
use crate::start::usage;

/// Measure players against the solution of animal shogi
///
/// Wherever a move can throw away a won or drawn position, it counts how often a player's move does
/// not: in positions of random games, the same for all, and in those of games that the player plays
/// against itself. A move keeps a win if it still wins, however slowly, and a draw if it does not
/// lose.
///
/// The table holds what every position is worth. If FILE does not exist, the game is solved and the
/// table written: that takes minutes and a gigabyte.
#[derive(Args)]
#[command(after_help = help(EXAMPLES))]
pub(crate) struct Truth {
    /// Who is measured
    #[arg(value_name = "PLAYER", required = true, value_parser = program)]
    players: Vec<PlayerSpec>,
    /// The table of the solved game
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// How many random games there are, and how many games each player plays against itself
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// How many positions a player may visit for a move, unless its name says something else
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// The position that all games begin from, and of which a new table is made
    #[arg(long, value_name = "SFEN")]
    position: Option<Position>,
    /// What everything random follows from
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  keisei truth --table animal.table policy:runs/NAME net:runs/NAME,simulations=100
  keisei truth --table animal.table random greedy ab:3 --games 500";

/// Random moves before a player goes on, so that players without chance play different games too.
const RANDOM_PLIES: u64 = 8;
/// A game of a player against itself ends here.
const MOVE_LIMIT: usize = 200;

/// How often moves kept what there was to keep.
#[derive(Clone, Copy, Default, Serialize)]
struct Kept {
    won: Share,
    drawn: Share,
}

/// So many of so many.
#[derive(Clone, Copy, Default, Serialize)]
struct Share {
    kept: f64,
    positions: usize,
}

impl Share {
    fn add(&mut self, kept: f64) {
        self.kept += kept;
        self.positions += 1;
    }

    /// In per cent, with its 95 % interval.
    fn text(self) -> String {
        if self.positions == 0 {
            return "none".to_owned();
        }
        let share = self.kept / self.positions as f64;
        let (low, high) = wilson(share, self.positions as u64);
        let [share, low, high] = [share, low, high].map(|part| 100.0 * part);
        format!("{share:.1} % ({low:.1}–{high:.1}) of {}", self.positions)
    }
}

impl Kept {
    fn all(self) -> Share {
        let Self { won, drawn } = self;
        Share { kept: won.kept + drawn.kept, positions: won.positions + drawn.positions }
    }
}

/// What a player was measured at.
#[derive(Serialize)]
struct Measured {
    player: String,
    random_games: Kept,
    own_games: Option<Kept>,
}

/// A position in which a move can err.
struct Choice {
    won: bool,
    /// The moves that keep its value.
    keeping: Vec<Move>,
    /// How many of all moves do.
    share: f64,
}

impl Choice {
    fn count(&self, kept: f64, into: &mut Kept) {
        if self.won { into.won.add(kept) } else { into.drawn.add(kept) }
    }
}

impl Truth {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let start = self.position.unwrap_or_else(Position::start);
        let mut players = Vec::new();
        for spec in &self.players {
            players.push((spec.to_string(), spec.build::<Animal>(self.seed).map_err(usage)?));
        }
        let (table, saved) = open_table(&self.table, start.board())?;
        let positions = self.random_positions(start);
        let mut chance = Kept::default();
        for game in &positions {
            if let Some(choice) = choice(&table, game)? {
                choice.count(choice.share, &mut chance);
            }
        }
        let player = "any move".to_owned();
        let mut measured = vec![Measured { player, random_games: chance, own_games: None }];
        for (name, mut player) in players {
            let random_games = self.judge(&table, &mut *player, &positions)?;
            let own = self.own_positions(start, &mut *player)?;
            let own_games = Some(self.judge(&table, &mut *player, &own)?);
            measured.push(Measured { player: name, random_games, own_games });
        }
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&measured)?)?;
            return saved;
        }
        for Measured { player, random_games, own_games } in &measured {
            writeln!(out, "{player}")?;
            for (name, kept) in
                [("random games", Some(random_games)), ("its own games", own_games.as_ref())]
            {
                let Some(kept) = kept else { continue };
                let (all, won, drawn) = (kept.all().text(), kept.won.text(), kept.drawn.text());
                writeln!(out, "  {name:<14} {all:<30} won {won:<30} drawn {drawn}")?;
            }
        }
        saved
    }

    /// Every position of random games, each once.
    fn random_positions(&self, start: Position) -> Vec<Animal> {
        let mut rng = SplitMix64::new(self.seed);
        let mut seen = Seen::default();
        for _ in 0..self.games {
            let mut game = Animal::with_rules(start, Rules::BARE);
            while let Some(mv) = rng.choose(&game.legal_moves()) {
                seen.add(&game);
                game.play_unchecked(mv);
            }
        }
        seen.games
    }

    /// Every position of games that a player plays against itself, each once.
    fn own_positions(
        &self,
        start: Position,
        player: &mut dyn Player<Animal>,
    ) -> Result<Vec<Animal>> {
        let mut rng = SplitMix64::new(self.seed);
        let mut seen = Seen::default();
        let rules = Rules { move_limit: Some(MOVE_LIMIT), ..Rules::BARE };
        for number in 0..self.games {
            let mut game = Animal::with_rules(start, rules);
            player.new_game()?;
            while !game.is_over() {
                let by_chance = (game.ply() as u64) < number % (RANDOM_PLIES + 1);
                let mv = match rng.choose(&game.legal_moves()).filter(|_| by_chance) {
                    Some(mv) => Some(mv),
                    None => {
                        seen.add(&game);
                        self.answer(player, &game)?
                    }
                };
                match mv {
                    Some(mv) => game.play(mv)?,
                    None => game.resign(game.turn()),
                }
            }
            player.end_game(&game, game.turn())?;
        }
        Ok(seen.games)
    }

    /// A player's move, or `None` if it resigns.
    fn answer(&self, player: &mut dyn Player<Animal>, game: &Animal) -> Result<Option<Move>> {
        let limits = Limits { nodes: self.nodes, ..Limits::default() };
        match player.choose(game, &limits)? {
            Answer::Play { mv, .. } => Ok(Some(mv)),
            Answer::Resign => Ok(None),
            Answer::Win => bail!("{} declares a win, which this game does not know", player.name()),
        }
    }

    /// How often a player keeps the value of positions. Resigning keeps nothing.
    fn judge(
        &self,
        table: &Table,
        player: &mut dyn Player<Animal>,
        positions: &[Animal],
    ) -> Result<Kept> {
        let mut kept = Kept::default();
        for game in positions {
            let Some(choice) = choice(table, game)? else { continue };
            player.new_game()?;
            let mv = self.answer(player, game)?;
            let keeps = mv.is_some_and(|mv| choice.keeping.contains(&mv));
            choice.count(f64::from(u8::from(keeps)), &mut kept);
        }
        Ok(kept)
    }
}

/// Games that stand at different positions.
#[derive(Default)]
struct Seen {
    boards: HashSet<Board>,
    games: Vec<Animal>,
}

impl Seen {
    fn add(&mut self, game: &Animal) {
        if self.boards.insert(game.position().board()) {
            // The table knows no past, so neither may the player.
            self.games.push(Animal::with_rules(*game.position(), Rules::BARE));
        }
    }
}

/// What there is to keep in a position, if a move can lose it.
fn choice(table: &Table, game: &Animal) -> Result<Option<Choice>> {
    let board = game.position().board();
    let unknown = || anyhow!("the table does not hold {}", game.notation());
    let sign = table.value(board).ok_or_else(unknown)?.sign();
    let moves = game.legal_moves();
    let mut keeping = Vec::new();
    for &mv in &moves {
        if -table.value_after(board, mv).ok_or_else(unknown)?.sign() == sign {
            keeping.push(mv);
        }
    }
    let errs = sign >= 0 && keeping.len() < moves.len();
    let share = keeping.len() as f64 / moves.len() as f64;
    Ok(errs.then_some(Choice { won: sign > 0, keeping, share }))
}

/// Reads the table, or makes it first. A table that cannot be saved after all can still be used:
/// what went wrong then comes with it.
fn open_table(path: &Path, start: Board) -> Result<(Table, Result<()>)> {
    if path.exists() {
        let table = Table::load(path).with_context(|| format!("cannot use {}", path.display()))?;
        return Ok((table, Ok(())));
    }
    check_writable(path)?;
    let threads = thread::available_parallelism()?.get();
    eprintln!("{} does not exist: solving the game on {threads} threads", path.display());
    let table = solve(start, threads, |progress| match progress {
        Progress::Reached(positions) => eprintln!("{positions} more positions reached"),
        Progress::Decided { plies, positions } => {
            eprintln!("{positions} positions decided in {plies} moves");
        }
    });
    let saved = table.save(path);
    if saved.is_err() {
        // Half a table would be refused the next time.
        let _ = fs::remove_file(path);
    }
    Ok((table, saved.with_context(|| cannot_write(path))))
}
