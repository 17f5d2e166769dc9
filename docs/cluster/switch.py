#!/usr/bin/env python3
"""Network namespaces joined by a switch with delay and bandwidth, for kernels without netem.

    switch.py NODES MICROSECONDS MBIT     as root, until it is terminated

Makes the namespaces keisei0, keisei1, … with the addresses 10.77.0.1, 10.77.0.2, …; ranks in them
are started from the first: `ip netns exec keisei0 docs/cluster/netns run NODES COMMAND…`. Every
frame passes through this program, which carries about 1 Gbit/s.
"""

import ctypes
import fcntl
import heapq
import os
import select
import struct
import subprocess
import sys
import time

TUNSETIFF, TAP_WITHOUT_HEADER = 0x400454CA, 0x1002
nodes, delay, rate = int(sys.argv[1]), float(sys.argv[2]) * 1e-6, float(sys.argv[3]) * 1e6 / 8
libc = ctypes.CDLL(None, use_errno=True)


def enter(path):
    """Makes the namespace at `path` that of this process."""
    namespace = os.open(path, os.O_RDONLY)
    if libc.setns(namespace, 0) != 0:
        sys.exit(f"{path}: {os.strerror(ctypes.get_errno())}")
    return namespace


def tap(node):
    """A device in the namespace of a node, by which its frames come and go."""
    subprocess.run(["ip", "netns", "add", f"keisei{node}"], check=True)
    enter(f"/var/run/netns/keisei{node}")
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", b"eth0", TAP_WITHOUT_HEADER))
    for command in (
        "link set lo up",
        f"link set eth0 mtu 60000 address 02:00:00:00:00:{node + 1:02x}",
        f"addr add 10.77.0.{node + 1}/24 dev eth0",
        "link set eth0 up",
    ):
        subprocess.run(["ip", *command.split()], check=True)
    libc.setns(home, 0)
    return device


home = os.open("/proc/self/ns/net", os.O_RDONLY)
taps = [tap(node) for node in range(nodes)]
number_of = {device: node for node, device in enumerate(taps)}
free_at = [0.0] * nodes  # when the line of each node has sent what it has to send
under_way, sent = [], 0
poll = select.poll()
for device in taps:
    poll.register(device, select.POLLIN)
while True:
    now = time.monotonic()
    while under_way and under_way[0][0] <= now:
        _, _, to, frame = heapq.heappop(under_way)
        os.write(taps[to], frame)
    # The system wakes nobody within less than a millisecond.
    wait = max(0, (under_way[0][0] - now) * 1000 - 0.8) if under_way else 1000
    for device, _ in poll.poll(int(wait)):
        frame, node, now = os.read(device, 65536), number_of[device], time.monotonic()
        free_at[node] = max(free_at[node], now) + len(frame) / rate
        everybody = frame[:5] != b"\x02\0\0\0\0"
        for to in range(nodes):
            if to != node and (everybody or to == frame[5] - 1):
                sent += 1
                heapq.heappush(under_way, (free_at[node] + delay, sent, to, frame))
