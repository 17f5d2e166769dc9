//! The game tree: playing, stepping, reordering and deleting.

use keisei_chess::Chess;
use keisei_game::{Reason, Side};
use keisei_records::{EditError, Ending, NodeId, Record};
use keisei_shogi::{Move, Shogi};

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// Plays the moves from the start and gives back the last node.
fn line(record: &mut Record<Shogi>, moves: &[&str]) -> NodeId {
    record.first();
    moves.iter().for_each(|text| {
        record.play(mv(text)).unwrap();
    });
    record.current()
}

fn main_moves(record: &Record<Shogi>) -> Vec<String> {
    record.main_moves().map(|mv| mv.to_string()).collect()
}

#[test]
fn playing_a_move_that_is_there_follows_it_and_another_becomes_a_variation() {
    let mut record = Record::<Shogi>::new();
    let first = line(&mut record, &["7g7f", "3c3d"]);
    let again = line(&mut record, &["7g7f", "3c3d"]);
    assert_eq!(first, again);
    let other = line(&mut record, &["7g7f", "8c8d"]);
    let parent = record.node(other).parent().unwrap();
    assert_eq!(record.node(parent).children(), [first, other]);
    assert_eq!(main_moves(&record), ["7g7f", "3c3d"]);
    assert!(record.is_main(first) && !record.is_main(other));
}

#[test]
fn an_illegal_move_is_refused_with_its_rule_and_changes_nothing() {
    let mut record = Record::<Shogi>::new();
    let error = record.play(mv("7g7e")).unwrap_err();
    assert!(error.to_string().contains("a pawn cannot go from 7g to 7e"), "{error}");
    assert!(record.node(NodeId::ROOT).children().is_empty());
}

#[test]
fn nothing_follows_an_ending_but_moves_may_stand_beside_it() {
    let mut record = Record::<Shogi>::new();
    line(&mut record, &["7g7f"]);
    let end = record.end(Ending::Resignation).unwrap();
    assert!(matches!(record.play(mv("3c3d")), Err(EditError::Ended(Ending::Resignation))));
    assert!(record.end(Ending::Timeout).is_err());
    record.previous();
    let beside = record.play(mv("3c3d")).unwrap();
    let parent = record.node(end).parent().unwrap();
    assert_eq!(record.node(parent).children(), [end, beside]);
    assert_eq!(record.ending(), Some((Ending::Resignation, Side::Second)));
    let outcome = record.outcome().unwrap();
    assert_eq!((outcome.winner(), outcome.reason()), (Some(Side::First), Reason::Resignation));
}

#[test]
fn the_cursor_steps_along_the_line_visited_last() {
    let mut record = Record::<Shogi>::new();
    let main = line(&mut record, &["7g7f", "3c3d", "2g2f"]);
    let side = line(&mut record, &["7g7f", "8c8d", "2g2f", "8d8e"]);
    record.first();
    assert_eq!(record.last(), side);
    assert_eq!(record.position().to_string(), record.position_at(side).to_string());
    record.jump(main);
    record.first();
    assert_eq!(record.previous(), None);
    assert_eq!(record.last(), main);
    assert_eq!(record.next(), None);
    record.previous();
    let other = record.sibling().unwrap();
    assert_eq!(record.node(other).mv(), Some(mv("8c8d")));
    assert_eq!(record.last(), side);
    record.jump(other);
    record.sibling().unwrap();
    assert_eq!(record.last(), main);
    assert_eq!(record.sibling(), None);
}

#[test]
fn promoting_moves_a_variation_forward_and_make_main_moves_its_whole_line() {
    let mut record = Record::<Shogi>::new();
    line(&mut record, &["7g7f", "3c3d"]);
    line(&mut record, &["7g7f", "8c8d"]);
    let third = line(&mut record, &["7g7f", "4a3b", "2g2f"]);
    let second_ply = record.node(third).parent().unwrap();
    assert!(record.promote(second_ply));
    let parent = record.node(second_ply).parent().unwrap();
    let order: Vec<_> =
        record.node(parent).children().iter().map(|&id| record.node(id).mv()).collect();
    assert_eq!(order, [Some(mv("3c3d")), Some(mv("4a3b")), Some(mv("8c8d"))]);
    assert!(record.promote(second_ply) && !record.promote(second_ply));
    line(&mut record, &["2g2f"]);
    let deep = line(&mut record, &["2g2f", "8c8d"]);
    record.make_main(deep);
    assert_eq!(main_moves(&record), ["2g2f", "8c8d"]);
    assert_eq!(record.current(), deep);
    assert!(!record.promote(NodeId::ROOT));
}

#[test]
fn deleting_a_variation_moves_a_cursor_inside_it_back_to_its_parent() {
    let mut record = Record::<Shogi>::new();
    let keep = line(&mut record, &["7g7f", "3c3d"]);
    let tip = line(&mut record, &["7g7f", "8c8d", "2g2f"]);
    let root_of_it = record.node(tip).parent().unwrap();
    let parent = record.node(root_of_it).parent().unwrap();
    assert!(record.delete(root_of_it));
    assert_eq!(record.current(), parent);
    assert_eq!(record.position().to_string(), record.position_at(parent).to_string());
    assert_eq!(record.node(parent).children(), [keep]);
    assert_eq!(record.preorder().count(), 2);
    assert!(!record.delete(NodeId::ROOT));
    assert_eq!(record.last(), keep);
}

#[test]
fn preorder_visits_the_main_line_first_and_then_the_deepest_variations() {
    let mut record = Record::<Shogi>::new();
    line(&mut record, &["7g7f", "3c3d", "2g2f"]);
    line(&mut record, &["2g2f"]);
    line(&mut record, &["7g7f", "3c3d", "6g6f"]);
    line(&mut record, &["7g7f", "8c8d"]);
    let order: Vec<_> =
        record.preorder().map(|id| record.node(id).mv().unwrap().to_string()).collect();
    assert_eq!(order, ["7g7f", "3c3d", "2g2f", "6g6f", "8c8d", "2g2f"]);
}

#[test]
fn a_line_of_three_thousand_moves_with_a_variation_at_each_needs_no_deep_stack() {
    // Kings walk to and fro; at each move the other side of the walk is a variation.
    let start = "4k4/9/9/9/9/9/9/9/4K4 b - 1".parse().unwrap();
    let mut record = Record::<Shogi>::from_position(start);
    let walk = ["5i4i", "5a4a", "4i5i", "4a5a"];
    let aside = ["5i6i", "5a6a", "4i3i", "4a3a"];
    for ply in 0..3000 {
        let at = record.current();
        record.play(mv(walk[ply % 4])).unwrap();
        let main = record.current();
        record.jump(at);
        record.play(mv(aside[ply % 4])).unwrap();
        record.jump(main);
    }
    assert_eq!(record.preorder().count(), 6000);
    let copy = record.clone();
    assert!(copy.same_as(&record));
    record.delete(record.node(NodeId::ROOT).children()[0]);
    assert_eq!(record.preorder().count(), 1);
    assert!(!copy.same_as(&record));
}

#[test]
fn players_and_mates_are_known_for_both_games() {
    let mut chess = Record::<Chess>::new();
    chess.headers.push("White", "Anna");
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        chess.play(text.parse().unwrap()).unwrap();
    }
    assert_eq!(chess.player(Side::First), Some("Anna"));
    assert_eq!(chess.player(Side::Second), None);
    let outcome = chess.outcome().unwrap();
    assert_eq!((outcome.winner(), outcome.reason()), (Some(Side::Second), Reason::Checkmate));
    let mut shogi = Record::<Shogi>::new();
    shogi.headers.set("後手", "花子");
    shogi.headers.set("後手", "良子");
    assert_eq!(shogi.player(Side::Second), Some("良子"));
    assert_eq!(shogi.headers.len(), 1);
    assert!(shogi.outcome().is_none());
}

#[test]
fn demoting_undoes_promoting_and_the_last_variation_stays() {
    let mut record = Record::<Shogi>::new();
    let first = line(&mut record, &["7g7f", "3c3d"]);
    let second = line(&mut record, &["7g7f", "8c8d"]);
    let parent = record.node(first).parent().unwrap();
    assert!(record.demote(first));
    assert_eq!(record.node(parent).children(), [second, first]);
    assert!(!record.demote(first) && !record.demote(NodeId::ROOT));
    assert!(record.promote(first));
    assert_eq!(record.node(parent).children(), [first, second]);
    assert_eq!(record.current(), second);
}

#[test]
fn variations_are_visited_in_either_direction() {
    let mut record = Record::<Shogi>::new();
    let first = line(&mut record, &["7g7f"]);
    let second = line(&mut record, &["2g2f"]);
    let third = line(&mut record, &["5g5f"]);
    assert_eq!(record.sibling_before(), Some(second));
    assert_eq!(record.sibling_before(), Some(first));
    assert_eq!(record.sibling_before(), Some(third));
    assert_eq!(record.sibling(), Some(first));
    record.first();
    assert_eq!(record.sibling_before(), None);
}
