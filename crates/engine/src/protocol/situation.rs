//! What follows `position`.

use keisei_game::{Game, Position, PositionLine, PositionLineError, Rules, Start};

use crate::{Arena, Protocol};

/// The game that a GUI speaks of.
///
/// A GUI may carry on where the rules of a match end the game: after a repetition, after fifty
/// moves, with nothing left to win. Then the past is forgotten and the game goes on from there.
#[derive(Clone, Debug)]
pub(super) struct Situation<G: Game> {
    game: G,
    /// The position, where even a game without a past would be over.
    beyond: Option<G::Position>,
}

impl<G: Arena> Situation<G> {
    /// Reads `startpos|sfen <SFEN>|fen <FEN> [moves <move>…]`, a game by `rules`. Their limit of
    /// moves counts from the move number of the notation, where shogi has one.
    pub(super) fn parse(text: &str, mut rules: Rules) -> Result<Self, PositionLineError> {
        let line = PositionLine::read_strictly::<G>(text)?;
        if let (Protocol::Usi, Start::Notation(fields)) = (G::PROTOCOL, &line.start) {
            let number: usize = fields.get(3).and_then(|number| number.parse().ok()).unwrap_or(1);
            let made = number.saturating_sub(1);
            rules.move_limit = rules.move_limit.map(|limit| limit.saturating_sub(made).max(1));
        }
        let game = G::with_rules(line.start_position::<G>()?, rules);
        let mut situation = Self { game, beyond: None };
        line.each_move(|word| situation.play(word))?;
        Ok(situation)
    }

    fn play(&mut self, word: &str) -> Result<(), G::MoveError> {
        self.carry_on();
        if let Some(position) = &mut self.beyond {
            let moves = position.legal_moves();
            let found = moves.as_ref().iter().copied().find(|mv| mv.to_string() == word);
            if let Some(mv) = found {
                position.play_unchecked(mv);
                return Ok(());
            }
        }
        let mv = self.game.parse_move(word)?;
        self.game.play(mv)
    }

    /// Makes a game that is over one that goes on, as far as there are moves.
    pub(super) fn carry_on(&mut self) {
        if self.game.outcome().is_none() || self.beyond.is_some() {
            return;
        }
        let notation = self.game.notation();
        let mut fields: Vec<_> = notation.split(' ').collect();
        if G::PROTOCOL == Protocol::Uci && fields.len() > 4 {
            // The moves without a capture or a pawn's move.
            fields[4] = "0";
        }
        let anew: Option<G::Position> = fields.join(" ").parse().ok();
        let rules = Rules { move_limit: None, ..self.game.rules() };
        match anew.map(|position| G::with_rules(position, rules)) {
            Some(game) if game.outcome().is_none() => self.game = game,
            _ => self.beyond = Some(self.game.position().clone()),
        }
    }

    /// The game, if there is something to think about.
    pub(super) fn game(&self) -> Option<&G> {
        (self.beyond.is_none() && self.game.outcome().is_none()).then_some(&self.game)
    }

    /// The position.
    pub(super) fn position(&self) -> &G::Position {
        self.beyond.as_ref().unwrap_or_else(|| self.game.position())
    }
}

#[cfg(test)]
mod tests {
    use keisei_chess::Chess;
    use keisei_shogi::Shogi;

    use super::*;

    fn parse<G: Arena>(text: &str) -> Result<Situation<G>, PositionLineError> {
        Situation::parse(text, Rules::between_programs(None))
    }

    fn complaint<G: Arena>(text: &str) -> String {
        parse::<G>(text).expect_err("the text is wrong").to_string()
    }

    #[test]
    fn moves_are_played_from_the_start_or_from_a_position() {
        let game = parse::<Shogi>("startpos moves 7g7f 3c3d").unwrap();
        assert_eq!(game.game().unwrap().ply(), 2);
        let text = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8";
        let game = parse::<Chess>(text).unwrap();
        assert_eq!(game.game().unwrap().notation(), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(complaint::<Shogi>(""), "expected startpos or sfen, found \"\"");
        assert_eq!(complaint::<Chess>("sfen"), "expected startpos or fen, found \"sfen\"");
        assert_eq!(complaint::<Shogi>("startpos 7g7f"), "expected moves, found \"7g7f\"");
        let wrong = complaint::<Shogi>("startpos moves 7g7f 7g7f");
        assert!(wrong.starts_with("move 2: 7g7f is illegal"), "{wrong}");
        let wrong = complaint::<Chess>("fen 8/8 w - - 0 1 moves e2e4");
        assert!(wrong.starts_with("\"8/8 w - - 0 1\" is no chess position: "), "{wrong}");
    }

    #[test]
    fn a_game_goes_on_where_a_repetition_ends_it() {
        let around = "4i4h 6a6b 4h4i 6b6a ".repeat(3);
        let line = format!("startpos moves {around}");
        let mut over = parse::<Shogi>(&line).unwrap();
        assert!(over.game().is_none());
        over.carry_on();
        assert!(over.game().is_some());
        let further = parse::<Shogi>(&format!("{line} 7g7f")).unwrap();
        assert_eq!(further.game().unwrap().ply(), 1);
    }

    #[test]
    fn a_game_goes_on_after_fifty_moves_and_with_nothing_to_win() {
        let fifty = "fen 4k3/8/8/8/8/8/8/R3K3 w - - 100 80";
        assert!(parse::<Chess>(fifty).unwrap().game().is_none());
        let further = parse::<Chess>(&format!("{fifty} moves a1a2 e8d8")).unwrap();
        assert!(further.game().is_some());
        let bare = "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2 e8e7 e2e3";
        let mut bare = parse::<Chess>(bare).unwrap();
        bare.carry_on();
        assert!(bare.game().is_none());
        assert_eq!(bare.position().count_legal_moves(), 8);
        assert!(bare.position().to_string().starts_with("8/4k3/8/8/8/4K3/8/8 b"));
    }

    #[test]
    fn nothing_is_played_after_mate() {
        let mated = "startpos moves f2f3 e7e5 g2g4 d8h4";
        assert!(parse::<Chess>(mated).unwrap().game().is_none());
        let wrong = complaint::<Chess>(&format!("{mated} a2a3"));
        assert!(wrong.contains("the game is over"), "{wrong}");
    }

    #[test]
    fn a_limit_of_moves_counts_from_the_number_in_the_notation() {
        let over = |text: &str, limit| {
            let situation = Situation::<Shogi>::parse(text, Rules::between_programs(Some(limit)));
            situation.unwrap().game().is_none()
        };
        assert!(!over("startpos moves 7g7f", 2));
        assert!(over("startpos moves 7g7f 3c3d", 2));
        let later = "sfen 4k4/9/9/9/9/9/9/9/4K4 b R 41 moves R*5b";
        assert!(over(later, 41) && !over(later, 42));
    }
}
