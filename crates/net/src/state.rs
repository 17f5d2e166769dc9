//! What a learner saves: the weights alone, or with the optimiser's memory for an exact resume.
//!
//! Every learner writes and reads the same files, so that one can go on where another stopped.

use crate::adam::Adam;
use crate::learner::StateError;
use crate::parameters::{Blueprint, Parameters};
use crate::weights::{Header, open, read_group};

const MEANS: &str = "adam.mean.";
const SQUARES: &str = "adam.square.";

/// The file of weights and optimiser.
pub(crate) fn write_state(
    header: &Header,
    blueprint: &Blueprint,
    parameters: &Parameters,
    adam: &Adam,
) -> Vec<u8> {
    header.write(&[
        ("", &blueprint.weights, &parameters.weights),
        ("", &blueprint.statistics, &parameters.statistics),
        (MEANS, &blueprint.weights, &adam.means),
        (SQUARES, &blueprint.weights, &adam.squares),
    ])
}

/// Reads what [`write_state`] wrote.
pub(crate) fn read_state(
    bytes: &[u8],
    needed: &Header,
    blueprint: &Blueprint,
) -> Result<(Parameters, Adam), StateError> {
    let file = open(bytes, needed)?;
    let parameters = read_parameters(&file, blueprint)?;
    let means = read_group(&file, MEANS, &blueprint.weights)?;
    let squares = read_group(&file, SQUARES, &blueprint.weights)?;
    Ok((parameters, Adam { step: Header::read(bytes)?.step, means, squares }))
}

/// The file of weights alone.
pub(crate) fn write_weights(
    header: &Header,
    blueprint: &Blueprint,
    parameters: &Parameters,
) -> Vec<u8> {
    header.write(&[
        ("", &blueprint.weights, &parameters.weights),
        ("", &blueprint.statistics, &parameters.statistics),
    ])
}

/// Reads all numbers of a network.
pub(crate) fn read_parameters(
    file: &safetensors::SafeTensors<'_>,
    blueprint: &Blueprint,
) -> Result<Parameters, StateError> {
    Ok(Parameters {
        weights: read_group(file, "", &blueprint.weights)?,
        statistics: read_group(file, "", &blueprint.statistics)?,
    })
}
