"""MaskablePPO of sb3-contrib learns animal shogi against random play.

Usage: python maskable_ppo.py [STEPS]
"""
# pyright: basic

import sys
import time

import numpy as np
import torch
from keisei.envs import SingleEnv
from sb3_contrib import MaskablePPO


def score(model: MaskablePPO, games: int) -> float:
    """The share of points against random play, from both sides."""
    env = SingleEnv("animal", "random", max_moves=200)
    points = 0.0
    for seed in range(games):
        observation, _ = env.reset(seed=10_000 + seed)
        ended, reward = False, 0.0
        while not ended:
            masks = env.action_masks()
            action, _ = model.predict(observation, action_masks=masks, deterministic=True)
            observation, reward, terminated, truncated, _ = env.step(np.int64(action))
            ended = terminated or truncated
        points += (1 + reward) / 2
    return points / games


def main(steps: int) -> None:
    # More threads than a small network needs only wait for each other.
    torch.set_num_threads(1)
    env = SingleEnv("animal", "random", max_moves=200)
    model = MaskablePPO("MlpPolicy", env, n_steps=1024, batch_size=256, gamma=0.97, seed=1)
    before, start = score(model, 100), time.monotonic()
    model.learn(steps)
    seconds, after = time.monotonic() - start, score(model, 200)
    print(f"{before:.2f} of the points before, {after:.2f} after {steps} moves in {seconds:.0f} s")
    assert after > 0.65 and after > before, "it has learned to beat random play"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12_288)
