//! What the API answers.

use std::fs;

use serde_json::{Value, json};

use crate::fixture::Fixture;

#[tokio::test]
async fn the_document_describes_every_route_and_each_of_them_answers() {
    let server = Fixture::start().await;
    server.add_run("first", 3);
    let document = server.json("/api").await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"), "{document}");
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() >= 14, "{:?}", paths.keys());
    let game = &paths["/api/players"]["get"]["parameters"][0]["schema"]["enum"];
    assert_eq!(game, &server.json("/api/server").await["games"]);
    for (path, methods) in paths {
        let path = path.replace("{run}", "first").replace("{file}", "x");
        for (method, operation) in methods.as_object().unwrap() {
            let answer = server.request(&method.to_uppercase(), &path, "", b"").await;
            let status = answer.status.to_string();
            let known = operation["responses"].as_object().unwrap();
            assert!(known.contains_key(&status), "{method} {path}: {status} is not described");
            assert!(answer.status < 500, "{method} {path}: {}", answer.text());
        }
    }
}

#[tokio::test]
async fn the_server_says_what_it_is() {
    let server = Fixture::start().await;
    let info = server.json("/api/server").await;
    assert_eq!(info["games"], json!(["shogi", "chess", "animal"]));
    assert_eq!(info["records"], true);
    let answer = server.get("/api/server").await;
    assert!(answer.head.contains("content-security-policy: default-src 'self'"), "{}", answer.head);
}

#[tokio::test]
async fn runs_are_listed_with_how_far_they_are() {
    let server = Fixture::start().await;
    let run = server.add_run("first", 3);
    server.add_run("second", 0);
    fs::write(run.join("finished"), "").unwrap();
    fs::create_dir(server.runs.join("no-run")).unwrap();
    let runs = server.json("/api/runs").await;
    let names: Vec<_> = runs.as_array().unwrap().iter().map(|run| &run["name"]).collect();
    assert_eq!(names, ["first", "second"]);
    let first = &runs[0];
    assert_eq!(
        (&first["step"], &first["finished"], &first["live"]),
        (&json!(192), &json!(true), &json!(false))
    );
    assert_eq!((&first["elo"], &first["game"]), (&json!(3.0), &json!("shogi")));
    assert_eq!(runs[1]["live"], true, "it was written just now");
    let run = server.json("/api/runs/first").await;
    assert_eq!(run["settings"], json!({"env": {"game": "shogi"}}));
    assert!(run["metrics"].as_array().unwrap().contains(&json!("losses/entropy")));
}

#[tokio::test]
async fn curves_are_reduced_to_the_points_that_were_asked_for() {
    let server = Fixture::start().await;
    server.add_run("first", 1000);
    let curves = |query: &'static str| {
        let server = &server;
        async move { server.json(&format!("/api/runs/first/metrics{query}")).await }
    };
    let all = curves("?points=50").await;
    assert_eq!((&all["records"], &all["generation"]), (&json!(1000), &json!(0)));
    assert_eq!(all["curves"].as_array().unwrap().len(), 4);
    for curve in all["curves"].as_array().unwrap() {
        assert!(curve["x"].as_array().unwrap().len() <= 50 && curve["count"] == 1000);
    }
    let part = curves("?names=losses/entropy,unknown&x=seconds&from=10&to=12").await;
    assert_eq!(part["curves"].as_array().unwrap().len(), 1);
    assert_eq!(part["curves"][0]["x"], json!([10.0, 11.0, 12.0]));
    for (query, value) in [("points=0", "0"), ("points=5000", "5000"), ("from=nan", "NaN")] {
        let refused = server.get(&format!("/api/runs/first/metrics?{query}")).await;
        assert_eq!((refused.status, &refused.json()["value"]), (400, &json!(value)), "{query}");
    }
}

#[tokio::test]
async fn games_models_and_the_ladder_are_read_from_the_folder() {
    let server = Fixture::start().await;
    let run = server.add_run("first", 1);
    let empty = server.json("/api/runs/first/games").await;
    assert_eq!(empty["playing"], json!([]));
    let game = json!({"position": "startpos moves 7g7f", "began_at": 0, "earlier_self": null,
        "end": {"winner": 0, "reason": "checkmate"}});
    let games = json!({"update": 7, "step": 8, "playing": [], "ended": [game]});
    fs::write(run.join("live.json"), games.to_string()).unwrap();
    fs::create_dir(run.join("games")).unwrap();
    let file = "update-0000000010-ab_2-greedy.usi";
    fs::write(run.join("games").join(file), "position startpos moves 7g7f\n").unwrap();
    let games = server.json("/api/runs/first/games").await;
    assert_eq!((&games["ended"][0], &games["files"]), (&game, &json!([file])));
    let text = server.get(&format!("/api/runs/first/games/{file}")).await.text();
    assert_eq!(text, "position startpos moves 7g7f\n");

    fs::create_dir(run.join("models")).unwrap();
    for step in [100, 20] {
        let name = format!("shogi_ppo_agent_step_{step}.safetensors");
        fs::write(run.join("models").join(name), [1, 2, 3]).unwrap();
    }
    let models = server.json("/api/runs/first/checkpoints").await;
    let steps: Vec<_> = models.as_array().unwrap().iter().map(|model| &model["step"]).collect();
    assert_eq!(steps, [20, 100]);
    let file = models[1]["file"].as_str().unwrap();
    assert_eq!(server.get(&format!("/api/runs/first/models/{file}")).await.body, [1, 2, 3]);

    let none = server.get("/api/runs/first/ladder").await;
    assert_eq!((none.status, &none.json()["value"]), (404, &json!("first")));
    fs::create_dir(run.join("ladder")).unwrap();
    let table = json!({"game": "shogi", "conditions": "", "rows": [], "left_out": [["a", "b"]]});
    fs::write(run.join("ladder/ladder.json"), table.to_string()).unwrap();
    assert_eq!(server.json("/api/runs/first/ladder").await, table);
}

#[tokio::test]
async fn players_are_those_of_the_command_line_that_play_the_game() {
    let server = Fixture::start().await;
    server.add_run("first", 1);
    let names = |players: Value| -> Vec<String> {
        let players = players.as_array().unwrap().iter();
        players.map(|player| player["name"].as_str().unwrap().to_owned()).collect()
    };
    let shogi = names(server.json("/api/players?game=shogi").await);
    let run = format!("net:{}", server.runs.join("first").display());
    for name in ["random", "ab:2", "net:shipped", "policy:shipped", &run] {
        assert!(shogi.iter().any(|found| found == name), "{name}: {shogi:?}");
    }
    let chess = names(server.json("/api/players?game=chess").await);
    assert!(!chess.iter().any(|name| name.contains("first")), "it learns shogi");
    let refused = server.get("/api/players?game=go").await;
    assert_eq!((refused.status, &refused.json()["value"]), (400, &json!("go")));
}

#[tokio::test]
async fn a_network_says_what_it_thinks_of_a_position() {
    let server = Fixture::start().await;
    let ask = |position: &str| json!({"game": "shogi", "network": "shipped", "position": position});
    let answer = server.post("/api/evaluate", &ask("startpos moves 7g7f")).await.json();
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 30);
    let sum: f64 = moves.iter().map(|mv| mv["probability"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-3 && (0.0..=1.0).contains(&answer["value"].as_f64().unwrap()));
    let refused = server.post("/api/evaluate", &ask("startpos moves 7g7e")).await;
    assert_eq!(refused.status, 422);
    assert!(
        refused.json()["detail"].as_str().unwrap().starts_with("move 1: "),
        "{}",
        refused.text()
    );
}
