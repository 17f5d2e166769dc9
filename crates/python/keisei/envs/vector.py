"""Many games at once, in the form of Gymnasium's vector environments."""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .._native import Outcome, Rules, VecEnv
from ..names import GameName


class VectorEnv(GymnasiumVectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """Self-play in many games: whoever is to move acts, and rewards are those of the mover.

    Observations and masks are the arrays of `games`, a `keisei.VecEnv`, and are overwritten by the
    next step; `copy=True` gives fresh ones. The legal actions are in `infos["action_mask"]` and in
    `action_masks()`. A game that ends begins anew in the same step; its last observation is then in
    `infos["final_obs"]` and its outcome in `infos["final_info"]`.

    >>> from keisei.envs import VectorEnv
    >>> env = VectorEnv("animal", num_envs=64, max_moves=100)
    >>> observations, infos = env.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((64, 18, 4, 3), (64, 132))
    >>> observations, rewards, terminated, truncated, infos = env.step(env.games.sample())
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}

    def __init__(
        self,
        game: GameName = "shogi",
        num_envs: int = 1024,
        *,
        observations: Literal["float32", "uint8", "packed"] = "float32",
        max_moves: int | None = 512,
        random_plies: int = 0,
        rules: Rules | None = None,
        threads: int | None = None,
        copy: bool = False,
        seed: int = 0,
    ) -> None:
        self.games = VecEnv(
            game,
            num_envs,
            observations=observations,
            max_moves=max_moves,
            random_plies=random_plies,
            rules=rules,
            seed=seed,
            threads=threads,
        )
        self.num_envs = num_envs
        self.copy = copy
        high = 1 if observations == "float32" else 255
        kept = self.games.observations
        self.single_observation_space = gymnasium.spaces.Box(
            0, high, kept.shape[1:], kept.dtype.type
        )
        self.single_action_space = gymnasium.spaces.Discrete(self.games.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._observations = observations

    def action_masks(self) -> NDArray[np.bool_]:
        """For each game and action, whether it is legal."""
        return self.games.masks

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begins all games anew."""
        super().reset(seed=seed)
        self.games.reset(seed)
        return self._own(self.games.observations), self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays one action in every game."""
        observations, rewards, terminated, truncated = self.games.step(actions)
        infos = self._infos()
        if terminated.any() or truncated.any():
            infos |= self._finals()
        # Results are small: nobody should have to think about who overwrites them.
        results = np.array(rewards), np.array(terminated), np.array(truncated)
        return self._own(observations), *results, infos

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return np.array(array) if self.copy else array

    def _infos(self) -> dict[str, Any]:
        masks = self._own(self.games.masks)
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, dtype=np.bool_)}

    def _finals(self) -> dict[str, Any]:
        """The last observations and the outcomes of the games that ended."""
        ended = np.zeros(self.num_envs, dtype=np.bool_)
        last = np.full(self.num_envs, None, dtype=object)
        outcomes: NDArray[Any] = np.full(self.num_envs, None, dtype=object)
        for index, game in self.games.finished():
            ended[index] = True
            outcome: Outcome | None = game.outcome
            outcomes[index] = outcome
            if self._observations == "packed":
                last[index] = game.packed()
            elif self._observations == "uint8":
                last[index] = np.minimum(255 * game.planes() + 0.5, 255).astype(np.uint8)
            else:
                last[index] = game.planes()
        final_info = {"outcome": outcomes, "_outcome": ended}
        return {
            "final_obs": last,
            "_final_obs": ended,
            "final_info": final_info,
            "_final_info": ended,
        }

    def render(self) -> tuple[str, ...]:
        """The boards as text."""
        return tuple(str(self.games.game(index)) for index in range(self.num_envs))
