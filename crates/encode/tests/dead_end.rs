//! A game whose rules forget to end it stops whoever plays it: after three moves nobody can move.

use std::convert::Infallible;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use keisei_encode::{Actions, Encode, Source, Standard, VecEnv};
use keisei_game::{Game, NothingToClaim, Outcome, Position, Rules, Side};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Step;

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("step")
    }
}

impl FromStr for Step {
    type Err = Infallible;

    fn from_str(_: &str) -> Result<Self, Infallible> {
        Ok(Self)
    }
}

/// How many moves were made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Path(u8);

impl FromStr for Path {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        text.trim_start_matches("position ").parse().map(Self)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}", self.0)
    }
}

impl Position for Path {
    type Move = Step;
    type Moves = Vec<Step>;

    fn turn(&self) -> Side {
        Side::ALL[usize::from(self.0 % 2)]
    }

    fn legal_moves(&self) -> Vec<Step> {
        if self.0 < 3 { vec![Step] } else { Vec::new() }
    }

    fn play_unchecked(&mut self, _: Step) {
        self.0 += 1;
    }

    fn in_check(&self) -> bool {
        false
    }

    fn key(&self) -> u64 {
        self.0.into()
    }
}

#[derive(Clone, Debug, Default)]
struct DeadEnd {
    path: Path,
    moves: Vec<Step>,
}

impl Game for DeadEnd {
    type Position = Path;
    type Move = Step;
    type PositionError = ParseIntError;
    type MoveError = Infallible;
    type ClaimError = NothingToClaim;

    const NAME: &'static str = "dead end";

    const RULES: Rules = Rules::BARE;
    const REPETITIONS: usize = 1;

    fn start_position() -> Path {
        Path::default()
    }

    fn with_rules(path: Path, _: Rules) -> Self {
        Self { path, moves: Vec::new() }
    }

    fn rules(&self) -> Rules {
        Self::RULES
    }

    fn position(&self) -> &Path {
        &self.path
    }

    fn start(&self) -> &Path {
        &Path(0)
    }

    fn moves(&self) -> &[Step] {
        &self.moves
    }

    fn play(&mut self, mv: Step) -> Result<(), Infallible> {
        self.play_unchecked(mv);
        Ok(())
    }

    fn play_unchecked(&mut self, mv: Step) {
        self.path.play_unchecked(mv);
        self.moves.push(mv);
    }

    fn undo(&mut self) -> Option<Step> {
        self.path.0 -= 1;
        self.moves.pop()
    }

    fn reset(&mut self) {
        *self = Self::new();
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn adjudicate(&mut self, _: Outcome) {}

    fn claimable(&self) -> Result<Outcome, NothingToClaim> {
        Err(NothingToClaim { game: Self::NAME })
    }

    fn repetition_since(&self, _: usize) -> Option<Outcome> {
        None
    }

    fn repetitions(&self) -> usize {
        0
    }

    fn parse_move(&self, _: &str) -> Result<Step, Infallible> {
        Ok(Step)
    }

    fn board_text(&self) -> String {
        self.notation()
    }
}

impl Encode for DeadEnd {
    type Actions = OneAction;

    const PLANES: usize = 1;
    const SQUARES: usize = 1;
    const COLUMNS: usize = 1;
    const MAX_MOVES: usize = 1;

    type Packed = [u8; 1];

    fn pack(&self) -> [u8; 1] {
        [self.path.0]
    }

    fn expand(packed: &[u8; 1], planes: &mut [f32]) {
        planes[0] = packed[0].into();
    }

    fn sources() -> Vec<Source> {
        vec![Source::Level { byte: 0, level: f32::from }]
    }

    fn mirrored(packed: &[u8; 1]) -> Option<[u8; 1]> {
        Some(*packed)
    }
}

#[derive(Clone, Copy)]
struct OneAction;

impl Actions for OneAction {
    type Game = DeadEnd;

    const NAME: &'static str = "one";
    const COUNT: usize = 1;

    fn index(_: Side, _: Step) -> usize {
        0
    }

    fn mirrored(index: usize) -> usize {
        index
    }

    fn cell(index: usize) -> Option<usize> {
        Some(index)
    }
}

#[test]
#[should_panic(expected = "position 3 has no legal move and no outcome")]
fn a_game_without_legal_moves_that_is_not_over_stops_the_run_and_names_the_position() {
    let mut env: VecEnv<OneAction> = VecEnv::new([DeadEnd::new()], &Standard);
    for _ in 0..3 {
        env.step(&[0], &Standard).unwrap();
    }
}
