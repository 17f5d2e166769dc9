//! A number for every position of a set of pieces, the same for a position, its mirror image and
//! the same position with the players exchanged.

use keisei_game::Side;

use crate::{Bitboard, Board, HandKind, Piece, PieceKind, Square};

/// Numbers the positions in which both lions and a given set of other pieces are in play.
///
/// Seen by the side to move, a position is the squares of the lions and then, for giraffes,
/// elephants and chicks in turn, the free squares that they take and who holds the rest. Each of
/// these choices has its digit; nothing else is counted, so the numbers have no gaps but where both
/// lions stand on the middle file and the mirror image has the smaller number.
///
/// With the pieces of the game there are 1,567,925,964 positions for one side to move, and the
/// mirror leaves 855,232,344 numbers.
#[derive(Clone, Debug)]
pub struct Index {
    /// How many giraffes, elephants and chicks there are.
    totals: [u8; KINDS],
    /// How many ways the kinds from the n-th on can stand on so many free squares.
    ways: [[u32; FREE + 1]; KINDS + 1],
}

const KINDS: usize = HandKind::ALL.len();
/// The squares that lions leave free.
const FREE: usize = Square::COUNT - 2;
/// The order of the digits. Chicks come last, as they have the most ways to stand.
const ORDER: [HandKind; KINDS] = [HandKind::Giraffe, HandKind::Elephant, HandKind::Chick];

/// The pairs of squares of own and other lion that are kept: those whose mirror image is kept have
/// the own lion on the left, or in the middle and the other lion not on the right.
static LIONS: LionPairs = LionPairs::new();

struct LionPairs {
    /// The number of a pair, or `None` if its mirror image has one.
    numbers: [[Option<u8>; Square::COUNT]; Square::COUNT],
    pairs: [(u8, u8); 72],
}

impl LionPairs {
    const fn new() -> Self {
        let mut numbers = [[None; Square::COUNT]; Square::COUNT];
        let mut pairs = [(0, 0); 72];
        let (mut count, mut own) = (0, 0);
        while own < Square::COUNT {
            let mut other = 0;
            while other < Square::COUNT {
                let (column, other_column) = (own % Square::FILES, other % Square::FILES);
                if own != other && (column == 0 || column == 1 && other_column <= 1) {
                    numbers[own][other] = Some(count as u8);
                    pairs[count] = (own as u8, other as u8);
                    count += 1;
                }
                other += 1;
            }
            own += 1;
        }
        assert!(count == pairs.len());
        Self { numbers, pairs }
    }
}

impl Index {
    /// The numbering of all positions with the pieces of `board`.
    pub fn of(board: Board) -> Self {
        let count = |kind| {
            let on_board: usize = forms(kind).iter().map(|&form| board.kind(form).len()).sum();
            let held = Side::ALL.map(|side| board.in_hand(side, kind));
            on_board as u8 + held[0] + held[1]
        };
        Self::with_totals(ORDER.map(count))
    }

    /// The numbering with so many giraffes, elephants and chicks.
    pub(super) fn with_totals(totals: [u8; KINDS]) -> Self {
        let mut ways = [[0; FREE + 1]; KINDS + 1];
        ways[KINDS] = [1; FREE + 1];
        for kind in (0..KINDS).rev() {
            for free in 0..=FREE {
                let stand = |standing: usize| {
                    choices(totals[kind], ORDER[kind], standing, free)
                        * ways[kind + 1][free - standing]
                };
                ways[kind][free] = (0..=usize::from(totals[kind]).min(free)).map(stand).sum();
            }
        }
        Self { totals, ways }
    }

    /// How many giraffes, elephants and chicks there are.
    pub(super) const fn totals(&self) -> [u8; KINDS] {
        self.totals
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        LIONS.pairs.len() * self.ways[0][FREE] as usize
    }

    /// Whether there are no numbers; there always are.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a position, or `None` if a lion is missing or there are other pieces.
    pub fn number(&self, board: Board) -> Option<usize> {
        if Self::of(board).totals == self.totals { self.number_unchecked(board) } else { None }
    }

    /// The number of a position with the right pieces, or `None` if a lion is missing.
    #[inline]
    pub(super) fn number_unchecked(&self, board: Board) -> Option<usize> {
        let board = if board.turn() == Side::First { board } else { board.rotated() };
        let own = board.lion(Side::First)?;
        let other = board.lion(Side::Second)?;
        let pair = LIONS.numbers[own.index()][other.index()];
        let (pair, board) = match pair {
            Some(pair) => (pair, board),
            None => {
                let pair = LIONS.numbers[own.mirrored().index()][other.mirrored().index()];
                (pair.expect("a pair or its mirror image is kept"), board.mirrored())
            }
        };
        let mut rest = self.rest(board);
        if own.column() == 1 && other.column() == 1 {
            rest = rest.min(self.rest(board.mirrored()));
        }
        Some(usize::from(pair) * self.ways[0][FREE] as usize + rest as usize)
    }

    /// The digits behind the lions.
    #[inline]
    fn rest(&self, board: Board) -> u32 {
        let second = board.pieces(Side::Second);
        let hens = board.kind(PieceKind::Hen);
        let mut free = !board.kind(PieceKind::Lion);
        let mut rest = 0;
        for (place, kind) in ORDER.into_iter().enumerate() {
            let total = self.totals[place];
            if total == 0 {
                continue;
            }
            let mut standing = board.kind(kind.kind());
            if kind == HandKind::Chick {
                standing = standing | hens;
            }
            let held = u32::from(board.in_hand(Side::Second, kind));
            let squares = free.len();
            let digit = |square: Square| {
                let side = u32::from(second.has(square));
                match kind {
                    HandKind::Chick => 2 * side + u32::from(hens.has(square)),
                    _ => side,
                }
            };
            let base = states(kind);
            let place_of = |square: Square| {
                (free & Bitboard::from_bits((1 << square.index()) - 1)).len() as u32
            };
            let mut each = standing;
            let (count, choice) = match (each.next(), each.next()) {
                (None, _) => (0, held),
                (Some(one), None) => {
                    let held_ways = u32::from(total);
                    (1, (place_of(one) * base + digit(one)) * held_ways + held)
                }
                (Some(low), Some(high)) => {
                    let (low_place, high_place) = (place_of(low), place_of(high));
                    let pair = high_place * (high_place - 1) / 2 + low_place;
                    (2, (pair * base + digit(low)) * base + digit(high))
                }
            };
            let next = &self.ways[place + 1];
            for fewer in 0..count {
                rest += choices(total, kind, fewer, squares) * next[squares - fewer];
            }
            rest += choice * next[squares - count];
            free = free - standing;
        }
        rest
    }

    /// The position with a number, the first player to move; or its mirror image.
    #[inline]
    pub fn board(&self, number: usize) -> Board {
        let size = self.ways[0][FREE] as usize;
        let (own, other) = LIONS.pairs[number / size];
        let mut rest = (number % size) as u32;
        let mut board = Board::EMPTY;
        for (side, index) in Side::ALL.into_iter().zip([own, other]) {
            let square = Square::new(index).expect("on the board");
            board.put(Piece { side, kind: PieceKind::Lion }, square);
        }
        for (place, kind) in ORDER.into_iter().enumerate() {
            let total = self.totals[place];
            let free = !board.occupied();
            let squares = free.len();
            let mut standing = 0;
            loop {
                let block = choices(total, kind, standing, squares)
                    * self.ways[place + 1].get(squares - standing).copied().unwrap_or(0);
                if rest < block {
                    break;
                }
                rest -= block;
                standing += 1;
            }
            let below = self.ways[place + 1][squares - standing];
            let mut choice = rest / below;
            rest %= below;
            let base = states(kind);
            let mut stand = |place: u32, digit: u32| {
                let square = free.nth_square(place);
                let (side, form) = match kind {
                    HandKind::Chick if digit & 1 == 1 => (digit >> 1, PieceKind::Hen),
                    HandKind::Chick => (digit >> 1, PieceKind::Chick),
                    _ => (digit, kind.kind()),
                };
                board.put(Piece { side: Side::ALL[side as usize], kind: form }, square);
            };
            let mut held = [0, 0];
            match standing {
                0 => held[1] = choice,
                1 => {
                    let held_ways = u32::from(total);
                    held[1] = choice % held_ways;
                    choice /= held_ways;
                    stand(choice / base, choice % base);
                }
                _ => {
                    let high_digit = choice % base;
                    choice /= base;
                    let low_digit = choice % base;
                    let pair = choice / base;
                    let mut high = 1;
                    while (high + 1) * high / 2 <= pair {
                        high += 1;
                    }
                    stand(pair - high * (high - 1) / 2, low_digit);
                    stand(high, high_digit);
                }
            }
            held[0] = u32::from(total) - standing as u32 - held[1];
            for side in Side::ALL {
                board.set_hand(side, kind, held[side as usize] as u8);
            }
        }
        board
    }
}

/// What a piece of the hand is on the board.
const fn forms(kind: HandKind) -> &'static [PieceKind] {
    match kind {
        HandKind::Chick => &[PieceKind::Chick, PieceKind::Hen],
        HandKind::Elephant => &[PieceKind::Elephant],
        HandKind::Giraffe => &[PieceKind::Giraffe],
    }
}

/// In how many ways a piece can stand on its square: whose it is, and whether a chick is a hen.
const fn states(kind: HandKind) -> u32 {
    2 * forms(kind).len() as u32
}

/// In how many ways `standing` of `total` pieces can stand on `free` squares and the others be held.
#[inline]
const fn choices(total: u8, kind: HandKind, standing: usize, free: usize) -> u32 {
    let (base, free) = (states(kind), free as u32);
    match (standing, total) {
        (0, _) => total as u32 + 1,
        (1, 1..) => free * base * total as u32,
        (2, 2..) => free * free.saturating_sub(1) / 2 * base * base,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use keisei_game::SplitMix64;

    fn whole_game() -> Index {
        Index::of(Position::start().board())
    }

    #[test]
    fn the_game_has_as_many_positions_as_were_counted_before() {
        let index = whole_game();
        assert_eq!(132 * u64::from(index.ways[0][FREE]), 1_567_925_964);
        assert_eq!(index.len(), 855_232_344);
    }

    #[test]
    fn a_number_leads_to_its_position_and_back() {
        let index = whole_game();
        let mut rng = SplitMix64::new(7);
        let mut mirrored = 0;
        for _ in 0..200_000 {
            let number = (rng.next_u64() % index.len() as u64) as usize;
            let board = index.board(number);
            let back = index.number(board).unwrap();
            assert_eq!(index.number(board.mirrored()), Some(back));
            assert_eq!(index.number(board.rotated()), Some(back));
            let same = [board, board.mirrored()].contains(&index.board(back));
            assert!(back <= number && same, "{number}: {board:?}");
            mirrored += usize::from(back != number);
        }
        assert!(mirrored > 0, "some lions stand on the middle file both");
    }

    #[test]
    fn every_position_of_a_small_set_has_a_number_of_its_own() {
        let start: Position = "1l1/3/3/1L1 b Gc 1".parse().unwrap();
        let index = Index::of(start.board());
        let mut seen = std::collections::HashSet::new();
        for number in 0..index.len() {
            let board = index.board(number);
            let back = index.number(board).unwrap();
            assert!(back == number || index.board(back) == board.mirrored());
            assert!(seen.insert(board.bits()), "{number}");
        }
    }

    #[test]
    fn positions_without_a_lion_or_with_other_pieces_have_no_number() {
        let board = |text: &str| text.parse::<Position>().unwrap().board();
        assert_eq!(whole_game().number(board("gle/1c1/1C1/E1G b - 1")), None);
        assert_eq!(whole_game().number(board("gle/1c1/1C1/EL1 b - 1")), None);
    }
}
