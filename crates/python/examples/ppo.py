"""PPO in PyTorch by self-play on many games at once: animal shogi from nothing, within a minute.

Usage: python ppo.py [UPDATES]

Whoever is to move acts, and the same network plays both sides: what the next position is worth to
the other side counts against the mover.
"""
# pyright: basic

import sys

import keisei
import torch
from torch import nn
from torch.distributions import Categorical

GAMES, STEPS, GAMMA, LAMBDA, CLIP = 256, 32, 0.99, 0.9, 0.2


class ActorCritic(nn.Module):
    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Flatten(), nn.Linear(inputs, 256), nn.ReLU())
        self.policy, self.value = nn.Linear(256, actions), nn.Linear(256, 1)

    def forward(self, planes: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        hidden = self.trunk(planes)
        logits = self.policy(hidden).masked_fill(~masks, -1e9)
        return Categorical(logits=logits), self.value(hidden).squeeze(-1).tanh()


def rollout(net: ActorCritic, env: keisei.VecEnv, planes: torch.Tensor, masks: torch.Tensor):
    """Fills `planes` and `masks`, and returns actions, their likelihoods, advantages and returns."""
    actions, likelihoods, values, rewards, ends = [], [], [], [], []
    env.observe(planes[0].numpy()), env.mask(masks[0].numpy())
    for step in range(STEPS):
        with torch.no_grad():
            policy, value = net(planes[step], masks[step])
        action = policy.sample()
        _, reward, ended, cut = env.step(action, planes[step + 1].numpy(), masks[step + 1].numpy())
        actions.append(action), likelihoods.append(policy.log_prob(action)), values.append(value)
        rewards.append(torch.tensor(reward)), ends.append(torch.tensor(ended | cut).float())
    with torch.no_grad():
        following, advantage = net(planes[STEPS], masks[STEPS])[1], torch.zeros(GAMES)
    advantages = []
    for step in reversed(range(STEPS)):
        goes_on = 1 - ends[step]
        error = rewards[step] - GAMMA * goes_on * following - values[step]
        advantage = error - GAMMA * LAMBDA * goes_on * advantage
        following = values[step]
        advantages.insert(0, advantage)
    gains, values = torch.cat(advantages), torch.cat(values)
    return torch.cat(actions), torch.cat(likelihoods), gains, gains + values


def learn(updates: int) -> ActorCritic:
    env = keisei.VecEnv("animal", GAMES, max_moves=100, seed=1)
    planes = torch.zeros((STEPS + 1, *env.observations.shape))
    masks = torch.zeros((STEPS + 1, *env.masks.shape), dtype=torch.bool)
    net = ActorCritic(planes[0, 0].numel(), env.action_count)
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    for _ in range(updates):
        actions, old, gains, returns = rollout(net, env, planes, masks)
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        for batch in torch.randperm(len(actions)).repeat(3).split(1024):
            policy, value = net(planes[:STEPS].flatten(0, 1)[batch], masks[:STEPS].flatten(0, 1)[batch])
            ratio = (policy.log_prob(actions[batch]) - old[batch]).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            loss = -torch.min(ratio * gains[batch], clipped * gains[batch]).mean()
            loss += (value - returns[batch]).square().mean() - 0.01 * policy.entropy().mean()
            optimizer.zero_grad(), loss.backward(), optimizer.step()
    return net


def score(net: ActorCritic, games: int) -> float:
    """The share of points against random play, from both sides at once."""
    env = keisei.VecEnv("animal", games, max_moves=100, seed=2)
    ours = torch.arange(games) % 2
    points, ended = torch.full((games,), 0.5), torch.zeros(games, dtype=torch.bool)
    for _ in range(100):
        mine = torch.tensor(env.players()) == ours
        best = net(torch.tensor(env.observations), torch.tensor(env.masks))[0].probs.argmax(-1)
        _, reward, over, cut = env.step(torch.where(mine, best, torch.tensor(env.sample())))
        gain = torch.tensor(reward) * torch.where(mine, 0.5, -0.5)
        points = torch.where(ended, points, 0.5 + gain)
        ended |= torch.tensor(over | cut)
    return points.mean().item()


if __name__ == "__main__":
    torch.manual_seed(1), torch.set_num_threads(1)
    result = score(learn(int(sys.argv[1]) if len(sys.argv) > 1 else 20), 500)
    print(f"{result:.2f} of the points against random play")
    assert result > 0.8, "it has learned to beat random play"
