//! Whole sessions as GUIs hold them.

use keisei_chess::Chess;
use keisei_shogi::Shogi;

use crate::gui::Gui;
use crate::tester::Tester;

#[test]
fn shogihome_plays_a_game_and_ponders() {
    let mut gui = Gui::new::<Shogi>(Tester::default());
    gui.follow(
        "> usi
         < id name Tester 1
         < id author the authors of Keisei
         < option name USI_Hash type spin default 512 min 1 max 16384
         < option name USI_Ponder type check default false
         < option name MultiPV type spin default 1 min 1 max 600
         < option name NetworkDelay type spin default 50 min 0 max 10000
         < option name EvalFile type filename default <empty>
         < option name MaxMovesToDraw type spin default 0 min 0 max 100000
         < option name EnteringKingRule type combo default CSARule27 var NoEnteringKing \
           var CSARule24 var CSARule24H var CSARule27 var CSARule27H var TryRule
         < usiok
         > setoption name USI_Hash value 64
         > setoption name USI_Ponder value true
         > setoption name MultiPV value 1
         > setoption name NetworkDelay value 0
         > setoption name EvalFile value nets/my net.safetensors
         > isready
         < info string plays with nets/my net.safetensors
         < readyok
         > setoption name EvalFile value <empty>
         > usinewgame
         > position startpos
         > go btime 60000 wtime 50000 byoyomi 10000
         < info depth 1 score cp 12 nodes 3 time 0 pv 1g1f 1a1b
         < bestmove 1g1f ponder 1a1b
         > position startpos moves 1g1f 1c1d
         > go ponder btime 58000 wtime 50000 byoyomi 10000
         < info depth 1 score cp 12 nodes 3 time 0 pv 1f1e 1a1b
         > ponderhit
         < bestmove 1f1e ponder 1a1b
         > position startpos moves 1g1f 1c1d 1f1e 1d1e
         > go ponder btime 58000 wtime 50000 byoyomi 10000
         < info depth 1 score cp 12 nodes 3 time 0 pv 1i1e 1a1b
         > stop
         < bestmove 1i1e ponder 1a1b
         > position startpos moves 1g1f 1c1d 1f1e 9c9d
         > go btime 58000 wtime 48000 binc 1000 winc 1000
         < info depth 1 score cp 12 nodes 3 time 0 pv 1e1d 1a1b
         < bestmove 1e1d ponder 1a1b
         > gameover win",
    );
    assert_eq!(gui.quit(), [""; 0]);
}

#[test]
fn shogihome_studies_positions_and_looks_for_mates() {
    let mut gui = Gui::new::<Shogi>(Tester::default());
    gui.follow(
        "> usi
         < id name Tester 1",
    );
    while gui.hear() != "usiok" {}
    gui.follow(
        "> isready
         < readyok
         > usinewgame
         > position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
         > go infinite
         < info depth 1 score cp 12 nodes 3 time 0 pv 1g1f 1a1b
         > stop
         < bestmove 1g1f ponder 1a1b
         > position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1
         > go mate 5000
         < checkmate G*5b
         > position sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1
         > go mate 5000
         < checkmate nomate
         > position sfen 9/7k1/9/9/9/9/9/9/9 b RB 1
         > go mate infinite
         > stop
         < checkmate timeout
         > gameover draw",
    );
    assert_eq!(gui.quit(), [""; 0]);
}

#[test]
fn a_chess_gui_plays_and_analyses() {
    let mut gui = Gui::new::<Chess>(Tester::default());
    gui.follow(
        "> uci
         < id name Tester 1
         < id author the authors of Keisei
         < option name Hash type spin default 512 min 1 max 16384
         < option name Ponder type check default false
         < option name MultiPV type spin default 1 min 1 max 600
         < option name Move Overhead type spin default 50 min 0 max 10000
         < option name EvalFile type string default <empty>
         < uciok
         > setoption name Move Overhead value 10
         > setoption name hash value 128
         > ucinewgame
         > isready
         < readyok
         > position startpos moves e2e4
         > go wtime 300000 btime 300000 winc 2000 binc 2000 movestogo 40
         < info depth 1 score cp 12 nodes 3 time 0 pv a7a5 a2a3
         < bestmove a7a5 ponder a2a3
         > isready
         < readyok
         > setoption name MultiPV value 3
         > position fen r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1 moves e1g1
         > go infinite
         < info depth 1 multipv 1 score cp 12 nodes 3 time 0 pv a8a1 f1a1
         > isready
         < readyok
         > stop
         < bestmove a8a1 ponder f1a1
         > position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
         > go depth 5
         < bestmove (none)",
    );
    assert_eq!(gui.quit(), [""; 0]);
}
