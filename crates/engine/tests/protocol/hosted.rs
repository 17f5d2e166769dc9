//! An engine inside a program without threads.

use keisei_engine::protocol::{EngineOptions, HostedEngine, NetworkEngine};
use keisei_shogi::Shogi;

fn engine() -> HostedEngine<Shogi> {
    let engine = NetworkEngine::with_source("Hosted", Box::new(|_| Ok(None)));
    HostedEngine::new(engine, EngineOptions { hash: 16, ..EngineOptions::default() })
}

/// What is said while there is work, at most `parts` parts of it.
fn work(engine: &mut HostedEngine<Shogi>, parts: usize) -> String {
    let mut said = String::new();
    for _ in 0..parts {
        if !engine.has_work() {
            break;
        }
        said += &engine.advance(&mut || true);
    }
    said
}

#[test]
fn it_greets_gets_ready_and_plays_between_pauses() {
    let mut engine = engine();
    let greeting = engine.tell("usi");
    assert!(greeting.starts_with("id name Hosted\nid author"), "{greeting}");
    assert!(greeting.ends_with("usiok\n"));
    assert_eq!(engine.tell("isready"), "");
    assert!(work(&mut engine, 10).ends_with("readyok\n"));
    engine.tell("usinewgame");
    engine.tell("position startpos moves 7g7f");
    engine.tell("go nodes 500");
    let said = work(&mut engine, 10_000);
    assert_eq!(said.matches("bestmove ").count(), 1, "{said}");
    assert!(said.contains(" pv "), "{said}");
    assert!(!engine.has_work());
}

#[test]
fn stop_ends_an_endless_search_and_nothing_is_said_after_quit() {
    let mut engine = engine();
    engine.tell("go infinite");
    assert!(!work(&mut engine, 50).contains("bestmove"));
    engine.tell("stop");
    assert!(work(&mut engine, 3).contains("bestmove "));
    engine.tell("go infinite");
    work(&mut engine, 5);
    assert_eq!(engine.tell("quit"), "");
    assert!(!engine.has_work());
    assert_eq!(engine.advance(&mut || false) + &engine.tell("usi"), "");
}

#[test]
fn a_search_that_waits_for_stop_has_nothing_to_do() {
    let mut engine = engine();
    // A mate in one is found at once, and told when the host asks for it.
    engine.tell("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    engine.tell("go infinite");
    assert!(!work(&mut engine, 100).contains("bestmove"));
    assert!(!engine.has_work());
    assert_eq!(engine.tell("stop"), "bestmove G*5b\n");
}

#[test]
fn mates_are_looked_for_in_parts() {
    let mut engine = engine();
    engine.tell("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    engine.tell("go mate infinite");
    assert_eq!(work(&mut engine, 100), "checkmate G*5b\n");
}
