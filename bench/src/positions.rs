//! Positions of random games with all that other programs have their own code for: packed forms,
//! dlshogi's planes and labels. `python/agreement.py` reads them.

use std::io::{BufWriter, Write, stdout};

use anyhow::{Context, Result};
use clap::Args;
use keisei_encode::shogi::{Compact, dlshogi};
use keisei_encode::{Actions, Encode, legal_actions};
use keisei_game::{Game, SplitMix64};
use keisei_records::samples::{Code, pack};
use keisei_shogi::Shogi;

/// How many positions are written.
#[derive(Args)]
pub(crate) struct Options {
    /// How many positions
    #[arg(long, default_value_t = 2000)]
    count: usize,
    /// Another seed gives other games
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// A game goes on for at most so many moves.
const LONGEST: usize = 300;

/// Writes each position to standard output: its SFEN, Apery's and YaneuraOu's packed form, the
/// planes as bits and the legal moves with their labels. Texts have their length before them;
/// numbers have the little end first.
pub(crate) fn run(options: &Options) -> Result<()> {
    let view = Shogi::view(dlshogi::NAME).context("shogi has dlshogi's view")?;
    let mut planes = vec![0.0; view.planes * Shogi::SQUARES];
    let mut out = BufWriter::with_capacity(1 << 20, stdout().lock());
    let mut rng = SplitMix64::new(options.seed);
    let mut game = Shogi::new();
    for _ in 0..options.count {
        let position = game.position();
        text(&mut out, &position.to_string())?;
        out.write_all(&pack(position, Code::Hcp)?)?;
        out.write_all(&pack(position, Code::PackedSfen)?)?;
        (view.expand)(&game.pack(), &mut planes);
        out.write_all(&bits(&planes))?;
        let legal = legal_actions::<Compact>(position);
        out.write_all(&(legal.len() as u16).to_le_bytes())?;
        for (label, mv) in legal {
            text(&mut out, &mv.to_string())?;
            out.write_all(&(label as u16).to_le_bytes())?;
        }
        next(&mut game, &mut rng);
    }
    debug_assert_eq!(Compact::COUNT, 2187);
    Ok(out.flush()?)
}

/// Plays some random moves; a new game begins where one is over.
fn next(game: &mut Shogi, rng: &mut SplitMix64) {
    for _ in 0..1 + rng.below(3) {
        let over = game.outcome().is_some() || game.ply() >= LONGEST;
        let mv = if over { None } else { rng.choose(game.position().legal_moves().as_ref()) };
        match mv {
            Some(mv) => game.play_unchecked(mv),
            None => game.reset(),
        }
    }
    if !game.position().has_legal_moves() {
        game.reset();
    }
}

fn text(out: &mut impl Write, text: &str) -> Result<()> {
    out.write_all(&[u8::try_from(text.len())?])?;
    Ok(out.write_all(text.as_bytes())?)
}

/// Planes of zeros and ones, eight numbers a byte, the first one highest.
fn bits(planes: &[f32]) -> Vec<u8> {
    let byte = |eight: &[f32]| {
        eight
            .iter()
            .enumerate()
            .fold(0, |byte, (i, &number)| byte | u8::from(number != 0.0) << (7 - i))
    };
    planes.chunks(8).map(byte).collect()
}
