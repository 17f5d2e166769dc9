//! What an engine is told before it thinks: the position and the limits.

use std::time::Duration;

use keisei_game::Side;

use super::clock::move_time;
use crate::{Arena, Clock, Limits, Protocol};

/// The `position` line of a game.
pub(super) fn position_line<G: Arena>(game: &G) -> String {
    let mut start = game.clone();
    start.reset();
    let start = start.notation();
    let mut line = match (start == G::new().notation(), G::PROTOCOL) {
        (true, _) => "position startpos".to_owned(),
        (false, Protocol::Usi) => format!("position sfen {start}"),
        (false, Protocol::Uci) => format!("position fen {start}"),
    };
    if game.ply() > 0 {
        line.push_str(" moves");
    }
    for mv in game.moves() {
        line.push_str(&format!(" {mv}"));
    }
    line
}

/// The `go` line of these limits.
pub(super) fn go_line(protocol: Protocol, limits: &Limits, turn: Side) -> String {
    let mut line = if limits.ponder { "go ponder" } else { "go" }.to_owned();
    if limits.infinite {
        line.push_str(" infinite");
    } else {
        add_limits(protocol, limits, turn, &mut line);
    }
    if !limits.search_moves.is_empty() {
        line.push_str(&format!(" searchmoves {}", limits.search_moves.join(" ")));
    }
    line
}

fn add_limits(protocol: Protocol, limits: &Limits, turn: Side, line: &mut String) {
    let mut add = |word: &str, number: u128| line.push_str(&format!(" {word} {number}"));
    if let Some(clock) = &limits.clock {
        add_clock(protocol, clock, turn, &mut add);
    } else if let Some(time) = move_time(limits) {
        match protocol {
            Protocol::Uci => add("movetime", time.as_millis()),
            // Few shogi engines know `movetime`; a clock without time but with byoyomi they all do.
            Protocol::Usi => {
                add("btime", 0);
                add("wtime", 0);
                add("byoyomi", time.as_millis());
            }
        }
    }
    if let Some(depth) = limits.depth {
        add("depth", depth.into());
    }
    if let Some(nodes) = limits.nodes {
        add("nodes", nodes.into());
    }
}

fn add_clock(protocol: Protocol, clock: &Clock, turn: Side, add: &mut impl FnMut(&str, u128)) {
    let [first, second] = match protocol {
        Protocol::Usi => ["b", "w"],
        Protocol::Uci => ["w", "b"],
    };
    let sides = [(Side::First, first), (Side::Second, second)];
    // Chess has no byoyomi: who has nothing else is told the time for this move.
    if protocol == Protocol::Uci && clock.left[turn].is_zero() && !clock.byoyomi.is_zero() {
        return add("movetime", (clock.byoyomi * 9 / 10).as_millis());
    }
    for (side, letter) in sides {
        add(&format!("{letter}time"), clock.left[side].as_millis());
    }
    if clock.increment.0.iter().any(|time| *time > Duration::ZERO) {
        for (side, letter) in sides {
            add(&format!("{letter}inc"), clock.increment[side].as_millis());
        }
    } else if protocol == Protocol::Usi {
        add("byoyomi", clock.byoyomi.as_millis());
    }
    if let (Protocol::Uci, Some(moves)) = (protocol, clock.moves_to_go) {
        add("movestogo", moves.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_chess::Chess;
    use keisei_game::{BySide, Rules};
    use keisei_shogi::Shogi;

    fn after<G: Arena>(start: Option<&str>, moves: &[&str]) -> String {
        let mut game = start.map_or_else(G::new, |text| {
            G::with_rules(text.parse().unwrap(), Rules::between_programs(None))
        });
        for text in moves {
            game.play(game.parse_move(text).unwrap()).unwrap();
        }
        position_line(&game)
    }

    #[test]
    fn positions_are_told_as_their_start_and_all_moves() {
        assert_eq!(after::<Shogi>(None, &[]), "position startpos");
        assert_eq!(
            after::<Shogi>(None, &["7g7f", "3c3d", "8h2b+"]),
            "position startpos moves 7g7f 3c3d 8h2b+"
        );
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 b P 1";
        assert_eq!(
            after::<Shogi>(Some(sfen), &["P*5e"]),
            format!("position sfen {sfen} moves P*5e")
        );
    }

    #[test]
    fn chess_castles_as_the_king_moves() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(after::<Chess>(Some(fen), &["e1g1"]), format!("position fen {fen} moves e1g1"));
    }

    #[test]
    fn limits_are_told_as_each_protocol_has_them() {
        let go = |protocol, limits: &Limits| go_line(protocol, limits, Side::First);
        assert_eq!(go(Protocol::Usi, &Limits::depth(3)), "go depth 3");
        assert_eq!(go(Protocol::Uci, &Limits::nodes(10)), "go nodes 10");
        let second = Limits::move_time(Duration::from_secs(1));
        assert_eq!(go(Protocol::Uci, &second), "go movetime 1000");
        assert_eq!(go(Protocol::Usi, &second), "go btime 0 wtime 0 byoyomi 1000");
        assert_eq!(go(Protocol::Uci, &Limits::default()), "go movetime 1000");
        let endless = Limits { infinite: true, ..second };
        assert_eq!(go(Protocol::Usi, &endless), "go infinite");
        let search_moves = ["7g7f", "P*5e"].map(str::to_owned).to_vec();
        let restricted = Limits { search_moves, ..Limits::nodes(5) };
        assert_eq!(go(Protocol::Usi, &restricted), "go nodes 5 searchmoves 7g7f P*5e");
    }

    #[test]
    fn clocks_are_those_of_the_colours() {
        let seconds = Duration::from_secs;
        let left = BySide([seconds(60), seconds(50)]);
        let byoyomi = Clock { left, byoyomi: seconds(10), ..Clock::default() };
        let line = |protocol, clock, ponder| {
            let limits = Limits { clock: Some(clock), ponder, ..Limits::default() };
            go_line(protocol, &limits, Side::First)
        };
        assert_eq!(
            line(Protocol::Usi, byoyomi, true),
            "go ponder btime 60000 wtime 50000 byoyomi 10000"
        );
        let increment = BySide([seconds(1), seconds(2)]);
        let fischer = Clock { left, increment, moves_to_go: Some(9), ..Clock::default() };
        assert_eq!(
            line(Protocol::Uci, fischer, false),
            "go wtime 60000 btime 50000 winc 1000 binc 2000 movestogo 9"
        );
        let bare = Clock { byoyomi: seconds(10), ..Clock::default() };
        assert_eq!(line(Protocol::Uci, bare, false), "go movetime 9000");
    }
}
