//! The kernels of the residual blocks, compiled for a network and a GPU.

use std::sync::Arc;

use crate::architecture::Board;
use crate::torch::kernel::{Gpu, Kernel, KernelError, Kernels};

const PROCESSOR: &str = include_str!("processor.cu");
const TOWER: &str = include_str!("tower.cu");
const WEIGHTS: &str = include_str!("weights.cu");

/// What a multiprocessor has for the sums of one thread, in registers.
const MOST_SUMS: usize = 128;

/// How many channels a block of threads has that adds up gradients of weights, and how many
/// positions at once: as in weights.cu.
const SIDE: usize = 64;
const AT_ONCE: usize = 3;
const GATHERERS: usize = 12 * 32;

/// How many squares the kernel of a convolution has.
const TAPS: usize = 9;

/// How many rows of weights are brought at once, at most: more would only lengthen the code.
const MOST_ROWS: usize = 192;

/// The bytes of what says that weights have arrived.
const DELIVERY: usize = 8;

/// The blocks that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape<N = usize> {
    /// What the convolution before them reads, with what fills up.
    pub(super) planes: N,
    pub(super) channels: N,
    pub(super) board: Board,
    pub(super) blocks: N,
    pub(super) pool: bool,
}

impl Shape {
    /// The same in the numbers of libtorch.
    pub(super) fn numbers(&self) -> Shape<i64> {
        let Self { planes, channels, board, blocks, pool } = *self;
        let [planes, channels, blocks] = [planes, channels, blocks].map(|number| number as i64);
        Shape { planes, channels, board, blocks, pool }
    }
}

/// How the work of a block of threads is shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    positions: usize,
    warps: usize,
    /// How many times 16 squares a warp has.
    tiles: usize,
    /// Into how many parts the channels are divided among warps.
    split: usize,
    /// How many rows of weights are brought at once.
    chunk: usize,
}

/// The bytes of a board of so many positions in shared memory, as in tower.cu: rows and cells are as
/// long as it takes for neighbours to lie in different banks.
fn board_bytes(board: Board, positions: usize, channels: usize) -> usize {
    let cell = channels * 2 + 16;
    (positions * (board.rows + 1) + 1) * ((board.columns + 1) * cell - 16) + cell
}

impl Plan {
    /// The plan that keeps most of its rows busy, of those that fit into so many bytes.
    fn of(shape: &Shape, shared_memory: usize) -> Option<Self> {
        let channels = shape.channels;
        if !channels.is_multiple_of(32) {
            return None;
        }
        let rows = TAPS * channels;
        let chunks = (16..=MOST_ROWS).step_by(16).filter(|&chunk| rows.is_multiple_of(chunk));
        let chunks: Vec<_> = chunks.collect();
        let mut plans = Vec::new();
        for split in [1, 2] {
            for tiles in 2..=4 {
                // The four parts of a multiprocessor want the same number of warps, a power of two.
                for warps in [4, 8, 16] {
                    let sums = tiles * channels / split / 2;
                    let squares = shape.board.squares();
                    let positions = warps / split * tiles * 16 / squares;
                    let registers = 65_536 / (warps * 32);
                    let fits = sums <= MOST_SUMS
                        && sums + 70 <= registers
                        && (channels / split).is_multiple_of(16)
                        && positions > 0;
                    if !fits {
                        continue;
                    }
                    let busy = positions * squares * 100 / (warps / split * tiles * 16);
                    for &chunk in &chunks {
                        let plan = Self { positions, warps, tiles, split, chunk };
                        if plan.shared_memory(shape) <= shared_memory {
                            plans.push(((busy, positions, chunk), plan));
                        }
                    }
                }
            }
        }
        plans.into_iter().max_by_key(|(merit, _)| *merit).map(|(_, plan)| plan)
    }

    /// What the kernels want to know, for a compiler of C.
    fn definitions(&self, shape: &Shape) -> [String; 11] {
        let Shape { planes, channels, board, blocks, pool } = *shape;
        let Self { positions, warps, tiles, split, chunk } = *self;
        [
            ("PLANES", planes),
            ("CHANNELS", channels),
            ("ROWS", board.rows),
            ("COLUMNS", board.columns),
            ("BLOCKS", blocks),
            ("POOL", usize::from(pool)),
            ("POSITIONS", positions),
            ("WARPS", warps),
            ("TILES", tiles),
            ("SPLIT", split),
            ("CHUNK", chunk),
        ]
        .map(|(name, value)| format!("-D{name}={value}"))
    }

    /// How much memory a block of threads takes, in bytes.
    fn shared_memory(&self, shape: &Shape) -> usize {
        let cell = shape.channels * 2 + 16;
        let board = board_bytes(shape.board, self.positions, shape.channels) + cell;
        let weights = self.chunk * shape.channels * 2;
        let pooled = self.positions * 3 * shape.channels * 4;
        2 * board + 2 * weights + pooled + 2 * DELIVERY
    }
}

/// All kernels for a shape.
#[derive(Debug)]
pub(super) struct TowerKernels {
    pub(super) tower: Kernel,
    /// What learning needs beside it, where the number of channels allows it.
    pub(super) learning: Option<Learning>,
    plan: Plan,
    multiprocessors: usize,
}

/// The kernels of learning.
#[derive(Debug)]
pub(super) struct Learning {
    pub(super) keep: Kernel,
    pub(super) back: Kernel,
    pub(super) weights: GradientKernel,
    /// Of the convolution before the blocks.
    pub(super) entry_weights: GradientKernel,
}

/// What adds up gradients of weights.
#[derive(Debug)]
pub(super) struct GradientKernel {
    pub(super) kernel: Kernel,
    /// Into how many parts the positions are divided.
    pub(super) parts: usize,
    /// How many blocks of threads it takes.
    pub(super) blocks: usize,
}

impl TowerKernels {
    /// The kernels for a shape, or `None` if no plan fits it. They are compiled at the first call.
    pub(super) fn of(gpu: usize, shape: Shape) -> Option<Arc<Self>> {
        static COMPILED: Kernels<Shape, Option<Arc<TowerKernels>>> = Kernels::new();
        let otherwise = "libtorch computes the network block by block, slower";
        let compile = |gpu: &Gpu, shape: &Shape| Ok(Self::compile(gpu, shape)?.map(Arc::new));
        Option::clone(&*COMPILED.of(gpu, shape, otherwise, compile)?)
    }

    fn compile(gpu: &Gpu, shape: &Shape) -> Result<Option<Self>, KernelError> {
        let plan = Plan::of(shape, gpu.shared_memory).filter(|_| gpu.multiplies_in_bf16());
        let Some(plan) = plan else { return Ok(None) };
        let gradients_memory = gradients_memory(shape.board);
        let learns = shape.channels.is_multiple_of(SIDE) && gradients_memory <= gpu.shared_memory;
        let module = gpu.compile(&source(learns), &plan.definitions(shape))?;
        let load = |name, threads, memory| Kernel::new(&module, gpu, name, threads, memory);
        let (threads, memory) = (plan.warps * 32, plan.shared_memory(shape));
        let gradients = |name, tiles| -> Result<_, KernelError> {
            let parts = parts(tiles, gpu.multiprocessors);
            let kernel = load(name, GATHERERS, gradients_memory)?;
            Ok(GradientKernel { kernel, parts, blocks: parts * tiles })
        };
        let sides = shape.channels / SIDE;
        let learning = match learns {
            false => None,
            true => Some(Learning {
                keep: load("tower_keep", threads, memory)?,
                back: load("tower_back", threads, memory)?,
                weights: gradients("tower_weights", 2 * shape.blocks * sides * sides)?,
                entry_weights: gradients("entry_weights", shape.planes.div_ceil(SIDE) * sides)?,
            }),
        };
        let tower = load("tower", threads, memory)?;
        Ok(Some(Self { tower, learning, plan, multiprocessors: gpu.multiprocessors }))
    }

    /// How many groups of positions the blocks of threads deal with.
    pub(super) fn groups(&self, positions: i64) -> usize {
        (positions as usize).div_ceil(self.plan.positions)
    }

    /// How many blocks of threads go through so many positions.
    pub(super) fn blocks_for(&self, positions: i64) -> usize {
        self.groups(positions).min(self.multiprocessors)
    }

    /// How many words have a bit for each number that a block of threads computes of a layer.
    pub(super) fn words(&self, shape: &Shape) -> usize {
        let Plan { warps, tiles, split, .. } = self.plan;
        warps * 32 * (tiles * shape.channels / split / 2).div_ceil(32)
    }
}

/// The source of the kernels, with or without those of learning.
fn source(learns: bool) -> String {
    [PROCESSOR, TOWER, if learns { WEIGHTS } else { "" }].concat()
}

/// What a block of threads takes that adds up gradients of weights, in bytes.
fn gradients_memory(board: Board) -> usize {
    let steps = (AT_ONCE * board.squares()).div_ceil(16);
    let read = board_bytes(board, AT_ONCE, SIDE);
    let given = steps * 16 * (SIDE * 2 + 16);
    2 * (read + given) + steps * 16 * 4
}

/// Into how many parts to divide the positions, so that `tiles` blocks of threads a part keep all
/// multiprocessors busy to the end, in few rounds.
fn parts(tiles: usize, multiprocessors: usize) -> usize {
    let idle = |parts: &usize| {
        let blocks = tiles * parts;
        let rounds = blocks.div_ceil(multiprocessors);
        // In thousandths; a round more costs as much as a hundredth idle.
        (rounds * multiprocessors - blocks) * 1000 / (rounds * multiprocessors) + 10 * rounds
    };
    (1..=multiprocessors).min_by_key(idle).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::torch::kernel::compiles;

    const SHOGI: Board = Board { rows: 9, columns: 9 };

    fn shape(channels: usize, blocks: usize) -> Shape {
        Shape { planes: 88, channels, board: SHOGI, blocks, pool: true }
    }

    #[test]
    fn plans_leave_few_rows_idle_and_fit_into_a_multiprocessor() {
        for channels in [32, 64, 128] {
            let plan = Plan::of(&shape(channels, 6), 232_448).unwrap();
            let rows = plan.warps / plan.split * plan.tiles * 16;
            assert!(plan.positions * 81 * 100 / rows >= 94, "{plan:?}");
            assert!(plan.shared_memory(&shape(channels, 6)) <= 232_448);
        }
        assert_eq!(Plan::of(&shape(48, 6), 232_448), None);
        assert_eq!(Plan::of(&shape(64, 6), 16_384), None);
    }

    #[test]
    fn the_kernels_can_be_compiled() {
        for (channels, learns) in [(32, false), (64, true), (128, true)] {
            let shape = shape(channels, 6);
            let plan = Plan::of(&shape, 232_448).unwrap();
            compiles(&source(learns), &plan.definitions(&shape));
        }
    }

    /// Compiles the kernels for the CPU, where `emulated.cpp` runs them thread by thread and compares
    /// all that they give with a plain computation.
    #[track_caller]
    fn computes_what_it_should(shape: Shape) {
        let plan = Plan::of(&shape, 232_448).unwrap();
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/torch/tower");
        let name = format!("keisei-kernels-{}-{}", std::process::id(), shape.channels);
        let program = std::env::temp_dir().join(name);
        let compiled = Command::new("c++")
            .args(["-std=c++17", "-O2", "-w", "-o"])
            .arg(&program)
            .args(plan.definitions(&shape))
            .arg(folder.join("emulated.cpp"))
            .output()
            .expect("a C++ compiler, which libtorch's wrapper needs as well");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let run = Command::new(&program).output().unwrap();
        std::fs::remove_file(&program).unwrap();
        let report = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && report.contains("results"), "{shape:?}: {report}");
    }

    #[test]
    fn kernels_compute_blocks_and_gradients_as_a_plain_program_does() {
        let small = Board { rows: 4, columns: 3 };
        computes_what_it_should(shape(64, 1));
        computes_what_it_should(Shape { board: small, planes: 24, ..shape(128, 2) });
        computes_what_it_should(Shape { board: small, pool: false, ..shape(32, 2) });
    }

    #[test]
    fn gradients_of_weights_keep_all_multiprocessors_busy() {
        assert_eq!(parts(1, 132), 132);
        assert_eq!(parts(2, 132), 66);
        assert_eq!(parts(12, 132), 11);
        assert_eq!(parts(48, 132), 11);
        assert!(gradients_memory(SHOGI) <= 232_448);
    }
}
