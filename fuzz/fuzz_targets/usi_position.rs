//! Any text is a `position` line or is refused; a line that is followed leads to a sound game.
#![no_main]

use keisei_game::Game;
use keisei_shogi::Shogi;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(mut game) = text.parse::<Shogi>() else { return };
    let moves: Vec<_> = game.moves().iter().map(|mv| format!(" {mv}")).collect();
    let line = format!("position sfen {} moves{}", game.start(), moves.concat());
    let again: Shogi = line.parse().unwrap_or_else(|error| panic!("{line} is refused: {error}"));
    assert_eq!(again.position(), game.position(), "{line} leads elsewhere");
    assert_eq!(again.outcome(), game.outcome(), "{line} ends otherwise");
    assert_eq!(game.legal_moves().is_empty(), game.outcome().is_some());
    while game.undo().is_some() {}
    assert_eq!(game.position(), game.start(), "{line} cannot be taken back");
});
