"""A tournament that ShogiArena holds between `keisei usi` with its network and with alpha-beta.

    python crates/engine/python/shogiarena_games.py --games 4 --time 1000 --increment 50

ShogiArena sets the options that its rules ask for, keeps the clocks and referees. Every game must
end by the rules or by resignation, none by a crash, an illegal move or the clock.
"""

import asyncio
import json
import pathlib
import tempfile

from shogiarena.tournament import run_tournament

from match import Count, arguments, give_up_after, launcher

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
            engines = dict(zip(PLAYERS, [one, other]))
            result = hold(folder, engines, options)
    judge(result, options, count)
    count.finish("ShogiArena")


def hold(folder, engines, options):
    """Plays the tournament, and gives back what ShogiArena says of it."""
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
    return asyncio.run(run_tournament(path, run_dir=folder / "run", is_dashboard_enabled=False))


def judge(result, options, count):
    print(result)


if __name__ == "__main__":
    main()
