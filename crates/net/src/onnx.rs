//! Networks as ONNX models, for other people's programs, and back.
//!
//! A model has the tensors of the weights file under the same names and with the same bits, and its
//! metadata has the entries of the weights file's header, so that the way back loses nothing.

mod graph;
mod messages;
mod samples;

pub use samples::samples;

use keisei_encode::Actions;
use prost::Message;

use crate::architecture::{Parameters, Tensor as Stored, len};
use crate::learner::StateError;
use crate::net_evaluator::{cells, network_for};
use crate::weights::{Header, open, read_parameters, write_weights};
use messages::{FLOAT, Model, OperatorSet, Property, Tensor};

/// What our entries among a model's metadata begin with.
const PREFIX: &str = "keisei.";

/// The version of the file format, and that of the operators: old enough for every runtime in use.
const IR_VERSION: i64 = 8;
const OPERATORS: i64 = 13;

/// The network in a weights file as an ONNX model, for any number of positions at once.
///
/// # Errors
///
/// If the weights are damaged, or not for the actions `A`.
pub fn export<A: Actions>(weights: &[u8]) -> Result<Vec<u8>, StateError> {
    let header = Header::read(weights)?;
    let file = open(weights, &Header::new::<A>(header.network.clone(), header.step))?;
    let architecture = network_for::<A>(&header.network).map_err(bad_network)?.architecture;
    let parameters = read_parameters(&file, &architecture)?;
    let view = header.network.encoding.view::<A::Game>().map_err(bad_network)?;
    let cells = cells::<A>(&view);
    let property = |(key, value): (&str, String)| Property { key: format!("{PREFIX}{key}"), value };
    let model = Model {
        ir_version: IR_VERSION,
        producer_name: "keisei".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        graph: Some(graph::graph(&architecture, &parameters, &cells, &view.ports)),
        opset_import: vec![OperatorSet { domain: String::new(), version: OPERATORS }],
        metadata_props: header.entries().map(property).to_vec(),
    };
    Ok(model.encode_to_vec())
}

/// An ONNX model that was read, of which only metadata and tensors count.
#[derive(Debug)]
pub struct OnnxModel {
    header: Header,
    tensors: Vec<Tensor>,
}

impl OnnxModel {
    /// Reads a model that [`export`] wrote. Other programs may have changed its numbers since.
    ///
    /// # Errors
    ///
    /// If the bytes are no ONNX model, or one whose metadata names no network of ours.
    pub fn read(bytes: &[u8]) -> Result<Self, StateError> {
        let model = Model::decode(bytes)
            .map_err(|error| StateError::Format(format!("no ONNX model: {error}")))?;
        let property = |key: &str| {
            let key = format!("{PREFIX}{key}");
            let found = model.metadata_props.iter().find(|property| property.key == key);
            found.map(|property| property.value.clone())
        };
        let header = Header::from_entries(property)?;
        Ok(Self { header, tensors: model.graph.unwrap_or_default().initializer })
    }

    /// What the model says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The model as a weights file: bit for bit the one that was exported.
    ///
    /// # Errors
    ///
    /// If the model is not for the actions `A`, or lacks a tensor of its network.
    pub fn weights<A: Actions>(&self) -> Result<Vec<u8>, StateError> {
        let header = &self.header;
        header.check(&Header::new::<A>(header.network.clone(), header.step))?;
        let architecture = network_for::<A>(&header.network).map_err(bad_network)?.architecture;
        let parameters = Parameters {
            weights: self.group(&architecture.weights)?,
            statistics: self.group(&architecture.statistics)?,
        };
        Ok(write_weights(header, &architecture, &parameters))
    }

    fn group(&self, needed: &[Stored]) -> Result<Vec<f32>, StateError> {
        let mut values = Vec::with_capacity(len(needed));
        for stored in needed {
            let wrong = |problem: String| StateError::Tensor { name: stored.name.clone(), problem };
            let found = self.tensors.iter().find(|tensor| tensor.name == stored.name);
            let tensor = found.ok_or_else(|| wrong("is missing".to_owned()))?;
            if tensor.data_type != FLOAT {
                return Err(wrong(format!(
                    "has the element type {}, but {FLOAT}, f32, is needed",
                    tensor.data_type
                )));
            }
            let numbers = tensor.to_floats();
            let shape = stored.shape.iter().map(|&length| length as i64);
            if !shape.eq(tensor.dims.iter().copied()) || numbers.len() != stored.range.len() {
                return Err(wrong(format!(
                    "has the shape {:?} and {} numbers, but {:?} is needed",
                    tensor.dims,
                    numbers.len(),
                    stored.shape
                )));
            }
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(StateError::NotFinite(stored.name.clone()));
            }
            values.extend(numbers);
        }
        Ok(values)
    }
}

fn bad_network(error: crate::ConfigError) -> StateError {
    StateError::Format(format!("network: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Learner;
    use crate::proof::{shaken, tiny, tiny_networks};
    use keisei_encode::animal::Arrivals;
    use keisei_encode::chess::AlphaZero;
    use keisei_encode::shogi::{Compact, Full};

    fn returns<A: Actions>(network: &crate::NetConfig) {
        let weights = shaken::<A>(network, 1).weights();
        let model = OnnxModel::read(&export::<A>(&weights).unwrap()).unwrap();
        assert_eq!(model.header().game, <A::Game as keisei_game::Game>::NAME);
        assert!(model.weights::<A>().unwrap() == weights, "{}: {network:?}", A::NAME);
    }

    #[test]
    fn a_network_comes_back_from_onnx_bit_by_bit() {
        for network in tiny_networks() {
            returns::<Compact>(&network);
            returns::<AlphaZero>(&network);
            returns::<Arrivals>(&network);
        }
        returns::<Full>(&tiny_networks()[1]);
    }

    #[test]
    fn every_name_a_node_reads_was_written_before_and_none_is_written_twice() {
        for network in tiny_networks() {
            let weights = shaken::<Compact>(&network, 1).weights();
            let model = Model::decode(&export::<Compact>(&weights).unwrap()[..]).unwrap();
            let graph = model.graph.unwrap();
            let mut known: Vec<_> = graph.initializer.iter().map(|t| t.name.clone()).collect();
            known.extend(graph.input.iter().map(|input| input.name.clone()));
            for node in graph.node {
                assert!(node.input.iter().all(|name| known.contains(name)), "{node:?}");
                assert!(node.output.iter().all(|name| !known.contains(name)), "{node:?}");
                known.extend(node.output);
            }
            assert!(graph.output.iter().all(|output| known.contains(&output.name)));
        }
    }

    #[test]
    fn what_is_no_model_of_ours_is_refused_with_the_reason() {
        let weights = shaken::<Compact>(&tiny(), 1).weights();
        let bytes = export::<Compact>(&weights).unwrap();
        let problem = |bytes: &[u8]| OnnxModel::read(bytes).unwrap_err().to_string();
        assert!(problem(b"no protobuf").contains("no ONNX model"));
        assert!(problem(b"").contains("has no \"game\""));
        let model = Model::decode(&bytes[..]).unwrap();
        let weights = |change: fn(&mut Tensor)| {
            let mut model = model.clone();
            change(&mut model.graph.as_mut().unwrap().initializer[0]);
            let read = OnnxModel::read(&model.encode_to_vec()).unwrap();
            read.weights::<Compact>().unwrap_err().to_string()
        };
        assert!(weights(|tensor| tensor.name.clear()).contains("is missing"));
        assert!(weights(|tensor| tensor.dims[0] += 1).contains("has the shape [6, 46, 3, 3]"));
        assert!(weights(|tensor| tensor.data_type = 10).contains("element type 10"));
        let other = OnnxModel::read(&bytes).unwrap().weights::<AlphaZero>().unwrap_err();
        assert_eq!(
            other.to_string(),
            "the weights are for game \"shogi\", but \"chess\" is needed"
        );
    }
}
