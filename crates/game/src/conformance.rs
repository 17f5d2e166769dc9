//! The laws that every game obeys, as one suite that each game's tests call: [`check`].

use std::collections::HashSet;

use crate::{Game, Leaves, Position, Reason, Rules, Side, SplitMix64, perft};

/// Plays `games` random games of at most `plies` moves from the standard start and from each of
/// `starts`, and panics at the first law that does not hold.
pub fn check<G: Game>(starts: &[&str], games: u64, plies: usize) {
    let mut fresh = vec![G::new()];
    for text in starts {
        let game = G::from_notation(text).unwrap_or_else(|e| panic!("{text} is refused: {e}"));
        fresh.push(game);
    }
    for (index, start) in fresh.iter().enumerate() {
        counts_agree(start);
        the_move_limit_ends_a_game(start);
        for seed in 0..games {
            play_one(start.clone(), (index as u64) << 32 | seed, plies);
        }
    }
}

/// The three ways to count leaves agree.
fn counts_agree<G: Game>(game: &G) {
    let bulk = perft(game.position(), 2, Leaves::Bulk);
    assert_eq!(bulk, perft(game.position(), 2, Leaves::Count), "{}", game.notation());
    assert_eq!(bulk, perft(game.position(), 2, Leaves::Make), "{}", game.notation());
}

/// A game has the rules that it was made with, before and after a reset, and ends by its limit.
fn the_move_limit_ends_a_game<G: Game>(start: &G) {
    let rules = Rules { move_limit: Some(2), ..Rules::between_programs(None) };
    let mut game = G::with_rules(start.position().clone(), rules);
    assert_eq!(game.rules(), rules);
    crate::random_game(&mut game, 0, 3);
    assert!(game.ply() <= 2, "{} goes on beyond its limit", game.notation());
    if game.ply() == 2 {
        let outcome = game.outcome().expect("a game is over at its limit");
        let limit = outcome.reason() == Reason::MoveLimit;
        assert!(limit == outcome.truncated() && (!limit || outcome.is_draw()));
    }
    game.reset();
    assert_eq!(game.rules(), rules);
}

fn play_one<G: Game>(mut game: G, seed: u64, plies: usize) {
    let mut rng = SplitMix64::new(seed);
    let mut before = Vec::new();
    for _ in 0..plies {
        state_is_sound(&game);
        let Some(mv) = rng.choose(&game.legal_moves()) else { break };
        before.push((game.clone(), mv));
        a_move_passes_the_turn(&mut game, mv);
    }
    if game.outcome().is_none() {
        a_resignation_ends_the_game(game.clone());
    }
    let Some(start) = before.first().map(|(start, _)| start.clone()) else { return };
    // Undoing the whole game passes through every earlier state.
    while let Some((earlier, mv)) = before.pop() {
        assert_eq!(game.undo(), Some(mv), "undo takes back the last move");
        assert_same(&game, &earlier);
    }
    crate::random_game(&mut game, seed, plies.min(30));
    let played = game.moves().to_vec();
    game.reset();
    assert_same(&game, &start);
    crate::random_game(&mut game, seed, plies.min(30));
    assert_eq!(game.moves(), played, "the same seed gives the same game");
}

fn state_is_sound<G: Game>(game: &G) {
    let position = game.position();
    let moves = position.legal_moves();
    let moves = moves.as_ref();
    let text = game.notation();
    assert_eq!(moves.len(), position.count_legal_moves(), "the count agrees with the list: {text}");
    let distinct: HashSet<_> = moves.iter().collect();
    assert_eq!(distinct.len(), moves.len(), "no move is listed twice: {text}");
    assert!(!moves.is_empty() || game.outcome().is_some(), "no moves, yet no outcome: {text}");
    for &mv in moves {
        assert!(position.is_legal(mv), "{mv} is listed but not legal in {text}");
        if game.outcome().is_none() {
            let read = game.parse_move(&mv.to_string());
            assert!(
                read.as_ref().is_ok_and(|&read| read == mv),
                "{mv} reads as {read:?} in {text}"
            );
        }
    }
    let mates = |&mv: &G::Move| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        next.in_check() && next.count_legal_moves() == 0
    };
    let mating: Vec<_> = moves.iter().copied().filter(mates).collect();
    assert_eq!(position.mating_moves(), mating, "the mating moves are those that mate: {text}");
    let again = G::from_notation(&text).unwrap_or_else(|e| panic!("{text} is refused: {e}"));
    assert_eq!(again.notation(), text, "notation round-trips");
    assert_eq!(again.position().key(), position.key(), "a position's key is its own: {text}");
    let repeated = game.repetition_since(0);
    assert_eq!(repeated.is_some(), game.repetitions() > 0, "a repetition has a value: {text}");
    assert_eq!(game.repetition_since(game.ply()), None, "nothing repeats at once: {text}");
    if let Some(outcome) = game.outcome() {
        assert!(game.claimable().is_err(), "nothing is claimed in a finished game");
        let sum: f32 = Side::ALL.map(|side| outcome.reward(side)).iter().sum();
        assert_eq!(sum, 0.0, "rewards sum to zero");
        assert_eq!(game.reward(), outcome.reward(!game.turn()), "the reward is the mover's");
        assert!(game.legal_moves().is_empty(), "a finished game has no moves");
    } else {
        assert_eq!(game.reward(), 0.0, "a game that goes on rewards nobody");
    }
}

fn a_move_passes_the_turn<G: Game>(game: &mut G, mv: G::Move) {
    let (turn, ply) = (game.turn(), game.ply());
    game.play(mv).unwrap_or_else(|e| panic!("{mv} is legal but refused: {e}"));
    assert_eq!(game.turn(), !turn, "a move passes the turn");
    assert_eq!(game.ply(), ply + 1, "a move counts once");
    assert_eq!(game.moves().last(), Some(&mv), "a move is remembered");
}

fn a_resignation_ends_the_game<G: Game>(mut game: G) {
    let turn = game.turn();
    game.resign(turn);
    let outcome = game.outcome().expect("a resigned game is over");
    assert_eq!(outcome.winner(), Some(!turn), "the other side wins");
    assert!(game.legal_moves().is_empty());
}

fn assert_same<G: Game>(one: &G, two: &G) {
    assert_eq!(one.position(), two.position(), "every field of the position is restored");
    assert_eq!(one.moves(), two.moves());
    assert_eq!(one.outcome(), two.outcome());
    assert_eq!(one.repetitions(), two.repetitions());
    assert_eq!(one.notation(), two.notation());
}
