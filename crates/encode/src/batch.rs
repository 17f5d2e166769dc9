//! Many observations at once.

use rayon::prelude::*;

use crate::Encode;

/// Observations handed to one thread at a time.
const OBSERVATIONS_A_TASK: usize = 64;

/// Writes the planes of all `observations`, on all threads of the current rayon pool.
///
/// # Shapes
///
/// `planes`: `[observations, PLANES, SQUARES]`
///
/// # Panics
///
/// If `planes` has another length.
pub fn expand_batch<G: Encode>(observations: &[G::Packed], planes: &mut [f32]) {
    let size = G::PLANES * G::SQUARES;
    assert_eq!(planes.len(), observations.len() * size, "{size} numbers an observation");
    observations
        .par_iter()
        .zip(planes.par_chunks_exact_mut(size))
        .with_min_len(OBSERVATIONS_A_TASK)
        .for_each(|(packed, planes)| G::expand(packed, planes));
}
