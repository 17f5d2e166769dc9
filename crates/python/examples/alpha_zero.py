"""An AlphaZero-style tree over Keisei's boards: PUCT, with whatever knows moves and values.

Usage: python alpha_zero.py [GAMES]

Here nothing has been learned: all moves are equally likely, and a position is worth what random
play makes of it. `evaluate` is the place for a network.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import keisei

Evaluate = Callable[[keisei.Game], tuple[list[float], float]]
"""A probability for every legal move, and a value from -1 to 1 for the side to move."""


class Node:
    """A position: how often each move was tried, and what came of it for the side to move."""

    def __init__(self, game: keisei.Game, evaluate: Evaluate) -> None:
        self.moves = game.legal_moves()
        self.priors, self.value = evaluate(game)
        self.visits = [0] * len(self.moves)
        self.totals = [0.0] * len(self.moves)
        self.children: list[Node | None] = [None] * len(self.moves)

    def best(self) -> int:
        """The move with the highest value and the most left to learn about it."""
        scale = 1.5 * math.sqrt(1 + sum(self.visits))

        def score(move: int) -> float:
            tried = self.visits[move]
            known = self.totals[move] / tried if tried else 0.0
            return known + scale * self.priors[move] / (1 + tried)

        return max(range(len(self.moves)), key=score)


def simulate(node: Node, game: keisei.Game, evaluate: Evaluate) -> float:
    """One walk down the tree and back; what it brought the side to move at `node`."""
    place = node.best()
    game.push(node.moves[place])
    child = node.children[place]
    outcome = game.outcome
    if outcome is not None:
        value = -outcome.reward(game.turn)
    elif child is None:
        child = node.children[place] = Node(game, evaluate)
        value = -child.value
    else:
        value = -simulate(child, game, evaluate)
    game.pop()
    node.visits[place] += 1
    node.totals[place] += value
    return value


def search(game: keisei.Game, simulations: int, evaluate: Evaluate) -> keisei.Move:
    """The move that was tried most."""
    root = Node(game, evaluate)
    for _ in range(simulations):
        simulate(root, game, evaluate)
    return root.moves[max(range(len(root.moves)), key=root.visits.__getitem__)]


def rollouts() -> Evaluate:
    """Equal chances for all moves, and the result of a random game."""
    seed = 0

    def evaluate(game: keisei.Game) -> tuple[list[float], float]:
        nonlocal seed
        seed += 1
        count = game.count_legal_moves()
        end = game.copy()
        end.playout(seed, 60)
        value = end.outcome.reward(game.turn) if end.outcome else 0.0
        return [1 / count] * count, value

    return evaluate


def main(games: int) -> None:
    evaluate, opponent, points = rollouts(), keisei.Player("greedy", "animal"), 0.0
    for number in range(games):
        game, ours = keisei.Animal(), "black" if number % 2 == 0 else "white"
        while game.outcome is None and game.ply < 200:
            if game.turn == ours:
                game.push(search(game, 200, evaluate))
            else:
                move = opponent.choose(game).move
                assert move is not None
                game.push(move)
        points += 0.5 + (game.outcome.reward(ours) / 2 if game.outcome else 0)
    print(f"{points} points in {games} games against greedy")
    assert points > games / 2, "200 simulations are worth more than the best capture"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
