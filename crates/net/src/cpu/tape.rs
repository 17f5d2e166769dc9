//! What is computed on the way through a network.

use super::integer::IntegerInputs;
use super::layout::WeightLayout;
use super::network::Network;
use super::simd::AlignedFloats;
use super::sparse::Planes;

/// How many positions go through the network together: few enough for a layer to stay in the
/// processor's cache, enough for its products to run at full speed.
pub(crate) const BATCH: usize = 8;

/// The numbers of up to [`BATCH`] positions on their way through a network.
#[derive(Debug)]
pub(crate) struct Tape {
    /// Whether everything is kept that a backward pass needs.
    pub(super) keep: bool,
    /// How many positions there are.
    pub(super) len: usize,
    pub(super) planes: Vec<Planes>,
    expanded: Vec<f32>,
    /// What goes into each block and out of the last: `[n, squares, channels]`.
    pub(super) features: Vec<AlignedFloats>,
    /// What is between the convolutions of each block: `[n, squares, channels]`.
    pub(super) inner: Vec<AlignedFloats>,
    /// The mean and the maximum of each channel of that over the squares: `[n, 2 · channels]`.
    pub(super) pooled: Vec<Vec<f32>>,
    pub(super) board_bias: AlignedFloats,
    pub(super) transformed: Transformed,
    /// The planes of both heads: `[n, squares, planes]`.
    pub(super) heads: AlignedFloats,
    /// The policy's planes, one after the other, if a linear layer follows.
    pub(super) policy_inputs: Vec<f32>,
    pub(super) policy_outputs: AlignedFloats,
    pub(super) value_inputs: Vec<f32>,
    pub(super) value_hidden: AlignedFloats,
    pub(super) value_out: AlignedFloats,
    /// The values, from −1 to 1: `[n]`.
    pub(crate) values: Vec<f32>,
}

/// A layer's boards, transformed: before and after the products.
#[derive(Debug)]
pub(crate) struct Transformed {
    pub(super) windows: AlignedFloats,
    pub(super) products: AlignedFloats,
    /// What goes into the products of integers, once there were any.
    pub(super) integers: Option<IntegerInputs>,
}

impl Network {
    /// An empty tape; `keep` if a backward pass will follow.
    pub(crate) fn tape(&self, keep: bool) -> Tape {
        let WeightLayout { heads, policy_linear, value_hidden, value_out, .. } = &self.layout;
        let (squares, channels) = (self.squares(), self.channels());
        let blocks = self.architecture.blocks.len();
        let boards = |count: usize| -> Vec<AlignedFloats> {
            (0..count).map(|_| AlignedFloats::zeros(BATCH * self.board_len())).collect()
        };
        let transformed = BATCH * self.tiling.windows_len(channels);
        let linear = policy_linear.as_ref().map_or((0, 0), |l| (l.inputs, l.columns));
        Tape {
            keep,
            len: 0,
            planes: (0..BATCH).map(|_| Planes::default()).collect(),
            expanded: vec![0.0; self.architecture.sizes.planes * squares],
            features: boards(if keep { blocks + 1 } else { 2 }),
            inner: boards(if keep { blocks } else { 1 }),
            pooled: vec![
                vec![0.0; BATCH * 2 * self.architecture.channels];
                if keep { blocks } else { 1 }
            ],
            board_bias: AlignedFloats::zeros(BATCH * channels),
            transformed: Transformed {
                windows: AlignedFloats::zeros(transformed),
                products: AlignedFloats::zeros(transformed),
                integers: None,
            },
            heads: AlignedFloats::zeros(BATCH * squares * heads.columns),
            policy_inputs: vec![0.0; BATCH * linear.0],
            policy_outputs: AlignedFloats::zeros(BATCH * linear.1),
            value_inputs: vec![0.0; BATCH * value_hidden.inputs],
            value_hidden: AlignedFloats::zeros(BATCH * value_hidden.columns),
            value_out: AlignedFloats::zeros(BATCH * value_out.columns),
            values: vec![0.0; BATCH],
        }
    }

    /// Puts positions on the tape; `expand` writes the planes of one.
    pub(crate) fn load<P>(
        &self,
        tape: &mut Tape,
        positions: &[P],
        expand: impl Fn(&P, &mut [f32]),
    ) {
        tape.len = positions.len();
        for (position, planes) in positions.iter().zip(&mut tape.planes) {
            expand(position, &mut tape.expanded);
            planes.read(&tape.expanded, self.squares());
        }
    }
}
