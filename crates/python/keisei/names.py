"""The words that stand for games, colours, rules and formats."""

from typing import Literal, TypeAlias

GameName: TypeAlias = Literal["shogi", "chess", "animal"]
Color: TypeAlias = Literal["black", "white"]
DeclarationName: TypeAlias = Literal["off", "27", "24"]
Format: TypeAlias = Literal["kif", "ki2", "csa", "jkf", "usi", "sfenx", "pgn"]
