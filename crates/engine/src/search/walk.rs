//! A game that is taken along the lines of a tree.

use keisei_game::Game;

/// A game that goes from one line of a tree to the next by taking back no more than it must.
#[derive(Clone, Debug)]
pub(super) struct Walk<G: Game> {
    game: G,
    /// The ply of the root.
    root: usize,
}

impl<G: Game> Walk<G> {
    /// A walk that stands at its root, where `game` stands.
    pub(super) fn new(game: &G) -> Self {
        Self { game: game.clone(), root: game.ply() }
    }

    /// The game where the walk stands.
    pub(super) fn game(&self) -> &G {
        &self.game
    }

    /// Goes to where `line` leads from the root. Its moves are legal and none but the last ends
    /// the game.
    pub(super) fn go_to(&mut self, line: &[G::Move]) {
        let here = &self.game.moves()[self.root..];
        let shared = here.iter().zip(line).take_while(|(one, other)| one == other).count();
        for _ in shared..here.len() {
            self.game.undo();
        }
        for &mv in &line[shared..] {
            self.game.play_unchecked(mv);
        }
    }

    /// What it is worth to the side to move that this position occurred before since the root, or,
    /// with `history`, since the start of the game; `None` if it did not. Whoever repeats once can
    /// repeat until the rules end the game.
    pub(super) fn repetition(&self, history: bool) -> Option<f32> {
        let outcome = self.game.repetition_since(if history { 0 } else { self.root })?;
        Some(outcome.reward(self.game.turn()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_chess::Chess;
    use keisei_shogi::Shogi;

    /// The repetition after `moves` from `start`.
    fn repetition<G: Game>(start: &str, moves: &str) -> Option<f32> {
        let root = G::from_notation(start).unwrap();
        let mut game = root.clone();
        let mut line = Vec::new();
        for text in moves.split_whitespace() {
            let mv = game.parse_move(text).unwrap();
            game.play(mv).unwrap();
            line.push(mv);
        }
        let mut walk = Walk::new(&root);
        walk.go_to(&line);
        walk.repetition(false)
    }

    const SHOGI: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn the_first_repetition_is_a_draw() {
        assert_eq!(repetition::<Shogi>(SHOGI, "2h3h 8b7b 3h2h"), None);
        assert_eq!(repetition::<Shogi>(SHOGI, "2h3h 8b7b 3h2h 7b8b"), Some(0.0));
        let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(repetition::<Chess>(chess, "g1f3 g8f6 f3g1 f6g8"), Some(0.0));
    }

    #[test]
    fn a_repetition_by_checks_is_lost_for_the_checker_in_shogi_alone() {
        // The dragon checks along the rank, the king goes up and down.
        let perpetual = "8k/9/9/9/9/9/9/1+R7/K8 b - 1";
        let moves = "8h8a 1a1b 8a8b 1b1a 8b8a";
        assert_eq!(repetition::<Shogi>(perpetual, moves), Some(1.0), "the checked side wins");
        let other = "8h8a 1a1b 8a8b 1b1a 8b8a 1a1b";
        assert_eq!(repetition::<Shogi>(perpetual, other), Some(-1.0), "the checker is to move");
        let chess = "7k/8/8/8/8/8/R7/K7 w - - 0 1";
        assert_eq!(repetition::<Chess>(chess, "a2h2 h8g8 h2g2 g8h8 g2h2"), Some(0.0));
    }

    #[test]
    fn a_walk_to_another_line_is_the_same_as_a_new_walk() {
        let root = Shogi::new();
        let line = |texts: &str| {
            let mut game = root.clone();
            for text in texts.split_whitespace() {
                game.play(game.parse_move(text).unwrap()).unwrap();
            }
            game.moves().to_vec()
        };
        let lines = ["7g7f 3c3d 8h2b+", "7g7f 3c3d", "7g7f 8c8d 2g2f", "", "2g2f"].map(line);
        let mut walk = Walk::new(&root);
        for line in &lines {
            walk.go_to(line);
            let mut fresh = Walk::new(&root);
            fresh.go_to(line);
            assert_eq!(walk.game().position(), fresh.game().position());
            assert_eq!(walk.game().keys(), fresh.game().keys());
            assert_eq!(walk.game().moves(), fresh.game().moves());
        }
    }
}
