#![allow(missing_docs, clippy::print_stdout)]
use keisei_shogi::*;
use std::collections::BTreeSet;
fn theirs(s: &str) -> BTreeSet<String> {
    let pos = rsshogi::board::position_from_sfen(s).unwrap();
    let mut l = rsshogi::board::MoveList::new();
    rsshogi::board::generate_moves::<rsshogi::board::LegalAll>(&pos, &mut l);
    l.iter().map(|m| m.to_usi()).collect()
}
fn main() {
    let s = std::env::args().nth(1).unwrap();
    let p: Position = s.parse().unwrap();
    for m in &p.legal_moves() {
        let mut c = p;
        c.play_unchecked(*m);
        let t = c.to_string();
        let a: BTreeSet<String> = c.legal_moves().iter().map(|m| m.to_string()).collect();
        let b = theirs(&t);
        for x in a.symmetric_difference(&b) {
            println!("{t} after {m}: {x} ours={} ", a.contains(x));
            let mv = x.parse().unwrap();
            println!("{:?}", c.check_legal(mv));
        }
    }
}
