"""Shogi, chess and animal shogi: rules, records, environments, players and training runs.

>>> import keisei
>>> game = keisei.Shogi()
>>> game.push("7g7f")
Move('shogi', '7g7f')
>>> player = keisei.Player("ab:1", "shogi")
>>> player.choose(game).move in game.legal_moves()
True
"""

from ._native import (
    Animal,
    Answer,
    Chess,
    Declaration,
    Evaluation,
    Game,
    MatchResult,
    MateSolution,
    Move,
    Network,
    Node,
    Outcome,
    Player,
    Record,
    Report,
    Rules,
    Run,
    Shogi,
    VecEnv,
    Written,
    __version__,
    perft,
    play_match,
    read_records,
    runs,
    solve_mate,
)
from .errors import (
    ActionError,
    ClaimError,
    IllegalMoveError,
    KeiseiError,
    PlayerError,
    PositionError,
    RecordError,
    RunError,
)

__all__ = [
    "ActionError",
    "Animal",
    "Answer",
    "Chess",
    "ClaimError",
    "Declaration",
    "Evaluation",
    "Game",
    "IllegalMoveError",
    "KeiseiError",
    "MatchResult",
    "MateSolution",
    "Move",
    "Network",
    "Node",
    "Outcome",
    "Player",
    "PlayerError",
    "PositionError",
    "Record",
    "RecordError",
    "Report",
    "Rules",
    "Run",
    "RunError",
    "Shogi",
    "VecEnv",
    "Written",
    "__version__",
    "new_game",
    "perft",
    "play_match",
    "read_records",
    "runs",
    "solve_mate",
]


def new_game(game: str, position: str = "startpos", rules: Rules | None = None) -> Game:
    """A game by its name.

    >>> import keisei
    >>> keisei.new_game("chess").fen
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    """
    match game:
        case "shogi":
            return Shogi(position, rules)
        case "chess":
            return Chess(position, rules)
        case "animal":
            return Animal(position, rules)
        case _:
            raise KeiseiError(f"there is no game {game!r}; there are shogi, chess, animal", game)
