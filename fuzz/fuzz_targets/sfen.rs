//! Any text is an SFEN or is refused; an SFEN survives its own text, and a position plays on.
#![no_main]

use keisei_shogi::{Position, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(setup) = text.parse::<Setup>() else {
        assert!(text.parse::<Position>().is_err(), "a position that is no setup");
        return;
    };
    assert_eq!(setup.to_string().parse(), Ok(setup), "the setup's text is another setup");
    let Ok(position) = Position::try_from(setup) else { return };
    assert_eq!(position.setup(), setup, "the position is another setup");
    assert_eq!(position.to_string().parse(), Ok(position), "the text is another position");
    let moves = position.legal_moves();
    assert_eq!(moves.len(), position.count_legal_moves());
    for &mv in &moves {
        let mut after = position;
        let undo = after.make(mv);
        assert!(!after.is_in_check(position.turn()), "{mv} leaves the king in check");
        assert_eq!(after.to_string().parse(), Ok(after), "the text is another position");
        after.unmake(undo);
        assert_eq!(after, position, "{mv} cannot be taken back");
    }
});
