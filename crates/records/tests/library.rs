//! Statistics over a folder, occurrences of positions, and favourites.

use std::path::Path;

use keisei_game::Game;
use keisei_records::{
    Ending, Favorites, Library, Occurrence, Record, Sides, Statistics, Unreadable,
};
use keisei_shogi::{Position, Shogi};

fn game(moves: &str, ending: Option<Ending>) -> Record<Shogi> {
    let mut record = Record::new();
    for text in moves.split_whitespace() {
        record.play(text.parse().unwrap()).unwrap();
    }
    if let Some(ending) = ending {
        record.end(ending).unwrap();
    }
    record
}

fn after(moves: &str) -> Position {
    let mut game = Shogi::new();
    for text in moves.split_whitespace() {
        game.play(text.parse().unwrap()).unwrap();
    }
    *game.position()
}

fn summary(statistics: &Statistics<Shogi>, position: &Position) -> Vec<(String, [usize; 4])> {
    let moves = statistics.moves(position).into_iter();
    moves.map(|m| (m.mv.to_string(), [m.played, m.wins, m.draws, m.losses])).collect()
}

#[test]
fn moves_are_counted_and_scored_for_the_side_that_made_them() {
    let mut statistics = Statistics::new(Sides::Apart);
    // White resigns, White resigns, Black runs out of time, a draw, a game without an end.
    statistics.add(&game("7g7f", Some(Ending::Resignation)));
    statistics.add(&game("7g7f 3c3d 2g2f", Some(Ending::Resignation)));
    statistics.add(&game("2g2f 8c8d", Some(Ending::Timeout)));
    statistics.add(&game("2g2f 8c8d", Some(Ending::Repetition)));
    statistics.add(&game("2g2f 3c3d", None));
    assert_eq!(statistics.games(), 5);
    let start = Position::start();
    assert_eq!(
        summary(&statistics, &start),
        [("2g2f".to_owned(), [3, 0, 1, 1]), ("7g7f".to_owned(), [2, 2, 0, 0])]
    );
    let first = &statistics.moves(&start)[0];
    assert_eq!((first.score(), first.timeouts), (Some(0.25), 1));
    assert_eq!(
        summary(&statistics, &after("2g2f")),
        [("8c8d".to_owned(), [2, 1, 1, 0]), ("3c3d".to_owned(), [1, 0, 0, 0])]
    );
    assert_eq!(statistics.moves(&after("2g2f"))[1].score(), None);
    assert_eq!(statistics.moves(&after("9g9f")), []);
}

#[test]
fn transpositions_meet_and_every_place_of_a_position_is_found() {
    let mut statistics = Statistics::new(Sides::Apart);
    statistics.add(&game("7g7f 3c3d 2g2f 8c8d", None));
    statistics.add(&game("2g2f 8c8d 7g7f 3c3d", None));
    let meeting = after("7g7f 3c3d 2g2f 8c8d");
    assert_eq!(
        statistics.occurrences(&meeting),
        [Occurrence { game: 0, ply: 4 }, Occurrence { game: 1, ply: 4 }]
    );
    assert_eq!(statistics.occurrences(&Position::start()).len(), 2);
    assert_eq!(statistics.occurrences(&after("9g9f")), []);
    assert_eq!(statistics.positions(), 8);
}

#[test]
fn taken_together_both_sides_share_a_position_and_its_moves() {
    let mut statistics = Statistics::new(Sides::Together);
    // After 7g7f White's 3c3d is what Black's 7g7f would be after a pass; here the same pattern
    // arises with the colours exchanged.
    statistics.add(&game("7g7f 3c3d 2g2f", Some(Ending::Resignation)));
    let mirrored: Position =
        "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1".parse().unwrap();
    // In `mirrored` White has played 3c3d and Black is to move: 7g7f there is 3c3d after 7g7f.
    assert_eq!(summary(&statistics, &mirrored), [("7g7f".to_owned(), [1, 0, 0, 1])]);
    assert_eq!(summary(&statistics, &after("7g7f")), [("3c3d".to_owned(), [1, 0, 0, 1])]);
    let apart = {
        let mut apart = Statistics::new(Sides::Apart);
        apart.add(&game("7g7f 3c3d 2g2f", Some(Ending::Resignation)));
        apart.moves(&mirrored)
    };
    assert_eq!(apart, []);
}

#[test]
fn a_folder_is_read_whole_and_unreadable_files_are_listed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("records-library");
    let inner = folder.join("inner");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(folder.join("a.usi"), "position startpos moves 7g7f resign\n7g7f 3c3d\n")
        .unwrap();
    std::fs::write(folder.join("b.kifu"), "   1 ７五歩(77)\n").unwrap();
    std::fs::write(folder.join("c.pgn"), "1. e4 e5 1-0\n").unwrap();
    std::fs::write(folder.join("notes.txt"), "not a record").unwrap();
    std::fs::write(inner.join("d.csa"), "PI\n+\n+2726FU\n%TORYO\n").unwrap();
    let library = Library::<Shogi>::open(&folder, Sides::Apart).unwrap();
    assert_eq!(library.statistics.games(), 3);
    let chess = Library::<keisei_chess::Chess>::open(&folder, Sides::Apart).unwrap();
    assert_eq!((chess.statistics.games(), chess.sources.len()), (1, 1));
    let paths: Vec<_> =
        library.sources.iter().map(|s| (s.path.file_name().unwrap(), s.game)).collect();
    assert_eq!(paths, [("a.usi".as_ref(), 0), ("a.usi".as_ref(), 1), ("d.csa".as_ref(), 0)]);
    let [Unreadable::Record { path, error }] = &library.unreadable[..] else {
        panic!("{:?}", library.unreadable);
    };
    assert!(path.ends_with("b.kifu"));
    assert_eq!((error.line, error.column), (1, 6));
    assert_eq!(library.statistics.moves(&Position::start()).len(), 2);
    assert!(Library::<Shogi>::open(&folder.join("missing"), Sides::Apart).is_err());
}

#[test]
fn favourites_are_toggled_and_survive_as_text() {
    let mut favorites = Favorites::<Shogi>::new(Sides::Together);
    let start = Position::start();
    assert!(favorites.toggle(&start, "7g7f".parse().unwrap()));
    assert!(favorites.toggle(&start, "2g2f".parse().unwrap()));
    assert!(!favorites.toggle(&start, "2g2f".parse().unwrap()));
    let white = after("7g7f");
    assert!(favorites.toggle(&white, "3c3d".parse().unwrap()));
    let text = favorites.to_text();
    let back = Favorites::<Shogi>::from_text(&text, Sides::Together).unwrap();
    for (position, expected) in [(&start, "7g7f"), (&white, "3c3d")] {
        let moves: Vec<_> = back.moves(position).iter().map(ToString::to_string).collect();
        assert_eq!(moves, [expected]);
    }
    assert_eq!(back.to_text(), text);
    let error = Favorites::<Shogi>::from_text("nonsense\n", Sides::Apart).unwrap_err();
    assert_eq!(error.line, 1);
    let illegal = format!("{start}\t7g7e\n");
    assert!(Favorites::<Shogi>::from_text(&illegal, Sides::Apart).is_err());
}
