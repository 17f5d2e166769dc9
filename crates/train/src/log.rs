//! The training log: a line for each finished game and each update, for people and scripts.

use std::io;
use std::path::Path;

use keisei_game::{Game, Side};
use keisei_net::Losses;

use crate::append::AppendFile;
use crate::rollout::Ended;

/// The training log. Every entry is on its way to the disk before the next one is written.
#[derive(Debug)]
pub struct TrainingLog(AppendFile);

impl TrainingLog {
    /// Writes at the end of `path`, after `length` bytes if given.
    pub fn open(path: &Path, length: Option<u64>) -> io::Result<Self> {
        AppendFile::open(path, length).map(Self)
    }

    /// Logs an episode, by its entry.
    pub(crate) fn episode(&mut self, entry: &str) -> io::Result<()> {
        self.0.write(entry.as_bytes())
    }

    /// Logs an update.
    pub fn update(&mut self, step: u64, losses: &Losses) -> io::Result<()> {
        self.0.write(update_entry(step, losses).as_bytes())
    }

    /// The file and how long it is.
    pub fn file(&self) -> (&Path, u64) {
        (self.0.path(), self.0.length())
    }

    /// Makes sure that all is on the disk.
    pub fn flush(&mut self) -> io::Result<()> {
        self.0.sync()
    }
}

/// The entry of a finished episode. Player 0 is the first side. The moves lead on from `Start`,
/// where the episode began: a rewound one has few.
pub(crate) fn episode_entry<G: Game>(number: u64, ended: &Ended<G>) -> String {
    let Ended { step, outcome, episode } = ended;
    let winner = match outcome.winner() {
        Some(Side::First) => "Player 0",
        Some(Side::Second) => "Player 1",
        None => "Draw",
    };
    let [first, second] = Side::ALL.map(|side| outcome.reward(side));
    let mut start = episode.game.clone();
    (0..ended.length()).for_each(|_| _ = start.undo());
    let moves = &episode.game.moves()[episode.plan.began_at..];
    let moves: Vec<_> = moves.iter().map(ToString::to_string).collect();
    format!(
        "GlobalStep: {step}, Episode Ended. Winner: {winner}, Moves: {}, P0_R: {first}, P1_R: \
         {second}, Episode: {number}, End: {}, Start: {}\nSFEN Moves: {}\n",
        moves.len(),
        outcome.reason(),
        start.notation(),
        moves.join(" ")
    )
}

fn update_entry(step: u64, losses: &Losses) -> String {
    let Losses { policy, value, entropy, .. } = losses;
    format!(
        "GlobalStep: {step}, PPO Update. PolicyLoss: {policy:.4}, ValueLoss: {value:.4}, Entropy: \
         {entropy:.4}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::Plan;
    use keisei_encode::Episode;
    use keisei_game::{Outcome, Reason};
    use keisei_shogi::Shogi;

    /// An episode of a game of two moves that began after `began_at` of them.
    fn ended(began_at: usize, outcome: Outcome) -> Ended<Shogi> {
        let mut game = Shogi::new();
        for text in ["7g7f", "3c3d"] {
            game.play(game.parse_move(text).unwrap()).unwrap();
        }
        let plan = Plan { began_at, ..Plan::default() };
        let episode = Episode { game, number: 0, truncate_at: None, plan };
        Ended { step: 8192, outcome, episode }
    }

    #[test]
    fn a_finished_game_is_logged_with_step_winner_rewards_number_and_usi_moves() {
        let outcome = Outcome::win(Side::Second, Reason::Checkmate);
        assert_eq!(
            episode_entry(17, &ended(0, outcome)),
            "GlobalStep: 8192, Episode Ended. Winner: Player 1, Moves: 2, P0_R: -1, P1_R: 1, \
             Episode: 17, End: checkmate, Start: \
             lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
             SFEN Moves: 7g7f 3c3d\n"
        );
        let draw = episode_entry(1, &ended(0, Outcome::draw(Reason::MoveLimit)));
        assert!(draw.contains("Winner: Draw, Moves: 2, P0_R: 0, P1_R: 0, "), "{draw}");
    }

    #[test]
    fn the_moves_of_a_rewound_episode_are_counted_from_where_it_began() {
        let entry = episode_entry(1, &ended(1, Outcome::draw(Reason::MoveLimit)));
        assert!(entry.contains("Moves: 1, "), "{entry}");
        let start = "Start: lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n";
        assert!(entry.contains(start) && entry.ends_with("SFEN Moves: 3c3d\n"), "{entry}");
    }

    #[test]
    fn an_update_is_logged_with_its_losses_to_four_decimals() {
        let losses = Losses { policy: -0.01234, value: 0.5, entropy: 3.98768, ..Losses::default() };
        assert_eq!(
            update_entry(4096, &losses),
            "GlobalStep: 4096, PPO Update. PolicyLoss: -0.0123, ValueLoss: 0.5000, Entropy: 3.9877\n"
        );
    }

    #[test]
    fn the_log_is_appended_to_and_readable_after_every_entry() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("logs/shogi_training_log.txt");
        for step in 1..=2 {
            let mut log = TrainingLog::open(&path, None).unwrap();
            log.update(step, &Losses::default()).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(text.lines().count(), step as usize);
        }
    }
}
