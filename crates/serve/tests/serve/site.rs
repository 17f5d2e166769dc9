//! The web client as the server hands it out.

use std::io::Read;

use flate2::read::GzDecoder;
use keisei_engine::models;
use serde_json::Value;

use crate::fixture::{Fixture, Response};

const GZIP: &str = "accept-encoding: br;q=1.0, gzip;q=0.8, *;q=0.1\r\n";

fn unpacked(response: &Response) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(&*response.body).read_to_end(&mut plain).unwrap();
    plain
}

#[tokio::test]
async fn files_are_compressed_for_browsers_that_take_it() {
    let server = Fixture::start().await;
    let listing = "/models/models.json";
    let plain = server.get(listing).await;
    assert!(!plain.head.contains("content-encoding"), "{}", plain.head);
    let packed = server.request("GET", listing, GZIP, b"").await;
    for line in
        ["content-encoding: gzip", "vary: accept-encoding", "content-type: application/json"]
    {
        assert!(packed.head.contains(line), "{line}: {}", packed.head);
    }
    assert!(packed.body.len() < plain.body.len() / 2, "{}", packed.body.len());
    assert_eq!(unpacked(&packed), plain.body);
    for refused in ["", "accept-encoding: br\r\n", "accept-encoding: gzip;q=0, br\r\n"] {
        let answer = server.request("GET", listing, refused, b"").await;
        assert_eq!(answer.body, plain.body, "{refused}");
    }
}

#[tokio::test]
async fn what_compression_cannot_shrink_is_sent_as_it_is() {
    let server = Fixture::start().await;
    let weights = server.request("GET", "/models/shogi.safetensors", GZIP, b"").await;
    assert!(!weights.head.contains("content-encoding"), "{}", weights.head);
}

#[tokio::test]
async fn a_file_that_the_browser_has_is_not_sent_again() {
    let server = Fixture::start().await;
    let first = server.request("GET", "/models/models.json", GZIP, b"").await;
    let tag = first.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let known = format!("if-none-match: {tag}\r\n");
    for headers in [known.clone(), known + GZIP] {
        let again = server.request("GET", "/models/models.json", &headers, b"").await;
        assert_eq!((again.status, again.body.len()), (304, 0));
    }
}

#[tokio::test]
async fn every_network_in_the_list_can_be_fetched_and_is_the_engine_s() {
    let server = Fixture::start().await;
    let listing: Value = serde_json::from_str(models::LISTING).unwrap();
    let networks = listing["networks"].as_array().unwrap();
    for file in networks.iter().map(|network| network["file"].as_str().unwrap()) {
        let answer = server.get(&format!("/models/{file}")).await;
        assert_eq!(answer.status, 200, "{file}");
        assert!(Some(&*answer.body) == models::weights(file), "{file}");
    }
    for level in listing["levels"].as_array().unwrap() {
        let known = |id: &Value| networks.iter().any(|network| network["id"] == *id);
        assert!(level.get("named").is_some() || known(&level["network"]), "{level}");
    }
}
