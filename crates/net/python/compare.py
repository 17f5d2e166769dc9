"""Compares the CPU learner with PyTorch: the same results first, then speed.

    cargo run --release -p keisei-net --example export -- FOLDER
    python crates/net/python/compare.py FOLDER
    cargo run --release -p keisei-net --example speed

Needs torch and safetensors.
"""

import json
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors import safe_open
from safetensors.torch import load_file

SECONDS = 5.0
INFERENCE_BATCH = 256


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.pool = nn.Linear(2 * channels, channels, bias=False)

    def forward(self, x):
        inner = F.relu(self.first(x))
        squares = inner.flatten(2)
        bias = self.pool(torch.cat([squares.mean(2), squares.amax(2)], 1))
        return F.relu(x + self.second(inner) + bias[:, :, None, None])


class Net(nn.Module):
    """The network without normalisation, with planes of actions."""

    def __init__(self, config, planes, action_planes, squares):
        super().__init__()
        channels = config["channels"]
        self.input = nn.Conv2d(planes, channels, 3, padding=1)
        self.blocks = nn.ModuleList(Block(channels) for _ in range(config["blocks"]))
        self.policy = nn.Conv2d(channels, action_planes, 1)
        value_planes = config.get("value_planes", 1)
        self.value = nn.Conv2d(channels, value_planes, 1)
        self.value.hidden = nn.Linear(value_planes * squares, config["value_hidden"])
        self.value.out = nn.Linear(config["value_hidden"], 1)

    def forward(self, x):
        x = F.relu(self.input(x))
        for block in self.blocks:
            x = block(x)
        value = F.relu(self.value.hidden(self.value(x).flatten(1)))
        return self.policy(x).flatten(1), torch.tanh(self.value.out(value)).squeeze(1)


def losses(net, batch, cells):
    """PPO with a clip of 0.2, as in examples/shared."""
    logits, values = net(batch["planes"])
    logits = logits[:, cells].masked_fill(batch["mask"] == 0, float("-inf"))
    log_probs = F.log_softmax(logits, 1)
    chosen = log_probs.gather(1, batch["chosen"].long()[:, None]).squeeze(1)
    ratio = (chosen - batch["old_log_probs"]).exp()
    advantages = batch["advantages"]
    policy = -torch.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages).mean()
    value = ((values - batch["returns"]) ** 2).mean()
    entropy = -(log_probs.exp() * log_probs.masked_fill(batch["mask"] == 0, 0)).sum(1)
    relative = entropy / batch["mask"].sum(1).log().clamp(min=1e-6)
    total = policy + 0.5 * value - 0.02 * relative.mean()
    return total, policy, value, entropy.mean()


def rate(name, positions, work):
    work()
    start, cpu, rounds = time.time(), time.process_time(), 0
    while time.time() - start < SECONDS:
        work()
        rounds += 1
    done = rounds * positions
    wall, used = time.time() - start, time.process_time() - cpu
    print(f"{name}: {done / wall:.0f} positions/s, {done / used:.0f} per CPU second")


def main(folder):
    batch = load_file(f"{folder}/batch.safetensors")
    with safe_open(f"{folder}/weights.safetensors", "pt") as file:
        config = json.loads(file.metadata()["network"])
    weights = load_file(f"{folder}/weights.safetensors")
    planes, cells = batch["planes"].shape[1], batch["cells"].long()
    net = Net(config, planes, len(cells) // 81, 81)
    net.load_state_dict(weights)

    total, *parts = losses(net, batch, cells)
    total.backward()
    norm = torch.stack([p.grad.norm() for p in net.parameters()]).norm()
    for name, ours, theirs in zip(
        ["policy", "value", "entropy", "gradient norm"], batch["losses"], [*parts, norm]
    ):
        assert abs(ours - theirs) < 1e-4 * max(1, abs(theirs)), (name, ours, theirs)
    with torch.no_grad():
        logits, values = net(batch["planes"])
        probs = F.softmax(logits[:, cells].masked_fill(batch["mask"] == 0, float("-inf")), 1)
    print(f"policies differ by at most {(probs - batch['probs']).abs().max():.1e}")
    print(f"values differ by at most {(values - batch['values']).abs().max():.1e}")
    print(f"gradient norm {norm:.6f}, ours {batch['losses'][3]:.6f}")

    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads")
    for layout in (torch.contiguous_format, torch.channels_last):
        net = net.to(memory_format=layout)
        batch["planes"] = batch["planes"].to(memory_format=layout)
        few = batch["planes"][:INFERENCE_BATCH].contiguous(memory_format=layout)
        optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, eps=1e-5)

        def infer():
            with torch.inference_mode():
                net(few)

        def update():
            optimizer.zero_grad()
            losses(net, batch, cells)[0].backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()

        name = str(layout).removeprefix("torch.")
        rate(f"{name} inference", INFERENCE_BATCH, infer)
        rate(f"{name} update", len(batch["planes"]), update)


if __name__ == "__main__":
    main(sys.argv[1])
