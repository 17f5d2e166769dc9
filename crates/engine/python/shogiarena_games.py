"""A tournament that ShogiArena holds between `keisei usi` with its network and with alpha-beta.

    python crates/engine/python/shogiarena_games.py --games 4 --time 1000 --increment 50

ShogiArena sets the options that its rules ask for, keeps the clocks and referees. Every game must
end by the rules or by resignation, none by a crash, an illegal move or the clock.
"""

import asyncio
import contextlib
import json
import pathlib
import re
import sqlite3
import tempfile

from shogiarena.tournament import run_tournament

from match import Count, arguments, give_up_after, launcher

# Ends by the rules, by resignation and by the limit of moves.
SOUND = re.compile("(?i)(?:black|white)_win(?:_by_declaration)?|draw_.*")
PLAYERS = {"network": "", "alpha-beta": "--player ab:2,quiescence"}


def main():
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--time", type=int, default=1000, help="milliseconds a game")
    parser.add_argument("--increment", type=int, default=50, help="milliseconds more with every move")
    options = parser.parse_args()
    give_up_after(options.patience)
    count = Count()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with launcher(options.engine, "usi", PLAYERS["network"]) as one, launcher(
            options.engine, "usi", PLAYERS["alpha-beta"]
        ) as other:
            hold(folder, dict(zip(PLAYERS, [one, other])), options)
        judge(folder, options, count)
    count.finish("ShogiArena")


def hold(folder, engines, options):
    """Plays the tournament."""
    for name, path in engines.items():
        engine = {"name": name, "engine_path": path, "working_directory": str(folder)}
        (folder / f"{name}.yaml").write_text(json.dumps(engine))
    config = {
        "experiment_name": "keisei",
        "engines": [{"engine_path": f"{name}.yaml"} for name in engines],
        "tournament": {
            "scheduler": "round_robin",
            "games_per_pair": options.games,
            "num_parallel": 1,
        },
        "rules": {
            "time_control": {
                "time_ms": options.time,
                "increment_ms": options.increment,
                "expiry_margin_ms": options.margin,
            },
            "adjudication": {"max_plies": options.plies},
        },
        "dashboard": {"enabled": False},
    }
    path = folder / "tournament.yaml"
    path.write_text(json.dumps(config))
    asyncio.run(run_tournament(path, run_dir=folder / "run", is_dashboard_enabled=False))


def judge(folder, options, count):
    """Counts the games that ShogiArena has kept, by their ends."""
    games = []
    for path in folder.rglob("game.db"):
        with contextlib.closing(sqlite3.connect(path)) as database:
            games += database.execute("SELECT game_result, num_moves, end_comment FROM game")
    for result, plies, comment in games:
        count.end(result, plies)
        count.moves += plies
        if not SOUND.fullmatch(result):
            count.problem(f"{result}: {comment}")
    if len(games) != options.games:
        count.problem(f"{len(games)} games instead of {options.games}")


if __name__ == "__main__":
    main()
