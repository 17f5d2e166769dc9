//! What a session asks for, and what is the same whoever finds the answer.

use std::time::Duration;

use keisei_game::{Game, Position};

use super::situation::Situation;
use super::{EngineOptions, speech};
use crate::mate::{Solver, Verdict};
use crate::{Answer, Arena, Limits, Protocol, Signal};

/// The most memory for mates, in MiB: more takes too long to set up.
const MOST_FOR_MATES: usize = 64;

/// Something to be done, one after the other.
pub(super) enum Job<G: Game> {
    /// Load whatever is needed, and say so.
    Ready(EngineOptions),
    NewGame,
    Think(Question<G>),
    /// Look for a mate, for at most some time.
    Mate(Question<G>, Option<Duration>),
}

/// A `go`.
pub(super) struct Question<G: Game> {
    pub(super) situation: Situation<G>,
    pub(super) limits: Limits,
    pub(super) signal: Signal,
    pub(super) options: EngineOptions,
}

/// A question that needs thought.
pub(super) struct Thought<G: Game> {
    pub(super) game: G,
    pub(super) limits: Limits,
    pub(super) signal: Signal,
    pub(super) options: EngineOptions,
    /// What is played if nothing better is found.
    pub(super) best: G::Move,
}

impl<G: Arena> Question<G> {
    /// What there is to think about, or else the answer. What a person should know is handed to
    /// `say`.
    pub(super) fn open(self, say: &mut dyn FnMut(&str)) -> Result<Thought<G>, String> {
        let Self { mut situation, limits, signal, options } = self;
        situation.carry_on();
        let moves = situation.position().legal_moves();
        let Some(&some_move) = moves.as_ref().first() else {
            return Err(G::PROTOCOL.no_move().to_owned());
        };
        let Some(game) = situation.game().cloned() else {
            return Err(speech::best_move(G::PROTOCOL, &Answer::play(some_move)));
        };
        let mut limits = options.limited(limits);
        limits.search_moves = searched(&game, limits.search_moves, say);
        let best = limits.root_moves(game.position())[0];
        Ok(Thought { game, limits, signal, options, best })
    }

    /// The game in which a mate is looked for, or the answer where there is nothing to look for.
    pub(super) fn open_mate(mut self) -> Result<(G, Signal, EngineOptions), String> {
        self.situation.carry_on();
        match self.situation.game().cloned() {
            Some(game) => Ok((game, self.signal, self.options)),
            None => Err(speech::checkmate(&Verdict::<G::Move>::NoMate)),
        }
    }
}

impl<G: Arena> Thought<G> {
    /// The line that answers, where `player` is whose answer it is.
    pub(super) fn answer(&self, player: &str, answer: Answer<G::Move>) -> Result<String, String> {
        let answer = checked(&self.game, answer, self.best);
        let answer = answer.map_err(|problem| format!("{player}: {problem}"))?;
        Ok(speech::best_move(G::PROTOCOL, &answer))
    }
}

/// The moves of `named` that are legal, as the protocol writes them.
fn searched<G: Arena>(game: &G, named: Vec<String>, say: &mut dyn FnMut(&str)) -> Vec<String> {
    let legal = |text: String| {
        let mv = game.parse_move(&text).ok().filter(|&mv| game.position().is_legal(mv));
        if mv.is_none() {
            say(&format!("searchmoves: {text:?} is no legal move"));
        }
        mv.map(|mv| mv.to_string())
    };
    named.into_iter().filter_map(legal).collect()
}

/// The answer as the protocol can say it. Where there is no word for giving up, `best` is played
/// instead.
fn checked<G: Arena>(
    game: &G,
    answer: Answer<G::Move>,
    best: G::Move,
) -> Result<Answer<G::Move>, String> {
    match answer {
        Answer::Resign if G::PROTOCOL == Protocol::Uci => Ok(Answer::play(best)),
        Answer::Play { mv, ponder } => {
            let mut next = game.clone();
            next.play(mv).map_err(|error| error.to_string())?;
            let goes_on = next.outcome().is_none();
            let possible = |reply: &_| goes_on && next.position().is_legal(*reply);
            Ok(Answer::Play { mv, ponder: ponder.filter(possible) })
        }
        Answer::Win if !game.can_declare_win() => Err("there is no win to declare".to_owned()),
        answer => Ok(answer),
    }
}

/// A solver of mates, made anew only when its memory changes.
#[derive(Default)]
pub(super) struct Mates(Option<(Solver, usize)>);

impl Mates {
    /// The solver under these options.
    pub(super) fn solver(&mut self, options: &EngineOptions) -> &mut Solver {
        let memory = options.hash.min(MOST_FOR_MATES);
        let before = self.0.take().filter(|(_, before)| *before == memory);
        let (solver, _) =
            self.0.insert(before.unwrap_or_else(|| (Solver::new(memory << 20), memory)));
        solver
    }
}
