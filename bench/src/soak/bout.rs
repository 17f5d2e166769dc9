//! One game of a soak, played on both sides of the comparison.

use anyhow::{Context, Result, bail, ensure};
use keisei_game::{Game, Outcome, Reason, Side, SplitMix64};
use keisei_shogi::{Color, HandKind, Move, PieceKind, Position, Rules, Shogi};

use super::history::{History, Verdict};
use super::peer::{Peer, Repeated};
use super::starts::Starts;
use super::style::Style;
use super::tally::{Event, Tally};

/// A game is cut off after this many plies.
const PLY_LIMIT: usize = 300;

/// Plays the game numbered `game` of the soak with `seed`; the first disagreement is an error that
/// tells the game up to it.
pub(super) fn play(starts: &Starts, seed: u64, game: u64) -> Result<Tally> {
    let mut rng = SplitMix64::new(SplitMix64::new(seed).next_u64() ^ game);
    let (start, kind) = starts.choose(&mut rng);
    let mut bout = Bout {
        style: Style::choose(&mut rng),
        game: Shogi::with_rules(start, Rules { move_limit: None, ..Shogi::RULES }),
        peer: Peer::new(&start.to_string())?,
        history: History::new(),
        tally: Tally::default(),
        rng,
        moves: Vec::new(),
        peer_moves: Vec::new(),
    };
    bout.tally.count(kind);
    let one_king = Color::ALL.into_iter().any(|color| start.king(color).is_none());
    bout.tally.count_if(one_king, Event::MissingKing);
    bout.play().with_context(|| {
        let moves: Vec<_> = bout.game.moves().iter().map(Move::to_string).collect();
        format!("position sfen {start} moves {}", moves.join(" "))
    })?;
    Ok(bout.tally)
}

struct Bout {
    game: Shogi,
    peer: Peer,
    history: History,
    style: Style,
    rng: SplitMix64,
    tally: Tally,
    /// The legal moves by each side of the comparison, sorted.
    moves: Vec<Move>,
    peer_moves: Vec<Move>,
}

impl Bout {
    fn play(&mut self) -> Result<()> {
        loop {
            self.compare_position()?;
            self.compare_moves()?;
            let verdict = self.history.push(self.game.position(), self.peer.checkers() > 0);
            self.compare_end(&verdict)?;
            if self.game.is_over() || self.game.ply() == PLY_LIMIT {
                break;
            }
            self.play_move()?;
        }
        self.tally.count_if(!self.game.is_over(), Event::Unfinished);
        self.take_all_back()
    }

    /// Text, key and checks.
    fn compare_position(&mut self) -> Result<()> {
        let position = self.game.position();
        let (text, peer_text) = (position.to_string(), self.peer.sfen());
        ensure!(text == peer_text, "rsshogi writes the position as {peer_text}, not {text}");
        let read: Position = text.parse().with_context(|| format!("{text} is refused"))?;
        ensure!(
            read == *position,
            "{text} reads as another position: {read:?} instead of {position:?}"
        );
        let (checkers, peer_checkers) = (position.checkers().len(), self.peer.checkers());
        ensure!(
            checkers == peer_checkers,
            "{checkers} pieces give check in {text}, but {peer_checkers} by rsshogi"
        );
        ensure!(position.in_check() == (peer_checkers > 0), "in_check is wrong in {text}");
        self.tally.count_if(peer_checkers > 0, Event::Check);
        self.tally.count_if(peer_checkers > 1, Event::DoubleCheck);
        self.tally.count_if(self.peer.has_pin(), Event::Pin);
        Ok(())
    }

    /// The legal moves: as a set, as a count, in parts, and one by one.
    fn compare_moves(&mut self) -> Result<()> {
        let position = self.game.position();
        self.moves.clear();
        self.moves.extend_from_slice(&position.legal_moves());
        self.moves.sort_unstable();
        self.peer.list_moves(&mut self.peer_moves);
        self.peer_moves.sort_unstable();
        if self.moves != self.peer_moves {
            let only = |one: &[Move], other: &[Move]| -> String {
                let only = one.iter().filter(|mv| !other.contains(mv));
                only.map(|mv| format!(" {mv}")).collect()
            };
            bail!(
                "the legal moves differ in {position}\n  only by keisei:{}\n  only by rsshogi:{}",
                only(&self.moves, &self.peer_moves),
                only(&self.peer_moves, &self.moves)
            );
        }
        let count = position.count_legal_moves();
        ensure!(
            count == self.moves.len(),
            "{count} moves are counted in {position}, {} listed",
            self.moves.len()
        );
        let parts = position.legal_captures().len() + position.legal_quiets().len();
        ensure!(parts == count, "captures and quiets are {parts} moves of {count} in {position}");
        if let Some(mv) = Move::from_bits(self.rng.next_u64() as u16) {
            let listed = self.moves.binary_search(&mv).is_ok();
            ensure!(position.is_legal(mv) == listed, "is_legal({mv}) is {} in {position}", !listed);
        }
        match forbidden_pawn_drop(position, &self.moves) {
            Some(false) => self.tally.count(Event::PawnDropMate),
            Some(true) => self.tally.count(Event::PawnDropMateInCheck),
            None => {}
        }
        Ok(())
    }

    /// How the game stands: what it says, what its plain history says, and what rsshogi says.
    fn compare_end(&mut self, verdict: &Verdict) -> Result<()> {
        let position = self.game.position();
        ensure!(verdict.keys_agree, "keys and positions of the game differ at {position}");
        ensure!(
            self.game.repetitions() == verdict.repetitions,
            "{} repetitions of {position}, but {} are counted",
            verdict.repetitions,
            self.game.repetitions()
        );
        let expected =
            expected_end(position.turn().into(), self.peer.checkers(), &self.moves, verdict);
        let outcome = self.game.outcome();
        ensure!(
            outcome == expected,
            "{position} ends the game so: {outcome:?}, but should: {expected:?}"
        );
        let both = verdict.always_checked.len() == 2;
        if verdict.repetitions > 0 {
            self.tally.count(Event::Recurrence);
        }
        if verdict.other_hands || both {
            // rsshogi stops looking back at the same board with better or worse hands, and blames
            // the side to move where both sides did nothing but check.
            self.tally.count_if(verdict.repetitions > 0, Event::PeerCountsOtherwise);
        } else {
            self.compare_repetition(verdict, outcome)?;
        }
        self.tally_end(both);
        Ok(())
    }

    fn compare_repetition(&self, verdict: &Verdict, outcome: Option<Outcome>) -> Result<()> {
        let position = self.game.position();
        let repetitions = self.peer.repetitions();
        ensure!(
            repetitions == verdict.repetitions,
            "{} repetitions of {position}, but {repetitions} by rsshogi",
            verdict.repetitions
        );
        let by_rules = match outcome.map(|outcome| (outcome.reason(), outcome.winner())) {
            Some((Reason::Repetition, _)) => Repeated::Draw,
            Some((Reason::PerpetualCheck, Some(winner))) => Repeated::PerpetualCheckBy(!winner),
            _ => Repeated::NotYet,
        };
        let repeated = self.peer.repeated();
        ensure!(
            repeated == by_rules,
            "the repetition of {position} is {by_rules:?}, but {repeated:?} by rsshogi"
        );
        Ok(())
    }

    fn tally_end(&mut self, both_always_checked: bool) {
        let Some(outcome) = self.game.outcome() else { return };
        self.tally.count(match outcome.reason() {
            Reason::Checkmate => Event::Checkmate,
            Reason::NoMoves => Event::NoMoves,
            Reason::Repetition if both_always_checked => Event::BothAlwaysCheck,
            Reason::Repetition => Event::Repetition,
            _ if outcome.winner() == Some(self.game.turn()) => Event::PerpetualCheckByMover,
            _ => Event::PerpetualCheckByOther,
        });
    }

    /// Plays a move on both sides; it can be taken back exactly.
    fn play_move(&mut self) -> Result<()> {
        let before = *self.game.position();
        let last = self.game.ply().checked_sub(2).map(|ply| self.game.moves()[ply]);
        let mv = self.style.pick(&before, &self.peer, &self.moves, last, &mut self.rng);
        let gives_check = self.peer.gives_check(mv);
        ensure!(
            before.gives_check(mv) == gives_check,
            "{mv} in {before}: rsshogi says {gives_check} to whether it gives check"
        );
        let mut taken_back = before;
        let undo = taken_back.make(mv);
        taken_back.unmake(undo);
        ensure!(taken_back == before, "{mv} taken back in {before} leaves {taken_back:?}");
        self.tally.count(Event::Ply);
        self.tally.count_if(mv.is_drop(), Event::Drop);
        self.tally.count_if(mv.promotes(), Event::Promotion);
        self.tally.count_if(before.piece_at(mv.to()).is_some(), Event::Capture);
        self.peer.play(mv);
        self.game.play(mv).with_context(|| format!("{mv} is refused in {before}"))
    }

    fn take_all_back(&mut self) -> Result<()> {
        let mut game = self.game.clone();
        while game.undo().is_some() {}
        let (start, back) = (game.start(), game.position());
        ensure!(start == back, "taking all back leads to {back:?} instead of {start:?}");
        Ok(())
    }
}

/// The end that the rules prescribe, from rsshogi's moves and checks and the plain history.
fn expected_end(turn: Side, checkers: usize, moves: &[Move], verdict: &Verdict) -> Option<Outcome> {
    if moves.is_empty() {
        let reason = if checkers > 0 { Reason::Checkmate } else { Reason::NoMoves };
        return Some(Outcome::win(!turn, reason));
    }
    (verdict.repetitions == 3).then(|| match verdict.always_checked[..] {
        [checker] => Outcome::win(!checker, Reason::PerpetualCheck),
        _ => Outcome::draw(Reason::Repetition),
    })
}

/// Whether a pawn drop is missing from the legal `moves` because it would be mate: `Some(true)`
/// where the dropper is in check. For the tally only; what is legal is compared elsewhere.
pub(super) fn forbidden_pawn_drop(position: &Position, moves: &[Move]) -> Option<bool> {
    let us = position.turn();
    let king = position.king(!us)?;
    let front = king.offset(if us == Color::Black { 1 } else { -1 }, 0)?;
    let drop = Move::drop(HandKind::Pawn, front);
    let pawns = position.pieces_of(us, PieceKind::Pawn);
    let possible = position.hand(us).has(HandKind::Pawn)
        && position.piece_at(front).is_none()
        && pawns.into_iter().all(|pawn| pawn.file() != front.file())
        && moves.binary_search(&drop).is_err();
    if !possible {
        return None;
    }
    if !position.in_check() {
        return Some(false);
    }
    // In check a drop must interpose: that it would, another kind's drop tells.
    let interposes = moves.iter().any(|mv| mv.is_drop() && mv.to() == front);
    interposes.then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forbidden(sfen: &str) -> Option<bool> {
        let position: Position = sfen.parse().unwrap();
        let mut moves = position.legal_moves().to_vec();
        moves.sort_unstable();
        forbidden_pawn_drop(&position, &moves)
    }

    #[test]
    fn a_pawn_drop_that_mates_is_noticed() {
        assert_eq!(forbidden("7lk/9/8G/9/9/9/9/9/4K4 b P 1"), Some(false));
        assert_eq!(forbidden("7lk/9/8G/8P/9/9/9/9/4K4 b P 1"), None);
        assert_eq!(forbidden("8k/9/8G/9/9/9/9/9/4K4 b P 1"), None);
    }

    #[test]
    fn ends_follow_from_moves_checks_and_history() {
        let verdict = |repetitions, always_checked: &[Side]| Verdict {
            repetitions,
            always_checked: always_checked.to_vec(),
            keys_agree: true,
            other_hands: false,
        };
        let some: [Move; 1] = ["7g7f".parse().unwrap()];
        let end = |checkers, moves: &[Move], verdict: &Verdict| {
            expected_end(Side::First, checkers, moves, verdict)
        };
        let none = verdict(0, &[]);
        assert_eq!(end(1, &[], &none), Some(Outcome::win(Side::Second, Reason::Checkmate)));
        assert_eq!(end(0, &[], &none), Some(Outcome::win(Side::Second, Reason::NoMoves)));
        assert_eq!(end(1, &some, &verdict(2, &[Side::First])), None);
        let perpetual = Outcome::win(Side::Second, Reason::PerpetualCheck);
        assert_eq!(end(0, &some, &verdict(3, &[Side::First])), Some(perpetual));
        assert_eq!(end(0, &some, &verdict(3, &[])), Some(Outcome::draw(Reason::Repetition)));
    }
}
