//! A network as a graph of ONNX's operators.

use keisei_encode::Ports;

use super::messages::{Attribute, Graph, Node, Tensor, ValueInfo};
use crate::architecture::{
    Affine, Architecture, BATCH_NORM_EPSILON, Block, Layer, Parameters, Tensor as Stored,
};
use crate::cpu::Activation;

/// Writes the operators one after the other; each function returns the name of what it computes.
struct Writer<'a> {
    architecture: &'a Architecture,
    ports: &'a Ports,
    graph: Graph,
}

/// The graph of a network. `cells` says for each action where its logit lies in a policy head made
/// of planes.
pub(super) fn graph(
    architecture: &Architecture,
    parameters: &Parameters,
    cells: &[usize],
    ports: &Ports,
) -> Graph {
    let stored = |tensors: &[Stored], values: &[f32]| -> Vec<Tensor> {
        let tensor = |t: &Stored| Tensor::floats(&t.name, &t.shape, &values[t.range.clone()]);
        tensors.iter().map(tensor).collect()
    };
    let mut initializer = stored(&architecture.weights, &parameters.weights);
    initializer.extend(stored(&architecture.statistics, &parameters.statistics));
    let graph = Graph { name: "keisei".to_owned(), initializer, ..Graph::default() };
    let mut writer = Writer { architecture, ports, graph };
    let planes = writer.inputs();
    let features = writer.tower(&planes);
    writer.policy(&features, cells);
    writer.value(&features);
    writer.graph
}

impl Writer<'_> {
    fn node(&mut self, op: &str, inputs: &[&str], output: &str, attribute: Vec<Attribute>) {
        self.graph.node.push(Node {
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![output.to_owned()],
            name: output.to_owned(),
            op_type: op.to_owned(),
            attribute,
        });
    }

    /// An operator whose result is named after `name` and what it does.
    fn apply(&mut self, op: &str, inputs: &[&str], name: &str) -> String {
        let output = format!("{name}.{}", op.to_lowercase());
        self.node(op, inputs, &output, Vec::new());
        output
    }

    fn inputs(&mut self) -> String {
        let sizes = self.architecture.sizes;
        for &(name, planes) in self.ports.inputs {
            let shape = [planes, sizes.board.rows, sizes.board.columns];
            self.graph.input.push(ValueInfo::batch_of(name, &shape));
        }
        if let &[(only, _)] = self.ports.inputs {
            return only.to_owned();
        }
        let names: Vec<_> = self.ports.inputs.iter().map(|&(name, _)| name).collect();
        self.node("Concat", &names, "inputs", vec![Attribute::int("axis", 1)]);
        "inputs".to_owned()
    }

    fn name_of(&self, layer: &Layer) -> String {
        let tensor = self.architecture.weights.iter().find(|t| t.range == layer.weight);
        let weight = &tensor.expect("a layer's weights are among the network's").name;
        weight.trim_end_matches(".weight").to_owned()
    }

    /// A convolution with its bias or normalisation.
    fn convolution(&mut self, layer: &Layer, input: &str) -> String {
        let name = self.name_of(layer);
        let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        let side = layer.taps.isqrt() as i64;
        let attributes = vec![
            Attribute::ints("kernel_shape", &[side; 2]),
            Attribute::ints("pads", &[side / 2; 4]),
        ];
        let output = format!("{name}.conv");
        let mut inputs = vec![input, &weight];
        if matches!(layer.affine, Affine::Bias(_)) {
            inputs.push(&bias);
        }
        self.node("Conv", &inputs, &output, attributes);
        if !matches!(layer.affine, Affine::BatchNorm { .. }) {
            return output;
        }
        let parts = ["weight", "bias", "running_mean", "running_var"];
        let [gain, bias, mean, variance] = parts.map(|part| format!("{name}.norm.{part}"));
        let normalized = format!("{name}.normalized");
        let inputs = [&output[..], &gain, &bias, &mean, &variance];
        let epsilon = Attribute::float("epsilon", BATCH_NORM_EPSILON);
        self.node("BatchNormalization", &inputs, &normalized, vec![epsilon]);
        normalized
    }

    /// A linear layer of rows.
    fn linear(&mut self, layer: &Layer, input: &str, output: &str) {
        let name = self.name_of(layer);
        let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        let mut inputs = vec![input, &weight];
        if matches!(layer.affine, Affine::Bias(_)) {
            inputs.push(&bias);
        }
        self.node("Gemm", &inputs, output, vec![Attribute::int("transB", 1)]);
    }

    fn tower(&mut self, planes: &str) -> String {
        let architecture = self.architecture;
        let sums = self.convolution(&architecture.input, planes);
        let mut features = self.apply("Relu", &[&sums], "input");
        for (i, block) in architecture.blocks.iter().enumerate() {
            features = self.block(block, &features, &format!("blocks.{i}"));
        }
        features
    }

    fn block(&mut self, block: &Block, features: &str, name: &str) -> String {
        let sums = self.convolution(&block.first, features);
        let inner = self.apply("Relu", &[&sums], &format!("{name}.first"));
        let mut sums = self.convolution(&block.second, &inner);
        if let Some(pool) = &block.pool {
            let of_board = self.pool(pool, &inner, &format!("{name}.pool"));
            sums = self.apply("Add", &[&sums, &of_board], &format!("{name}.pool"));
        }
        let sums = self.apply("Add", &[&sums, features], name);
        self.apply("Relu", &[&sums], name)
    }

    /// What a linear layer makes of the mean and the maximum of each channel over the board.
    fn pool(&mut self, layer: &Layer, boards: &str, name: &str) -> String {
        let mean = self.apply("GlobalAveragePool", &[boards], name);
        let maximum = self.apply("GlobalMaxPool", &[boards], name);
        let both = format!("{name}.both");
        self.node("Concat", &[&mean, &maximum], &both, vec![Attribute::int("axis", 1)]);
        let rows = self.apply("Flatten", &[&both], name);
        let bias = format!("{name}.gemm");
        self.linear(layer, &rows, &bias);
        let axes = "axes_of_the_board";
        if self.graph.initializer.iter().all(|tensor| tensor.name != axes) {
            self.graph.initializer.push(Tensor::int64s(axes, &[2, 3]));
        }
        self.apply("Unsqueeze", &[&bias, axes], name)
    }

    /// The logits of all actions, in the order of their numbers.
    fn policy(&mut self, features: &str, cells: &[usize]) {
        let architecture = self.architecture;
        let output = self.ports.policy;
        self.graph.output.push(ValueInfo::batch_of(output, &[architecture.sizes.actions]));
        let planes = self.convolution(&architecture.policy, features);
        match &architecture.policy_linear {
            Some(linear) => {
                let positive = self.apply("Relu", &[&planes], "policy");
                let rows = self.apply("Flatten", &[&positive], "policy");
                self.linear(linear, &rows, output);
            }
            None if cells.iter().copied().eq(0..cells.len()) => {
                self.node("Flatten", &[&planes], output, Vec::new());
            }
            None => {
                let rows = self.apply("Flatten", &[&planes], "policy");
                let cells: Vec<_> = cells.iter().map(|&cell| cell as i64).collect();
                self.graph.initializer.push(Tensor::int64s("policy.cells", &cells));
                let axis = Attribute::int("axis", 1);
                self.node("Gather", &[&rows, "policy.cells"], output, vec![axis]);
            }
        }
    }

    /// The value for the side to move.
    fn value(&mut self, features: &str) {
        let architecture = self.architecture;
        let output = self.ports.value;
        self.graph.output.push(ValueInfo::batch_of(output, &[1]));
        let mut plane = self.convolution(&architecture.value, features);
        if architecture.value_activation() == Activation::Relu {
            plane = self.apply("Relu", &[&plane], "value");
        }
        let rows = self.apply("Flatten", &[&plane], "value");
        self.linear(&architecture.value_hidden, &rows, "value.hidden.gemm");
        let hidden = self.apply("Relu", &["value.hidden.gemm"], "value.hidden");
        self.linear(&architecture.value_out, &hidden, "value.out.gemm");
        if !self.ports.value_is_chance {
            return self.node("Tanh", &["value.out.gemm"], output, Vec::new());
        }
        // The chance to win is (1 + tanh x) / 2, and that is the logistic function of 2x.
        self.graph.initializer.push(Tensor::floats("two", &[], &[2.0]));
        let doubled = self.apply("Mul", &["value.out.gemm", "two"], "value");
        self.node("Sigmoid", &[&doubled], output, Vec::new());
    }
}
