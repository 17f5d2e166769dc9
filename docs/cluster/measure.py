#!/usr/bin/env python3
"""How learning on several ranks grows, measured on one machine and set beside the model.

    measure.py KEISEI [PART…] [--cores N] [--pairs N] [--updates N] [--priority WORDS]

KEISEI is a release build with the feature mpi; the machine should have nothing else to do. Parts,
all of them if none is named:

    pairs     2 ranks against 1 rank on two cores, in turns
    ranks     1, 2, 4 … ranks of one thread each, up to the cores, and all cores cut into ranks
    delay     two ranks behind a switch with delay (as root; beside this file: switch.py)
    bandwidth two ranks behind a bridge of limited bandwidth (as root; beside this file: netns)

The same games are played on any number of ranks, so every update is compared with itself. Two cores
take about ten minutes.
"""

import argparse
import contextlib
import json
import math
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# Threads and memory of a process are warm after so many updates.
WARM = 2
# Nothing but play and learning is timed, and every update has all its minibatches.
ALWAYS = [
    "network.encoding=own",
    "network.value_planes=1",
    "training.target_kl=1000000",
    "training.checkpoint_interval=1000000",
    "checkpoint.seconds=1000000",
    "evaluation.eval_interval=1000000",
    "rewind.seed_games=50",
]
# As many minibatches as in the preset, of a quarter of its size: waiting is a larger part.
SMALL = ["rollout.games=64", "training.minibatch_size=512"]
# One of two nodes has half the games.
HALF = ["rollout.games=32", "training.minibatch_size=256"]
MINIBATCHES = 12


def model(ranks, delay, bandwidth, gradient, message=20e-6, kept=10e3):
    """Seconds of communication an update, as in docs/cluster.md."""
    steps = math.log2(ranks)
    reduce = 2 * steps * (3 * delay + message) + 2 * (1 - 1 / ranks) * gradient / bandwidth
    few = 12 * steps * (delay + message) + 8 * ranks * message
    return MINIBATCHES * reduce + few + steps * ranks * kept / bandwidth


class Runs:
    """Starts runs and reads what they wrote."""

    def __init__(self, keisei, priority, updates):
        self.keisei, self.priority, self.updates = keisei, priority, updates

    def train(self, launcher, threads, settings, moves):
        """The records of a run's updates, the first of them left out."""
        with tempfile.TemporaryDirectory() as runs:
            steps = str(moves * (self.updates + WARM))
            command = [*self.priority, *launcher, self.keisei, "train", "--preset", "cpu-ppo", "--plain"]
            command += ["--seed", "1", "--runs", runs, "--run", "run", "--steps", steps]
            for setting in ALWAYS + settings:
                command += ["--set", setting]
            allow = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
            # Open MPI 4.1 shares the topology at an address that is sometimes taken, and dies.
            allow["OMPI_MCA_rtc"] = "^hwloc"
            environment = os.environ | allow | {"RAYON_NUM_THREADS": str(threads)}
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
            lines = (pathlib.Path(runs) / "run/metrics.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines]
        return [record for record in records if "time/update" in record][WARM:]

    def here(self, ranks, threads, settings=(), moves=8192):
        """The same on this machine."""
        launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
        return self.train(launcher, threads, list(settings), moves)


def seconds(records):
    """How long each update took."""
    return [record["time/rollout"] + record["time/update"] for record in records]


def typical(records):
    return statistics.median(seconds(records))


def talk(records):
    """Megabytes, messages and seconds of communication an update, of rank 0."""
    middle = lambda name: statistics.median(record.get(name, 0) for record in records)
    return middle("ranks/bytes") / 1e6, middle("ranks/messages"), middle("ranks/seconds")


def pairs(runs, count):
    print(f"\n2 ranks × 1 thread against 1 rank × 2 threads, {runs.updates} updates each, in turns\n")
    print("| Pair | 1 × 2 | 2 × 1 | Speed of 2 × 1 | of it communication |\n|---|---|---|---|---|")
    ratios = []
    for pair in range(count):
        # Who begins takes turns, too.
        shapes = [(1, 2), (2, 1)][:: 1 if pair % 2 == 0 else -1]
        found = {shape: runs.here(*shape) for shape in shapes}
        one, two = found[1, 2], found[2, 1]
        # The games are the same, so are the updates.
        ratio = statistics.median(a / b for a, b in zip(seconds(one), seconds(two)))
        ratios.append(ratio)
        share = talk(two)[2] / typical(two)
        print(f"| {pair + 1} | {typical(one):.3f} s | {typical(two):.3f} s | {ratio:.3f} | {share:.1%} |", flush=True)
    print(f"\nmedian of the pairs: {statistics.median(ratios):.3f}")


def ranks(runs, cores):
    print("\nRanks and threads on one machine\n")
    print("| Ranks × threads | Update | Moves a second | Against 1 × 1 | MB | Messages | Communication |")
    print("|---|---|---|---|---|---|---|")
    counts = [1 << power for power in range(cores.bit_length())]
    shapes = [(count, 1) for count in counts] + [(count, cores // count) for count in counts[:-1]]
    single = None
    for shape in dict.fromkeys(shapes):
        records = runs.here(*shape)
        time_of = typical(records)
        single = single or time_of
        megabytes, messages, spent = talk(records)
        print(f"| {shape[0]} × {shape[1]} | {time_of:.3f} s | {8192 / time_of:.0f} | {single / time_of:.2f} "
              f"| {megabytes:.2f} | {messages:.0f} | {spent:.3f} s |", flush=True)


@contextlib.contextmanager
def switch(delay, megabits):
    """Two nodes joined by a program that delays what passes through it."""
    # It waits for nobody: a rank that waits for a message is awake, too.
    command = ["chrt", "--fifo", "1", sys.executable, HERE / "switch.py", "2", str(delay * 1e6), str(megabits)]
    program = subprocess.Popen(command)
    try:
        time.sleep(1)
        yield ["ip", "netns", "exec", "keisei0", str(HERE / "netns"), "run", "2"]
    finally:
        program.terminate()
        program.wait()
        for node in range(2):
            subprocess.run(["ip", "netns", "del", f"keisei{node}"], check=False)


@contextlib.contextmanager
def bridge(megabits):
    """Two nodes joined by the kernel, with lines of this bandwidth."""
    subprocess.run([HERE / "netns", "up", "2", str(megabits)], check=True)
    try:
        yield [str(HERE / "netns"), "run", "2"]
    finally:
        subprocess.run([HERE / "netns", "down", "2"], check=True)


def network(runs, title, lines, line, reference):
    """A table of lines, each a name with its delay, bandwidth and nodes, beside the model. The first
    line is the reference: what it takes beyond the model is taken by all."""
    alone = typical(runs.here(1, 1, HALF, 1024))
    print(f"\nTwo ranks, {title}; one of them alone: {alone * 1e3:.0f} ms an update\n")
    print(f"| {line} | Update | Added to {reference} | Model | Error of the update | Efficiency | Model |")
    print("|---|---|---|---|---|---|---|")
    first = None
    for name, delay, bandwidth, nodes in lines:
        with nodes as launcher:
            records = runs.train(launcher, 1, SMALL, 2048)
        measured, gradient = typical(records), talk(records)[0] * 1e6 / MINIBATCHES
        said = model(2, delay, bandwidth, gradient)
        first = first or (measured, said)
        added, expected = measured - first[0], said - first[1]
        error = (expected - added) / measured
        print(f"| {name} | {measured * 1e3:.0f} ms | {added * 1e3:.0f} ms | {expected * 1e3:.0f} ms | {error:+.0%} "
              f"| {alone / measured:.0%} | {alone / (alone + said):.0%} |", flush=True)


def delays(runs):
    # The switch itself carries about 1 Gbit/s.
    lines = [(f"{delay * 1e3:g} ms", delay, 125e6, switch(delay, 1000)) for delay in (50e-6, 500e-6, 5e-3)]
    network(runs, "behind a switch of 1 Gbit/s", lines, "Delay", "0.05 ms")


def bandwidths(runs):
    lines = [(f"{rate / 1000:g} Gbit/s", 5e-6, rate * 125e3, bridge(rate)) for rate in (25000, 10000, 1000)]
    network(runs, "behind a bridge", lines, "Bandwidth", "25 Gbit/s")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("keisei")
    parser.add_argument("part", nargs="*", choices=[[], "pairs", "ranks", "delay", "bandwidth"])
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--updates", type=int, default=20)
    parser.add_argument("--priority", default="", help="words before every command, as 'nice -n 10'")
    asked = parser.parse_args()
    # Namespaces are taken down even then.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    runs = Runs(os.path.abspath(asked.keisei), asked.priority.split(), asked.updates)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}", flush=True)
    parts = {
        "pairs": lambda: pairs(runs, asked.pairs),
        "ranks": lambda: ranks(runs, asked.cores),
        "delay": lambda: delays(runs),
        "bandwidth": lambda: bandwidths(runs),
    }
    for name, part in parts.items():
        if not asked.part or name in asked.part:
            part()
    print(f"\nload at the end {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
