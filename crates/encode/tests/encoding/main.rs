//! What a network sees of shogi and chess, and how it names moves.

mod bijection;
mod chess_actions;
mod chess_attacks;
mod chess_planes;
mod golden;
mod laws;
mod sample;
mod shogi_actions;
mod shogi_attacks;
mod shogi_planes;
