//! Opponents in evaluations, by the names that players have everywhere.

use std::error::Error;

use anyhow::{Context, Result};
use keisei_engine::{Answer, Arena, Limits, Player, PlayerSpec};
use keisei_game::Position;
use keisei_train::evaluate::{self, PREVIOUS, RANDOM};

/// The opponents of these names that the trainer does not know itself.
pub(super) fn opponents<G: Arena>(names: &[String]) -> Result<Vec<Box<dyn evaluate::Player<G>>>> {
    let unknown = names.iter().filter(|name| ![RANDOM, PREVIOUS].contains(&name.as_str()));
    let build = |name: &String| {
        let context = || format!("evaluation.opponents names {name:?}");
        let spec: PlayerSpec = name.parse().with_context(context)?;
        let player = spec.build(0).with_context(context)?;
        let opponent: Box<dyn evaluate::Player<G>> =
            Box::new(Opponent { name: name.clone(), spec, player });
        Ok(opponent)
    };
    unknown.map(build).collect()
}

/// A player as an opponent.
struct Opponent<G: Arena> {
    name: String,
    spec: PlayerSpec,
    player: Box<dyn Player<G>>,
}

impl<G: Arena> evaluate::Player<G> for Opponent<G> {
    fn name(&self) -> &str {
        &self.name
    }

    /// Programs go on as they are; what else is left to chance follows from the seed.
    fn begin(&mut self, seed: u64) -> Result<(), Box<dyn Error>> {
        match self.spec {
            PlayerSpec::Engine(_) => self.player.new_game()?,
            _ => self.player = self.spec.build(seed)?,
        }
        Ok(())
    }

    fn choose(&mut self, games: &[&G]) -> Result<Vec<G::Move>, Box<dyn Error>> {
        let mut moves = Vec::with_capacity(games.len());
        for game in games {
            moves.push(match self.player.choose(game, &Limits::default())? {
                Answer::Play { mv, .. } => mv,
                // Whoever gives up plays on anyhow: games end by their rules here.
                Answer::Resign | Answer::Win => {
                    let legal = game.position().legal_moves();
                    *legal.as_ref().first().ok_or("a game without legal moves goes on")?
                }
            });
        }
        Ok(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_game::Game;
    use keisei_shogi::Shogi;

    fn named(names: &[&str]) -> Result<Vec<Box<dyn evaluate::Player<Shogi>>>> {
        opponents(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn players_of_any_name_become_opponents_but_for_those_that_the_trainer_knows() {
        let players = named(&["random", "mate1", "previous", "ab:1"]).unwrap();
        let names: Vec<_> = players.iter().map(|player| player.name()).collect();
        assert_eq!(names, ["mate1", "ab:1"]);
        let Err(error) = named(&["meijin"]) else { panic!("meijin was found") };
        assert!(error.to_string().contains("\"meijin\""), "{error:#}");
    }

    #[test]
    fn an_opponent_plays_legal_moves_that_follow_from_its_seed() {
        let mut player = named(&["mate1"]).unwrap().remove(0);
        let game = Shogi::new();
        let mut choose = |seed| {
            player.begin(seed).unwrap();
            player.choose(&[&game; 8]).unwrap()
        };
        let first = choose(1);
        assert!(first.iter().all(|&mv| game.position().is_legal(mv)));
        assert!(first == choose(1) && first != choose(2));
    }
}
