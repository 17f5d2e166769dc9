//! The rungs, from weak to strong.

/// A player of known strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    /// Its short name.
    pub name: &'static str,
    /// The player, in the grammar of player names.
    pub player: &'static str,
}

const fn rung(name: &'static str, player: &'static str) -> Rung {
    Rung { name, player }
}

/// Fairy-Stockfish's lowest skills think one ply ahead and then often choose something else. GPS Shogi
/// takes a depth as an option alone; with it a move takes some hundredths of a second.
const SHOGI: [Rung; 15] = [
    rung("random", "random"),
    rung("mate1", "mate1"),
    rung(
        "SF -20",
        "usi:fairy-stockfish;option.USI_Variant=shogi;option.Skill_Level=-20;depth=1;name=SF -20",
    ),
    rung(
        "SF -10",
        "usi:fairy-stockfish;option.USI_Variant=shogi;option.Skill_Level=-10;depth=1;name=SF -10",
    ),
    rung("ab:1", "ab:1"),
    rung("greedy", "greedy"),
    rung("ab:2", "ab:2"),
    rung("ab:3", "ab:3"),
    rung(
        "SF 0 d1",
        "usi:fairy-stockfish;option.USI_Variant=shogi;option.Skill_Level=0;depth=1;name=SF 0 d1",
    ),
    rung("SF d1", "usi:fairy-stockfish;option.USI_Variant=shogi;depth=1;name=SF d1"),
    rung("SF d3", "usi:fairy-stockfish;option.USI_Variant=shogi;depth=3;name=SF d3"),
    rung("GNU d1", "gnushogi;depth=1;name=GNU d1"),
    rung("SF d5", "usi:fairy-stockfish;option.USI_Variant=shogi;depth=5;name=SF d5"),
    rung("SF d8", "usi:fairy-stockfish;option.USI_Variant=shogi;depth=8;name=SF d8"),
    rung(
        "GPS d4",
        "usi:gpsusi;option.LimitDepth=4;option.BookDepth=0;option.Thread=1;seconds=1;name=GPS d4",
    ),
];

const CHESS: [Rung; 8] = [
    rung("random", "random"),
    rung("mate1", "mate1"),
    rung("greedy", "greedy"),
    rung("ab:1", "ab:1"),
    rung("ab:2", "ab:2"),
    rung("ab:3", "ab:3"),
    rung("SF 0 d1", "uci:stockfish;option.Skill_Level=0;depth=1;name=SF 0 d1"),
    rung("SF d1", "uci:stockfish;depth=1;name=SF d1"),
];

/// The players that play every game.
const CLASSICAL: [Rung; 6] = [
    rung("random", "random"),
    rung("mate1", "mate1"),
    rung("greedy", "greedy"),
    rung("ab:1", "ab:1"),
    rung("ab:2", "ab:2"),
    rung("ab:3", "ab:3"),
];

/// The rungs of a game, from weak to strong. The first one is the anchor, random play.
pub fn rungs(game: &str) -> &'static [Rung] {
    match game {
        "shogi" => &SHOGI,
        "chess" => &CHESS,
        _ => &CLASSICAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_engine::PlayerSpec;
    use keisei_games::GameName;

    #[test]
    fn every_rung_names_a_player_and_the_first_one_plays_at_random() {
        for &game in GameName::NAMES {
            let rungs = rungs(game);
            assert_eq!(rungs[0], rung("random", "random"));
            for rung in rungs {
                let spec: PlayerSpec = rung.player.parse().unwrap();
                let named = match spec {
                    PlayerSpec::Engine(engine) => engine.name,
                    other => Some(other.to_string()),
                };
                assert_eq!(named.as_deref(), Some(rung.name));
            }
        }
    }
}
