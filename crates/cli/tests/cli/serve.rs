//! `keisei serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::{fails, scratch};

/// A server that was started, and the address it printed.
fn start(arguments: &[&str]) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_keisei"))
        .arg("serve")
        .args(["--runs", scratch("serve-runs").to_str().unwrap()])
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("Keisei is at http://").unwrap().to_owned();
    (child, address)
}

fn ask(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
#[cfg(unix)]
fn it_says_where_it_is_answers_and_ends_well_when_asked() {
    let (mut child, address) = start(&["--listen", "0"]);
    let answer = ask(address.trim_end_matches('/'), "/api/server");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"shogi\""), "{answer}");
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
#[cfg(unix)]
fn beyond_loopback_it_makes_up_a_token_and_asks_for_it() {
    let (mut child, address) = start(&["--listen", "0.0.0.0:0"]);
    let (place, token) = address.split_once("/?token=").unwrap();
    assert_eq!(token.len(), 32);
    let port = place.rsplit_once(':').unwrap().1;
    let place = format!("127.0.0.1:{port}");
    assert!(ask(&place, "/api/server").starts_with("HTTP/1.1 401"));
    assert!(ask(&place, &format!("/?token={token}")).contains("set-cookie: keisei_token="));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_cannot_be_listened_on_is_named() {
    assert!(fails(2, &["serve", "--listen", "here"]).contains("'here'"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let message = fails(1, &["serve", "--listen", &address]);
    assert!(message.contains(&format!("cannot listen on {address}")), "{message}");
}
