//! A search over the built-in network: the policy proposes, the search looks ahead, and what is
//! proven is played.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use anyhow::{Context, Result};
use keisei_engine::network_player::shipped_network;
use keisei_engine::search::{Search, SearchSettings};
use keisei_engine::{Limits, Signal};
use keisei_game::Game;
use keisei_shogi::Shogi;

fn main() -> Result<()> {
    let network = shipped_network::<Shogi>().context("shogi has a built-in network")?;
    let mut search = Search::new(network, SearchSettings::default());

    // A rook from afar mates; the pawn in hand can only delay it.
    let game = Shogi::from_notation("k8/9/G8/9/9/9/9/9/8K b Rp 1")?;
    println!("{}", game.board_text());
    let found = search.think(&game, &Limits::nodes(200), &Signal::new(), &mut |_| ());
    println!("{}, value {:.2}", found.best, found.value);
    match found.mate {
        Some(plies) => println!("mate in {plies} plies"),
        None => println!("{} simulations", found.simulations),
    }
    Ok(())
}

// Output:
//
// Player to move: Black (Sente)
// Gote Hand: Px1
//   9  8  7  6  5  4  3  2  1
// +---------------------------+
// | k  .  .  .  .  .  .  .  . | P1
// | .  .  .  .  .  .  .  .  . | P2
// | G  .  .  .  .  .  .  .  . | P3
// | .  .  .  .  .  .  .  .  . | P4
// | .  .  .  .  .  .  .  .  . | P5
// | .  .  .  .  .  .  .  .  . | P6
// | .  .  .  .  .  .  .  .  . | P7
// | .  .  .  .  .  .  .  .  . | P8
// | .  .  .  .  .  .  .  .  K | P9
// +---------------------------+
// Sente Hand: Rx1
// Move Count: 0
//
// R*9b, value 1.00
// mate in 3 plies
