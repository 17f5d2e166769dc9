//! Ending games early when both players agree on who wins, or that nobody does.

use std::str::FromStr;

use keisei_engine::Score;
use keisei_game::{BySide, Outcome, Reason, Side};
use serde::{Deserialize, Serialize};

/// A game is drawn when neither player sees an advantage for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before each side made this many moves.
    pub movenumber: u32,
    /// After this many moves of each side without an advantage.
    pub movecount: u32,
    /// What is no advantage, in hundredths of a pawn.
    pub score: u32,
}

/// A game is lost for a player who says so for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// After this many moves with such a score.
    pub movecount: u32,
    /// The disadvantage, in hundredths of a pawn.
    pub score: u32,
    /// Whether the winner has to agree.
    pub twosided: bool,
}

/// Why words are no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleParseError {
    /// Not a setting of the rule.
    #[error("{word:?} is no setting of the rule: {known}")]
    Unknown {
        /// The word.
        word: String,
        /// What could stand there.
        known: &'static str,
    },
    /// A setting is missing.
    #[error("the rule needs {0}=")]
    Missing(&'static str),
}

impl FromStr for DrawRule {
    type Err = RuleParseError;

    /// Reads `movenumber=40 movecount=8 score=10`.
    fn from_str(text: &str) -> Result<Self, RuleParseError> {
        let known = "movenumber=, movecount= and score=, each a whole number";
        let (mut movenumber, mut movecount, mut score) = (Some(0), None, None);
        for word in text.split_whitespace() {
            match number(word, known)? {
                ("movenumber", value) => movenumber = Some(value),
                ("movecount", value) => movecount = Some(value),
                ("score", value) => score = Some(value),
                _ => return Err(RuleParseError::Unknown { word: word.to_owned(), known }),
            }
        }
        Ok(Self {
            movenumber: movenumber.unwrap_or(0),
            movecount: movecount.ok_or(RuleParseError::Missing("movecount"))?,
            score: score.ok_or(RuleParseError::Missing("score"))?,
        })
    }
}

impl FromStr for ResignRule {
    type Err = RuleParseError;

    /// Reads `movecount=3 score=400 twosided=true`.
    fn from_str(text: &str) -> Result<Self, RuleParseError> {
        let known = "movecount= and score=, each a whole number, and twosided=true or false";
        let (mut movecount, mut score, mut twosided) = (None, None, false);
        for word in text.split_whitespace() {
            match word {
                "twosided=true" => twosided = true,
                "twosided=false" => twosided = false,
                _ => match number(word, known)? {
                    ("movecount", value) => movecount = Some(value),
                    ("score", value) => score = Some(value),
                    _ => return Err(RuleParseError::Unknown { word: word.to_owned(), known }),
                },
            }
        }
        Ok(Self {
            movecount: movecount.ok_or(RuleParseError::Missing("movecount"))?,
            score: score.ok_or(RuleParseError::Missing("score"))?,
            twosided,
        })
    }
}

/// A key and a number, as in `score=10`.
fn number<'a>(word: &'a str, known: &'static str) -> Result<(&'a str, u32), RuleParseError> {
    let pair = word.split_once('=').and_then(|(key, value)| Some((key, value.parse().ok()?)));
    pair.ok_or_else(|| RuleParseError::Unknown { word: word.to_owned(), known })
}

/// Watches the scores of a game.
pub(super) struct Adjudicator {
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    /// For how many moves in a row, of both sides, there was no advantage.
    quiet: u32,
    /// For how many of its moves in a row each side saw itself lost, and won.
    losing: BySide<u32>,
    winning: BySide<u32>,
    moves: BySide<u32>,
}

impl Adjudicator {
    pub(super) fn new(draw: Option<DrawRule>, resign: Option<ResignRule>) -> Self {
        let zero = BySide::default();
        Self { draw, resign, quiet: 0, losing: zero, winning: zero, moves: zero }
    }

    /// Takes note of what `side` thought when it moved, and ends the game if a rule says so.
    pub(super) fn after_move(&mut self, side: Side, score: Option<Score>) -> Option<Outcome> {
        self.moves[side] += 1;
        self.drawn(score).or_else(|| self.resigned(side, score))
    }

    fn drawn(&mut self, score: Option<Score>) -> Option<Outcome> {
        let rule = self.draw?;
        let small = |score| matches!(score, Score::Centipawns(n) if n.unsigned_abs() <= rule.score);
        self.quiet = if score.is_some_and(small) { self.quiet + 1 } else { 0 };
        let late = self.moves.0.into_iter().all(|moves| moves >= rule.movenumber);
        (late && self.quiet >= 2 * rule.movecount).then_some(Outcome::draw(Reason::Agreement))
    }

    fn resigned(&mut self, side: Side, score: Option<Score>) -> Option<Outcome> {
        let rule = self.resign?;
        let advantage = match score? {
            Score::Centipawns(n) => i64::from(n),
            Score::Mate(plies) => i64::from(plies.signum()) * i64::MAX / 2,
        };
        let limit = i64::from(rule.score);
        let count = |holds, before| if holds { before + 1 } else { 0 };
        self.losing[side] = count(advantage <= -limit, self.losing[side]);
        self.winning[side] = count(advantage >= limit, self.winning[side]);
        Side::ALL.into_iter().find_map(|loser| {
            let lost = self.losing[loser] >= rule.movecount
                && (!rule.twosided || self.winning[!loser] >= rule.movecount);
            lost.then_some(Outcome::win(!loser, Reason::Resignation))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(adjudicator: &mut Adjudicator, scores: &[i32]) -> Option<(usize, Outcome)> {
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let side = Side::ALL[ply % 2];
            let outcome = adjudicator.after_move(side, Some(Score::Centipawns(score)));
            outcome.map(|outcome| (ply, outcome))
        })
    }

    #[test]
    fn a_quiet_stretch_after_the_opening_is_a_draw() {
        let rule: DrawRule = "movenumber=3 movecount=2 score=10".parse().unwrap();
        let mut game = Adjudicator::new(Some(rule), None);
        let draw = Outcome::draw(Reason::Agreement);
        assert_eq!(feed(&mut game, &[0, 0, 0, 0, 0, 0]), Some((5, draw)));
        let mut game = Adjudicator::new(Some(rule), None);
        assert_eq!(feed(&mut game, &[0, 0, 0, 0, 50, 10, -10, 0, 0]), Some((8, draw)));
    }

    #[test]
    fn who_sees_itself_lost_for_long_enough_loses() {
        let rule: ResignRule = "movecount=2 score=400".parse().unwrap();
        let mut game = Adjudicator::new(None, Some(rule));
        let lost = Outcome::win(Side::Second, Reason::Resignation);
        assert_eq!(feed(&mut game, &[-500, 0, -400, 0]), Some((2, lost)));
        let mut game = Adjudicator::new(None, Some(rule));
        assert_eq!(feed(&mut game, &[-500, 0, -300, 0, -500, 0]), None);
        let two = ResignRule { twosided: true, ..rule };
        let mut game = Adjudicator::new(None, Some(two));
        assert_eq!(feed(&mut game, &[-500, 0, -500, 500, -500, 500]), Some((5, lost)));
        let mut game = Adjudicator::new(None, Some(ResignRule { movecount: 1, ..rule }));
        let mated = game.after_move(Side::Second, Some(Score::Mate(-4)));
        assert_eq!(mated, Some(Outcome::win(Side::First, Reason::Resignation)));
    }

    #[test]
    fn players_without_scores_are_never_judged() {
        let rules = ("movecount=1 score=900".parse().ok(), "movecount=1 score=1".parse().ok());
        let mut game = Adjudicator::new(rules.0, rules.1);
        for ply in 0..50 {
            assert_eq!(game.after_move(Side::ALL[ply % 2], None), None);
        }
    }

    #[test]
    fn incomplete_and_unknown_settings_are_refused() {
        let draw = |text: &str| text.parse::<DrawRule>().unwrap_err().to_string();
        assert_eq!(draw("movecount=3"), "the rule needs score=");
        assert!(draw("moves=3 score=1").contains("\"moves=3\" is no setting"));
        let resign = |text: &str| text.parse::<ResignRule>().unwrap_err().to_string();
        assert_eq!(resign("score=3"), "the rule needs movecount=");
        assert!(resign("movecount=x score=1").contains("movecount=x"));
    }
}
