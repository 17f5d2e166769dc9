//! The kernels of the residual blocks, compiled for a network and a GPU.

use std::cmp::Reverse;
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

/// How many channels four warps compute at once that multiply together, and how many warps that are.
const TOGETHER_CHANNELS: usize = 64;
const TOGETHER_WARPS: usize = 4;

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
    /// How many times so many there is room for.
    stages: usize,
    /// Whether four warps multiply together.
    together: bool,
}

/// The bytes of a board of so many positions in shared memory, as in tower.cu: rows and cells are as
/// long as it takes for neighbours to lie in different banks.
fn board_bytes(board: Board, positions: usize, channels: usize) -> usize {
    let cell = channels * 2 + 16;
    (positions * (board.rows + 1) + 1) * ((board.columns + 1) * cell - 16) + cell
}

impl Plan {
    /// The plan that keeps most of its rows busy, of those that fit into so many bytes. Where warps
    /// can multiply `together` and the channels allow it, they do.
    fn of(shape: &Shape, shared_memory: usize, together: bool) -> Option<Self> {
        if !shape.channels.is_multiple_of(32) {
            return None;
        }
        let best = |together| {
            let plans = Self::all(shape, together).filter(|plan| plan.fits(shape, shared_memory));
            plans.max_by_key(|plan| {
                let rows = plan.chunk * plan.stages;
                (
                    plan.busy(shape.board),
                    plan.positions,
                    Reverse(plan.loads(shape)),
                    rows,
                    plan.stages,
                )
            })
        };
        together.then(|| best(true)).flatten().or_else(|| best(false))
    }

    /// All ways to share out the work.
    fn all(shape: &Shape, together: bool) -> impl Iterator<Item = Self> {
        let squares = shape.board.squares();
        let rows = TAPS * shape.channels;
        // The four parts of a multiprocessor want the same number of warps, a power of two.
        let warps = [4, 8, 16].into_iter().flat_map(|warps| [1, 2].map(|split| (warps, split)));
        let warps =
            warps.flat_map(|(warps, split)| [1, 2, 3, 4].map(|tiles| (warps, split, tiles)));
        let chunks = (32..=MOST_ROWS).step_by(32).filter(move |&chunk| rows.is_multiple_of(chunk));
        let chunks: Vec<_> =
            chunks.flat_map(|chunk| [2, 3].map(|stages| (chunk, stages))).collect();
        warps.flat_map(move |(warps, split, tiles)| {
            let positions = warps / split * tiles * 16 / squares;
            let plan = move |&(chunk, stages): &_| Self {
                positions,
                warps,
                tiles,
                split,
                chunk,
                stages,
                together,
            };
            chunks.iter().map(plan).collect::<Vec<_>>()
        })
    }

    /// Whether a multiprocessor has room for it.
    fn fits(&self, shape: &Shape, shared_memory: usize) -> bool {
        let outputs = shape.channels / self.split;
        let sums = self.tiles * outputs / 2;
        let registers = 65_536 / (self.warps * 32);
        let in_fours = outputs.is_multiple_of(TOGETHER_CHANNELS)
            && (self.warps / self.split).is_multiple_of(TOGETHER_WARPS);
        sums <= MOST_SUMS
            && sums + 70 <= registers
            && outputs.is_multiple_of(16)
            && self.positions > 0
            && (in_fours || !self.together)
            && self.shared_memory(shape) <= shared_memory
    }

    /// How many of a hundred rows are squares.
    fn busy(&self, board: Board) -> usize {
        self.positions * board.squares() * 100 / (self.warps / self.split * self.tiles * 16)
    }

    /// How many matrices a warp loads for 16 rows of weights.
    fn loads(&self, shape: &Shape) -> usize {
        let weights = shape.channels / self.split / 16;
        self.tiles + if self.together { 0 } else { weights }
    }

    /// What the kernels want to know, for a compiler of C.
    fn definitions(&self, shape: &Shape) -> [String; 13] {
        let Shape { planes, channels, board, blocks, pool } = *shape;
        let Self { positions, warps, tiles, split, chunk, stages, together } = *self;
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
            ("STAGES", stages),
            ("TOGETHER", usize::from(together)),
        ]
        .map(|(name, value)| format!("-D{name}={value}"))
    }

    /// How much memory a block of threads takes, in bytes.
    fn shared_memory(&self, shape: &Shape) -> usize {
        let cell = shape.channels * 2 + 16;
        let board = board_bytes(shape.board, self.positions, shape.channels) + cell;
        let weights = self.chunk * shape.channels * 2;
        let pooled = self.positions * 3 * shape.channels * 4;
        2 * board + self.stages * (weights + DELIVERY) + pooled
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
        let plan = Plan::of(shape, gpu.shared_memory, gpu.multiplies_together());
        let plan = plan.filter(|_| gpu.multiplies_in_bf16());
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
    let steps = (AT_ONCE * board.squares()).div_ceil(32) * 2;
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
    use crate::torch::kernel::{AMPERE, HOPPER, compiles};

    const SHOGI: Board = Board { rows: 9, columns: 9 };

    /// What a Hopper GPU has for a block of threads, in bytes.
    const SHARED_MEMORY: usize = 232_448;

    fn shape(channels: usize, blocks: usize) -> Shape {
        Shape { planes: 88, channels, board: SHOGI, blocks, pool: true }
    }

    #[test]
    fn plans_leave_few_rows_idle_and_fit_into_a_multiprocessor() {
        for (channels, together) in
            [(32, false), (64, false), (128, false), (64, true), (128, true)]
        {
            let plan = Plan::of(&shape(channels, 6), SHARED_MEMORY, together).unwrap();
            assert!(plan.busy(SHOGI) >= 94, "{plan:?}");
            assert!(plan.shared_memory(&shape(channels, 6)) <= SHARED_MEMORY);
            assert_eq!(plan.together, together);
        }
        assert!(!Plan::of(&shape(32, 6), SHARED_MEMORY, true).unwrap().together);
        assert_eq!(Plan::of(&shape(48, 6), SHARED_MEMORY, true), None);
        assert_eq!(Plan::of(&shape(64, 6), 16_384, true), None);
    }

    #[test]
    fn the_kernels_can_be_compiled() {
        for (channels, learns) in [(32, false), (64, true), (128, true)] {
            let shape = shape(channels, 6);
            for capability in [AMPERE, HOPPER] {
                let plan = Plan::of(&shape, SHARED_MEMORY, capability == HOPPER).unwrap();
                compiles(&source(learns), &plan.definitions(&shape), &[capability]);
            }
        }
    }

    /// Compiles the kernels for the CPU, where `emulated.cpp` runs them thread by thread and compares
    /// all that they give with a plain computation.
    #[track_caller]
    fn computes_what_it_should(shape: Shape, together: bool) {
        let plan = Plan::of(&shape, SHARED_MEMORY, together).unwrap();
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/torch/tower");
        let name = format!("keisei-kernels-{}-{}-{together}", std::process::id(), shape.channels);
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
        for together in [false, true] {
            computes_what_it_should(shape(64, 1), together);
            computes_what_it_should(Shape { board: small, planes: 24, ..shape(128, 2) }, together);
        }
        computes_what_it_should(Shape { board: small, pool: false, ..shape(32, 2) }, false);
    }

    #[test]
    fn gradients_of_weights_keep_all_multiprocessors_busy() {
        assert_eq!(parts(1, 132), 132);
        assert_eq!(parts(2, 132), 66);
        assert_eq!(parts(12, 132), 11);
        assert_eq!(parts(48, 132), 11);
        assert!(gradients_memory(SHOGI) <= SHARED_MEMORY);
    }
}
