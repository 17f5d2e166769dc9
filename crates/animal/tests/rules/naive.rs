//! A second generator straight from the rule book: letters on a board, no bit in sight.

/// A position as letters: `l g e c h` for the second player, capitals for the first, `.` for an
/// empty square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Naive {
    board: [[char; 3]; 4],
    hand: Vec<char>,
    black: bool,
    number: u32,
}

/// Where a piece goes from `(row, column)`, up being forward.
fn steps(letter: char) -> Vec<(i32, i32)> {
    let cross = [(-1, 0), (0, -1), (0, 1), (1, 0)];
    let diagonal = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
    let steps = match letter.to_ascii_lowercase() {
        'c' => vec![(-1, 0)],
        'g' => cross.to_vec(),
        'e' => diagonal.to_vec(),
        'l' => [cross, diagonal].concat(),
        'h' => [&cross[..], &[(-1, -1), (-1, 1)]].concat(),
        _ => panic!("{letter}"),
    };
    if letter.is_ascii_uppercase() {
        steps
    } else {
        steps.into_iter().map(|(y, x)| (-y, x)).collect()
    }
}

fn name((row, column): (usize, usize)) -> String {
    format!("{}{}", ["3", "2", "1"][column], ["a", "b", "c", "d"][row])
}

impl Naive {
    pub(crate) fn read(sfen: &str) -> Self {
        let words: Vec<&str> = sfen.split(' ').collect();
        let mut board = [['.'; 3]; 4];
        for (rank, row) in words[0].split('/').zip(&mut board) {
            let cells = rank.replace("+C", "H").replace("+c", "h");
            let cells = cells.replace('1', ".").replace('2', "..").replace('3', "...");
            for (letter, cell) in cells.chars().zip(row) {
                *cell = letter;
            }
        }
        let mut hand = Vec::new();
        let mut count = 1;
        for letter in words[2].chars().filter(|&letter| letter != '-') {
            if letter == '2' {
                count = 2;
            } else {
                hand.extend(vec![letter; count]);
                count = 1;
            }
        }
        hand.sort();
        Self { board, hand, black: words[1] == "b", number: words[3].parse().unwrap() }
    }

    pub(crate) fn write(&self) -> String {
        let rank = |row: &[char; 3]| {
            let text: String = row.iter().collect();
            let text = text.replace("...", "3").replace("..", "2").replace('.', "1");
            text.replace('H', "+C").replace('h', "+c")
        };
        let board = self.board.iter().map(rank).collect::<Vec<_>>().join("/");
        let mut hand = String::new();
        for letter in "GECgec".chars() {
            match self.hand.iter().filter(|&&held| held == letter).count() {
                0 => {}
                1 => hand.push(letter),
                count => hand += &format!("{count}{letter}"),
            }
        }
        let hand = if hand.is_empty() { "-" } else { &hand };
        format!("{board} {} {hand} {}", if self.black { 'b' } else { 'w' }, self.number)
    }

    fn cells(&self) -> impl Iterator<Item = ((usize, usize), char)> {
        let board = self.board;
        (0..4).flat_map(move |row| (0..3).map(move |column| ((row, column), board[row][column])))
    }

    fn owns(letter: char, black: bool) -> bool {
        letter != '.' && letter.is_ascii_uppercase() == black
    }

    /// Where the pieces of one side could go, whatever comes of it.
    fn reach(&self, black: bool) -> Vec<((usize, usize), (usize, usize))> {
        let mut reach = Vec::new();
        for (from, letter) in self.cells().filter(|&(_, letter)| Self::owns(letter, black)) {
            for (y, x) in steps(letter) {
                let (row, column) = (from.0 as i32 + y, from.1 as i32 + x);
                if (0..4).contains(&row) && (0..3).contains(&column) {
                    let to = (row as usize, column as usize);
                    if !Self::owns(self.board[to.0][to.1], black) {
                        reach.push((from, to));
                    }
                }
            }
        }
        reach
    }

    fn lion(&self, black: bool) -> Option<(usize, usize)> {
        let lion = if black { 'L' } else { 'l' };
        self.cells().find(|&(_, letter)| letter == lion).map(|(square, _)| square)
    }

    /// Whether a side could take the other's lion.
    pub(crate) fn attacks_lion(&self, black: bool) -> bool {
        let lion = self.lion(!black);
        self.reach(black).iter().any(|&(_, to)| Some(to) == lion)
    }

    /// Whether the side to move has lost.
    pub(crate) fn lost(&self) -> bool {
        let goal = if self.black { 3 } else { 0 };
        self.lion(self.black).is_none()
            || self.lion(!self.black).is_some_and(|(row, _)| row == goal)
                && !self.attacks_lion(self.black)
    }

    /// The legal moves and where they lead.
    pub(crate) fn moves(&self) -> Vec<(String, Self)> {
        let mut moves = Vec::new();
        if self.lost() {
            return moves;
        }
        let next = Self { black: !self.black, number: self.number + 1, ..self.clone() };
        let ours = |letter: char| if self.black { letter.to_ascii_uppercase() } else { letter };
        for (from, to) in self.reach(self.black) {
            let mut next = next.clone();
            let piece = self.board[from.0][from.1];
            let taken = self.board[to.0][to.1].to_ascii_lowercase();
            next.board[from.0][from.1] = '.';
            match taken {
                '.' | 'l' => {}
                'h' => next.hand.push(ours('c')),
                _ => next.hand.push(ours(taken)),
            }
            next.hand.sort();
            let promotes = piece == ours('c') && to.0 == if self.black { 0 } else { 3 };
            next.board[to.0][to.1] = if promotes { ours('h') } else { piece };
            let plus = if promotes { "+" } else { "" };
            moves.push((format!("{}{}{plus}", name(from), name(to)), next));
        }
        let mut kinds: Vec<char> =
            self.hand.iter().copied().filter(|&letter| Self::owns(letter, self.black)).collect();
        kinds.dedup();
        for kind in kinds {
            for (to, _) in self.cells().filter(|&(_, letter)| letter == '.') {
                let mut next = next.clone();
                let held = next.hand.iter().position(|&letter| letter == kind).unwrap();
                next.hand.remove(held);
                next.board[to.0][to.1] = kind;
                moves.push((format!("{}*{}", kind.to_ascii_uppercase(), name(to)), next));
            }
        }
        moves
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            1
        } else {
            self.moves().iter().map(|(_, next)| next.perft(depth - 1)).sum()
        }
    }

    /// A perft by the rules of Fairy-Stockfish, which forbids to leave the lion in reach and lets a
    /// chick go to the last rank without promoting.
    pub(crate) fn fairy_perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves: Vec<Self> = self.moves().into_iter().map(|(_, next)| next).collect();
        for (text, mut next) in self.moves().into_iter().filter(|(text, _)| text.ends_with('+')) {
            let (row, column) = if self.black { (0, &text[2..3]) } else { (3, &text[2..3]) };
            let column = 3 - column.parse::<usize>().unwrap();
            next.board[row][column] = if self.black { 'C' } else { 'c' };
            moves.push(next);
        }
        moves.retain(|next| !next.attacks_lion(next.black));
        moves.iter().map(|next| next.fairy_perft(depth - 1)).sum()
    }
}
