//! Players with a network.

use std::fs;

use keisei_chess::Chess;
use keisei_engine::network_player::{PolicyChoice, PolicyPlayer, SearchPlayer, load_network};
use keisei_engine::search::SearchSettings;
use keisei_engine::{Answer, Arena, Limits, Player};
use keisei_game::{Game, Rules};
use keisei_net::{CpuLearner, Learner, NetConfig, Uniform};
use keisei_shogi::Shogi;

use super::{CHESS, Judge, SHOGI, repeatable};

fn weights<G: Arena>(seed: u64) -> Vec<u8> {
    let config = NetConfig { blocks: 1, channels: 8, value_hidden: 8, ..NetConfig::default() };
    CpuLearner::<G::Actions>::new(&config, seed).unwrap().weights()
}

/// The move that `player` plays in `game`, which is checked to be legal.
fn played<G: Arena>(player: &mut dyn Player<G>, game: &G) -> G::Move {
    match player.choose(game, &Limits::nodes(20)).unwrap() {
        Answer::Play { mv, .. } => {
            assert!(game.legal_moves().contains(&mv));
            mv
        }
        answer => panic!("{answer:?}"),
    }
}

fn networks_play<G: Arena>(start: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.safetensors");
    fs::write(&file, weights::<G>(3)).unwrap();
    let game = G::with_rules(start.parse().unwrap(), Rules::between_programs(None));
    let mut search = SearchPlayer::<G>::open("net", &file, repeatable()).unwrap();
    let first = played(&mut search, &game);
    search.new_game().unwrap();
    assert_eq!(played(&mut search, &game), first, "the same weights, the same search");
    search.settings_mut().mirror = true;
    played(&mut search, &game);
    let network = load_network::<G>(&file).unwrap();
    let mut greedy = PolicyPlayer::<G>::new("greedy", network.clone(), PolicyChoice::Greedy, 0);
    assert_eq!(played(&mut greedy, &game), played(&mut greedy, &game));
    played(&mut greedy.with_mirror(), &game);
    let mut sampled = PolicyPlayer::<G>::new("p", network, PolicyChoice::Sampled(1.0), 1);
    let moves: Vec<_> = (0..20).map(|_| played(&mut sampled, &game)).collect();
    assert!(moves.iter().any(|mv| *mv != moves[0]), "draws differ");
}

#[test]
fn networks_play_legal_moves_in_both_games() {
    networks_play::<Shogi>(SHOGI);
    networks_play::<Chess>(CHESS);
}

#[test]
fn a_run_is_represented_by_its_newest_model() {
    let run = tempfile::tempdir().unwrap();
    let models = run.path().join("models");
    fs::create_dir(&models).unwrap();
    for (step, seed) in [(9_000, 1), (20_000, 2), (10_000, 3)] {
        let name = format!("shogi_ppo_agent_step_{step}.safetensors");
        fs::write(models.join(name), weights::<Shogi>(seed)).unwrap();
    }
    fs::write(models.join(".shogi_ppo_agent_step_30000.safetensors"), "unfinished").unwrap();
    fs::write(models.join("notes.txt"), "no weights").unwrap();
    let game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
    let by = |path: &std::path::Path| {
        let network = load_network::<Shogi>(path).unwrap();
        let mut player = PolicyPlayer::<Shogi>::new("p", network, PolicyChoice::Sampled(1.0), 5);
        (0..5).map(|_| played(&mut player, &game)).collect::<Vec<_>>()
    };
    let newest = models.join("shogi_ppo_agent_step_20000.safetensors");
    assert_eq!(by(run.path()), by(&newest));
    assert_eq!(by(&models), by(&newest));
}

#[test]
fn a_network_that_cannot_be_used_is_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let message = |path: &std::path::Path| {
        let settings = SearchSettings::default();
        SearchPlayer::<Chess>::open("net", path, settings).map(|_| ()).unwrap_err().to_string()
    };
    let empty = message(folder.path());
    assert!(empty.contains("*.safetensors") && empty.contains("models"), "{empty}");
    let missing = message(&folder.path().join("none.safetensors"));
    assert!(missing.contains("none.safetensors"), "{missing}");
    let file = folder.path().join("shogi.safetensors");
    fs::write(&file, weights::<Shogi>(0)).unwrap();
    let other = message(&file);
    assert!(other.contains("shogi.safetensors") && other.contains("\"chess\""), "{other}");
    fs::write(&file, "rubbish").unwrap();
    let damaged = message(&file);
    assert!(damaged.contains("not a weights file"), "{damaged}");
}

#[test]
fn a_win_is_declared_where_the_rules_let_it() {
    let game = Shogi::with_rules(
        "KGGSSBBRR/LL7/9/9/9/9/9/9/4k4 b 9P 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    let mut search = SearchPlayer::<Shogi, _>::new("net", Uniform, repeatable());
    assert_eq!(search.choose(&game, &Limits::nodes(10)).unwrap(), Answer::Win);
    let mut policy = PolicyPlayer::<Shogi, _>::new("p", Uniform, PolicyChoice::Greedy, 0);
    assert_eq!(policy.choose(&game, &Limits::nodes(10)).unwrap(), Answer::Win);
}

#[test]
fn resigning_is_off_until_asked_for() {
    let game = Chess::with_rules(
        "7k/R7/8/8/8/8/8/1R5K b - - 0 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    let mut player = SearchPlayer::<Chess, _>::new("net", Uniform, repeatable());
    assert!(matches!(player.choose(&game, &Limits::nodes(500)).unwrap(), Answer::Play { .. }));
    player.resign_below(Some(0.05));
    assert_eq!(player.choose(&game, &Limits::nodes(500)).unwrap(), Answer::Resign);
}

#[test]
fn the_expected_reply_is_offered_to_ponder_on() {
    let game = Chess::with_rules(CHESS.parse().unwrap(), Rules::between_programs(None));
    let judge = Judge(|_: &[u8]| 0.0);
    let mut player = SearchPlayer::<Chess, _>::new("net", judge, repeatable());
    let Answer::Play { mv, ponder: Some(reply) } =
        player.choose(&game, &Limits::nodes(500)).unwrap()
    else {
        panic!("no reply is expected")
    };
    let mut next = game.clone();
    next.play(mv).unwrap();
    next.play(reply).unwrap();
}

#[test]
fn a_game_that_is_over_gets_no_move() {
    let mut game = Chess::with_rules(CHESS.parse().unwrap(), Rules::between_programs(None));
    game.resign(game.turn());
    let mut player = SearchPlayer::<Chess, _>::new("net", Uniform, repeatable());
    let message = player.choose(&game, &Limits::nodes(10)).unwrap_err().to_string();
    assert_eq!(message, "net: the game is over");
}
