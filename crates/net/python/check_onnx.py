"""Checks exported models: valid ONNX, and the same answers in onnxruntime as in Keisei.

    keisei export shipped agent.onnx --samples agent.safetensors
    python crates/net/python/check_onnx.py agent.onnx agent.safetensors

The samples name the model's inputs and outputs. Policies are compared as probabilities over all
actions. The same positions must give the same answers alone, a few at once and all at once.
"""

import json
import sys

import numpy as np
import onnx
import onnxruntime

TOLERANCE = 1e-5


def main():
    model, samples = sys.argv[1:]
    onnx.checker.check_model(onnx.load(model), full_check=True)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    tensors = read_safetensors(samples)
    inputs = {port.name: tensors.pop(port.name) for port in session.get_inputs()}
    outputs = [port.name for port in session.get_outputs()]
    assert sorted(outputs) == sorted(tensors), f"{outputs} and {sorted(tensors)}"
    assert all(port.shape[0] == "batch" for port in session.get_inputs() + session.get_outputs())
    count = len(tensors[outputs[0]])
    worst = dict.fromkeys(outputs, 0.0)
    for batch in (1, 7, count):
        for start in range(0, count, batch):
            part = slice(start, start + batch)
            answers = session.run(outputs, {name: planes[part] for name, planes in inputs.items()})
            for name, answer in zip(outputs, answers):
                answer = softmax(answer) if "policy" in name else answer
                assert answer.shape == tensors[name][part].shape, (name, answer.shape)
                error = float(np.abs(answer - tensors[name][part]).max())
                worst[name] = max(worst[name], error)
    report = ", ".join(f"{name} within {error:.1e}" for name, error in worst.items())
    print(f"{model}: {count} positions in batches of 1, 7 and {count}: {report}")
    if max(worst.values()) > TOLERANCE:
        sys.exit(f"more than {TOLERANCE}")


def softmax(logits):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def read_safetensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    header.pop("__metadata__", None)
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        arrays[name] = np.frombuffer(data[begin:end], "<f4").reshape(entry["shape"])
    return arrays


if __name__ == "__main__":
    main()
