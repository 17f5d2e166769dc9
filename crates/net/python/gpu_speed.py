"""How many positions a second PyTorch evaluates and learns from: the peer of our learner for GPUs.

    python crates/net/python/gpu_speed.py
    cargo run --release -p keisei-net --features torch --example torch_speed

The same network and loss as ours: blocks with global pooling in bf16, heads, loss and optimiser in
f32. Planes are random and made on the device, so nothing is uploaded. Each number is the median of
some windows of time after everything was warmed up. Needs torch alone; without a GPU, choose little:

    python crates/net/python/gpu_speed.py --blocks 1 --channels 8 --batch 64 --seconds 0.5
"""

import argparse
import statistics
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

ROWS = COLUMNS = 9
PLANES = 46
ACTION_PLANES = 27
ACTIONS = ACTION_PLANES * ROWS * COLUMNS
VALUE_HIDDEN = 128
LEGAL_ACTIONS = 80
WINDOWS = 5

CLIP = 0.2
VALUE_WEIGHT = 0.5
ENTROPY_WEIGHT = 0.02
MAX_GRADIENT_NORM = 0.5

# How a function is compiled: the name in the table, and the arguments of torch.compile.
MODES = {
    "eager": None,
    "compiled": {},
    "graphs": {"mode": "reduce-overhead"},
}


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.pool = nn.Linear(2 * channels, channels, bias=False)

    def forward(self, x):
        inner = F.relu(self.first(x))
        pooled = torch.cat([inner.mean((2, 3)), inner.amax((2, 3))], 1)
        return F.relu(x + self.second(inner) + self.pool(pooled)[:, :, None, None])


class Net(nn.Module):
    """Blocks in bf16, heads in f32; logits of all actions and values."""

    def __init__(self, blocks, channels):
        super().__init__()
        self.input = nn.Conv2d(PLANES, channels, 3, padding=1)
        self.blocks = nn.ModuleList(Block(channels) for _ in range(blocks))
        # A plane for each kind of action, and the value's.
        self.heads = nn.Linear(channels, ACTION_PLANES + 1)
        self.value_hidden = nn.Linear(ROWS * COLUMNS, VALUE_HIDDEN)
        self.value_out = nn.Linear(VALUE_HIDDEN, 1)

    def forward(self, planes):
        with torch.autocast(planes.device.type, torch.bfloat16):
            x = F.relu(self.input(planes))
            for block in self.blocks:
                x = block(x)
        # [n, squares, channels], which is how it lies in memory.
        heads = self.heads(x.permute(0, 2, 3, 1).flatten(1, 2).float())
        value = F.relu(self.value_hidden(heads[:, :, ACTION_PLANES]))
        return heads[:, :, :ACTION_PLANES].flatten(1), torch.tanh(self.value_out(value)).squeeze(1)


def made_up(batch, device):
    """A minibatch: planes, and what PPO has to know of each position."""
    planes = torch.randint(0, 2, (batch, PLANES, ROWS, COLUMNS), device=device)
    planes = planes.to(torch.bfloat16).contiguous(memory_format=torch.channels_last)
    legal = torch.rand(batch, ACTIONS, device=device).topk(LEGAL_ACTIONS, 1).indices
    mask = torch.zeros(batch, ACTIONS, dtype=torch.bool, device=device).scatter_(1, legal, True)
    uniform = lambda: 2 * torch.rand(batch, device=device) - 1
    return {
        "planes": planes,
        "mask": mask,
        "chosen": legal[:, 0],
        "old_log_probs": uniform() - float(torch.tensor(LEGAL_ACTIONS).log()),
        "advantages": uniform(),
        "returns": uniform(),
    }


def loss(net, batch):
    """The loss of PPO, with the entropy relative to its largest value."""
    logits, values = net(batch["planes"])
    log_probs = logits.masked_fill(~batch["mask"], -1e9).log_softmax(1)
    chosen = log_probs.gather(1, batch["chosen"][:, None]).squeeze(1)
    ratio = (chosen - batch["old_log_probs"]).exp()
    advantages = batch["advantages"]
    policy = -torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
    value = (values - batch["returns"]).square().mean()
    entropy = -(log_probs.exp() * log_probs).sum(1) / batch["mask"].sum(1).log()
    return policy + VALUE_WEIGHT * value - ENTROPY_WEIGHT * entropy.mean()


def rate(positions, seconds, device, work):
    """How many positions a second `work` does: the median of some windows."""

    def window(length):
        wait(device)
        start, rounds = time.perf_counter(), 0
        while rounds == 0 or time.perf_counter() - start < length:
            # Enough to keep the device busy between two looks at the clock.
            for _ in range(burst):
                work()
            rounds += burst
            wait(device)
        return rounds * positions / (time.perf_counter() - start)

    # Compiles, chooses algorithms and records graphs.
    for _ in range(5):
        work()
    burst = 1
    rounds = window(0) / positions * seconds / WINDOWS
    burst = max(1, min(100, int(rounds / 2)))
    return statistics.median(window(seconds / WINDOWS) for _ in range(WINDOWS))


def wait(device):
    if device.type == "cuda":
        torch.cuda.synchronize()


def measure(mode, blocks, channels, batch, seconds, device):
    """Positions a second in evaluation and in a learning step."""
    compiled = lambda function: torch.compile(function, **mode) if mode is not None else function
    torch.compiler.reset()
    torch.manual_seed(0)
    net = Net(blocks, channels).to(device, memory_format=torch.channels_last)
    fused = {"fused": True} if device.type == "cuda" else {}
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-4, eps=1e-5, **fused)
    batch = made_up(batch, device)
    positions = len(batch["planes"])
    evaluation, loss_of = compiled(net), compiled(loss)

    def evaluate():
        torch.compiler.cudagraph_mark_step_begin()
        with torch.no_grad():
            evaluation(batch["planes"])

    def learn():
        optimizer.zero_grad()
        torch.compiler.cudagraph_mark_step_begin()
        loss_of(net, batch).backward()
        nn.utils.clip_grad_norm_(net.parameters(), MAX_GRADIENT_NORM)
        optimizer.step()

    return [rate(positions, seconds, device, work) for work in (evaluate, learn)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, nargs="+", default=[6])
    parser.add_argument("--channels", type=int, nargs="+", default=[64, 128])
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each number")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(MODES))
    options = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cudnn.benchmark = True
    name = torch.cuda.get_device_name() if device.type == "cuda" else "CPU"
    print(f"PyTorch {torch.__version__}, {name}, batches of {options.batch}, positions/s")
    print(f"{'network':>10} {'mode':>10} {'evaluation':>12} {'learning':>12}")
    for blocks in options.blocks:
        for channels in options.channels:
            for mode in options.modes:
                sizes = (blocks, channels, options.batch)
                speeds = measure(MODES[mode], *sizes, options.seconds, device)
                numbers = " ".join(f"{speed:12,.0f}" for speed in speeds)
                print(f"{f'{blocks} × {channels}':>10} {mode:>10} {numbers}", flush=True)


if __name__ == "__main__":
    main()
