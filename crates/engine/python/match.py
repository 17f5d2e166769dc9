"""What games between engines have in common, whichever client drives them."""

import argparse
import collections
import contextlib
import os
import signal
import stat
import sys
import tempfile
import time


def arguments(description):
    """The command line of a script that plays games."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--engine", default="target/release/keisei", help="the program")
    parser.add_argument("--arguments", default="", help="what it is told, such as '--player ab:2'")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--opening", type=int, default=24, help="plies by chance that games begin with")
    parser.add_argument("--plies", type=int, default=160, help="a game is drawn after so many")
    parser.add_argument("--margin", type=int, default=0, help="milliseconds over the clock that are forgiven")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other openings")
    parser.add_argument("--patience", type=int, default=600, help="seconds until a silent engine is given up")
    return parser


class Count:
    """What happened in the games, and what should not have happened."""

    def __init__(self):
        self.ends = collections.Counter()
        self.moves = 0
        self.slowest = 0.0
        self.problems = []

    def problem(self, text):
        self.problems.append(text)
        print(f"  problem: {text}", flush=True)

    def end(self, reason, plies):
        self.ends[reason] += 1
        print(f"  {sum(self.ends.values())}: {reason} after {plies} plies", flush=True)

    def finish(self, title):
        """Says the result, and fails if anything went wrong."""
        ends = ", ".join(f"{number} {end}" for end, number in self.ends.most_common())
        games = sum(self.ends.values())
        print(
            f"{title}: {games} games, {self.moves} moves ({ends}); "
            f"at most {1000 * self.slowest:.0f} ms over the clock; {len(self.problems)} problems"
        )
        sys.exit(1 if self.problems else 0)


class Clock:
    """The clock of one side: main time with increments, or byoyomi. Times are in seconds."""

    def __init__(self, left, increment, byoyomi, margin):
        self.left, self.increment, self.byoyomi, self.margin = left, increment, byoyomi, margin

    def spend(self, used, count):
        """Takes a move's time off. Whether that was in time."""
        over = used - (self.left + self.byoyomi)
        count.slowest = max(count.slowest, over)
        self.left = max(0.0, self.left - used) + self.increment
        return over <= self.margin


@contextlib.contextmanager
def timed():
    """The seconds that the block takes, once it has ended."""
    spent = [0.0]
    start = time.perf_counter()
    yield spent
    spent[0] = time.perf_counter() - start


@contextlib.contextmanager
def launcher(engine, command, arguments):
    """The path of a program without arguments that starts the engine: some clients want that."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "engine")
        with open(path, "w") as script:
            script.write(f"#!/bin/sh\nexec '{os.path.abspath(engine)}' {command} {arguments}\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        yield path


def give_up_after(seconds):
    """Ends the program with an error if it takes longer: a client may wait for ever."""

    def fail(*_):
        sys.exit(f"error: not finished after {seconds} s: an engine hangs or has ended")

    signal.signal(signal.SIGALRM, fail)
    signal.alarm(seconds)
