//! `keisei problems`.

use serde_json::Value;

use crate::{fails, file, keisei, scratch, stderr, stdout, succeeds};

/// A game in which Black mates with a gold that is supported by a pawn.
const GAME: &str = "position sfen l2nk2nl/9/4P4/p7p/9/9/P7P/9/L3K3L b GN 1 moves G*5b\n";

#[test]
fn problems_are_collected_from_games_and_reduced() {
    let games = file("problem-games.usi", GAME);
    let text = succeeds(&["problems", &games, "--plies", "3"]);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("# Mate problems of shogi from 1 game"), "{text}");
    assert_eq!(lines[1], "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1;1;G*5b");
    assert_eq!(lines.len(), 2);
    let list = file("problems.txt", &text);
    assert!(succeeds(&["mate", "--file", &list]).contains("1 position: 1 mate, 0 no mate"));
}

#[test]
fn a_mate_by_white_is_turned_round() {
    let game = "position sfen l3k3l/9/p7p/9/9/P7P/4p4/9/L2NK2NL w gn 1 moves G*5h\n";
    let games = file("white-mates.usi", game);
    let text = succeeds(&["problems", &games]);
    assert!(text.contains("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1;1;G*5b"), "{text}");
}

#[test]
fn the_same_solution_is_listed_once_and_folders_are_read() {
    let folder = scratch("problem-folder");
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["a.usi", "b.usi"] {
        std::fs::write(folder.join(name), GAME).unwrap();
    }
    std::fs::write(folder.join("notes.txt"), "no record").unwrap();
    let text = succeeds(&["problems", folder.to_str().unwrap()]);
    assert!(text.contains("from 2 games"), "{text}");
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn files_that_cannot_be_read_are_skipped_and_named() {
    let folder = scratch("problem-skipped");
    std::fs::create_dir_all(folder.join("deeper")).unwrap();
    std::fs::write(folder.join("deeper/good.usi"), GAME).unwrap();
    std::fs::write(folder.join("broken.csa"), "PI\n+\n+7775FU\n").unwrap();
    let done = keisei(&["problems", folder.to_str().unwrap()]).assert().success();
    assert!(stdout(&done).contains("from 1 game:"), "{}", stdout(&done));
    assert!(stderr(&done).contains("skipped: ") && stderr(&done).contains("broken.csa:3:"));
    assert!(fails(1, &["problems", "no-such.usi"]).contains("cannot read no-such.usi"));
}

#[test]
fn games_of_another_game_are_refused() {
    let games = file("problem-shogi.usi", GAME);
    let message = fails(1, &["problems", &games, "--game", "chess"]);
    assert!(message.contains("no game of chess"), "{message}");
}

#[test]
fn every_problem_of_the_web_client_has_the_mate_it_says() {
    for game in ["shogi", "chess"] {
        let file = format!("{}/../../web/public/problems/{game}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&file).unwrap();
        let problems: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(problems.len() > 100, "{} problems of {game}", problems.len());
        let solved = succeeds(&["mate", "--json", "--game", game, "--file", &file]);
        assert_eq!(solved.lines().count(), problems.len());
        for (problem, solution) in problems.into_iter().zip(solved.lines()) {
            let plies: u64 = problem.split(';').nth(1).unwrap().parse().unwrap();
            let solution: Value = serde_json::from_str(solution).unwrap();
            assert_eq!(solution["plies"], plies, "{problem}");
            assert_eq!(solution["shortest"], true, "{problem}");
        }
    }
}
