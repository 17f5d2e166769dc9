"""One game against an opponent, as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from .. import new_game
from .._native import Game, Player, Rules
from ..names import GameName

Opponent = Callable[[Game], int]
"""Somebody who answers a game with an action."""


class SingleEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """The learner plays one side; a player by its name, or a function, plays the other.

    The reward is that of the learner at the end of the game: 1, -1 or 0. An action that is not
    legal loses at once, or raises `keisei.ActionError` with `illegal="raise"`; `action_masks()`
    says which are legal, as sb3-contrib asks.

    >>> from keisei.envs import SingleEnv
    >>> env = SingleEnv("animal", opponent="random", side="first")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, int(env.action_masks().sum())
    ((18, 4, 3), 4)
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: GameName = "shogi",
        opponent: str | Opponent = "random",
        *,
        side: Literal["first", "second", "either"] = "either",
        max_moves: int = 512,
        rules: Rules | None = None,
        illegal: Literal["lose", "raise"] = "lose",
        render_mode: str | None = None,
    ) -> None:
        self.game = new_game(game, rules=rules or Rules(auto_claim=True))
        self.side = side
        self.max_moves = max_moves
        self.illegal = illegal
        self.render_mode = render_mode
        self._opponent = opponent
        self._player: Player | None = None
        if isinstance(opponent, str) and opponent != "random":
            self._player = Player(opponent, game)
        planes = self.game.planes()
        self.observation_space = gymnasium.spaces.Box(0, 1, planes.shape, np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.game.action_count)
        self._learner = 0

    def action_masks(self) -> NDArray[np.bool_]:
        """For each action, whether it is legal."""
        return self.game.action_mask() != 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins a game; the opponent has moved where it opens."""
        super().reset(seed=seed)
        self.game.reset()
        if self.side == "either":
            self._learner = int(self.np_random.integers(2))
        else:
            self._learner = 0 if self.side == "first" else 1
        if self._player is not None:
            self._player.new_game()
        if self.game.player != self._learner:
            self._reply()
        return self.game.planes(), self._info()

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Plays an action, and the opponent's answer."""
        if self.illegal == "lose" and not self.action_masks()[int(action)]:
            return self.game.planes(), -1.0, True, False, self._info() | {"illegal": True}
        self.game.push_action(int(action))
        if not self._ended():
            self._reply()
        return self.game.planes(), self._reward(), *self._end(), self._info()

    def _reply(self) -> None:
        if self._player is not None:
            answer = self._player.choose(self.game)
            if answer.move is not None:
                self.game.push(answer.move)
            elif answer.declares:
                self.game.claim()
            else:
                self.game.resign()
        elif callable(self._opponent):
            self.game.push_action(self._opponent(self.game))
        else:
            self.game.playout(int(self.np_random.integers(1 << 32)), plies=1)

    def _ended(self) -> bool:
        return self.game.is_over or self.game.ply >= self.max_moves

    def _end(self) -> tuple[bool, bool]:
        """Whether the game has ended by its rules, and whether it was cut off."""
        outcome = self.game.outcome
        if outcome is None:
            return False, self.game.ply >= self.max_moves
        return not outcome.truncated, outcome.truncated

    def _reward(self) -> float:
        outcome = self.game.outcome
        if outcome is None or outcome.winner is None:
            return 0.0
        first = "white" if self.game.game == "chess" else "black"
        return 1.0 if (outcome.winner == first) == (self._learner == 0) else -1.0

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.game.action_mask()}

    def render(self) -> str:
        """The board as text."""
        return str(self.game)
