//! A game that is being played.

use std::any::Any;

use keisei_game::PositionLine;
use keisei_games::with_game;
use keisei_records::{Recorded, read_line};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::board::{BoardData, MoveParts, Side, all_parts, board, parts};
use crate::error::{Refusal, Result};
use crate::games::{GameName, NotationStyle, Shown};
use crate::record::Record;
use crate::rules::{Declaration, Outcome, Reason, Repetition, Rules, RulesInput};

/// A game with its past. Moves are given and taken as USI or UCI writes them.
#[wasm_bindgen]
pub struct Game(Box<dyn Played>);

/// What a [`Game`] can do, whichever game it is.
pub(crate) trait Played {
    fn as_any(&self) -> &dyn Any;
    fn name(&self) -> GameName;
    fn copy(&self) -> Box<dyn Played>;
    fn rules(&self) -> Rules;
    fn turn(&self) -> Side;
    fn position(&self) -> String;
    fn position_line(&self) -> String;
    fn board(&self) -> BoardData;
    fn legal_moves(&self) -> Vec<MoveParts>;
    fn play(&mut self, text: &str) -> Result<MoveParts>;
    fn read_move(&self, text: &str) -> Result<String>;
    fn undo(&mut self) -> Option<String>;
    fn reset(&mut self);
    fn moves(&self) -> Vec<String>;
    fn outcome(&self) -> Option<Outcome>;
    fn adjudicate(&mut self, winner: Option<Side>, reason: Reason);
    fn claimable(&self) -> Result<Outcome>;
    fn claim(&mut self) -> Result<Outcome>;
    fn declaration(&self) -> Option<Declaration>;
    fn repetition(&self) -> Repetition;
    fn spell_line(&self, moves: &[String], style: NotationStyle) -> Result<Vec<String>>;
    fn record(&self) -> Record;
}

impl<G: Shown> Played for G {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn name(&self) -> GameName {
        G::GAME.into()
    }

    fn copy(&self) -> Box<dyn Played> {
        Box::new(self.clone())
    }

    fn rules(&self) -> Rules {
        keisei_game::Game::rules(self).into()
    }

    fn turn(&self) -> Side {
        keisei_game::Game::turn(self).into()
    }

    fn position(&self) -> String {
        self.notation()
    }

    fn position_line(&self) -> String {
        PositionLine::write(self)
    }

    fn board(&self) -> BoardData {
        board(self)
    }

    fn legal_moves(&self) -> Vec<MoveParts> {
        if self.is_over() { Vec::new() } else { all_parts::<G>(keisei_game::Game::position(self)) }
    }

    fn play(&mut self, text: &str) -> Result<MoveParts> {
        let mv = self.parse_move(text)?;
        let shown = legal_parts(self, mv)?;
        keisei_game::Game::play(self, mv)?;
        Ok(shown)
    }

    fn read_move(&self, text: &str) -> Result<String> {
        let read = Recorded::read_move(self, text.trim())?;
        // A move that must promote need not say so.
        let mv = self.parse_move(&read.to_string())?;
        G::check(keisei_game::Game::position(self), mv)?;
        Ok(mv.to_string())
    }

    fn undo(&mut self) -> Option<String> {
        keisei_game::Game::undo(self).map(|mv| mv.to_string())
    }

    fn reset(&mut self) {
        keisei_game::Game::reset(self);
    }

    fn moves(&self) -> Vec<String> {
        keisei_game::Game::moves(self).iter().map(ToString::to_string).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        keisei_game::Game::outcome(self).map(Outcome::new::<G>)
    }

    fn adjudicate(&mut self, winner: Option<Side>, reason: Reason) {
        let outcome = match winner {
            Some(side) => keisei_game::Outcome::win(side.into(), reason.into()),
            None => keisei_game::Outcome::draw(reason.into()),
        };
        keisei_game::Game::adjudicate(self, outcome);
    }

    fn claimable(&self) -> Result<Outcome> {
        Ok(Outcome::new::<G>(keisei_game::Game::claimable(self)?))
    }

    fn claim(&mut self) -> Result<Outcome> {
        Ok(Outcome::new::<G>(keisei_game::Game::claim(self)?))
    }

    fn declaration(&self) -> Option<Declaration> {
        self.declaration_of()
    }

    fn repetition(&self) -> Repetition {
        Repetition::of(self)
    }

    fn spell_line(&self, moves: &[String], style: NotationStyle) -> Result<Vec<String>> {
        let mut game = self.clone();
        let mut texts = Vec::with_capacity(moves.len());
        for text in moves {
            let mv = game.parse_move(text)?;
            let before = keisei_game::Game::moves(&game).last().copied();
            G::check(keisei_game::Game::position(&game), mv)?;
            texts.push(G::spell(keisei_game::Game::position(&game), mv, before, style));
            keisei_game::Game::play(&mut game, mv)?;
        }
        Ok(texts)
    }

    fn record(&self) -> Record {
        Record::of_game(self)
    }
}

/// `mv` taken apart, or why it cannot be played.
fn legal_parts<G: Shown>(game: &G, mv: G::Move) -> Result<MoveParts> {
    G::check(game.position(), mv)?;
    Ok(parts::<G>(game.position(), mv))
}

impl Game {
    /// The game, if it is one of `G`.
    pub(crate) fn of<G: Shown>(&self) -> Result<&G> {
        self.0.as_any().downcast_ref().ok_or_else(|| {
            Refusal::new(&format!("this is for {}, not for {:?}", G::NAME, self.game()))
        })
    }

    pub(crate) fn from_game<G: Shown>(game: G) -> Self {
        Self(Box::new(game))
    }
}

#[wasm_bindgen]
impl Game {
    /// A new game. The position is SFEN or FEN, `startpos`, the name of a handicap, or a line such as
    /// `sfen … moves …`; without one the game begins as usual.
    #[wasm_bindgen(constructor)]
    pub fn new(
        game: GameName,
        position: Option<String>,
        rules: Option<RulesInput>,
    ) -> Result<Game> {
        let text = position.unwrap_or_default();
        with_game!(game.into(), G => begin::<G>(&text, rules.unwrap_or_default()))
    }

    #[wasm_bindgen(getter)]
    pub fn game(&self) -> GameName {
        self.0.name()
    }

    /// The side to move.
    #[wasm_bindgen(getter)]
    pub fn turn(&self) -> Side {
        self.0.turn()
    }

    /// How many moves were played.
    #[wasm_bindgen(getter)]
    pub fn ply(&self) -> u32 {
        self.0.moves().len() as u32
    }

    /// The position as SFEN or FEN.
    #[wasm_bindgen(getter)]
    pub fn position(&self) -> String {
        self.0.position()
    }

    /// The game as a `position` line has it, without that word.
    #[wasm_bindgen(js_name = positionLine)]
    pub fn position_line(&self) -> String {
        self.0.position_line()
    }

    pub fn rules(&self) -> Rules {
        self.0.rules()
    }

    pub fn board(&self) -> BoardData {
        self.0.board()
    }

    /// All legal moves; none once the game is over. Several with the same `from` and `to` are a
    /// choice of promotion.
    #[wasm_bindgen(js_name = legalMoves)]
    pub fn legal_moves(&self) -> Vec<MoveParts> {
        self.0.legal_moves()
    }

    /// Plays a move, or throws the rule that it breaks.
    pub fn play(&mut self, text: &str) -> Result<MoveParts> {
        self.0.play(text)
    }

    /// A move that a person typed in any notation, as `play` takes it.
    #[wasm_bindgen(js_name = readMove)]
    pub fn read_move(&self, text: &str) -> Result<String> {
        self.0.read_move(text)
    }

    /// Takes back the last move, which is returned, and whatever ended the game.
    pub fn undo(&mut self) -> Option<String> {
        self.0.undo()
    }

    /// Back to the start.
    pub fn reset(&mut self) {
        self.0.reset();
    }

    pub fn moves(&self) -> Vec<String> {
        self.0.moves()
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    pub fn resign(&mut self, side: Side) {
        let winner = match side {
            Side::First => Side::Second,
            Side::Second => Side::First,
        };
        self.0.adjudicate(Some(winner), Reason::Resignation);
    }

    /// Ends the game for a reason outside the board, such as time. A game that is over stays as it
    /// is.
    pub fn adjudicate(&mut self, winner: Option<Side>, reason: Reason) {
        self.0.adjudicate(winner, reason);
    }

    /// What the side to move would get by a claim or declaration now.
    pub fn claimable(&self) -> Option<Outcome> {
        self.0.claimable().ok()
    }

    /// Claims a draw or declares an entered king, or throws why that is not possible.
    pub fn claim(&mut self) -> Result<Outcome> {
        self.0.claim()
    }

    /// What counts if the side to move declares now; undefined where there are no declarations.
    pub fn declaration(&self) -> Option<Declaration> {
        self.0.declaration()
    }

    pub fn repetition(&self) -> Repetition {
        self.0.repetition()
    }

    /// A legal move as people write it.
    #[wasm_bindgen(js_name = moveText)]
    pub fn move_text(&self, text: String, style: NotationStyle) -> Result<String> {
        Ok(self.0.spell_line(&[text], style)?.remove(0))
    }

    /// The moves of a line from here as people write them.
    #[wasm_bindgen(js_name = lineText)]
    pub fn line_text(&self, moves: Vec<String>, style: NotationStyle) -> Result<Vec<String>> {
        self.0.spell_line(&moves, style)
    }

    pub fn copy(&self) -> Game {
        Game(self.0.copy())
    }

    /// A record of the moves so far, with the end of the game if it is over.
    pub fn record(&self) -> Record {
        self.0.record()
    }
}

/// A game of `G` that goes as `text` says.
fn begin<G: Shown>(text: &str, rules: RulesInput) -> Result<Game> {
    Ok(Game::from_game(read_line::<G>(text, rules.complete::<G>())?))
}
