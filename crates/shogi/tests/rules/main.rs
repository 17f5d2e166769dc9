//! The rules of shogi, a test for each, in the words of the rules.

mod boards;
mod naive;
mod random;

mod captures;
mod conformance;
mod declaration;
mod drops;
mod game_end;
mod handicap;
mod illegal_moves;
mod king_safety;
mod laws;
mod oracle;
mod parsing;
mod pieces;
mod promotion;
mod repetition;
mod sfen;
mod start;
mod text;
mod uchifuzume;
mod undo;
