//! No text makes a parser panic, and whatever is read can be written and read again.

use keisei_game::{Game, SplitMix64};
use keisei_shogi::{Handicap, Move, Position, Setup, Shogi, Square};
use proptest::prelude::*;
use proptest::test_runner::Config;

use crate::random::{STARTS, random_game};

/// Offers `text` to every parser.
fn read(text: &str) {
    if let Ok(setup) = text.parse::<Setup>() {
        assert_eq!(setup.to_string().parse(), Ok(setup), "{text:?}");
    }
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse(), Ok(position), "{text:?}");
        position.legal_moves();
    }
    if let Ok(mv) = text.parse::<Move>() {
        assert_eq!(mv.to_string(), text);
    }
    if let Ok(square) = text.parse::<Square>() {
        assert_eq!(square.to_string(), text);
    }
    if let Ok(handicap) = text.parse::<Handicap>() {
        assert!(handicap.name() == text || handicap.japanese() == text);
    }
    if let Ok(game) = text.parse::<Shogi>() {
        assert_eq!(Shogi::from_notation(&game.notation()).unwrap().position(), game.position());
    }
}

/// A few letters of `text` replaced, removed or doubled, or others put in.
fn garbled(text: &str, seed: u64) -> String {
    let mut rng = SplitMix64::new(seed);
    let letters: Vec<char> =
        "0123456789 +-*/bwPLNSGBRKplnsgbrkacdefhi王歩é\u{0}\t".chars().collect();
    let mut garbled: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(4) {
        let at = rng.below(garbled.len() + 1);
        let letter = rng.choose(&letters).unwrap();
        match rng.below(4) {
            0 => garbled.insert(at, letter),
            1 if at < garbled.len() => garbled[at] = letter,
            2 if at < garbled.len() => drop(garbled.remove(at)),
            3 => garbled.truncate(at),
            _ => {}
        }
    }
    garbled.into_iter().collect()
}

/// A text that some parser accepts.
fn valid(seed: u64) -> String {
    let mut rng = SplitMix64::new(seed);
    let game = random_game(&mut rng);
    match rng.below(5) {
        0 => game.notation(),
        1 => STARTS[rng.below(STARTS.len())].to_owned(),
        2 => Handicap::ALL[rng.below(13)].to_string(),
        3 => game.moves().first().map_or("7g7f".to_owned(), Move::to_string),
        _ => {
            let moves: Vec<_> = game.moves().iter().map(Move::to_string).collect();
            format!("position sfen {} moves {}", game.start(), moves.join(" "))
        }
    }
}

proptest! {
    #![proptest_config(Config { cases: 2000, failure_persistence: None, ..Config::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        read(&text);
    }

    #[test]
    fn any_text_in_the_letters_of_sfen_is_read_or_refused(
        text in "[1-9PLNSGBRKplnsgbrk+/]{0,90} [bw] [0-9PLNSGBRKplnsgbrk]{1,12} [0-9]{1,6}"
    ) {
        read(&text);
    }

    #[test]
    fn any_position_line_is_read_or_refused(
        text in "position (startpos|sfen 4k4/9/9/9/9/9/9/9/4K4 [bw] [PpGg]{1,3})( moves( [1-9][a-i][1-9][a-i]| [PG]\\*5[a-i]){0,4})?"
    ) {
        read(&text);
    }
}

proptest! {
    #![proptest_config(Config { cases: 500, failure_persistence: None, ..Config::default() })]

    #[test]
    fn valid_texts_are_read_and_garbled_ones_do_no_harm(seed: u64, garble: u64) {
        let text = valid(seed);
        read(&text);
        read(&garbled(&text, garble));
    }
}
