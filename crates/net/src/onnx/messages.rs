//! The part of ONNX's protobuf messages that networks like ours need. Fields that are not listed
//! are skipped when a file is read.

use prost::Message;

/// The element type of numbers: f32.
pub(super) const FLOAT: i32 = 1;
/// The element type of indices and axes.
pub(super) const INT64: i32 = 7;

#[derive(Clone, PartialEq, Message)]
pub(super) struct Model {
    #[prost(int64, tag = "1")]
    pub(super) ir_version: i64,
    #[prost(string, tag = "2")]
    pub(super) producer_name: String,
    #[prost(string, tag = "3")]
    pub(super) producer_version: String,
    #[prost(message, optional, tag = "7")]
    pub(super) graph: Option<Graph>,
    #[prost(message, repeated, tag = "8")]
    pub(super) opset_import: Vec<OperatorSet>,
    #[prost(message, repeated, tag = "14")]
    pub(super) metadata_props: Vec<Property>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct OperatorSet {
    #[prost(string, tag = "1")]
    pub(super) domain: String,
    #[prost(int64, tag = "2")]
    pub(super) version: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Property {
    #[prost(string, tag = "1")]
    pub(super) key: String,
    #[prost(string, tag = "2")]
    pub(super) value: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Graph {
    #[prost(message, repeated, tag = "1")]
    pub(super) node: Vec<Node>,
    #[prost(string, tag = "2")]
    pub(super) name: String,
    #[prost(message, repeated, tag = "5")]
    pub(super) initializer: Vec<Tensor>,
    #[prost(message, repeated, tag = "11")]
    pub(super) input: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "12")]
    pub(super) output: Vec<ValueInfo>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Node {
    #[prost(string, repeated, tag = "1")]
    pub(super) input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(super) output: Vec<String>,
    #[prost(string, tag = "3")]
    pub(super) name: String,
    #[prost(string, tag = "4")]
    pub(super) op_type: String,
    #[prost(message, repeated, tag = "5")]
    pub(super) attribute: Vec<Attribute>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Attribute {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(float, optional, tag = "2")]
    pub(super) f: Option<f32>,
    #[prost(int64, optional, tag = "3")]
    pub(super) i: Option<i64>,
    #[prost(int64, repeated, packed = "false", tag = "8")]
    pub(super) ints: Vec<i64>,
    /// 1 for `f`, 2 for `i`, 7 for `ints`.
    #[prost(int32, tag = "20")]
    pub(super) kind: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Tensor {
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub(super) dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    pub(super) data_type: i32,
    #[prost(float, repeated, tag = "4")]
    pub(super) float_data: Vec<f32>,
    #[prost(string, tag = "8")]
    pub(super) name: String,
    #[prost(bytes = "vec", tag = "9")]
    pub(super) raw_data: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ValueInfo {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, optional, tag = "2")]
    pub(super) r#type: Option<Type>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Type {
    #[prost(message, optional, tag = "1")]
    pub(super) tensor_type: Option<TensorType>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorType {
    #[prost(int32, tag = "1")]
    pub(super) elem_type: i32,
    #[prost(message, optional, tag = "2")]
    pub(super) shape: Option<Shape>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Shape {
    #[prost(message, repeated, tag = "1")]
    pub(super) dim: Vec<Dimension>,
}

/// A length, or the name of one that is not known before the network runs.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Dimension {
    #[prost(int64, optional, tag = "1")]
    pub(super) dim_value: Option<i64>,
    #[prost(string, optional, tag = "2")]
    pub(super) dim_param: Option<String>,
}

impl Attribute {
    pub(super) fn float(name: &str, value: f32) -> Self {
        Self { name: name.to_owned(), f: Some(value), kind: 1, ..Self::default() }
    }

    pub(super) fn int(name: &str, value: i64) -> Self {
        Self { name: name.to_owned(), i: Some(value), kind: 2, ..Self::default() }
    }

    pub(super) fn ints(name: &str, values: &[i64]) -> Self {
        Self { name: name.to_owned(), ints: values.to_vec(), kind: 7, ..Self::default() }
    }
}

impl Tensor {
    pub(super) fn floats(name: &str, shape: &[usize], values: &[f32]) -> Self {
        Self {
            dims: shape.iter().map(|&length| length as i64).collect(),
            data_type: FLOAT,
            name: name.to_owned(),
            raw_data: values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            ..Self::default()
        }
    }

    pub(super) fn int64s(name: &str, values: &[i64]) -> Self {
        Self {
            dims: vec![values.len() as i64],
            data_type: INT64,
            name: name.to_owned(),
            raw_data: values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            ..Self::default()
        }
    }

    /// The numbers of a tensor of f32, which writers put into either of two fields.
    pub(super) fn to_floats(&self) -> Vec<f32> {
        let (raw, _) = self.raw_data.as_chunks();
        match raw.is_empty() {
            true => self.float_data.clone(),
            false => raw.iter().map(|&number| f32::from_le_bytes(number)).collect(),
        }
    }
}

impl ValueInfo {
    /// Any number of arrays of this shape.
    pub(super) fn batch_of(name: &str, shape: &[usize]) -> Self {
        let batch = Dimension { dim_param: Some("batch".to_owned()), dim_value: None };
        let fixed = |&length: &usize| Dimension { dim_value: Some(length as i64), dim_param: None };
        let dim = std::iter::once(batch).chain(shape.iter().map(fixed)).collect();
        let tensor = TensorType { elem_type: FLOAT, shape: Some(Shape { dim }) };
        Self { name: name.to_owned(), r#type: Some(Type { tensor_type: Some(tensor) }) }
    }
}
