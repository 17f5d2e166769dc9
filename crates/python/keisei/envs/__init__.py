"""Environments for Gymnasium and PettingZoo: `pip install keisei[envs]`.

`VectorEnv` plays many games at once, `SingleEnv` one against an opponent, `AECEnv` one between two
agents. All of them give what the side to move sees and the mask of its legal actions.
"""

from .aec import AECEnv
from .single import SingleEnv
from .vector import VectorEnv

__all__ = ["AECEnv", "SingleEnv", "VectorEnv"]
