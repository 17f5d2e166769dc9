"""Measures inference beside onnxruntime: the same weights and positions, f32 and int8, in turns.

    cargo build --release -p keisei-net --example inference
    python crates/net/python/compare_onnx.py [BLOCKS] [CHANNELS]

Needs numpy, onnx, onnxruntime and safetensors. Everything runs on one thread, and time is processor
time; the best of several turns counts. onnxruntime's int8 is its static quantisation (QDQ, unsigned
activations, weights by channel), calibrated on some of the positions.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from safetensors import safe_open
from safetensors.numpy import load_file

OURS = "target/release/examples/inference"
TURNS = 4
SECONDS = 0.5


def graph(weights, config):
    """The network without normalisation, with planes of actions."""
    nodes, tensors = [], []

    def add(kind, *inputs, **attributes):
        name = f"t{len(nodes)}"
        nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def tensor(name, value=None):
        tensors.append(numpy_helper.from_array(weights[name] if value is None else value, name))
        return name

    def conv(name, x, pad):
        parts = [tensor(f"{name}.weight"), tensor(f"{name}.bias")]
        return add("Conv", x, *parts, pads=[pad] * 4)

    def linear(name, x, bias=True):
        parts = [tensor(f"{name}.weight")] + ([tensor(f"{name}.bias")] if bias else [])
        return add("Gemm", x, *parts, transB=1)

    x = add("Relu", conv("input", "planes", 1))
    axes = tensor("axes", np.array([2, 3]))
    for i in range(config["blocks"]):
        inner = add("Relu", conv(f"blocks.{i}.first", x, 1))
        pools = [add("GlobalAveragePool", inner), add("GlobalMaxPool", inner)]
        pooled = add("Flatten", add("Concat", *pools, axis=1))
        bias = add("Unsqueeze", linear(f"blocks.{i}.pool", pooled, bias=False), axes)
        second = add("Add", conv(f"blocks.{i}.second", inner, 1), bias)
        x = add("Relu", add("Add", x, second))
    policy = conv("policy", x, 0)
    hidden = add("Relu", linear("value.hidden", add("Flatten", conv("value", x, 0))))
    value = add("Tanh", linear("value.out", hidden))
    planes = ["n", *weights["planes"].shape[1:]]
    inputs = [helper.make_tensor_value_info("planes", TensorProto.FLOAT, planes)]
    shapes = {policy: ["n", len(weights["policy.weight"]), *planes[2:]], value: ["n", 1]}
    outputs = [helper.make_tensor_value_info(o, TensorProto.FLOAT, s) for o, s in shapes.items()]
    built = helper.make_graph(nodes, "network", inputs, outputs, tensors)
    model = helper.make_model(built, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 10
    onnx.checker.check_model(model)
    return model


class Positions(CalibrationDataReader):
    def __init__(self, planes):
        self.batches = iter([{"planes": planes[i : i + 16]} for i in range(0, 128, 16)])

    def get_next(self):
        return next(self.batches, None)


def session(path):
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def rate(net, planes):
    net.run(None, {"planes": planes})
    start, cpu, done = time.time(), time.process_time(), 0
    while time.time() - start < SECONDS:
        net.run(None, {"planes": planes})
        done += len(planes)
    return done / (time.process_time() - cpu)


def ours(blocks, channels, folder):
    """Our rates by batch, as the example's table has them."""
    command = [OURS, str(blocks), str(channels), "2", folder]
    env = {**os.environ, "RAYON_NUM_THREADS": "1"}
    lines = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout
    rows = [line.strip("| ").split(" | ") for line in lines.splitlines() if line.startswith("|")]
    return rows[0][1:-1], {int(row[0]): [float(rate) for rate in row[1:-1]] for row in rows[1:]}


def main(blocks, channels):
    with tempfile.TemporaryDirectory() as folder:
        names, best = ours(blocks, channels, folder)
        with safe_open(f"{folder}/weights.safetensors", "np") as file:
            config = json.loads(file.metadata()["network"])
        weights = load_file(f"{folder}/weights.safetensors")
        positions = load_file(f"{folder}/positions.safetensors")
        planes = weights["planes"] = positions["planes"]
        f32, int8 = f"{folder}/f32.onnx", f"{folder}/int8.onnx"
        onnx.save(graph(weights, config), f32)
        quantize_static(
            f32,
            int8,
            Positions(planes),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
        nets = [session(f32), session(int8)]
        for net, name, most in zip(nets, ["f32", "int8"], [1e-4, 1.0]):
            values = net.run(None, {"planes": planes})[1][:, 0]
            error = np.abs(values - positions["values"]).max()
            print(f"onnxruntime {name}: values differ from ours by at most {error:.1e}")
            assert error < most, "not the same network"
        theirs = {batch: [0.0, 0.0] for batch in best}
        for _ in range(TURNS):
            for batch, rates in ours(blocks, channels, folder)[1].items():
                best[batch] = [max(pair) for pair in zip(best[batch], rates)]
                new = [rate(net, planes[:batch]) for net in nets]
                theirs[batch] = [max(pair) for pair in zip(theirs[batch], new)]
    print(f"{blocks} × {channels}, onnxruntime {ort.__version__}, positions a second and core")
    print(f"| batch | {' | '.join(names)} | onnxruntime f32 | onnxruntime int8 |")
    for batch in best:
        print(f"| {batch} | " + " | ".join(f"{r:.0f}" for r in best[batch] + theirs[batch]) + " |")


if __name__ == "__main__":
    main(*[int(arg) for arg in sys.argv[1:3]] or [6, 64])
