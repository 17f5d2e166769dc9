"""One game between two agents, as a PettingZoo environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv as PettingZooEnv
from pettingzoo.utils import wrappers

from .. import new_game
from .._native import Rules
from ..names import GameName

AGENTS = ["player_0", "player_1"]


class AECEnv(PettingZooEnv[str, dict[str, Any], Any]):
    """Two agents take turns; `player_0` opens the game.

    An observation has the planes that the side to move sees and the mask of its legal actions,
    which is empty for the agent that waits. An action that is not legal raises
    `keisei.ActionError`; `AECEnv.wrapped` lets it lose instead.

    >>> from keisei.envs import AECEnv
    >>> env = AECEnv("chess")
    >>> env.reset(seed=1)
    >>> env.agent_selection, env.last()[0]["observation"].shape
    ('player_0', (21, 8, 8))
    """

    def __init__(
        self,
        game: GameName = "shogi",
        *,
        max_moves: int = 512,
        rules: Rules | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.metadata = {
            "name": f"keisei_{game}_v0",
            "render_modes": ["ansi"],
            # Two players who move in turn can be seen as moving at once.
            "is_parallelizable": True,
        }
        self.game = new_game(game, rules=rules or Rules(auto_claim=True))
        self.max_moves = max_moves
        self.render_mode = render_mode
        self.possible_agents = AGENTS[:]
        self.agents = AGENTS[:]
        shape, count = self.game.planes().shape, self.game.action_count
        box = gymnasium.spaces.Box
        space = gymnasium.spaces.Dict(
            {
                "observation": box(0, 1, shape, np.float32),
                "action_mask": box(0, 1, (count,), np.int8),
            }
        )
        self.observation_spaces = {agent: space for agent in AGENTS}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(count) for agent in AGENTS}

    @classmethod
    def wrapped(cls, game: GameName = "shogi", **options: Any) -> PettingZooEnv[Any, Any, Any]:
        """The environment in PettingZoo's usual wrappers: an illegal action loses."""
        env = wrappers.TerminateIllegalWrapper(cls(game, **options), illegal_reward=-1)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The same for both agents."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """The planes that the side to move sees, and the legal actions of `agent`."""
        mask = self.game.action_mask()
        if agent != self._mover():
            mask[:] = 0
        return {"observation": self.game.planes(), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game."""
        self.game.reset()
        self.agents = AGENTS[:]
        self.rewards = {agent: 0.0 for agent in AGENTS}
        self._cumulative_rewards = {agent: 0.0 for agent in AGENTS}
        self.terminations = {agent: False for agent in AGENTS}
        self.truncations = {agent: False for agent in AGENTS}
        self.infos = {agent: {} for agent in AGENTS}
        self.agent_selection = self._mover()

    def step(self, action: int | None) -> None:
        """Plays the action of the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.game.push_action(int(action))
        self._cumulative_rewards[agent] = 0.0
        outcome = self.game.outcome
        if outcome is not None and not outcome.truncated:
            self.terminations = {agent: True for agent in AGENTS}
            opener = "white" if self.game.game == "chess" else "black"
            if outcome.winner is not None:
                won = 1.0 if outcome.winner == opener else -1.0
                self.rewards = {"player_0": won, "player_1": -won}
        elif outcome is not None or self.game.ply >= self.max_moves:
            self.truncations = {agent: True for agent in AGENTS}
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()

    def _mover(self) -> str:
        return AGENTS[self.game.player]

    def render(self) -> str:
        """The board as text."""
        return str(self.game)

    def close(self) -> None:
        """Nothing is held open."""
