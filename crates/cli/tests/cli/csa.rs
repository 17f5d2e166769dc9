//! `keisei csa`.

use crate::{fails, scratch};

fn refused(code: i32, server: &str) -> String {
    let records = scratch("csa-refused");
    let records = records.to_str().unwrap();
    let who = ["--name", "a", "--password", "b", "--player", "random", "--records", records];
    fails(code, &[&["csa", server][..], &who].concat())
}

#[test]
fn a_port_that_is_none_is_refused_at_once() {
    let error = refused(2, "localhost:99999");
    assert!(error.contains("\"99999\" is no port"), "{error}");
}

#[test]
fn a_server_that_nobody_knows_is_not_tried_again() {
    // No name may be so long, so nobody has to be asked.
    let name = "x".repeat(64);
    let error = refused(1, &name);
    assert!(error.contains(&format!("cannot find the server {name}:4081")), "{error}");
}
