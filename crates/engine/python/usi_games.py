"""Games of `keisei usi` against itself, driven by cshogi and refereed by cshogi and python-shogi.

    python crates/engine/python/usi_games.py --games 100 --byoyomi 20

Every line of the engine must be USI, every move legal to both libraries and made in time. Then
cshogi's own match runner plays, with pondering.
"""

import random
import re
import shutil

import cshogi
import cshogi.cli
import shogi
from cshogi.usi import Engine

from match import Clock, Count, arguments, give_up_after, launcher, timed

MOVE = r"(?:[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i])"
LINES = [
    r"id (?:name|author) .+",
    r"option name \S+ type (?:check|spin|combo|filename) default \S.*",
    r"usiok|readyok",
    rf"bestmove (?:resign|win|{MOVE}(?: ponder {MOVE})?)",
    rf"checkmate (?:nomate|timeout|notimplemented|{MOVE}(?: {MOVE})*)",
    r"info string .+",
    r"info depth \d+(?: seldepth \d+)?(?: multipv \d+)? score (?:cp|mate) -?\d+ nodes \d+"
    rf"(?: nps \d+)?(?: hashfull \d+)? time \d+(?: pv {MOVE}(?: {MOVE})*)?",
]
PROTOCOL = re.compile("|".join(f"(?:{line})" for line in LINES))
SENT = re.compile(r"usi$|isready|setoption|usinewgame|position|go|stop|ponderhit|gameover|quit")


def main():
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--byoyomi", type=int, default=0, help="milliseconds a move")
    parser.add_argument("--time", type=int, default=0, help="milliseconds a game")
    parser.add_argument("--increment", type=int, default=0, help="milliseconds more with every move")
    options = parser.parse_args()
    give_up_after(options.patience)
    count = Count()
    with launcher(options.engine, "usi", options.arguments) as path:
        ask_once(path, count)
        play_games(path, options, count)
        play_by_runner(path, options, count)
    count.finish("USI")


def checked(count):
    """A listener that knows what an engine may say. cshogi shows it what is sent, too."""

    def listen(line):
        if line and not SENT.match(line) and not PROTOCOL.fullmatch(line):
            count.problem(f"no USI: {line!r}")

    return listen


def ask_once(path, count):
    """Options, mates and analysis."""
    engine, listen = Engine(path), checked(count)
    offered = engine.usi(listener=listen)
    for name in ["USI_Hash", "USI_Ponder", "MaxMovesToDraw", "EnteringKingRule"]:
        if not any(line.startswith(f"option name {name} type ") for line in offered):
            count.problem(f"{name} is not offered")
    engine.setoption("USI_Hash", 64, listener=listen)
    engine.isready(listener=listen)
    engine.position(sfen="sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", listener=listen)
    mate = engine.go_mate(byoyomi=10_000, listener=listen)
    if mate != "G*5b":
        count.problem(f"mate in one: {mate!r}")
    engine.position(listener=listen)
    if engine.go_mate(listener=listen) != "nomate":
        count.problem("a mate at the start")
    leave(engine, count)


def leave(engine, count):
    """Says quit, and waits until the engine has ended."""
    process = engine.proc
    engine.quit()
    if process.wait() != 0:
        count.problem(f"exit status {process.returncode}")


def play_games(path, options, count):
    """Games that this script referees."""
    engines, listen = [Engine(path), Engine(path)], checked(count)
    rng = random.Random(options.seed)
    for _ in range(options.games):
        for engine in engines:
            engine.isready(listener=listen)
            engine.usinewgame(listener=listen)
        board, referee = opening(rng, options.opening)
        reason = play(engines, board, referee, options, count, listen)
        count.end(reason, board.move_number - 1)
        for engine in engines:
            engine.gameover("draw", listener=listen)
    for engine in engines:
        leave(engine, count)


def opening(rng, plies):
    """A board for each library after moves by chance, none of which ends the game."""
    while True:
        board, referee = cshogi.Board(), shogi.Board()
        while board.move_number <= plies and not board.is_game_over():
            move = cshogi.move_to_usi(rng.choice(list(board.legal_moves)))
            board.push_usi(move)
            referee.push_usi(move)
        if not board.is_game_over():
            return board, referee


def play(engines, board, referee, options, count, listen):
    """Plays a game to its end and says why it ended."""
    seconds = [options.time / 1000, options.increment / 1000, options.byoyomi / 1000]
    clocks = [Clock(*seconds, options.margin / 1000) for _ in engines]
    moves = [cshogi.move_to_usi(move) for move in board.history]
    while True:
        if board.is_game_over():
            return "mate"
        if len(moves) >= options.plies:
            return "limit of moves"
        if referee.is_fourfold_repetition():
            return "repetition"
        turn = board.turn
        engines[turn].position(moves, listener=listen)
        clock = {"btime": round(1000 * clocks[0].left), "wtime": round(1000 * clocks[1].left)}
        if options.increment:
            clock.update(binc=options.increment, winc=options.increment)
        else:
            clock.update(byoyomi=options.byoyomi)
        with timed() as spent:
            move, ponder = engines[turn].go(**clock, listener=listen)
        count.moves += 1
        if not clocks[turn].spend(spent[0], count):
            count.problem(f"time: {1000 * spent[0]:.0f} ms used of {clock}")
            return "time"
        if move == "resign":
            return "resignation"
        if move == "win":
            if not board.is_nyugyoku():
                count.problem(f"no win to declare: {board.sfen()}")
            return "declaration"
        if not is_legal(board, referee, move):
            count.problem(f"illegal: {move} in {board.sfen()}")
            return "illegal move"
        board.push_usi(move)
        referee.push_usi(move)
        moves.append(move)
        if ponder and not is_legal(board, referee, ponder):
            count.problem(f"illegal to ponder: {ponder} in {board.sfen()}")


def is_legal(board, referee, text):
    """Whether both libraries allow the move."""
    legal = board.is_legal(board.move_from_usi(text))
    if legal != (shogi.Move.from_usi(text) in referee.legal_moves):
        print(f"  the referees do not agree on {text} in {board.sfen()}", flush=True)
    return legal


def play_by_runner(path, options, count):
    """Two games by cshogi's match runner, with pondering: it says how each ended."""
    shutil.copy(path, path + "2")
    print("cshogi's runner:", flush=True)
    time = options.time or None
    increment = options.increment or None
    result = cshogi.cli.main(
        path,
        path + "2",
        games=2,
        byoyomi=options.byoyomi or None,
        time=time,
        inc=increment,
        draw=min(options.plies, 60),
        ponder=True,
        print_summary=False,
    )
    if result["total"] != 2:
        count.problem(f"cshogi's runner: {result}")


if __name__ == "__main__":
    main()
