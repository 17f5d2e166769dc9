"""PPO in PyTorch by self-play on many games at once: animal shogi from nothing, within a minute.

Whoever is to move acts, and the same network plays both sides: what the next position is worth to
the other side counts against the mover.
"""
# pyright: basic

import keisei
import torch
from torch import nn
from torch.distributions import Categorical

GAMES, STEPS, UPDATES, GAMMA, LAMBDA, CLIP = 256, 32, 20, 0.99, 0.9, 0.2


def evaluate(net, planes, masks):
    """The policy over the legal actions, and what the mover can expect: -1 to 1."""
    outputs = net(planes)
    logits = outputs[:, 1:].masked_fill(~masks, -1e9)
    return Categorical(logits=logits), outputs[:, 0].tanh()


@torch.no_grad()
def rollout(net, env):
    """Planes, masks, actions, their log-likelihoods, advantages and returns of some steps."""
    steps = []
    for _ in range(STEPS):
        planes, masks = torch.tensor(env.observations), torch.tensor(env.masks)
        policy, value = evaluate(net, planes, masks)
        action = policy.sample()
        _, reward, ended, cut = env.step(action)
        result = torch.tensor(reward), torch.tensor(~(ended | cut))
        steps.append((planes, masks, action, policy.log_prob(action), value, *result))
    _, following = evaluate(net, torch.tensor(env.observations), torch.tensor(env.masks))
    advantage, played = torch.zeros(GAMES), []
    for planes, masks, action, likelihood, value, reward, goes_on in reversed(steps):
        error = reward - GAMMA * goes_on * following - value
        advantage = error - GAMMA * LAMBDA * goes_on * advantage
        following = value
        played.append((planes, masks, action, likelihood, advantage, advantage + value))
    return [torch.cat(column) for column in zip(*played)]


def learn():
    env = keisei.VecEnv("animal", GAMES, max_moves=100, seed=1)
    inputs, outputs = env.observations[0].size, 1 + env.action_count
    net = nn.Sequential(nn.Flatten(), nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, outputs))
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    for _ in range(UPDATES):
        played = rollout(net, env)
        for batch in torch.randperm(GAMES * STEPS).repeat(3).split(1024):
            planes, masks, actions, old, gains, returns = (column[batch] for column in played)
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            policy, values = evaluate(net, planes, masks)
            ratio = (policy.log_prob(actions) - old).exp()
            loss = -torch.min(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
            loss += (values - returns).square().mean() - 0.01 * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return net


def score(net, games):
    """The share of points against random play, from both sides at once."""
    env, results = keisei.VecEnv("animal", games, max_moves=100, seed=2), []
    for _ in range(100):
        mine = torch.tensor(env.players()) == torch.arange(games) % 2
        policy, _ = evaluate(net, torch.tensor(env.observations), torch.tensor(env.masks))
        env.step(torch.where(mine, policy.logits.argmax(-1), torch.tensor(env.sample())))
        for number, game in env.finished():
            results.append(game.outcome.reward("white" if number % 2 else "black"))
    return (1 + sum(results) / len(results)) / 2


if __name__ == "__main__":
    torch.manual_seed(1)
    torch.set_num_threads(1)
    result = score(learn(), 500)
    print(f"{result:.2f} of the points against random play")
    assert result > 0.8, "it has learned to beat random play"
