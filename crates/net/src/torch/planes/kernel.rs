//! All planes in one kernel of our own, for NVIDIA GPUs.

use std::sync::Arc;

use keisei_encode::{Direction, PieceMoves, Pieces, Source};
use tch::{Device, Kind, Tensor};

use super::Layout;
use crate::torch::device::TorchDevice;
use crate::torch::kernel::{Gpu, Kernel, KernelError, Kernels};

const SOURCE: &str = include_str!("planes.cu");

/// As in planes.cu.
const THREADS: usize = 128;

/// How many blocks of threads a multiprocessor has at once.
const BLOCKS_AT_ONCE: usize = 12;

/// How many values a byte has.
const VALUES: usize = 256;

/// What stands in tables where there is nothing.
const NONE: i32 = -1;

/// What makes planes on a GPU.
#[derive(Debug)]
pub(super) struct PlaneKernel {
    compiled: Arc<Compiled>,
    tables: Tensor,
}

#[derive(Debug)]
struct Compiled {
    kernel: Kernel,
    blocks: usize,
}

impl PlaneKernel {
    /// The kernel that makes numbers of this kind, if the device has one.
    pub(super) fn of(layout: &Layout<'_>, device: TorchDevice, kind: Kind) -> Option<Self> {
        static COMPILED: Kernels<Vec<String>, Compiled> = Kernels::new();
        let Device::Cuda(gpu) = device.0 else { return None };
        let tables = Tables::of(layout, kind);
        let otherwise = "libtorch makes the planes, slower";
        let compile = |gpu: &Gpu, definitions: &Vec<String>| Compiled::new(gpu, definitions);
        let compiled = COMPILED.of(gpu, tables.definitions, otherwise, compile)?;
        Some(Self { compiled, tables: device.upload(&tables.numbers) })
    }

    /// The same kernel, over the same memory.
    pub(super) fn shallow_clone(&self) -> Self {
        Self { compiled: Arc::clone(&self.compiled), tables: self.tables.shallow_clone() }
    }

    /// Writes the planes of observations, with those that fill up.
    ///
    /// # Shapes
    ///
    /// `observations`: `[n, bytes]`, `planes`: `[n, squares, planes + padding]`
    pub(super) fn expand_into(&self, observations: &Tensor, planes: &Tensor) {
        let n = observations.size()[0];
        let observations = observations.contiguous();
        let tensors = [&observations, &self.tables, planes].map(Some);
        self.compiled.kernel.launch((n as usize).min(self.compiled.blocks), &tensors, n);
    }
}

impl Compiled {
    fn new(gpu: &Gpu, definitions: &[String]) -> Result<Self, KernelError> {
        let module = gpu.compile(SOURCE, definitions)?;
        Ok(Self {
            kernel: Kernel::new(&module, gpu, "make_planes", THREADS, 0)?,
            blocks: gpu.multiprocessors * BLOCKS_AT_ONCE,
        })
    }
}

/// What the kernel reads beside observations: see planes.cu.
struct Tables {
    /// Their sizes and those of boards, for a compiler of C.
    definitions: Vec<String>,
    numbers: Vec<i32>,
}

/// Pieces of which planes show how many attack a square.
struct Crowd {
    pieces: Pieces,
    /// The planes that show that one of them attacks it, two, three …
    planes: Vec<i32>,
}

impl Tables {
    /// What makes numbers of this kind.
    fn of(layout: &Layout<'_>, kind: Kind) -> Self {
        let Layout { sources, attacks, board, bytes } = *layout;
        let words = layout.padded().div_ceil(32);
        let mut shown = vec![0_u32; VALUES * words];
        let (mut marks, mut levels, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        let mut crowds = Vec::new();
        for (number, source) in sources.iter().enumerate() {
            let plane = number as i32;
            match *source {
                Source::Piece(piece) => {
                    shown[usize::from(piece) * words + number / 32] |= 1 << (number % 32);
                }
                Source::Square(byte) => marks.push([byte as i32, plane]),
                Source::Level { byte, level } => {
                    let mut row = vec![byte as i32, plane];
                    row.extend((0..=u8::MAX).map(|value| bits(level(value), kind)));
                    levels.push(row);
                }
                Source::Attack { pieces, at_least } => {
                    let least = at_least.checked_sub(1).expect("none attack every square");
                    Crowd::show(&mut crowds, pieces, least.into(), plane);
                }
                Source::Attacked { target, pieces } => {
                    let [first, last, target] = [pieces.first, pieces.last, target].map(i32::from);
                    targets.push([first, last, target, plane]);
                }
            }
        }
        let most = crowds.iter().map(|crowd| crowd.planes.len()).max().unwrap_or(0);
        let crowds_of: Vec<_> =
            (1..=attacks.moves.len()).map(|piece| Crowd::of_piece(&crowds, piece as u8)).collect();
        let crowds_of_piece = crowds_of.iter().map(Vec::len).max().unwrap_or(0);
        let sizes = [
            ("ROWS", board.rows),
            ("COLUMNS", board.columns),
            ("BYTES", bytes),
            ("PLANES", layout.padded()),
            ("HALF", usize::from(kind == Kind::BFloat16)),
            ("MARKS", marks.len()),
            ("LEVELS", levels.len()),
            ("TARGETS", targets.len()),
            ("PIECES", attacks.moves.len()),
            ("DIRECTIONS", PieceMoves::MOST),
            ("CROWDS", crowds.len()),
            ("CROWDS_OF_PIECE", crowds_of_piece),
            ("MOST", most),
        ];
        let mut numbers: Vec<_> = shown.iter().map(|&planes| planes.cast_signed()).collect();
        numbers.extend(marks.iter().flatten());
        numbers.extend(levels.iter().flatten());
        numbers.extend(targets.iter().flatten());
        for (moves, mut crowds) in attacks.moves.iter().zip(crowds_of) {
            crowds.resize(crowds_of_piece, NONE);
            numbers.push(moves.directions.len() as i32);
            numbers.extend(directions(moves));
            numbers.extend(crowds);
        }
        for mut crowd in crowds {
            crowd.planes.resize(most, NONE);
            numbers.extend(crowd.planes);
        }
        let definitions = sizes.map(|(name, size)| format!("-D{name}={size}")).to_vec();
        Self { definitions, numbers }
    }
}

impl Crowd {
    /// Has a plane show that more than `least` of these pieces attack a square.
    fn show(crowds: &mut Vec<Self>, pieces: Pieces, least: usize, plane: i32) {
        let is_free = |crowd: &Self| crowd.planes.get(least).is_none_or(|&other| other == NONE);
        let place = crowds.iter().position(|crowd| crowd.pieces == pieces && is_free(crowd));
        let place = place.unwrap_or_else(|| {
            crowds.push(Self { pieces, planes: Vec::new() });
            crowds.len() - 1
        });
        let planes = &mut crowds[place].planes;
        planes.resize(planes.len().max(least + 1), NONE);
        planes[least] = plane;
    }

    /// The places of the crowds to which a piece belongs.
    fn of_piece(crowds: &[Self], piece: u8) -> Vec<i32> {
        let belongs = |crowd: &Self| (crowd.pieces.first..=crowd.pieces.last).contains(&piece);
        (0..).zip(crowds).filter(|(_, crowd)| belongs(crowd)).map(|(place, _)| place).collect()
    }
}

/// The directions of a piece, then as many that lead nowhere as it lacks.
fn directions(moves: &PieceMoves) -> Vec<i32> {
    let numbers = |d: &Direction| [d.rows.into(), d.columns.into(), d.slides.into()];
    let mut numbers: Vec<_> = moves.directions.iter().flat_map(numbers).collect();
    numbers.resize(PieceMoves::MOST * 3, 0);
    numbers
}

/// A number as the kernel writes it, rounded to the nearest one of this kind.
fn bits(number: f32, kind: Kind) -> i32 {
    let bits = number.to_bits();
    match kind {
        Kind::BFloat16 => ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).cast_signed(),
        _ => bits.cast_signed(),
    }
}

#[cfg(test)]
mod tests {
    use keisei_encode::chess::AlphaZero;
    use keisei_encode::shogi::Compact;
    use keisei_encode::{Actions, Encode, Observation};

    use super::*;
    use crate::Encoding;
    use crate::architecture::Board;
    use crate::proof::samples::Samples;
    use crate::torch::kernel::{AMPERE, HOPPER, compiles, emulation};

    /// Positions of random games of which each is the first with a one in some plane, and a few more.
    fn telling_positions<A: Actions>(layout: &Layout<'_>) -> Vec<Observation<A>> {
        let Layout { sources, attacks, board, .. } = *layout;
        let mut plane = vec![0.0; board.squares()];
        let mut unseen: Vec<_> = sources.iter().collect();
        let mut observations = Samples::<A>::new(3000, 8).observations;
        let few = observations.split_off(2990);
        observations.retain(|packed| {
            let before = unseen.len();
            unseen.retain(|source| {
                source.expand(packed.as_ref(), attacks, &mut plane);
                !plane.contains(&1.0)
            });
            unseen.len() < before
        });
        // Hands are seldom full, and positions seldom occur often.
        assert!(unseen.iter().all(|source| matches!(source, Source::Level { .. })), "{unseen:?}");
        observations.extend(few);
        observations
    }

    /// Compiles the kernel for GPUs, and for the CPU, where `emulated.cpp` runs it thread by thread; and compares
    /// the planes of real positions with those of the encoding.
    #[track_caller]
    fn makes_the_planes_of<A: Actions>(encoding: Encoding, kind: Kind) {
        let view = encoding.view::<A::Game>().unwrap();
        let sources = view.sources.expect("a view with sources")();
        let (squares, columns) = (<A::Game as Encode>::SQUARES, <A::Game as Encode>::COLUMNS);
        let attacks = view.attack_board();
        let layout = Layout {
            sources: &sources,
            attacks: &attacks,
            board: Board { rows: squares / columns, columns },
            bytes: Observation::<A>::default().as_ref().len(),
        };
        let tables = Tables::of(&layout, kind);
        compiles(SOURCE, &tables.definitions, &[AMPERE, HOPPER]);
        let observations = telling_positions::<A>(&layout);
        let count = observations.len();

        let packed: Vec<u8> = observations.iter().flat_map(|o| o.as_ref().to_vec()).collect();
        let numbers: Vec<u8> = tables.numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        let made = emulation::run("planes/emulated.cpp", &tables.definitions, &[&packed, &numbers]);
        let size = if kind == Kind::BFloat16 { 2 } else { 4 };
        assert_eq!(made.len(), count * squares * layout.padded() * size);
        let made: Vec<i32> = (made.chunks_exact(size))
            .map(|bytes| bytes.iter().rev().fold(0, |number, &byte| number << 8 | i32::from(byte)))
            .collect();
        let mut plane = vec![0.0; squares];
        for (packed, made) in observations.iter().zip(made.chunks_exact(made.len() / count)) {
            for number in 0..layout.padded() {
                plane.fill(0.0);
                if let Some(source) = sources.get(number) {
                    source.expand(packed.as_ref(), &attacks, &mut plane);
                }
                let expected: Vec<_> = plane.iter().map(|&number| bits(number, kind)).collect();
                let of_square = made.iter().skip(number).step_by(layout.padded());
                assert!(of_square.eq(&expected), "{encoding:?}, plane {number}");
            }
        }
    }

    #[test]
    fn the_kernel_makes_the_planes_of_every_encoding() {
        makes_the_planes_of::<Compact>(Encoding::Attacks, Kind::BFloat16);
        makes_the_planes_of::<Compact>(Encoding::Attacks, Kind::Float);
        makes_the_planes_of::<Compact>(Encoding::Own, Kind::BFloat16);
        makes_the_planes_of::<AlphaZero>(Encoding::Own, Kind::BFloat16);
        makes_the_planes_of::<AlphaZero>(Encoding::Attacks, Kind::BFloat16);
    }
}
