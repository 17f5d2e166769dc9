//! The games of a run as they stand: a small file that is replaced now and then, for whoever
//! watches the run.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use keisei_encode::Episode;
use keisei_game::{Game, Side};
use serde::{Deserialize, Serialize};

use crate::curriculum::Plan;
use crate::rollout::Ended;

/// How often the file is written at most.
const EVERY: Duration = Duration::from_secs(1);
/// How many of the games that are being played it shows, and how many that have ended.
const SHOWN: usize = 12;

/// The games of a run at one moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveGames {
    /// How many updates were made.
    pub update: u64,
    /// How many moves were made.
    pub step: u64,
    /// Some of the games that are being played, the same ones from file to file.
    pub playing: Vec<LiveGame>,
    /// The games that ended last, the newest first.
    pub ended: Vec<LiveGame>,
}

/// A game of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveGame {
    /// The game as a position line without its first word: `startpos moves 7g7f`.
    pub position: String,
    /// How many of its moves were there when it was rewound to and begun anew.
    pub began_at: usize,
    /// The side that an earlier self plays, from 0; none in a game of the learner with itself.
    pub earlier_self: Option<usize>,
    /// How it ended, if it did.
    pub end: Option<LiveEnd>,
}

/// How a game of a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveEnd {
    /// The side that won, from 0.
    pub winner: Option<usize>,
    /// By which rule, as in a result's text: `checkmate`.
    pub reason: String,
}

impl LiveGame {
    fn new<G: Game>(episode: &Episode<G, Plan>) -> Self {
        let game = &episode.game;
        let start = match game.start() {
            start if *start == G::start_position() => "startpos".to_owned(),
            start => format!("{} {start}", G::NOTATION),
        };
        let moves: String = game.moves().iter().map(|mv| format!(" {mv}")).collect();
        let position = if moves.is_empty() { start } else { format!("{start} moves{moves}") };
        let Plan { began_at, opponent, .. } = episode.plan;
        let earlier_self = opponent.map(|opponent| usize::from(!opponent.plays_first));
        Self { position, began_at, earlier_self, end: None }
    }

    fn ended<G: Game>(ended: &Ended<G>) -> Self {
        let winner = ended.outcome.winner().map(|side| usize::from(side == Side::Second));
        let reason = ended.outcome.reason().to_string();
        Self { end: Some(LiveEnd { winner, reason }), ..Self::new(&ended.episode) }
    }
}

/// Writes the games of a run. A disk that refuses is reported once, and nothing is written from then
/// on.
pub(crate) struct LiveWriter {
    path: PathBuf,
    written: Option<Instant>,
    works: bool,
    ended: VecDeque<LiveGame>,
}

impl LiveWriter {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, written: None, works: true, ended: VecDeque::new() }
    }

    /// Takes note of what a rollout brought, and writes it if the last file is old enough.
    pub(crate) fn note<'a, G: Game>(
        &mut self,
        (update, step): (u64, u64),
        running: impl Iterator<Item = &'a Episode<G, Plan>>,
        ended: &[Ended<G>],
    ) {
        for ended in &ended[ended.len().saturating_sub(SHOWN)..] {
            self.ended.push_front(LiveGame::ended(ended));
        }
        self.ended.truncate(SHOWN);
        let due = self.written.is_none_or(|written| written.elapsed() >= EVERY);
        if !due || !self.works {
            return;
        }
        self.written = Some(Instant::now());
        let playing = running.take(SHOWN).map(LiveGame::new).collect();
        let ended = self.ended.iter().cloned().collect();
        if let Err(error) = self.replace(&LiveGames { update, step, playing, ended }) {
            tracing::warn!(%error, "the games being played are no longer shown");
            self.works = false;
        }
    }

    fn replace(&self, games: &LiveGames) -> io::Result<()> {
        let unfinished = self.path.with_extension("unfinished");
        fs::write(&unfinished, serde_json::to_vec(games)?)?;
        fs::rename(&unfinished, &self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_game::{Outcome, Reason};
    use keisei_shogi::Shogi;

    fn episode(moves: &[&str]) -> Episode<Shogi, Plan> {
        let mut game = Shogi::new();
        moves.iter().for_each(|mv| game.play(mv.parse().unwrap()).unwrap());
        Episode { game, number: 0, truncate_at: None, plan: Plan::default() }
    }

    #[test]
    fn the_file_has_a_few_games_and_the_last_that_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("live.json");
        let mut writer = LiveWriter::new(path.clone());
        let running: Vec<_> = (0..20).map(|_| episode(&["7g7f"])).collect();
        let outcome = Outcome::win(Side::Second, Reason::Checkmate);
        let ended: Vec<_> =
            (0..20).map(|step| Ended { step, outcome, episode: episode(&[]) }).collect();
        writer.note((3, 60), running.iter(), &ended);
        let read = || serde_json::from_slice::<LiveGames>(&fs::read(&path).unwrap()).unwrap();
        let games = read();
        assert_eq!((games.update, games.step), (3, 60));
        assert_eq!((games.playing.len(), games.ended.len()), (SHOWN, SHOWN));
        assert_eq!(games.playing[0].position, "startpos moves 7g7f");
        let end = LiveEnd { winner: Some(1), reason: "checkmate".to_owned() };
        assert_eq!(games.ended[0].end, Some(end));
        writer.note((4, 80), running.iter(), &[]);
        assert_eq!(read().update, 3, "the file is young");
    }

    #[test]
    fn a_game_from_another_start_names_it() {
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 b R 1";
        let game = Shogi::from_notation(sfen).unwrap();
        let plan = Plan::default();
        let line = LiveGame::new(&Episode { game, number: 0, truncate_at: None, plan }).position;
        assert_eq!(line, format!("sfen {sfen}"));
    }
}
