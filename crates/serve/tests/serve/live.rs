//! Watching a run that goes on.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::fixture::{Fixture, line};

fn append(run: &Path, text: &str) {
    let mut file = OpenOptions::new().append(true).open(run.join("metrics.jsonl")).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[tokio::test]
async fn a_watcher_goes_on_where_its_curves_end() {
    let server = Fixture::start().await;
    let run = server.add_run("first", 5);
    let mut socket = server.socket("/api/runs/first/live?after=3&generation=0").await;
    let first = socket.json().await;
    assert_eq!(
        (&first["type"], &first["after"], &first["records"]),
        (&json!("metrics"), &json!(3), &json!(5))
    );
    assert_eq!(first["rows"][0]["step"], 256);
    let state = socket.of_type("state").await;
    assert_eq!((&state["finished"], &state["models"]), (&json!(false), &json!(0)));
    append(&run, &line(6));
    let more = socket.of_type("metrics").await;
    assert_eq!((&more["after"], &more["records"]), (&json!(5), &json!(6)));
    let row = &more["rows"][0];
    assert_eq!(
        (&row["update"], &row["seconds"], &row["values"]["eval/elo"]),
        (&json!(6), &json!(6.0), &json!(6.0))
    );
    let games = json!({"update": 6, "step": 7, "playing": [], "ended": []});
    fs::write(run.join("live.json"), games.to_string()).unwrap();
    assert_eq!(socket.of_type("games").await["step"], 7);
    fs::write(run.join("finished"), "").unwrap();
    assert_eq!(socket.of_type("state").await["finished"], true);
}

#[tokio::test]
async fn watchers_of_a_run_that_goes_back_are_told_to_begin_anew() {
    let server = Fixture::start().await;
    let run = server.add_run("first", 5);
    let mut socket = server.socket("/api/runs/first/live?after=5").await;
    socket.of_type("state").await;
    fs::write(run.join("metrics.jsonl"), line(1) + &line(2)).unwrap();
    assert_eq!(socket.of_type("restart").await["generation"], 1);
    let mut late = server.socket("/api/runs/first/live?after=5&generation=0").await;
    assert_eq!(late.json().await, json!({"type": "restart", "generation": 1}));
}

#[tokio::test]
async fn who_is_far_behind_is_sent_to_the_curves() {
    let server = Fixture::start().await;
    server.add_run("first", 5000);
    let mut socket = server.socket("/api/runs/first/live").await;
    assert_eq!(socket.json().await["type"], "restart");
    assert_eq!(server.get("/api/runs/none/live").await.status, 404);
    assert_eq!(server.get("/api/runs/first/live").await.status, 426);
}

#[tokio::test]
async fn a_watcher_that_does_not_read_holds_nobody_up() {
    let server = Fixture::start().await;
    let run = server.add_run("first", 1);
    let _slow = server.socket("/api/runs/first/live?after=1").await;
    let mut quick = server.socket("/api/runs/first/live?after=1").await;
    let records: String = (0..1500).map(|n| line(2 + n)).collect();
    let mut seen = 1;
    for part in 0..20 {
        let lines: String =
            records.lines().skip(part * 75).take(75).map(|line| format!("{line}\n")).collect();
        append(&run, &lines);
        while seen < 1 + (part as u64 + 1) * 75 {
            seen = quick.of_type("metrics").await["records"].as_u64().unwrap();
        }
    }
    assert_eq!(seen, 1501);
}

#[tokio::test]
async fn a_server_that_ends_says_so_to_everybody() {
    let mut server = Fixture::start().await;
    server.add_run("first", 1);
    let mut watcher = server.socket("/api/runs/first/live").await;
    let mut player = server.socket("/api/think").await;
    let task = json!({"type": "think", "id": 1, "game": "shogi", "player": "net:shipped",
        "position": "startpos", "limits": {"infinite": true}});
    player.send(task).await;
    player.of_type("report").await;
    server.end().await;
    for socket in [&mut watcher, &mut player] {
        let goodbye = loop {
            if let Message::Close(frame) = socket.next().await {
                break frame;
            }
        };
        assert_eq!(u16::from(goodbye.unwrap().code), 1001);
    }
}
