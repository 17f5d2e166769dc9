//! Our seat in one game: the board, the clocks and the record.

use std::time::Duration;

use keisei_analysis::evaluation_after;
use keisei_engine::{Clock as Clocks, Limits, Report, Score};
use keisei_game::{BySide, DeclarationRule, Game, Rules, Side};
use keisei_records::formats::csa::{self, MoveError};
use keisei_records::{Ending, Evaluation, Evaluator, Record, Recorded};
use keisei_shogi::{Move, Shogi};

use crate::summary::{Clock, GameSummary};

/// What a mate is worth where only scores can be told.
const MATE: i32 = 30_000;

/// How a game ended for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `#WIN`
    Win,
    /// `#LOSE`
    Loss,
    /// `#DRAW`
    Draw,
    /// `#CENSORED`: the server gives the game no result.
    Censored,
    /// `#CHUDAN`: the server stopped the game.
    Stopped,
}

/// A game that is over.
#[derive(Debug)]
pub struct Finished {
    /// The name by which the server knows the game.
    pub id: String,
    /// Our side.
    pub side: Side,
    /// How it ended for us.
    pub verdict: Verdict,
    /// Why, as the server says it: `RESIGN`, `TIME_UP`, `SENNICHITE`.
    pub reason: String,
    /// The game with times, and with what our player thought.
    pub record: Record<Shogi>,
}

/// What a line of the server means for the game.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// The game goes on.
    Nothing,
    /// A move was made by either side.
    Move,
    /// The game is over.
    Over(Verdict),
}

pub(crate) struct Seat {
    pub(crate) summary: GameSummary,
    game: Shogi,
    record: Record<Shogi>,
    left: BySide<Duration>,
    /// What our player said of the move that the server has not confirmed yet.
    thought: Option<Evaluation<Move>>,
    /// Why the game ends: the last `#` line that is no verdict.
    reason: String,
}

impl Seat {
    /// The seat in a game that the server proposed, after the moves made already.
    pub(crate) fn new(summary: GameSummary) -> Self {
        let declaration = match summary.declaration {
            true => DeclarationRule::Points27,
            false => DeclarationRule::Off,
        };
        // When a game is over, the server says; it knows the limit of moves.
        let rules = Rules { declaration, ..Shogi::RULES };
        let mut record = Record::from_position(*summary.record.start());
        for (key, side) in Shogi::PLAYER_KEYS.into_iter().zip(Side::ALL) {
            record.headers.set(key, summary.names[side].clone());
        }
        record.headers.set("棋戦", summary.id.clone());
        let clocks = &summary.clocks;
        let left = BySide([clocks[Side::First].total, clocks[Side::Second].total]);
        let game = Shogi::with_rules(*record.start(), rules);
        let mut seat = Self { game, record, left, thought: None, reason: String::new(), summary };
        for id in seat.summary.record.main_line().collect::<Vec<_>>() {
            let node = seat.summary.record.node(id);
            if let Some(mv) = node.mv() {
                seat.play(mv, node.notes.time.unwrap_or_default());
            }
        }
        seat
    }

    /// Takes over what was thought in the same game before the connection was lost.
    pub(crate) fn remember(&mut self, before: &Record<Shogi>) {
        let pairs: Vec<_> = before.main_line().zip(self.record.main_line()).collect();
        for (old, new) in pairs {
            if before.node(old).step() != self.record.node(new).step() {
                return;
            }
            let known = before.node(old).notes.evaluations.clone();
            self.record.notes_mut(new).evaluations = known;
        }
    }

    pub(crate) fn game(&self) -> &Shogi {
        &self.game
    }

    pub(crate) fn record(&self) -> &Record<Shogi> {
        &self.record
    }

    /// Whether our player has to say something.
    pub(crate) fn is_our_turn(&self) -> bool {
        self.game.turn() == self.summary.side
    }

    /// Whether as many moves are made as the game may have.
    pub(crate) fn is_at_limit(&self) -> bool {
        self.summary.max_moves.is_some_and(|limit| self.record.main_moves().count() >= limit)
    }

    /// How long our player may think.
    pub(crate) fn limits(&self, margin: Duration) -> Limits {
        let clocks = &self.summary.clocks;
        let of = |side: Side| self.left[side] + clocks[side].increment;
        let increment = |side: Side| clocks[side].increment;
        let clock = Clocks {
            left: BySide(Side::ALL.map(of)),
            increment: BySide(Side::ALL.map(increment)),
            byoyomi: clocks[self.summary.side].byoyomi,
            moves_to_go: None,
        };
        Limits { clock: Some(clock), latency: margin, ..Limits::default() }
    }

    /// The line that plays `mv`, with what our player thought as Floodgate's comment.
    pub(crate) fn move_line(&mut self, mv: Move, report: Option<&Report<Move>>) -> String {
        let side = self.summary.side;
        let text = csa::write_move(self.game.position(), mv);
        self.thought = report.and_then(|report| evaluation_after::<Shogi>(report, side, mv));
        let comment = report.and_then(|report| {
            let mut after = *self.game.position();
            after.play_unchecked(mv);
            csa::write_floodgate(&after, &score_and_line(report, side, mv))
        });
        match comment {
            Some(comment) => format!("{text},'{comment}"),
            None => text,
        }
    }

    /// Takes a line of the server.
    pub(crate) fn hear(&mut self, line: &str) -> Result<Heard, MoveError> {
        match line.as_bytes() {
            [b'+' | b'-', ..] => {
                let (text, time) = line.split_once(',').unwrap_or((line, ""));
                let mv = csa::read_move(self.game.position(), text)?;
                self.play(mv, self.time(time));
                Ok(Heard::Move)
            }
            [b'%', ..] => {
                let (_, time) = line.split_once(',').unwrap_or((line, ""));
                self.spend(self.game.turn(), self.time(time));
                Ok(Heard::Nothing)
            }
            // Messages to people.
            [b'#', b'#', ..] => Ok(Heard::Nothing),
            [b'#', ..] => Ok(self.hear_end(&line[1..])),
            _ => Ok(Heard::Nothing),
        }
    }

    fn hear_end(&mut self, word: &str) -> Heard {
        let verdict = match word {
            "WIN" => Verdict::Win,
            "LOSE" => Verdict::Loss,
            "DRAW" => Verdict::Draw,
            "CENSORED" => Verdict::Censored,
            "CHUDAN" => Verdict::Stopped,
            _ => {
                word.clone_into(&mut self.reason);
                return Heard::Nothing;
            }
        };
        if self.reason.is_empty() {
            word.clone_into(&mut self.reason);
        }
        Heard::Over(verdict)
    }

    /// The game as it ended.
    pub(crate) fn finish(mut self, verdict: Verdict) -> Finished {
        let mover_is_us = self.is_our_turn();
        let mover_won = match verdict {
            Verdict::Win => Some(mover_is_us),
            Verdict::Loss => Some(!mover_is_us),
            _ => None,
        };
        self.end(ending(&self.reason, mover_won));
        let Self { summary, reason, record, .. } = self;
        Finished { id: summary.id, side: summary.side, verdict, reason, record }
    }

    /// The record of a game that breaks off here.
    pub(crate) fn break_off(mut self) -> Record<Shogi> {
        self.end(Ending::Interruption);
        self.record
    }

    fn end(&mut self, ending: Ending) {
        self.record.last();
        // A game that was resumed may have its ending already.
        let _ = self.record.end(ending);
    }

    fn play(&mut self, mv: Move, spent: Duration) {
        let mover = self.game.turn();
        self.game.play_unchecked(mv);
        self.spend(mover, spent);
        if let Ok(id) = self.record.play(mv) {
            let notes = self.record.notes_mut(id);
            notes.time = Some(spent);
            if mover == self.summary.side {
                notes.evaluations.extend(self.thought.take());
            }
        }
    }

    fn spend(&mut self, side: Side, spent: Duration) {
        let Clock { increment, .. } = self.summary.clocks[side];
        self.left[side] = (self.left[side] + increment).saturating_sub(spent);
    }

    /// `T12` in the unit of the clock of the side to move.
    fn time(&self, text: &str) -> Duration {
        let units = text.strip_prefix('T').and_then(|units| units.trim().parse::<u32>().ok());
        self.summary.clocks[self.game.turn()].unit.saturating_mul(units.unwrap_or(0))
    }
}

/// What Floodgate's comment can say of a report: a score from Black's view and the moves after ours.
fn score_and_line(report: &Report<Move>, side: Side, mv: Move) -> Evaluation<Move> {
    let score = match report.score {
        Score::Centipawns(score) => score.clamp(-MATE, MATE),
        Score::Mate(plies) => MATE * plies.signum(),
    };
    let mut evaluation = Evaluation::new(Evaluator::Player);
    evaluation.centipawns = Some(if side == Side::First { score } else { -score });
    if let Some((first, rest)) = report.moves.split_first()
        && *first == mv
    {
        evaluation.line = rest.to_vec();
    }
    evaluation
}

/// How a record marks the end, given the server's reason and whether the side to move won.
fn ending(reason: &str, mover_won: Option<bool>) -> Ending {
    match (reason, mover_won) {
        ("RESIGN", _) => Ending::Resignation,
        ("TIME_UP", _) => Ending::Timeout,
        ("SENNICHITE", _) => Ending::Repetition,
        ("JISHOGI", Some(true)) => Ending::Declaration,
        ("JISHOGI", _) => Ending::Impasse,
        ("MAX_MOVES", _) => Ending::MaxMoves,
        ("ILLEGAL_MOVE" | "ILLEGAL_ACTION" | "OUTE_SENNICHITE", Some(true)) => {
            Ending::OpponentIllegalMove
        }
        ("ILLEGAL_MOVE" | "ILLEGAL_ACTION" | "OUTE_SENNICHITE", _) => Ending::IllegalMove,
        _ => Ending::Interruption,
    }
}
