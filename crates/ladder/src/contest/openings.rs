//! Where the games of a match begin.

use keisei_engine::Arena;
use keisei_game::{Game, SplitMix64, random_game};
use keisei_records::{Format, ReadError, Record, Recorded, read};
use serde::{Deserialize, Serialize};

use super::fingerprint::fingerprint;

/// A start position and the moves that are played from it before the players take over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The position in the game's notation.
    pub start: String,
    /// The moves as the engine protocol writes them.
    pub moves: Vec<String>,
}

/// Why openings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read as records or positions.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is nothing in it for this game.
    #[error("there are no openings of {0} in it")]
    Empty(&'static str),
    /// The opening is a finished game.
    #[error("opening {number} is over before the players move")]
    Over {
        /// Which one, from 1.
        number: usize,
    },
}

/// How many random openings are tried for a round. Nearly all are good where openings make sense,
/// and of those that one in fifty games comes to, one is found but for once in 600 million rounds.
const TRIES: usize = 1000;

/// Random openings have more moves than random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no random opening has {plies} moves: {TRIES} games were over before; ask for fewer")]
pub struct TooLong {
    /// How many moves were asked for.
    pub plies: usize,
}

/// The openings of a match, one for each round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// So many random moves from the standard start.
    Random {
        /// How many moves.
        plies: usize,
    },
    /// Those of a list, one after the other and then from its beginning again.
    List(Vec<Opening>),
}

impl Openings {
    /// The openings in a file: positions (SFEN, FEN, EPD), `position` lines, or games in any record
    /// format, of which the first `plies` moves are taken (all if `None`).
    pub fn read<G: Recorded>(
        bytes: &[u8],
        hint: Option<Format>,
        plies: Option<usize>,
    ) -> Result<Self, OpeningsError> {
        let text = without_operations(bytes);
        let records = read(text.as_deref().unwrap_or(bytes), hint)?;
        let openings = records.iter().filter_map(|record| record.of::<G>());
        let openings: Vec<_> = openings.map(|record| opening_of(record, plies)).collect();
        if openings.is_empty() {
            return Err(OpeningsError::Empty(G::NAME));
        }
        for (number, opening) in (1..).zip(&openings) {
            let game = play_opening(G::from_notation(&opening.start).ok(), opening);
            if game.is_none_or(|game: G| game.outcome().is_some()) {
                return Err(OpeningsError::Over { number });
            }
        }
        Ok(Self::List(openings))
    }

    /// The same openings in an order that follows from `seed`.
    pub fn shuffled(self, seed: u64) -> Self {
        let Self::List(mut list) = self else { return self };
        SplitMix64::new(seed).shuffle(&mut list);
        Self::List(list)
    }

    /// The same openings, beginning with number `first` from 0.
    pub fn starting_at(self, first: usize) -> Self {
        let Self::List(mut list) = self else { return self };
        let first = first % list.len();
        list.rotate_left(first);
        Self::List(list)
    }

    /// The opening of a round. Random ones follow from `seed` and the round.
    ///
    /// # Errors
    ///
    /// If so many random moves do not come together, because the game is over before.
    pub fn of_round<G: Arena>(&self, seed: u64, round: u64) -> Result<Opening, TooLong> {
        match self {
            Self::List(list) => Ok(list[(round % list.len() as u64) as usize].clone()),
            &Self::Random { plies } => {
                let mut seeds = SplitMix64::new(seed ^ round.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let open = |_| {
                    let mut game = G::new();
                    random_game(&mut game, seeds.next_u64(), plies);
                    game.outcome().is_none().then_some(game)
                };
                let game = (0..TRIES).find_map(open).ok_or(TooLong { plies })?;
                let moves = game.moves().iter().map(ToString::to_string).collect();
                Ok(Opening { start: G::new().notation(), moves })
            }
        }
    }

    /// A short text that differs when the openings do.
    pub fn describe(&self) -> String {
        match self {
            Self::Random { plies } => format!("{plies} random plies"),
            Self::List(list) => {
                let text = serde_json::to_vec(list).expect("openings are plain JSON");
                format!("{} openings ({:016x})", list.len(), fingerprint(&text))
            }
        }
    }
}

/// `game` after the opening's moves; `None` if one of them cannot be played.
pub(super) fn play_opening<G: Game>(game: Option<G>, opening: &Opening) -> Option<G> {
    let mut game = game?;
    for text in &opening.moves {
        let mv = game.parse_move(text).ok()?;
        game.play(mv).ok()?;
    }
    Some(game)
}

fn opening_of<G: Recorded>(record: &Record<G>, plies: Option<usize>) -> Opening {
    let plies = plies.unwrap_or(usize::MAX);
    let moves = record.main_moves().take(plies).map(|mv| mv.to_string()).collect();
    Opening { start: record.start().to_string(), moves }
}

/// The lines of an EPD file as plain positions: its operations (`bm e4; id "x";`) are dropped.
/// `None` if the file has none.
fn without_operations(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let is_epd = |line: &str| {
        let board = line.split_whitespace().next().unwrap_or_default();
        board.matches('/').count() == 7 && line.trim_end().ends_with(';')
    };
    if !text.lines().any(is_epd) {
        return None;
    }
    let plain = |line: &str| match is_epd(line) {
        true => line.split_whitespace().take(4).collect::<Vec<_>>().join(" ") + " 0 1\n",
        false => format!("{line}\n"),
    };
    Some(text.lines().map(plain).collect::<String>().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_chess::Chess;
    use keisei_shogi::Shogi;

    fn list<G: Recorded>(text: &str, plies: Option<usize>) -> Vec<Opening> {
        match Openings::read::<G>(text.as_bytes(), None, plies) {
            Ok(Openings::List(list)) => list,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn random_openings_follow_from_seed_and_round() {
        let openings = Openings::Random { plies: 6 };
        let of = |seed, round| openings.of_round::<Shogi>(seed, round).unwrap();
        let first = of(1, 0);
        assert_eq!(first.moves.len(), 6);
        assert_eq!(first, of(1, 0));
        assert_ne!(first, of(1, 1));
        assert_ne!(first, of(2, 0));
        assert!(play_opening(Some(Shogi::new()), &first).is_some());
    }

    #[test]
    fn random_openings_longer_than_random_games_are_refused() {
        let openings = Openings::Random { plies: 100_000 };
        let error = openings.of_round::<Chess>(1, 0).unwrap_err();
        assert_eq!(error, TooLong { plies: 100_000 });
        assert!(error.to_string().starts_with("no random opening has 100000 moves"), "{error}");
    }

    #[test]
    fn positions_position_lines_and_records_are_read() {
        let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
        let lines = format!("{sfen}\nposition startpos moves 7g7f 3c3d\n");
        let openings = list::<Shogi>(&lines, None);
        assert_eq!(openings[0], Opening { start: sfen.to_owned(), moves: vec![] });
        assert_eq!(openings[1].moves, ["7g7f", "3c3d"]);
        let csa = list::<Shogi>("PI\n+\n+7776FU\n-3334FU\n+2726FU\n", Some(2));
        assert_eq!(csa[0].moves, ["7g7f", "3c3d"]);
        let pgn = list::<Chess>("1. e4 e5 *", None);
        assert_eq!(pgn[0].moves, ["e2e4", "e7e5"]);
    }

    #[test]
    fn operations_of_epd_lines_are_dropped() {
        let epd = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5; id \"x\";\n";
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(list::<Chess>(epd, None)[0].start, start);
    }

    #[test]
    fn lists_are_repeated_shuffled_and_rotated() {
        let text: String = ["7g7f", "2g2f", "9g9f", "1g1f"]
            .iter()
            .map(|mv| format!("startpos moves {mv}\n"))
            .collect();
        let openings = Openings::List(list::<Shogi>(&text, None));
        let of = |openings: &Openings, round| {
            openings.of_round::<Shogi>(0, round).unwrap().moves[0].clone()
        };
        assert_eq!([of(&openings, 0), of(&openings, 5)], ["7g7f", "2g2f"]);
        assert_eq!(of(&openings.clone().starting_at(2), 0), "9g9f");
        let shuffled = openings.clone().shuffled(3);
        assert_eq!(shuffled, openings.clone().shuffled(3));
        assert_ne!(shuffled.describe(), openings.describe());
        let mut sorted: Vec<_> = (0..4).map(|round| of(&shuffled, round)).collect();
        sorted.sort();
        assert_eq!(sorted, ["1g1f", "2g2f", "7g7f", "9g9f"]);
    }

    #[test]
    fn files_without_a_playable_opening_are_refused() {
        let read = |text: &str| Openings::read::<Shogi>(text.as_bytes(), None, None);
        assert!(matches!(read("1. e4 e5 *"), Err(OpeningsError::Empty("shogi"))));
        assert!(matches!(read("position startpos moves 7g7e"), Err(OpeningsError::Read(_))));
        let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
        assert!(matches!(read(mated), Err(OpeningsError::Over { number: 1 })));
    }
}
