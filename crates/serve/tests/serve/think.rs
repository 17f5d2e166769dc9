//! Playing and analysing with the server's players.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::fixture::{Fixture, Socket};

fn task(id: u64, player: &str, position: &str, limits: Value) -> Value {
    json!({"type": "think", "id": id, "game": "shogi", "player": player, "position": position,
        "limits": limits})
}

async fn answer(socket: &mut Socket) -> Value {
    loop {
        let message = socket.json().await;
        if message["type"] != "report" {
            return message;
        }
    }
}

#[tokio::test]
async fn players_of_every_game_answer_with_a_move() {
    let server = Fixture::start().await;
    let mut socket = server.socket("/api/think").await;
    for (id, game, player) in [
        (1, "shogi", "ab:1"),
        (2, "chess", "greedy"),
        (3, "animal", "random"),
        (4, "shogi", "policy:shipped"),
    ] {
        let task = json!({"type": "think", "id": id, "game": game, "player": player,
            "position": "startpos"});
        socket.send(task).await;
        let answer = answer(&mut socket).await;
        assert_eq!(
            (&answer["type"], &answer["id"], &answer["answer"]),
            (&json!("answer"), &json!(id), &json!("play"))
        );
        assert!(answer["move"].is_string(), "{answer}");
    }
}

#[tokio::test]
async fn an_analysis_reports_several_lines_until_it_is_stopped() {
    let server = Fixture::start().await;
    let mut socket = server.socket("/api/think").await;
    let mut task = task(7, "net:shipped", "startpos moves 7g7f", json!({"infinite": true}));
    task["lines"] = json!(3);
    socket.send(task).await;
    let mut lines = [false; 4];
    while lines != [false, true, true, true] {
        let report = socket.of_type("report").await;
        assert_eq!(report["id"], 7);
        assert!(report["score"]["cp"].is_i64() && !report["moves"].as_array().unwrap().is_empty());
        lines[report["line"].as_u64().unwrap() as usize] = true;
    }
    socket.send(json!({"type": "stop"})).await;
    assert_eq!(answer(&mut socket).await["answer"], "play");
}

#[tokio::test]
async fn a_mate_is_reported_in_plies() {
    let server = Fixture::start().await;
    let mut socket = server.socket("/api/think").await;
    let position = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    socket.send(task(1, "net:shipped", position, json!({"nodes": 50}))).await;
    let mate = loop {
        let report = socket.json().await;
        if report["score"]["mate"].is_i64() || report["type"] == "answer" {
            break report;
        }
    };
    assert_eq!(mate["score"]["mate"], 1, "{mate}");
}

#[tokio::test]
async fn a_new_task_ends_the_one_before() {
    let server = Fixture::start().await;
    let mut socket = server.socket("/api/think").await;
    socket.send(task(1, "net:shipped", "startpos", json!({"infinite": true}))).await;
    socket.of_type("report").await;
    socket.send(task(2, "ab:1", "startpos", json!({}))).await;
    assert_eq!(answer(&mut socket).await["id"], 1);
    assert_eq!(answer(&mut socket).await["id"], 2);
}

#[tokio::test]
async fn no_player_thinks_for_longer_than_it_may() {
    let server =
        Fixture::with(|settings| settings.bounds.think_time = Duration::from_millis(500)).await;
    let mut socket = server.socket("/api/think").await;
    for limits in [json!({"infinite": true}), json!({"move_time_ms": 3_600_000})] {
        let began = Instant::now();
        socket.send(task(1, "net:shipped", "startpos", limits)).await;
        assert_eq!(answer(&mut socket).await["type"], "answer");
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }
}

#[tokio::test]
async fn players_that_clients_may_not_have_are_refused_by_name() {
    let server = Fixture::start().await;
    let mut socket = server.socket("/api/think").await;
    let outside = server.runs.parent().unwrap().join("secret.kif");
    let outside = format!("net:{}", outside.display());
    for player in [
        "usi:/bin/sh",
        "uci:/bin/sh",
        "gnushogi",
        "human",
        "ab:9",
        "nobody",
        "net:/etc/passwd",
        "net:../x",
        "policy:none",
        &outside,
    ] {
        socket.send(task(5, player, "startpos", json!({}))).await;
        let problem = socket.json().await;
        assert_eq!((&problem["type"], &problem["id"]), (&json!("problem"), &json!(5)), "{player}");
        assert!(problem["detail"].is_string() && problem["value"].is_string(), "{problem}");
    }
    for (position, word) in [
        ("startpos moves 7g7f 7g7f", "move 2"),
        ("sfen nonsense", "nonsense"),
        ("here", "startpos"),
        ("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "over"),
    ] {
        socket.send(task(6, "random", position, json!({}))).await;
        let problem = socket.json().await;
        assert_eq!(problem["value"], position);
        assert!(problem["detail"].as_str().unwrap().contains(word), "{problem}");
    }
    for nonsense in [json!({"type": "dance"}), json!([]), json!({"type": "think", "id": -1})] {
        socket.send(nonsense).await;
        assert_eq!(socket.json().await["type"], "problem");
    }
    socket.send(task(8, "random", "startpos", json!({}))).await;
    assert_eq!(answer(&mut socket).await["id"], 8, "the connection is still good");
}

#[tokio::test]
async fn a_client_has_a_few_players_at_most_and_gets_others_when_they_leave() {
    let server = Fixture::with(|settings| settings.bounds.players_per_client = 2).await;
    let first = server.socket("/api/think").await;
    let _second = server.socket("/api/think").await;
    let address = format!("ws://{}/api/think", server.address);
    let refused = tokio_tungstenite::connect_async(&address).await.unwrap_err();
    assert!(refused.to_string().contains("503"), "{refused}");
    drop(first);
    let again = async {
        while tokio_tungstenite::connect_async(&address).await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(crate::fixture::PATIENCE, again).await.unwrap();
}

#[tokio::test]
async fn who_leaves_is_not_thought_for() {
    let server = Fixture::with(|settings| settings.bounds.thinkers = 1).await;
    let mut leaves = server.socket("/api/think").await;
    leaves.send(task(1, "net:shipped", "startpos", json!({"infinite": true}))).await;
    leaves.of_type("report").await;
    drop(leaves);
    let mut stays = server.socket("/api/think").await;
    stays.send(task(2, "random", "startpos", json!({}))).await;
    assert_eq!(answer(&mut stays).await["answer"], "play", "the only thinker is free again");
}
