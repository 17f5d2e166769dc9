//! Moves that somebody marked as favourites, position by position.

use std::collections::BTreeMap;

use keisei_game::Position;

use super::Sides;
use crate::Recorded;

/// A set of favourite moves. Like [`Statistics`](super::Statistics) it may take both sides together.
#[derive(Clone, Debug)]
pub struct Favorites<G: Recorded> {
    sides: Sides,
    /// By the key of the position: its text and the moves, in the order in which they were added.
    entries: BTreeMap<u64, (String, Vec<G::Move>)>,
}

/// A line of a list of favourites that is not a position and a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected a position, a tab and a legal move: {text:?}")]
pub struct FavoritesError {
    /// The line, counted from 1.
    pub line: usize,
    /// What it says.
    pub text: String,
}

impl<G: Recorded> Favorites<G> {
    /// No favourites.
    pub fn new(sides: Sides) -> Self {
        Self { sides, entries: BTreeMap::new() }
    }

    /// Marks `mv` in `position`, or takes the mark away. Gives back whether it is marked now.
    pub fn toggle(&mut self, position: &G::Position, mv: G::Move) -> bool {
        let (kept, exchanged) = self.sides.folded::<G>(position);
        let mv = Sides::fold_move::<G>(mv, exchanged);
        let key = kept.key();
        let (_, moves) = self.entries.entry(key).or_insert_with(|| (kept.to_string(), Vec::new()));
        match moves.iter().position(|&known| known == mv) {
            Some(place) => {
                moves.remove(place);
                if moves.is_empty() {
                    self.entries.remove(&key);
                }
                false
            }
            None => {
                moves.push(mv);
                true
            }
        }
    }

    /// The favourite moves of `position`.
    pub fn moves(&self, position: &G::Position) -> Vec<G::Move> {
        let (kept, exchanged) = self.sides.folded::<G>(position);
        let moves = self.entries.get(&kept.key()).map_or(&[][..], |(_, moves)| moves);
        moves.iter().map(|&mv| Sides::fold_move::<G>(mv, exchanged)).collect()
    }

    /// All favourites as text: a line for each, the position, a tab and the move.
    pub fn to_text(&self) -> String {
        let entries = self.entries.values();
        let lines = entries.flat_map(|(text, moves)| moves.iter().map(move |mv| (text, mv)));
        lines.map(|(text, mv)| format!("{text}\t{mv}\n")).collect()
    }

    /// Reads favourites as [`Favorites::to_text`] writes them.
    pub fn from_text(text: &str, sides: Sides) -> Result<Self, FavoritesError> {
        let mut favorites = Self::new(sides);
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let error = || FavoritesError { line: index + 1, text: line.to_owned() };
            let (position, mv) = line.split_once('\t').ok_or_else(error)?;
            let position: G::Position = position.parse().map_err(|_| error())?;
            let mv: G::Move = mv.parse().map_err(|_| error())?;
            G::check(&position, mv).map_err(|_| error())?;
            if !favorites.moves(&position).contains(&mv) {
                favorites.toggle(&position, mv);
            }
        }
        Ok(favorites)
    }
}
