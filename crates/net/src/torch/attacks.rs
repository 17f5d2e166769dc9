//! Planes of attacks, made on the device.

use std::sync::Arc;

use keisei_encode::{AttackBoard, PieceMoves, Source};
use rayon::prelude::*;
use tch::{Device, Kind, Tensor};

use super::device::TorchDevice;
use super::kernel::{Gpu, Kernel, KernelError};
use crate::architecture::Board;

const SOURCE: &str = include_str!("attacks.cu");

/// As in attacks.cu.
const THREADS: usize = 128;

/// How many blocks of threads a multiprocessor has at once, at most.
const BLOCKS_AT_ONCE: usize = 16;

/// Planes that show what pieces attack.
#[derive(Debug)]
pub(super) struct AttackPlanes {
    sources: Vec<Source>,
    attacks: AttackBoard,
    board: Board,
    /// What makes them on a GPU.
    kernel: Option<AttackKernel>,
}

#[derive(Debug)]
struct AttackKernel {
    kernel: Arc<Kernel>,
    blocks: usize,
    /// `[pieces, directions, 3]`
    moves: Tensor,
    /// `[planes, 4]`
    planes: Tensor,
}

impl AttackPlanes {
    pub(super) fn new(
        sources: &[Source],
        attacks: &AttackBoard,
        board: Board,
        device: TorchDevice,
    ) -> Self {
        let kernel = match device.0 {
            Device::Cuda(gpu) => AttackKernel::new(gpu, sources, attacks, board, device)
                .inspect_err(|error| tracing::warn!(%error, "the CPU makes planes of attacks"))
                .ok(),
            _ => None,
        };
        Self { sources: sources.to_vec(), attacks: attacks.clone(), board, kernel }
    }

    /// The same planes, over the same memory.
    pub(super) fn shallow_clone(&self) -> Self {
        Self {
            sources: self.sources.clone(),
            attacks: self.attacks.clone(),
            kernel: self.kernel.as_ref().map(AttackKernel::shallow_clone),
            ..*self
        }
    }

    /// # Shapes
    ///
    /// `observations`: `[n, bytes]`, result: `[n, squares, planes]`
    pub(super) fn expand(&self, observations: &Tensor) -> Tensor {
        let squares = self.board.squares();
        match &self.kernel {
            None => self.expand_on_cpu(observations).to_device(observations.device()),
            Some(AttackKernel { kernel, blocks, moves, planes }) => {
                let n = observations.size()[0];
                // The kernel finds the boards by the size that it was told.
                let boards = observations.narrow(1, 0, squares as i64).contiguous();
                let shape = [n, squares as i64, self.sources.len() as i64];
                let output = Tensor::empty(shape, (Kind::BFloat16, observations.device()));
                let tensors = [&boards, moves, planes, &output].map(Some);
                kernel.launch((n as usize).min(*blocks), &tensors, n);
                output
            }
        }
    }

    fn expand_on_cpu(&self, observations: &Tensor) -> Tensor {
        let Self { sources, attacks, board, .. } = self;
        let squares = board.squares();
        let (n, len) = (observations.size()[0], observations.size()[1] as usize);
        let mut bytes = vec![0_u8; observations.numel()];
        let count = bytes.len();
        observations.to_device(Device::Cpu).contiguous().copy_data(&mut bytes, count);
        let planes_len = sources.len() * squares;
        let mut planes = vec![0.0_f32; bytes.len() / len * planes_len];
        bytes.par_chunks_exact(len).zip(planes.par_chunks_exact_mut(planes_len)).for_each(
            |(bytes, planes)| {
                for (source, plane) in sources.iter().zip(planes.chunks_exact_mut(squares)) {
                    source.expand(bytes, attacks, plane);
                }
            },
        );
        let planes = Tensor::from_slice(&planes);
        planes.view([n, sources.len() as i64, squares as i64]).transpose(1, 2)
    }
}

impl AttackKernel {
    fn new(
        gpu: usize,
        sources: &[Source],
        attacks: &AttackBoard,
        board: Board,
        device: TorchDevice,
    ) -> Result<Self, KernelError> {
        let gpu = Gpu::new(gpu)?;
        let definitions = [
            ("ROWS", board.rows),
            ("COLUMNS", board.columns),
            ("BYTES", board.squares()),
            ("PIECES", attacks.moves.len()),
            ("DIRECTIONS", PieceMoves::MOST),
            ("PLANES", sources.len()),
        ];
        let definitions = definitions.map(|(name, value)| format!("-D{name}={value}"));
        let module = gpu.compile(SOURCE, &definitions)?;
        Ok(Self {
            kernel: Arc::new(Kernel::new(&module, &gpu, "attack_planes", THREADS, 0)?),
            blocks: gpu.multiprocessors * BLOCKS_AT_ONCE,
            moves: device.upload(&moves(attacks)),
            planes: device.upload(&planes(sources)),
        })
    }

    fn shallow_clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            blocks: self.blocks,
            moves: self.moves.shallow_clone(),
            planes: self.planes.shallow_clone(),
        }
    }
}

/// The directions of all pieces, as many of each, of which those that it lacks lead nowhere.
fn moves(attacks: &AttackBoard) -> Vec<i32> {
    let of_piece = |moves: &PieceMoves| {
        let mut numbers: Vec<_> = moves
            .directions
            .iter()
            .flat_map(|d| [i32::from(d.rows), i32::from(d.columns), i32::from(d.slides)])
            .collect();
        numbers.resize(PieceMoves::MOST * 3, 0);
        numbers
    };
    attacks.moves.iter().flat_map(of_piece).collect()
}

/// What each plane counts.
fn planes(sources: &[Source]) -> Vec<i32> {
    let of_plane = |source: &Source| match *source {
        Source::Attack { pieces, at_least } => [pieces.first, pieces.last, at_least, 0],
        Source::Attacked { target, pieces } => [pieces.first, pieces.last, 0, target],
        Source::Piece(_) | Source::Level { .. } | Source::Square(_) => {
            unreachable!("they show no attacks")
        }
    };
    sources.iter().flat_map(of_plane).map(i32::from).collect()
}
