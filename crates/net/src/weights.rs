//! What a learner saves, as safetensors bytes: the weights alone, or with the optimiser's memory for an
//! exact resume.
//!
//! Every learner writes and reads the same files, so that one can go on where another stopped.

use std::collections::BTreeMap;

use keisei_encode::{Actions, VERSION};
use keisei_game::Game;
use safetensors::{Dtype, SafeTensors};
use serde_json::json;

use crate::adam::Adam;
use crate::architecture::{Architecture, Parameters, Tensor, len};
use crate::config::NetConfig;
use crate::half::to_f32;
use crate::learner::StateError;

const MEANS: &str = "adam.mean.";
const SQUARES: &str = "adam.square.";
/// How the names of the optimiser's tensors begin.
pub(crate) const OPTIMISER: &str = "adam.";

/// What the header of a weights file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub game: String,
    /// The version of the encoding of positions and actions.
    pub encoding: u32,
    /// The numbering of actions.
    pub actions: String,
    /// How many actions it has.
    pub action_count: usize,
    /// The network.
    pub network: NetConfig,
    /// How many updates the weights have seen.
    pub step: u64,
}

/// Tensors to be written: their names, shapes and values.
pub(crate) type Group<'a> = (&'a str, &'a [Tensor], &'a [f32]);

/// A tensor as a file holds it.
pub(crate) struct Stored {
    pub(crate) name: String,
    pub(crate) dtype: &'static str,
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Vec<u8>,
}

impl Header {
    /// The header of a network for the actions `A`.
    pub(crate) fn new<A: Actions>(network: NetConfig, step: u64) -> Self {
        Self {
            game: A::Game::NAME.to_owned(),
            encoding: VERSION,
            actions: A::NAME.to_owned(),
            action_count: A::COUNT,
            network,
            step,
        }
    }

    /// Reads the header of a weights file.
    pub fn read(bytes: &[u8]) -> Result<Self, StateError> {
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(format_error)?;
        let metadata = metadata.metadata().as_ref();
        Self::from_entries(|key| metadata.and_then(|metadata| metadata.get(key)).cloned())
    }

    /// The header that has these entries.
    pub(crate) fn from_entries(entry: impl Fn(&str) -> Option<String>) -> Result<Self, StateError> {
        let text = |key: &str| {
            entry(key).ok_or_else(|| StateError::Format(format!("the header has no {key:?}")))
        };
        let number = |key: &str| {
            let text = text(key)?;
            text.parse::<u64>().map_err(|e| StateError::Format(format!("{key} is {text:?}: {e}")))
        };
        let network = |text: String| {
            serde_json::from_str(&text).map_err(|e| StateError::Format(format!("network: {e}")))
        };
        Ok(Self {
            game: text("game")?,
            encoding: number("encoding")? as u32,
            actions: text("actions")?,
            action_count: number("action_count")? as usize,
            network: network(text("network")?)?,
            step: number("step")?,
        })
    }

    /// The entries of the header, each as text.
    pub(crate) fn entries(&self) -> [(&'static str, String); 6] {
        [
            ("action_count", self.action_count.to_string()),
            ("actions", self.actions.clone()),
            ("encoding", self.encoding.to_string()),
            ("game", self.game.clone()),
            ("network", self.network_text()),
            ("step", self.step.to_string()),
        ]
    }

    /// The network as the header spells it.
    fn network_text(&self) -> String {
        serde_json::to_string(&self.network).expect("a network is plain data")
    }

    /// Checks that a file with this header fits where `needed` is needed. Steps may differ.
    pub(crate) fn check(&self, needed: &Self) -> Result<(), StateError> {
        let pairs = [
            ("game", self.game.clone(), needed.game.clone()),
            ("encoding", self.encoding.to_string(), needed.encoding.to_string()),
            ("actions", self.actions.clone(), needed.actions.clone()),
            ("action_count", self.action_count.to_string(), needed.action_count.to_string()),
            ("network", self.network_text(), needed.network_text()),
        ];
        match pairs.into_iter().find(|(_, found, expected)| found != expected) {
            Some((key, found, expected)) => {
                Err(StateError::Mismatch { key: key.to_owned(), found, expected })
            }
            None => Ok(()),
        }
    }

    /// Writes a file in f32. Equal contents give equal bytes.
    pub(crate) fn write(&self, groups: &[Group<'_>]) -> Vec<u8> {
        let stored = groups.iter().flat_map(|&(prefix, tensors, values)| {
            tensors.iter().map(move |tensor| Stored {
                name: format!("{prefix}{}", tensor.name),
                dtype: "F32",
                shape: tensor.shape.clone(),
                data: values[tensor.range.clone()].iter().flat_map(|v| v.to_le_bytes()).collect(),
            })
        });
        self.write_stored(&stored.collect::<Vec<_>>())
    }

    /// Writes a file of these tensors, whose data lie in this order.
    pub(crate) fn write_stored(&self, tensors: &[Stored]) -> Vec<u8> {
        // The library's own writer puts the metadata in a random order.
        let mut entries = BTreeMap::new();
        let mut data = Vec::new();
        for tensor in tensors {
            let start = data.len();
            data.extend_from_slice(&tensor.data);
            let entry = json!({
                "dtype": tensor.dtype,
                "shape": tensor.shape,
                "data_offsets": [start, data.len()],
            });
            entries.insert(tensor.name.clone(), entry);
        }
        let metadata: BTreeMap<_, _> = self.entries().into();
        entries.insert("__metadata__".to_owned(), json!(metadata));
        let mut head = serde_json::to_vec(&entries).expect("a header is plain data");
        head.resize(head.len().next_multiple_of(8), b' ');
        let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
        bytes.append(&mut head);
        bytes.append(&mut data);
        bytes
    }
}

/// Reads tensors whose names have a prefix, all of them finite.
pub(crate) fn read_group(
    file: &SafeTensors<'_>,
    prefix: &str,
    tensors: &[Tensor],
) -> Result<Vec<f32>, StateError> {
    let mut values = Vec::with_capacity(len(tensors));
    for tensor in tensors {
        let name = format!("{prefix}{}", tensor.name);
        let wrong = |problem: String| StateError::Tensor { name: name.clone(), problem };
        let view = file.tensor(&name).map_err(|_| wrong("is missing".to_owned()))?;
        if view.shape() != tensor.shape {
            let problem =
                format!("has the shape {:?}, but {:?} is needed", view.shape(), tensor.shape);
            return Err(wrong(problem));
        }
        match view.dtype() {
            Dtype::F32 => {
                let (numbers, _) = view.data().as_chunks();
                values.extend(numbers.iter().map(|&number| f32::from_le_bytes(number)));
            }
            Dtype::F16 => {
                let (halves, _) = view.data().as_chunks();
                values.extend(halves.iter().map(|&half| to_f32(u16::from_le_bytes(half))));
            }
            other => {
                return Err(wrong(format!("is of type {other:?}, but F32 or F16 is needed")));
            }
        }
        if !values[tensor.range.clone()].iter().all(|value| value.is_finite()) {
            return Err(StateError::NotFinite(name));
        }
    }
    Ok(values)
}

/// Opens a file whose header fits.
pub(crate) fn open<'a>(bytes: &'a [u8], needed: &Header) -> Result<SafeTensors<'a>, StateError> {
    Header::read(bytes)?.check(needed)?;
    SafeTensors::deserialize(bytes).map_err(format_error)
}

/// The file of weights and optimiser.
pub(crate) fn write_state(
    header: &Header,
    architecture: &Architecture,
    parameters: &Parameters,
    adam: &Adam,
) -> Vec<u8> {
    header.write(&[
        ("", &architecture.weights, &parameters.weights),
        ("", &architecture.statistics, &parameters.statistics),
        (MEANS, &architecture.weights, &adam.means),
        (SQUARES, &architecture.weights, &adam.squares),
    ])
}

/// Reads what [`write_state`] wrote.
pub(crate) fn read_state(
    bytes: &[u8],
    needed: &Header,
    architecture: &Architecture,
) -> Result<(Parameters, Adam), StateError> {
    let file = open(bytes, needed)?;
    let parameters = read_parameters(&file, architecture)?;
    let means = read_group(&file, MEANS, &architecture.weights)?;
    let squares = read_group(&file, SQUARES, &architecture.weights)?;
    Ok((parameters, Adam { step: Header::read(bytes)?.step, means, squares }))
}

/// The file of weights alone.
pub(crate) fn write_weights(
    header: &Header,
    architecture: &Architecture,
    parameters: &Parameters,
) -> Vec<u8> {
    header.write(&[
        ("", &architecture.weights, &parameters.weights),
        ("", &architecture.statistics, &parameters.statistics),
    ])
}

/// Reads all numbers of a network.
pub(crate) fn read_parameters(
    file: &SafeTensors<'_>,
    architecture: &Architecture,
) -> Result<Parameters, StateError> {
    Ok(Parameters {
        weights: read_group(file, "", &architecture.weights)?,
        statistics: read_group(file, "", &architecture.statistics)?,
    })
}

fn format_error(error: safetensors::SafeTensorError) -> StateError {
    StateError::Format(error.to_string())
}
