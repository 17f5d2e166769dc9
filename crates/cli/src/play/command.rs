//! What a person can type during a game.

/// A typed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// An empty line.
    Nothing,
    /// A move in some notation.
    Move(&'a str),
    /// List the legal moves that contain the text, or all.
    Moves(&'a str),
    /// Take back to one's last turn.
    Undo,
    /// Give up.
    Resign,
    /// End the game by a right of the rules.
    Claim,
    /// Print the board again.
    Board,
    /// Say what can be typed.
    Help,
    /// Save the game to a file; its name may be missing.
    Save(&'a str),
    /// Leave.
    Quit,
}

impl<'a> Command<'a> {
    /// Reads a line. What is no command is taken for a move.
    pub(super) fn read(line: &'a str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Self::Nothing,
            ("moves", _) => Self::Moves(rest),
            ("save", _) => Self::Save(rest),
            ("undo", "") => Self::Undo,
            ("resign", "") => Self::Resign,
            ("claim", "") => Self::Claim,
            ("board", "") => Self::Board,
            ("help" | "?", "") => Self::Help,
            ("quit" | "exit", "") => Self::Quit,
            _ => Self::Move(line),
        }
    }

    /// The commands with what they do.
    pub(super) const HELP: &'static str =
        "  moves        list the legal moves; `moves 7g` lists those with 7g in them
  undo         take back to your last turn
  resign       give up
  claim        claim a draw by repetition or the fifty-move rule, or declare an entered king
  board        print the board again
  save FILE    write the game to FILE
  quit         leave; so does the end of input";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_with_what_follows_them() {
        assert_eq!(Command::read("  \n"), Command::Nothing);
        assert_eq!(Command::read("undo\r\n"), Command::Undo);
        assert_eq!(Command::read("MOVES"), Command::Moves(""));
        assert_eq!(Command::read("moves 7g"), Command::Moves("7g"));
        assert_eq!(Command::read("save my game.kif\n"), Command::Save("my game.kif"));
        assert_eq!(Command::read("save"), Command::Save(""));
        assert_eq!(Command::read("?"), Command::Help);
    }

    #[test]
    fn everything_else_is_taken_for_a_move() {
        assert_eq!(Command::read("7g7f\n"), Command::Move("7g7f"));
        assert_eq!(Command::read("同　銀"), Command::Move("同　銀"));
        assert_eq!(Command::read("undo 7g7f"), Command::Move("undo 7g7f"));
    }
}
