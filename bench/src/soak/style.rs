//! How the players of a soak choose: random moves alone meet rare rules too rarely.

use keisei_game::SplitMix64;
use keisei_shogi::{Move, PieceKind, Position};

use super::peer::Peer;

/// What a player likes. It takes a wished move mostly, and any move otherwise or if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Check,
    /// A check by two pieces.
    DoubleCheck,
    /// A check that also takes the player's last move back.
    CheckBack,
    /// The player's last move, back.
    Back,
    Capture,
    Drop,
    /// A pawn drop in front of the other king.
    PawnDropCheck,
    Promotion,
    KingMove,
}

/// The wishes of each player, dearest first.
pub(super) struct Style {
    wishes: [&'static [Wish]; 2],
    /// In how many of 16 cases a wish is heeded.
    eagerness: usize,
}

impl Style {
    /// A style for a game, drawn at random.
    pub(super) fn choose(rng: &mut SplitMix64) -> Self {
        use Wish::*;
        /// Wishes of both players; half of the time they are exchanged.
        const STYLES: [[&[Wish]; 2]; 9] = [
            [&[], &[]],
            [&[DoubleCheck, Check], &[DoubleCheck, Check]],
            [&[DoubleCheck, Check, PawnDropCheck], &[Capture]],
            [&[Drop], &[Drop]],
            [&[PawnDropCheck, Check, Drop], &[PawnDropCheck, Capture, KingMove]],
            [&[Capture, Promotion], &[Capture, Promotion]],
            [&[Back], &[Back]],
            [&[CheckBack, Check, Back], &[Back, KingMove]],
            [&[CheckBack, Check, Back], &[CheckBack, Check, Back]],
        ];
        let mut wishes = STYLES[rng.below(STYLES.len())];
        if rng.next_u64() & 1 == 0 {
            wishes.reverse();
        }
        Self { wishes, eagerness: 8 + rng.below(8) }
    }

    /// One of `moves`, which are the legal ones and not empty. `last` is the player's last move.
    pub(super) fn pick(
        &self,
        position: &Position,
        peer: &Peer,
        moves: &[Move],
        last: Option<Move>,
        rng: &mut SplitMix64,
    ) -> Move {
        for &wish in self.wishes[position.turn() as usize] {
            if rng.below(16) >= self.eagerness {
                continue;
            }
            let wished: Vec<_> = moves
                .iter()
                .copied()
                .filter(|&mv| grants(wish, position, peer, mv, last))
                .collect();
            if let Some(mv) = rng.choose(&wished) {
                return mv;
            }
        }
        moves[rng.below(moves.len())]
    }
}

fn grants(wish: Wish, position: &Position, peer: &Peer, mv: Move, last: Option<Move>) -> bool {
    let back = || {
        last.is_some_and(|last| mv.from() == Some(last.to()) && last.from() == Some(mv.to()))
            && !mv.promotes()
    };
    match wish {
        Wish::Check => peer.gives_check(mv),
        Wish::DoubleCheck => peer.gives_check(mv) && is_double_check(position, mv),
        Wish::CheckBack => back() && peer.gives_check(mv),
        Wish::Back => back(),
        Wish::Capture => position.piece_at(mv.to()).is_some(),
        Wish::Drop => mv.is_drop(),
        Wish::PawnDropCheck => {
            mv.dropped().is_some_and(|kind| kind.kind() == PieceKind::Pawn) && peer.gives_check(mv)
        }
        Wish::Promotion => mv.promotes(),
        Wish::KingMove => mv.from().is_some() && mv.from() == position.king(position.turn()),
    }
}

fn is_double_check(position: &Position, mv: Move) -> bool {
    let mut after = *position;
    after.play_unchecked(mv);
    after.checkers().len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_eager_player_takes_back_and_captures_as_wished() {
        let position: Position = "4k4/9/9/9/9/9/4p4/4R4/4K4 b - 1".parse().unwrap();
        let peer = Peer::new(&position.to_string()).unwrap();
        let moves = position.legal_moves();
        let mut rng = SplitMix64::new(0);
        let mut pick = |wish: &'static [Wish], last: Option<&str>| {
            let style = Style { wishes: [wish, &[]], eagerness: 16 };
            let last = last.map(|text| text.parse().unwrap());
            style.pick(&position, &peer, &moves, last, &mut rng).to_string()
        };
        assert_eq!(pick(&[Wish::Capture], None), "5h5g");
        assert_eq!(pick(&[Wish::Back], Some("3h5h")), "5h3h");
        assert!(pick(&[Wish::CheckBack, Wish::KingMove], Some("3h5h")).starts_with("5i"));
    }
}
