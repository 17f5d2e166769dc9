//! What the arrays of an environment hold, and how they are filled.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::lanes::Lanes;
use crate::errors::refused;

/// The shapes and types of an environment's arrays.
#[derive(Clone, Copy)]
pub(super) struct Arrays {
    pub(super) observations: Observations,
    pub(super) masks: Masks,
    pub(super) count: usize,
    pub(super) sizes: Sizes,
}

/// What is fixed with the game and the numbering of its moves.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) actions: usize,
    pub(super) max_legal: usize,
    pub(super) planes: [usize; 3],
    pub(super) packed: usize,
}

/// How positions are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Observations {
    Floats,
    Bytes,
    Packed,
}

/// How legal actions are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Masks {
    Bytes,
    Bits,
    Indices,
}

impl Observations {
    const NAMES: [(&str, Self); 3] =
        [("float32", Self::Floats), ("uint8", Self::Bytes), ("packed", Self::Packed)];

    pub(super) fn named(py: Python<'_>, name: &str) -> PyResult<Self> {
        let found = Self::NAMES.into_iter().find(|(known, _)| *known == name);
        let problem = || format!("{name:?} are no observations: float32, uint8 or packed");
        Ok(found.ok_or_else(|| refused(py, problem(), name))?.1)
    }

    pub(super) fn name(self) -> &'static str {
        let found = Self::NAMES.into_iter().find(|(_, known)| *known == self);
        found.expect("every form has a name").0
    }
}

impl Masks {
    const NAMES: [(&str, Self); 3] =
        [("bytes", Self::Bytes), ("bits", Self::Bits), ("indices", Self::Indices)];

    pub(super) fn named(py: Python<'_>, name: &str) -> PyResult<Self> {
        let found = Self::NAMES.into_iter().find(|(known, _)| *known == name);
        let problem = || format!("{name:?} are no masks: bytes, bits or indices");
        Ok(found.ok_or_else(|| refused(py, problem(), name))?.1)
    }

    pub(super) fn name(self) -> &'static str {
        let found = Self::NAMES.into_iter().find(|(_, known)| *known == self);
        found.expect("every form has a name").0
    }
}

/// An array of zeros.
fn zeros<'py, T: Element>(py: Python<'py>, shape: &[usize]) -> Bound<'py, PyAny> {
    PyArrayDyn::<T>::zeros(py, shape, false).into_any()
}

/// Lets `write` fill an array, without Python's lock. It must have the shape and the type that are
/// expected, and lie in one piece.
pub(super) fn fill<T: Element + Send>(
    array: &Bound<'_, PyAny>,
    shape: &[usize],
    write: impl FnOnce(&mut [T]) + Send,
) -> PyResult<()> {
    let py = array.py();
    let array = array.cast::<PyArrayDyn<T>>()?;
    if array.shape() != shape {
        let message = format!("an array of shape {:?} where {shape:?} is needed", array.shape());
        return Err(PyValueError::new_err(message));
    }
    let mut borrowed = array.try_readwrite()?;
    let slice = borrowed.as_slice_mut()?;
    py.detach(|| write(slice));
    Ok(())
}

/// Does `work` on the threads of `pool`, or on all.
pub(super) fn on_threads<R: Send>(
    pool: Option<&rayon::ThreadPool>,
    work: impl FnOnce() -> R + Send,
) -> R {
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

impl Arrays {
    fn observation_shape(&self) -> Vec<usize> {
        match self.observations {
            Observations::Packed => vec![self.count, self.sizes.packed],
            _ => [&[self.count], &self.sizes.planes[..]].concat(),
        }
    }

    fn mask_shape(&self) -> [usize; 2] {
        let row = match self.masks {
            Masks::Bytes => self.sizes.actions,
            Masks::Bits => self.sizes.actions.div_ceil(64),
            Masks::Indices => self.sizes.max_legal,
        };
        [self.count, row]
    }

    /// An array for observations.
    pub(super) fn new_observations<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let shape = self.observation_shape();
        match self.observations {
            Observations::Floats => zeros::<f32>(py, &shape),
            Observations::Bytes | Observations::Packed => zeros::<u8>(py, &shape),
        }
    }

    /// An array for masks.
    pub(super) fn new_masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let shape = self.mask_shape();
        match self.masks {
            Masks::Bytes => zeros::<bool>(py, &shape),
            Masks::Bits => zeros::<u64>(py, &shape),
            Masks::Indices => zeros::<i32>(py, &shape),
        }
    }

    /// Writes what the side to move sees in each game.
    pub(super) fn write_observations(
        &self,
        lanes: &dyn Lanes,
        pool: Option<&rayon::ThreadPool>,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let shape = self.observation_shape();
        match self.observations {
            Observations::Floats => fill(out, &shape, |out| {
                on_threads(pool, || lanes.write_floats(out));
            }),
            Observations::Bytes => fill(out, &shape, |out| {
                on_threads(pool, || lanes.write_bytes(out));
            }),
            Observations::Packed => fill(out, &shape, |out| lanes.write_packed(out)),
        }
    }

    /// Writes the legal actions of each game.
    pub(super) fn write_masks(
        &self,
        lanes: &dyn Lanes,
        pool: Option<&rayon::ThreadPool>,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let shape = self.mask_shape();
        match self.masks {
            Masks::Bytes => fill(out, &shape, |out| {
                on_threads(pool, || lanes.write_mask_bytes(out));
            }),
            Masks::Bits => fill(out, &shape, |out| lanes.write_mask_bits(out)),
            Masks::Indices => fill(out, &shape, |out| {
                on_threads(pool, || lanes.write_mask_indices(out));
            }),
        }
    }
}
