"""What goes wrong, with the value that was refused.

>>> import keisei
>>> try:
...     keisei.Shogi().push("7g7e")
... except keisei.IllegalMoveError as error:
...     print(error.value, "|", error.position)
7g7e | lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
"""

from __future__ import annotations


class KeiseiError(ValueError):
    """Something was refused: `value` is what."""

    def __init__(self, message: str, value: object) -> None:
        super().__init__(message, value)
        self.message = message
        self.value = value

    def __str__(self) -> str:
        return self.message


class PositionError(KeiseiError):
    """A text that is no position: `value` is the text."""


class IllegalMoveError(KeiseiError):
    """A move that cannot be played in `position`: `value` is its text."""

    def __init__(self, message: str, value: str, position: str) -> None:
        super().__init__(message, value)
        self.args = (message, value, position)
        self.position = position


class ClaimError(KeiseiError):
    """A claim or declaration that does not hold: `value` is the position."""


class ActionError(KeiseiError):
    """A number that is no legal action of the game numbered `game`: `value` is the number."""

    def __init__(self, message: str, value: int, game: int) -> None:
        super().__init__(message, value)
        self.args = (message, value, game)
        self.game = game


class RecordError(KeiseiError):
    """A file that is no record: `value` names it, `line` and `column` the place, from 1."""

    def __init__(self, message: str, value: str, line: int | None, column: int | None) -> None:
        super().__init__(message, value)
        self.args = (message, value, line, column)
        self.line = line
        self.column = column


class PlayerError(KeiseiError):
    """A player that cannot be had, or that failed: `value` is its name."""


class RunError(KeiseiError):
    """A folder that is no training run: `value` is its path."""
