//! Planes made on the device.

mod kernel;

use keisei_encode::{AttackBoard, Source};
use tch::{Kind, Tensor};

use self::kernel::PlaneKernel;
use super::attacks::AttackPlanes;
use super::device::TorchDevice;
use crate::architecture::Board;

/// Convolutions in bf16 like a multiple of so many planes; the rest is filled up with zeros.
const PLANE_STEP: usize = 8;

/// How many values a byte has.
const VALUES: usize = 256;

/// How observations are packed, and what their planes show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<'a> {
    pub(super) sources: &'a [Source],
    pub(super) attacks: &'a AttackBoard,
    pub(super) board: Board,
    /// How many bytes a packed observation has.
    pub(super) bytes: usize,
}

/// How observations become planes.
#[derive(Debug)]
pub(super) struct Planes {
    maker: Maker,
    board: [i64; 2],
    /// With those that fill up.
    padded: i64,
    kind: Kind,
}

#[derive(Debug)]
enum Maker {
    Kernel(PlaneKernel),
    /// libtorch, group by group.
    Groups {
        groups: Vec<Group>,
        /// `[1, squares, 1]`: 1, 2, 3 …
        numbers: Tensor,
    },
}

/// Neighbouring planes of one sort.
#[derive(Debug)]
enum Group {
    /// `[1, 1, planes]`: the byte that stands for each piece.
    Pieces(Tensor),
    /// The bytes' places, where each one's levels begin in the table, and the table.
    Levels {
        places: Tensor,
        starts: Tensor,
        table: Tensor,
    },
    /// The bytes' places.
    Squares(Tensor),
    Attacks(AttackPlanes),
}

impl Layout<'_> {
    /// How many planes there are with those that fill up.
    fn padded(&self) -> usize {
        self.sources.len() + Planes::padding(self.sources.len())
    }
}

impl Planes {
    /// Makes planes of numbers of this kind.
    pub(super) fn new(layout: &Layout<'_>, device: TorchDevice, kind: Kind) -> Self {
        let maker = match PlaneKernel::of(layout, device, kind) {
            Some(kernel) => Maker::Kernel(kernel),
            None => Maker::groups(layout, device),
        };
        let Board { rows, columns } = layout.board;
        Self { maker, board: [rows as i64, columns as i64], padded: layout.padded() as i64, kind }
    }

    /// The same planes, over the same memory.
    pub(super) fn shallow_clone(&self) -> Self {
        Self { maker: self.maker.shallow_clone(), ..*self }
    }

    /// How many planes of zeros follow `planes` planes.
    pub(super) fn padding(planes: usize) -> usize {
        planes.next_multiple_of(PLANE_STEP) - planes
    }

    /// The planes of packed observations, with those of a square next to each other in memory.
    ///
    /// # Shapes
    ///
    /// `observations`: `[n, bytes]`, result: `[n, planes + padding, rows, columns]`
    pub(super) fn expand(&self, observations: &Tensor) -> Tensor {
        let (n, [rows, columns]) = (observations.size()[0], self.board);
        let shape = [n, rows * columns, self.padded];
        let planes = Tensor::empty(shape, (self.kind, observations.device()));
        match &self.maker {
            Maker::Kernel(kernel) => kernel.expand_into(observations, &planes),
            Maker::Groups { groups, numbers } => {
                let mut begin = 0;
                for group in groups {
                    let made = group.expand(observations, numbers);
                    let len = made.size()[2];
                    planes.narrow(2, begin, len).copy_(&made);
                    begin += len;
                }
                let _ = planes.narrow(2, begin, self.padded - begin).zero_();
            }
        }
        planes.view([n, rows, columns, -1]).permute([0, 3, 1, 2])
    }
}

impl Maker {
    fn groups(layout: &Layout<'_>, device: TorchDevice) -> Self {
        let Layout { sources, attacks, board, .. } = *layout;
        let groups = sources.chunk_by(|a, b| {
            let same = std::mem::discriminant(a) == std::mem::discriminant(b);
            same || (shows_attacks(a) && shows_attacks(b))
        });
        let numbers: Vec<u8> = (1..=board.squares()).map(|number| number as u8).collect();
        Self::Groups {
            groups: groups.map(|group| Group::new(group, attacks, board, device)).collect(),
            numbers: device.upload(&numbers).view([1, -1, 1]),
        }
    }

    fn shallow_clone(&self) -> Self {
        match self {
            Self::Kernel(kernel) => Self::Kernel(kernel.shallow_clone()),
            Self::Groups { groups, numbers } => Self::Groups {
                groups: groups.iter().map(Group::shallow_clone).collect(),
                numbers: numbers.shallow_clone(),
            },
        }
    }
}

/// Whether a plane shows what pieces attack.
fn shows_attacks(source: &Source) -> bool {
    matches!(source, Source::Attack { .. } | Source::Attacked { .. })
}

impl Group {
    fn new(sources: &[Source], attacks: &AttackBoard, board: Board, device: TorchDevice) -> Self {
        let (mut bytes, mut levels) = (Vec::new(), Vec::new());
        for source in sources {
            match *source {
                Source::Piece(piece) => bytes.push(i64::from(piece)),
                Source::Square(byte) => bytes.push(byte as i64),
                Source::Level { byte, level } => {
                    bytes.push(byte as i64);
                    levels.extend((0..=u8::MAX).map(level));
                }
                Source::Attack { .. } | Source::Attacked { .. } => {}
            }
        }
        let bytes = device.upload(&bytes);
        match sources[0] {
            Source::Piece(_) => Self::Pieces(bytes.to_kind(Kind::Uint8).view([1, 1, -1])),
            Source::Square(_) => Self::Squares(bytes),
            Source::Level { .. } => {
                let starts = (0..sources.len()).map(|i| (i * VALUES) as i64).collect::<Vec<_>>();
                let (starts, table) = (device.upload(&starts), device.upload(&levels));
                Self::Levels { places: bytes, starts, table }
            }
            Source::Attack { .. } | Source::Attacked { .. } => {
                Self::Attacks(AttackPlanes::new(sources, attacks, board))
            }
        }
    }

    fn shallow_clone(&self) -> Self {
        match self {
            Self::Pieces(pieces) => Self::Pieces(pieces.shallow_clone()),
            Self::Squares(places) => Self::Squares(places.shallow_clone()),
            Self::Levels { places, starts, table } => Self::Levels {
                places: places.shallow_clone(),
                starts: starts.shallow_clone(),
                table: table.shallow_clone(),
            },
            Self::Attacks(planes) => Self::Attacks(planes.clone()),
        }
    }

    /// # Shapes
    ///
    /// `[n, squares, planes]`, or 1 for `squares` where all are alike.
    fn expand(&self, observations: &Tensor, numbers: &Tensor) -> Tensor {
        let n = observations.size()[0];
        match self {
            Self::Pieces(pieces) => {
                let board = observations.narrow(1, 0, numbers.size()[1]).unsqueeze(2);
                board.eq_tensor(pieces)
            }
            Self::Levels { places, starts, table } => {
                let values = observations.index_select(1, places).to_kind(Kind::Int64) + starts;
                table.index_select(0, &values.view(-1)).view([n, 1, -1])
            }
            Self::Squares(places) => {
                let squares = observations.index_select(1, places).unsqueeze(1);
                squares.eq_tensor(numbers)
            }
            Self::Attacks(planes) => planes.expand(observations),
        }
    }
}
