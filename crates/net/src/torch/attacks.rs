//! Planes of attacks, made on the CPU: the reference of those that a GPU makes.

use keisei_encode::{AttackBoard, Source};
use rayon::prelude::*;
use tch::{Device, Tensor};

use crate::architecture::Board;

/// Planes that show what pieces attack.
#[derive(Clone, Debug)]
pub(super) struct AttackPlanes {
    sources: Vec<Source>,
    attacks: AttackBoard,
    board: Board,
}

impl AttackPlanes {
    pub(super) fn new(sources: &[Source], attacks: &AttackBoard, board: Board) -> Self {
        Self { sources: sources.to_vec(), attacks: attacks.clone(), board }
    }

    /// # Shapes
    ///
    /// `observations`: `[n, bytes]`, result: `[n, squares, planes]`
    pub(super) fn expand(&self, observations: &Tensor) -> Tensor {
        let Self { sources, attacks, board } = self;
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
        let planes = planes.view([n, sources.len() as i64, squares as i64]).transpose(1, 2);
        planes.to_device(observations.device())
    }
}
