"""Games of `keisei uci` against itself, driven and refereed by python-chess.

    python crates/engine/python/uci_games.py --games 100 --time 100 --increment 10

python-chess refuses illegal moves and warns of every line that is no UCI: both count as problems.
"""

import logging
import random

import chess
import chess.engine

from match import Clock, Count, arguments, give_up_after, launcher, timed


def main():
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--time", type=int, default=1000, help="milliseconds a game")
    parser.add_argument("--increment", type=int, default=10, help="milliseconds more with every move")
    parser.add_argument("--ponder", action="store_true", help="think in the other side's time")
    options = parser.parse_args()
    give_up_after(options.patience)
    count = Count()
    logging.getLogger("chess.engine").addHandler(Complaints(count))
    with launcher(options.engine, "uci", options.arguments) as path:
        if not options.arguments:
            analyse(path, count)
        play_games(path, options, count)
    count.finish("UCI")


class Complaints(logging.Handler):
    """Whatever python-chess warns of is a problem."""

    def __init__(self, count):
        super().__init__(logging.WARNING)
        self.count = count

    def emit(self, record):
        text = record.getMessage()
        # UCI allows remarks at any time; python-chess expects none while it waits for readyok.
        if "Unexpected engine output: 'info string " not in text:
            self.count.problem(f"python-chess: {text}")


def analyse(path, count):
    """Options, several lines, analysis that is stopped, positions without a move."""
    with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as engine:
        for name in ["Hash", "Ponder", "MultiPV", "Threads"]:
            if name not in engine.options:
                count.problem(f"{name} is not offered")
        engine.configure({"Hash": 64})
        engine.ping()
        board = chess.Board("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1")
        lines = engine.analyse(board, chess.engine.Limit(nodes=200), multipv=3)
        if len(lines) != 3:
            count.problem(f"{len(lines)} lines instead of 3")
        with engine.analysis(board) as analysis:
            for info in analysis:
                if "pv" in info:
                    break
        mate = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
        info = engine.analyse(mate, chess.engine.Limit(nodes=500))
        if info["score"].relative != chess.engine.Mate(1):
            count.problem(f"mate in one: {info}")
        castled = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        castled.push_uci("e1g1")
        castled.push_uci("e8c8")
        if engine.play(castled, chess.engine.Limit(nodes=50)).move not in castled.legal_moves:
            count.problem("illegal after castling")


def play_games(path, options, count):
    engines = [chess.engine.SimpleEngine.popen_uci(path, timeout=60) for _ in range(2)]
    rng = random.Random(options.seed)
    try:
        for number in range(options.games):
            board = opening(rng, options.opening)
            reason = play(engines, board, number, options, count)
            count.end(reason, len(board.move_stack))
    finally:
        for engine in engines:
            engine.quit()


def opening(rng, plies):
    """A board after moves by chance, none of which ends the game."""
    while True:
        board = chess.Board()
        while len(board.move_stack) < plies and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return board


def play(engines, board, number, options, count):
    """Plays a game to its end and says why it ended."""
    margin = options.margin / 1000
    seconds = [options.time / 1000, options.increment / 1000]
    clocks = [Clock(*seconds, 0.0, margin) for _ in engines]
    while not (outcome := board.outcome()):
        if len(board.move_stack) >= options.plies:
            return "limit of moves"
        turn = 0 if board.turn == chess.WHITE else 1
        limit = chess.engine.Limit(
            white_clock=clocks[0].left,
            black_clock=clocks[1].left,
            white_inc=clocks[0].increment,
            black_inc=clocks[1].increment,
        )
        try:
            with timed() as spent:
                result = engines[turn].play(
                    board, limit, game=number, info=chess.engine.INFO_ALL, ponder=options.ponder
                )
        except chess.engine.EngineError as error:
            count.problem(f"{error} in {board.fen()}")
            return "error"
        count.moves += 1
        if not clocks[turn].spend(spent[0], count):
            count.problem(f"time: {1000 * spent[0]:.0f} ms used with {limit}")
            return "time"
        if result.move is None:
            count.problem(f"no move in {board.fen()}")
            return "no move"
        board.push(result.move)
    return outcome.termination.name.lower().replace("_", " ")


if __name__ == "__main__":
    main()
