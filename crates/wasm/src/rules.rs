//! What is agreed on before a game, and how games end.

use keisei_game::{DeclarationRule, Game as _};
use serde::{Deserialize, Serialize};
use tsify::Tsify;

use crate::board::Side;
use crate::games::{Shown, outcome_text};

/// The rules that are a matter of agreement. What is left out is as people usually play: a limit of
/// 500 moves in shogi, declarations by 27 points.
#[derive(Clone, Copy, Debug, Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[tsify(from_wasm_abi)]
pub struct RulesInput {
    /// After so many moves the game is drawn; 0 for no limit.
    #[tsify(optional)]
    pub move_limit: Option<u32>,
    /// Whether a draw that could be claimed ends the game at once.
    #[tsify(optional)]
    pub auto_claim: Option<bool>,
    #[tsify(optional)]
    pub declaration: Option<DeclarationName>,
    /// Whether the giver of a handicap counts the pieces that it gave.
    #[tsify(optional)]
    pub handicap_points: Option<bool>,
    /// Whether a king that reaches the other king's starting square wins.
    #[tsify(optional)]
    pub try_rule: Option<bool>,
}

/// With how many points an entered king may be declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
pub enum DeclarationName {
    #[serde(rename = "off")]
    Off,
    #[serde(rename = "27")]
    Points27,
    #[serde(rename = "24")]
    Points24,
}

impl From<DeclarationRule> for DeclarationName {
    fn from(rule: DeclarationRule) -> Self {
        match rule {
            DeclarationRule::Off => Self::Off,
            DeclarationRule::Points27 => Self::Points27,
            DeclarationRule::Points24 => Self::Points24,
        }
    }
}

impl From<DeclarationName> for DeclarationRule {
    fn from(name: DeclarationName) -> Self {
        match name {
            DeclarationName::Off => Self::Off,
            DeclarationName::Points27 => Self::Points27,
            DeclarationName::Points24 => Self::Points24,
        }
    }
}

impl RulesInput {
    /// The rules of a game of `G`.
    pub(crate) fn complete<G: Shown>(self) -> keisei_game::Rules {
        let usual = match G::ENTERING_KING {
            true => keisei_game::Rules::between_people::<G>(),
            false => G::RULES,
        };
        keisei_game::Rules {
            move_limit: match self.move_limit {
                None => usual.move_limit,
                Some(0) => None,
                Some(limit) => Some(limit as usize),
            },
            auto_claim: self.auto_claim.unwrap_or(usual.auto_claim),
            declaration: self.declaration.map_or(usual.declaration, DeclarationRule::from),
            handicap_points: self.handicap_points.unwrap_or(usual.handicap_points),
            try_rule: self.try_rule.unwrap_or(usual.try_rule),
        }
    }
}

/// The rules of a game.
#[derive(Clone, Copy, Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(into_wasm_abi)]
pub struct Rules {
    pub move_limit: Option<u32>,
    pub auto_claim: bool,
    pub declaration: DeclarationName,
    pub handicap_points: bool,
    pub try_rule: bool,
}

impl From<keisei_game::Rules> for Rules {
    fn from(rules: keisei_game::Rules) -> Self {
        Self {
            move_limit: rules.move_limit.map(|limit| limit as u32),
            auto_claim: rules.auto_claim,
            declaration: rules.declaration.into(),
            handicap_points: rules.handicap_points,
            try_rule: rules.try_rule,
        }
    }
}

/// The rule that ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(into_wasm_abi, from_wasm_abi)]
pub enum Reason {
    Checkmate,
    NoMoves,
    Repetition,
    PerpetualCheck,
    Declaration,
    KingCaptured,
    Try,
    Resignation,
    MoveLimit,
    FiftyMoves,
    SeventyFiveMoves,
    InsufficientMaterial,
    Timeout,
    IllegalMove,
    Agreement,
    Abandoned,
}

/// Each of our reasons with its name.
const REASONS: [(keisei_game::Reason, Reason); 16] = {
    use keisei_game::Reason as Ours;
    [
        (Ours::Checkmate, Reason::Checkmate),
        (Ours::NoMoves, Reason::NoMoves),
        (Ours::Repetition, Reason::Repetition),
        (Ours::PerpetualCheck, Reason::PerpetualCheck),
        (Ours::Declaration, Reason::Declaration),
        (Ours::KingCaptured, Reason::KingCaptured),
        (Ours::Try, Reason::Try),
        (Ours::Resignation, Reason::Resignation),
        (Ours::MoveLimit, Reason::MoveLimit),
        (Ours::FiftyMoves, Reason::FiftyMoves),
        (Ours::SeventyFiveMoves, Reason::SeventyFiveMoves),
        (Ours::InsufficientMaterial, Reason::InsufficientMaterial),
        (Ours::Timeout, Reason::Timeout),
        (Ours::IllegalMove, Reason::IllegalMove),
        (Ours::Agreement, Reason::Agreement),
        (Ours::Abandoned, Reason::Abandoned),
    ]
};

impl From<keisei_game::Reason> for Reason {
    fn from(reason: keisei_game::Reason) -> Self {
        let found = REASONS.into_iter().find(|&(ours, _)| ours == reason);
        found.expect("every reason has a name").1
    }
}

impl From<Reason> for keisei_game::Reason {
    fn from(name: Reason) -> Self {
        let found = REASONS.into_iter().find(|&(_, theirs)| theirs == name);
        found.expect("every name stands for a reason").0
    }
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct Outcome {
    /// Null for a draw.
    pub winner: Option<Side>,
    pub reason: Reason,
    /// In English, with the game's colours.
    pub text: String,
}

impl Outcome {
    pub(crate) fn new<G: Shown>(outcome: keisei_game::Outcome) -> Self {
        let winner = outcome.winner().map(Side::from);
        Self { winner, reason: outcome.reason().into(), text: outcome_text::<G>(outcome) }
    }
}

/// What counts if the side to move declares an entered king now.
#[derive(Clone, Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(into_wasm_abi)]
pub struct Declaration {
    pub rule: DeclarationName,
    /// Whether the king stands in the three far rows.
    pub king_entered: bool,
    pub in_check: bool,
    /// How many pieces stand in the three far rows besides the king.
    pub pieces: u32,
    pub pieces_needed: u32,
    pub points: u32,
    pub points_to_win: u32,
    /// The same as `pointsToWin` where nothing less is worth anything.
    pub points_to_draw: u32,
    /// What a declaration would lead to; null while a condition is missing.
    pub outcome: Option<Outcome>,
    /// The first condition that is missing, in English.
    pub problem: Option<String>,
}

impl Declaration {
    pub(crate) fn new(counted: &keisei_shogi::Declaration, game: &keisei_shogi::Shogi) -> Self {
        let outcome = game.claimable();
        Self {
            rule: game.rules().declaration.into(),
            king_entered: counted.king_entered,
            in_check: counted.in_check,
            pieces: counted.entered as u32,
            pieces_needed: keisei_shogi::Declaration::ENTERED_NEEDED as u32,
            points: counted.points,
            points_to_win: counted.points_to_win,
            points_to_draw: counted.points_to_draw,
            problem: outcome.as_ref().err().map(ToString::to_string),
            outcome: outcome.ok().map(Outcome::new::<keisei_shogi::Shogi>),
        }
    }
}

/// How often the current position has occurred.
#[derive(Clone, Debug, Serialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct Repetition {
    /// How often, the present time included.
    pub times: u32,
    /// With so many occurrences the game ends, or a draw can be claimed.
    pub limit: u32,
    /// How it would end if the moves since the last occurrence were repeated; null if the position
    /// is new.
    pub ending: Option<Outcome>,
}

impl Repetition {
    pub(crate) fn of<G: Shown>(game: &G) -> Self {
        Self {
            times: game.repetitions() as u32 + 1,
            limit: G::REPETITIONS as u32 + 1,
            ending: game.repetition_since(0).map(Outcome::new::<G>),
        }
    }
}
