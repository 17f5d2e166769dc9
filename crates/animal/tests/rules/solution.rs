//! The solver against a naive one, on games with few pieces.

use std::collections::HashMap;

use keisei_animal::tablebase::{Progress, Table, TableError, Value, solve};

use super::naive::Naive;
use super::position;

/// The number of the move, which is no part of a position here.
fn without_number(sfen: &str) -> String {
    sfen.rsplit_once(' ').unwrap().0.to_owned()
}

/// Every position that can be reached from `start`, with its value, by sweeping until nothing
/// changes.
fn naively_solved(start: &str) -> Vec<(String, Value)> {
    let mut texts = vec![without_number(start)];
    let mut numbers = HashMap::from([(texts[0].clone(), 0)]);
    let mut moves: Vec<Vec<usize>> = Vec::new();
    while let Some(text) = texts.get(moves.len()) {
        let naive = Naive::read(&format!("{text} 1"));
        let next = naive.moves().into_iter().map(|(_, next)| {
            let text = without_number(&next.write());
            *numbers.entry(text).or_insert_with_key(|text| {
                texts.push(text.clone());
                texts.len() - 1
            })
        });
        moves.push(next.collect());
    }
    let mut values: Vec<Option<Value>> =
        moves.iter().map(|next| next.is_empty().then_some(Value::Loss(0))).collect();
    for plies in 1..=u8::MAX {
        let loses = |&next: &usize| values[next] == Some(Value::Loss(plies - 1));
        let wins = |&next: &usize| matches!(values[next], Some(Value::Win(_)));
        let mut found = Vec::new();
        for (number, next) in moves.iter().enumerate().filter(|(it, _)| values[*it].is_none()) {
            if next.iter().any(loses) {
                found.push((number, Value::Win(plies)));
            } else if next.iter().all(wins) {
                found.push((number, Value::Loss(plies)));
            }
        }
        if found.is_empty() && plies > 2 {
            break;
        }
        for (number, value) in found {
            values[number] = Some(value);
        }
    }
    texts.into_iter().zip(values.into_iter().map(|value| value.unwrap_or(Value::Draw))).collect()
}

/// Compares the solvers in every position that can be reached, and gives how many are drawn.
fn draws_in(start: &str) -> usize {
    let table = solve(position(start).board(), 2, |_| {});
    let expected = naively_solved(start);
    for (text, value) in &expected {
        let board = position(&format!("{text} 1")).board();
        assert_eq!(table.value(board), Some(*value), "{text}");
    }
    assert!(expected.iter().any(|(_, value)| matches!(value, Value::Win(3..))));
    assert!(expected.iter().any(|(_, value)| matches!(value, Value::Loss(4..))));
    expected.iter().filter(|(_, value)| *value == Value::Draw).count()
}

#[test]
fn games_with_one_piece_are_solved_alike() {
    assert_eq!(draws_in("1l1/3/3/1L1 b G 1"), 0);
    assert!(draws_in("1l1/1c1/3/1L1 w - 1") > 0);
}

#[test]
fn a_game_with_two_elephants_is_solved_alike() {
    assert!(draws_in("1le/3/3/EL1 b - 1") > 0);
}

#[test]
fn a_table_survives_its_file_and_others_are_refused() {
    let start = position("1l1/3/3/1L1 b E 1").board();
    let decided = std::cell::Cell::new(0);
    let table = solve(start, 1, |progress| {
        if let Progress::Decided { positions, .. } = progress {
            decided.set(decided.get() + positions);
        }
    });
    let (draws, by_plies) = table.histogram();
    assert_eq!(draws + by_plies.iter().sum::<usize>(), table.len());
    assert_eq!(decided.get(), by_plies.iter().sum::<usize>());

    let path = std::env::temp_dir().join(format!("keisei-animal-{}", std::process::id()));
    table.save(&path).unwrap();
    let again = Table::load(&path).unwrap();
    assert_eq!(again.value(start), table.value(start));
    assert_eq!(again.histogram(), table.histogram());
    assert_eq!(again.value(position("gle/1c1/1C1/ELG b - 1").board()), None, "another game");

    let mut bytes = std::fs::read(&path).unwrap();
    bytes.pop();
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(Table::load(&path), Err(TableError::Length { .. })));
    bytes[0] = b'?';
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(Table::load(&path), Err(TableError::Format)));
    std::fs::remove_file(&path).unwrap();
}
