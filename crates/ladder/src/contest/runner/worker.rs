//! Plays games of a match one after the other, beside others who do the same.

use keisei_engine::{Arena, Player, PlayerError};
use keisei_game::{BySide, Rules, Side, SplitMix64};
use keisei_records::{AnyRecord, write};
use serde::{Deserialize, Serialize};

use super::{Contestant, Match, MatchError};
use crate::contest::adjudicate::Adjudicator;
use crate::contest::clock::Clocks;
use crate::contest::openings::play_opening;
use crate::contest::play::{Played, Table};
use crate::contest::record::record;
use crate::contest::watchdog::Watchdog;
use crate::contest::{Contested, Fault, FinishedGame, Opening};

/// A finished game with its record.
#[derive(Serialize, Deserialize)]
pub(super) struct Recorded {
    pub(super) game: FinishedGame,
    /// The name of the record's file.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// The record, where the game was played: ranks send each other the file alone.
    #[serde(skip)]
    pub(super) record: Option<AnyRecord>,
}

/// One of those who play the games of a match.
pub(super) struct Worker<'a, G: Contested> {
    contest: &'a Match<G>,
    place: usize,
    watchdog: &'a Watchdog,
    halt: &'a (dyn Fn() -> bool + Sync),
    /// The players that are kept from game to game.
    kept: [Option<Box<dyn Player<G>>>; 2],
}

impl<'a, G: Contested> Worker<'a, G> {
    pub(super) fn new(
        contest: &'a Match<G>,
        place: usize,
        watchdog: &'a Watchdog,
        halt: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        Self { contest, place, watchdog, halt, kept: [None, None] }
    }

    /// Plays a game of the match, or `None` if the match is stopped meanwhile.
    pub(super) fn play(&mut self, number: u64) -> Result<Option<Recorded>, MatchError> {
        if (self.halt)() {
            return Ok(None);
        }
        let settings = &self.contest.settings;
        let (round, leg) = (number / settings.games_per_round, number % settings.games_per_round);
        // In single games the colours are exchanged from round to round.
        let first = if settings.games_per_round == 2 { leg } else { round % 2 } as usize;
        let opening = self.contest.openings.of_round::<G>(settings.seed, round)?;
        let rules = Rules::between_programs(settings.max_moves);
        let start = opening.start.parse().ok().map(|start| G::with_rules(start, rules));
        let game = play_opening(start, &opening)
            .ok_or_else(|| MatchError::Opening(opening.start.clone()))?;
        let mut players = [self.player(0, number)?, self.player(1, number)?];
        let Some(played) = self.play_between(game, first, &mut players) else { return Ok(None) };
        let finished = finish(&played, number, first, opening);
        self.keep(players, &finished);
        let names = self.by_side(first).map(|contestant| contestant.name.as_str());
        let record = record(&played, &BySide(names));
        let written = write(&record, self.contest.format)?;
        let name = format!("{:05}-{}.{}", round + 1, leg + 1, self.contest.format.extension());
        Ok(Some(Recorded { game: finished, name, bytes: written.bytes, record: Some(record) }))
    }

    fn play_between(
        &self,
        game: G,
        first: usize,
        players: &mut [Box<dyn Player<G>>; 2],
    ) -> Option<Played<G>> {
        let settings = &self.contest.settings;
        let controls = self.by_side(first).map(|contestant| contestant.control.clone());
        let table = Table {
            clocks: Clocks::new(BySide(controls)),
            adjudicator: Adjudicator::new(settings.draw, settings.resign),
            watchdog: self.watchdog,
            place: self.place,
            halt: self.halt,
        };
        let [zero, one] = players;
        let mut seated: BySide<&mut dyn Player<G>> =
            BySide(if first == 0 { [&mut **zero, &mut **one] } else { [&mut **one, &mut **zero] });
        table.play(game, &mut seated)
    }

    /// The contestants, the one with the first side first.
    fn by_side(&self, first: usize) -> [&'a Contestant<G>; 2] {
        [&self.contest.contestants[first], &self.contest.contestants[1 - first]]
    }

    /// The player for a game, told that a game begins.
    fn player(&mut self, which: usize, game: u64) -> Result<Box<dyn Player<G>>, MatchError> {
        if let Some(mut player) = self.kept[which].take()
            && player.new_game().is_ok()
        {
            return Ok(player);
        }
        let contestant = &self.contest.contestants[which];
        let problem =
            |problem: String| MatchError::Player { player: contestant.name.clone(), problem };
        let seed = game_seed(self.contest.settings.seed, game, which);
        let mut player = (contestant.make)(seed).map_err(|error| problem(error.to_string()))?;
        player.new_game().map_err(|error: PlayerError| problem(error.to_string()))?;
        Ok(player)
    }

    /// Keeps the players that last, unless they failed.
    fn keep(&mut self, players: [Box<dyn Player<G>>; 2], game: &FinishedGame) {
        for (which, player) in players.into_iter().enumerate() {
            let failed = matches!(game.fault, Some(Fault::Crash | Fault::Time));
            let sound = !(failed && game.loser() == Some(which));
            if self.contest.contestants[which].lasting && sound {
                self.kept[which] = Some(player);
            }
        }
    }
}

/// What a player's chances follow from in a game.
fn game_seed(seed: u64, game: u64, which: usize) -> u64 {
    let mut of_match = SplitMix64::new(seed);
    let mut of_game = SplitMix64::new(of_match.next_u64() ^ (2 * game + which as u64));
    of_game.next_u64()
}

fn finish<G: Arena>(
    played: &Played<G>,
    number: u64,
    first: usize,
    opening: Opening,
) -> FinishedGame {
    let outcome = played.game.outcome().expect("the game was played to its end");
    let player = |side| if side == Side::First { first } else { 1 - first };
    FinishedGame {
        game: number,
        first,
        winner: outcome.winner().map(player),
        reason: outcome.reason().to_string(),
        cut_off: outcome.truncated(),
        fault: played.fault,
        problem: played.problem.clone(),
        opening,
        moves: played.game.moves().iter().map(ToString::to_string).collect(),
    }
}
