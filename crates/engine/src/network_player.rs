//! Players with a network: by its policy alone, or with search.

#[cfg(not(target_family = "wasm"))]
mod load;

use keisei_encode::{Actions, Encode};
use keisei_game::{SplitMix64, likeliest};
use keisei_net::{Evaluation, Evaluator, NetEvaluator, evaluate_mirrored};
use web_time::Instant;

#[cfg(not(target_family = "wasm"))]
pub use load::{LoadError, SHIPPED, find_weights, load_network, shipped_network, shipped_weights};

use crate::players::no_moves;
use crate::search::{Found, Run, Search, SearchSettings, centipawns, win_rate};
use crate::{Answer, Arena, Limits, Player, PlayerError, Report, Score, Signal};

/// How probabilities become a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PolicyChoice {
    /// The likeliest.
    Greedy,
    /// Drawn by the probabilities to the power of the inverse of this temperature, above 0.
    Sampled(f32),
}

/// Plays what a network likes, without looking ahead. It declares a win when it can.
#[derive(Clone, Debug)]
pub struct PolicyPlayer<G: Arena, E = NetEvaluator<<G as Encode>::Actions>> {
    name: String,
    evaluator: E,
    choice: PolicyChoice,
    /// Whether each position is evaluated together with its mirror image.
    mirror: bool,
    rng: SplitMix64,
    game: std::marker::PhantomData<G>,
}

impl<G: Arena, E: Evaluator<G::Packed>> PolicyPlayer<G, E> {
    /// A player with this network, whose draws are a function of `seed`.
    pub fn new(name: impl Into<String>, evaluator: E, choice: PolicyChoice, seed: u64) -> Self {
        let rng = SplitMix64::new(seed);
        let game = std::marker::PhantomData;
        Self { name: name.into(), evaluator, choice, mirror: false, rng, game }
    }

    /// The same player, which evaluates each position together with its mirror image.
    #[must_use]
    pub fn with_mirror(self) -> Self {
        Self { mirror: true, ..self }
    }

    fn evaluate(&mut self, game: &G, moves: &[G::Move]) -> Evaluation {
        let action = |&mv: &G::Move| <G::Actions as Actions>::index(game.turn(), mv) as u32;
        let actions: Vec<_> = moves.iter().map(action).collect();
        let (observation, legal) = ([game.pack()], [actions.as_slice()]);
        let evaluations = match self.mirror {
            false => self.evaluator.evaluate(&observation, &legal),
            true => evaluate_mirrored::<G::Actions>(&mut self.evaluator, &observation, &legal),
        };
        evaluations.into_iter().next().expect("every observation is evaluated")
    }
}

impl<G: Arena, E: Evaluator<G::Packed>> Player<G> for PolicyPlayer<G, E> {
    fn name(&self) -> &str {
        &self.name
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        _: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        let started = Instant::now();
        if limits.may_declare(game) {
            return Ok(Answer::Win);
        }
        let moves = limits.root_moves(game.position());
        if moves.is_empty() {
            return Err(no_moves(&self.name));
        }
        let Evaluation { value, policy } = self.evaluate(game, &moves);
        let drawn = match self.choice {
            PolicyChoice::Greedy => None,
            PolicyChoice::Sampled(temperature) => self.rng.sample_tempered(&policy, temperature),
        };
        let mv = moves[drawn.or_else(|| likeliest(&policy)).unwrap_or(0)];
        report(&Report {
            line: 1,
            depth: 1,
            selective_depth: None,
            score: Score::Centipawns(centipawns::<G>(win_rate(value))),
            win_rate: Some(win_rate(value)),
            nodes: 1,
            time: started.elapsed(),
            hash_full: None,
            moves: vec![mv],
        });
        Ok(Answer::play(mv))
    }
}

/// What [`SearchPlayer::begin`] leads to.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Begun<G: Arena> {
    /// There is nothing to think about.
    Answer(Answer<G::Move>),
    /// A search under way.
    Run(Run<G>),
}

/// Plays what a search finds. It declares a win when it can.
pub struct SearchPlayer<G: Arena, E = NetEvaluator<<G as Encode>::Actions>> {
    name: String,
    search: Search<G, E>,
    resign_below: Option<f32>,
}

impl<G: Arena, E: Evaluator<G::Packed> + Clone> SearchPlayer<G, E> {
    /// A player with this evaluator.
    pub fn new(name: impl Into<String>, evaluator: E, settings: SearchSettings) -> Self {
        Self { name: name.into(), search: Search::new(evaluator, settings), resign_below: None }
    }

    /// Sets the chance to win, from 0 to 1, below which the player resigns; `None`, as at first,
    /// for never.
    pub fn resign_below(&mut self, chance: Option<f32>) {
        self.resign_below = chance;
    }

    /// Begins to think about `game`, for callers who have something else to do in between: then
    /// [`go_on`](Self::go_on) until that says it is over, and [`end`](Self::end). What needs no
    /// thought is answered at once.
    pub fn begin(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
    ) -> Result<Begun<G>, PlayerError> {
        if game.outcome().is_some() {
            let problem = "the game is over".to_owned();
            return Err(PlayerError::Other { player: self.name.clone(), problem });
        }
        Ok(match limits.may_declare(game) {
            true => Begun::Answer(Answer::Win),
            false => Begun::Run(self.search.begin(game, limits, signal)),
        })
    }

    /// Goes on until the search is over or, after some batch, `pause` wishes. Whether it is over.
    pub fn go_on(
        &mut self,
        run: &mut Run<G>,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
        pause: &mut dyn FnMut() -> bool,
    ) -> bool {
        self.search.go_on(run, signal, report, pause)
    }

    /// Answers by what was found so far.
    pub fn end(
        &mut self,
        run: Run<G>,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Answer<G::Move> {
        let Found { best, ponder, value, .. } = self.search.end(run, report);
        match self.resign_below.is_some_and(|least| win_rate(value) < least) {
            true => Answer::Resign,
            false => Answer::Play { mv: best, ponder },
        }
    }

    /// The settings of the search.
    pub fn settings(&self) -> &SearchSettings {
        self.search.settings()
    }

    /// The settings of the search, to be changed between moves.
    pub fn settings_mut(&mut self) -> &mut SearchSettings {
        self.search.settings_mut()
    }
}

impl<G: Arena, E: Evaluator<G::Packed> + Clone> Player<G> for SearchPlayer<G, E> {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.search.clear();
        Ok(())
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        match self.begin(game, limits, signal)? {
            Begun::Answer(answer) => Ok(answer),
            Begun::Run(mut run) => {
                self.go_on(&mut run, signal, report, &mut || false);
                Ok(self.end(run, report))
            }
        }
    }
}
