//! Players for tests, and matches between them.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use keisei_engine::{Answer, Limits, Player, PlayerError, Report, Signal};
use keisei_game::{Game, Side, SplitMix64};
use keisei_ladder::contest::{Contestant, Match, MatchSettings, Openings, Summary, TimeControl};
use keisei_records::Format;
use keisei_shogi::Shogi;

/// What a player does at each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Habit {
    /// Any legal move.
    Random,
    /// Resigns at once.
    Resigns,
    /// Ends like a crashed program.
    Crashes,
    /// Plays a move of a piece that is not there.
    Cheats,
    /// Declares a win at once.
    Declares,
    /// Thinks until it is told to stop.
    Dawdles,
}

/// A player with a habit.
pub(crate) struct Habitual {
    habit: Habit,
    rng: SplitMix64,
    heard: Heard,
}

/// How the games ended that players were told of: who was told, and who won.
pub(crate) type Heard = Arc<Mutex<Vec<(Habit, Option<bool>)>>>;

impl Player<Shogi> for Habitual {
    fn name(&self) -> &str {
        "habitual"
    }

    fn end_game(&mut self, game: &Shogi, side: Side) -> Result<(), PlayerError> {
        let outcome = game.outcome().expect("the game is over");
        let won = outcome.winner().map(|winner| winner == side);
        self.heard.lock().unwrap().push((self.habit, won));
        Ok(())
    }

    fn think(
        &mut self,
        game: &Shogi,
        _: &Limits,
        signal: &Signal,
        _: &mut dyn FnMut(&Report<<Shogi as Game>::Move>),
    ) -> Result<Answer<<Shogi as Game>::Move>, PlayerError> {
        let any = self.rng.choose(&game.legal_moves()).expect("the game is not over");
        Ok(match self.habit {
            Habit::Random => Answer::play(any),
            Habit::Resigns => Answer::Resign,
            Habit::Declares => Answer::Win,
            Habit::Cheats => Answer::play("5e5d".parse().unwrap()),
            Habit::Crashes => {
                let (player, how) = ("habitual".to_owned(), "signal 11".to_owned());
                return Err(PlayerError::Ended { player, how });
            }
            Habit::Dawdles => {
                while !signal.stopped() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Answer::play(any)
            }
        })
    }
}

/// A contestant with a habit.
pub(crate) fn contestant(habit: Habit, limits: &str) -> Contestant<Shogi> {
    listening(habit, limits, &Heard::default())
}

/// A contestant with a habit that notes what it is told.
pub(crate) fn listening(habit: Habit, limits: &str, heard: &Heard) -> Contestant<Shogi> {
    let heard = Arc::clone(heard);
    let make = move |seed| {
        let (rng, heard) = (SplitMix64::new(seed), Arc::clone(&heard));
        let player: Box<dyn Player<Shogi>> = Box::new(Habitual { habit, rng, heard });
        Ok(player)
    };
    Contestant {
        name: format!("{habit:?}"),
        control: TimeControl::default().with(limits.split_whitespace()).unwrap(),
        make: Box::new(make),
        lasting: false,
    }
}

/// A match between two habits.
pub(crate) fn contest(habits: [Habit; 2], limits: &str, rounds: u64) -> Match<Shogi> {
    let openings = Openings::Random { plies: 4 };
    Match {
        settings: MatchSettings {
            game: Shogi::NAME.to_owned(),
            players: habits.map(|habit| format!("{habit:?}")),
            identities: [String::new(), String::new()],
            limits: [limits.to_owned(), limits.to_owned()],
            openings: openings.describe(),
            seed: 5,
            games_per_round: 2,
            max_moves: Some(60),
            draw: None,
            resign: None,
            sprt: None,
        },
        contestants: habits.map(|habit| contestant(habit, limits)),
        openings,
        rounds,
        concurrency: 1,
        format: Format::Csa,
    }
}

/// Plays a match that nobody stops and that leaves nothing behind.
pub(crate) fn play(contest: &Match<Shogi>) -> Summary {
    contest.play(None, &AtomicBool::new(false), &mut |_| ()).unwrap()
}
