//! Reading JKF.

use std::time::Duration;

use keisei_shogi::{
    ByColor, Color, Hand, HandKind, Move, Piece, PieceKind, Position, Setup, Shogi, Square,
};

use super::super::csa;
use super::super::json::{Document, Json};
use super::super::presets::{self, Preset};
use crate::builder::{Budget, Builder};
use crate::notation::{Marks, Motion, MoveText, Relative, csa_kind};
use crate::{Headers, Limits, Problem, ReadError, Record};

/// Reads a JKF file.
pub fn read(text: &str) -> Result<Record<Shogi>, ReadError> {
    read_within(text, Limits::default())
}

/// Reads as [`read`] does, with limits of your own.
pub fn read_within(text: &str, limits: Limits) -> Result<Record<Shogi>, ReadError> {
    let document = Document::parse(text)?;
    let root = document.root();
    let headers = read_headers(root)?;
    // Some programs give the handicap as a header, beside the start position or instead of it.
    let named = headers.get("手合割");
    let preset = named.and_then(|name| Preset::find(|preset| preset.kif == name));
    let start = match (root.get("initial"), preset) {
        (Some(initial), _) => read_start(initial)?,
        (None, Some(preset)) => preset.position(),
        (None, None) => Position::start(),
    };
    let redundant = named == Some("その他") || preset.is_some_and(|p| p.position() == start);
    let budget = Budget::new(limits);
    let mut builder = Builder::new(start, &budget);
    *builder.headers() = headers;
    if redundant {
        builder.headers().remove("手合割");
    }
    let moves = root.get("moves").ok_or_else(|| root.error(Problem::Expected("moves")))?;
    // Forks wait until the line that they leave is read; the deepest is read first.
    let mut waiting = vec![(0, moves)];
    while let Some((ply, line)) = waiting.pop() {
        builder.go_back(ply);
        for &item in line.items()? {
            let entry = line.item(item);
            let before = builder.ply();
            read_entry(entry, &mut builder)?;
            if let Some(forks) = entry.get("forks") {
                let forks = forks.items()?.iter().rev().map(|&fork| (before, forks.item(fork)));
                waiting.extend(forks);
            }
        }
    }
    Ok(builder.finish())
}

fn read_headers(root: Json<'_>) -> Result<Headers, ReadError> {
    let mut headers = Headers::default();
    if let Some(header) = root.get("header") {
        for (key, value) in header.members()? {
            headers.push(presets::player_key(key), value.text()?);
        }
    }
    Ok(headers)
}

fn read_entry(entry: Json<'_>, builder: &mut Builder<'_, Shogi>) -> Result<(), ReadError> {
    if entry.members().is_err() {
        return Err(entry.error(Problem::Expected("an object for a move")));
    }
    if let Some(text) = entry.get("move") {
        let mv = read_move(text, builder)?;
        builder.play(mv).map_err(|problem| text.error(problem))?;
    }
    if let Some(name) = entry.get("special") {
        let ending = csa::parse_ending(name.text()?, builder.position().turn());
        let ending = ending.ok_or_else(|| name.error(Problem::Unknown("ending")))?;
        builder.end(ending).map_err(|problem| name.error(problem))?;
    }
    if let Some(time) = entry.get("time") {
        let now = time.get("now").ok_or_else(|| time.error(Problem::Expected("now")))?;
        builder.notes().time = Some(read_time(now)?);
    }
    if let Some(comments) = entry.get("comments") {
        for &item in comments.items()? {
            comments.item(item).text()?.split('\n').for_each(|line| builder.remark(line));
        }
    }
    Ok(())
}

fn read_time(time: Json<'_>) -> Result<Duration, ReadError> {
    let part = |key| match time.get(key) {
        Some(value) => value.whole(0, 1 << 32),
        None => Ok(0),
    };
    let seconds = part("h")? * 3600 + part("m")? * 60 + part("s")?;
    Ok(Duration::from_secs(seconds.unsigned_abs()))
}

fn read_move(text: Json<'_>, builder: &Builder<'_, Shogi>) -> Result<Move, ReadError> {
    let position = builder.position();
    if let Some(color) = text.get("color")
        && read_color(color)? != position.turn()
    {
        return Err(color.error(Problem::Contradiction("the side to move")));
    }
    let previous = builder.last_move().map(|mv| mv.to());
    let to = match text.get("to") {
        Some(to) => Some(read_square(to)?),
        None => None,
    };
    let from = match text.get("from") {
        Some(from) => Some(read_square(from)?),
        None => None,
    };
    let promotes = text.get("promote").map_or(Ok(false), Json::bool)?;
    let kind = match (text.get("piece"), from) {
        (Some(piece), _) => read_kind(piece)?,
        // The smallest form of a record leaves the piece to the board.
        (None, Some(from)) => {
            let piece = position.piece_at(from);
            let error = crate::notation::MoveTextError::EmptySquare(from);
            let problem = Problem::Move { ply: builder.ply() + 1, error };
            piece.ok_or_else(|| text.error(problem))?.kind
        }
        (None, None) => return Err(text.error(Problem::Expected("a piece"))),
    };
    let marks = match text.get("relative") {
        Some(relative) => read_marks(relative)?,
        None => Marks::default(),
    };
    // Without an origin and without marks of one, the piece is dropped.
    let drop = from.is_none() && marks.relative.is_none() && marks.motion.is_none();
    let scanned = MoveText::new(to, kind, marks, promotes, drop, from);
    let ply = builder.ply() + 1;
    scanned.resolve(position, previous).map_err(|error| text.error(Problem::Move { ply, error }))
}

fn read_marks(text: Json<'_>) -> Result<Marks, ReadError> {
    let mut marks = Marks::default();
    for letter in text.text()?.chars() {
        match letter {
            'L' => marks.relative = Some(Relative::Left),
            'C' => marks.relative = Some(Relative::Straight),
            'R' => marks.relative = Some(Relative::Right),
            'U' => marks.motion = Some(Motion::Up),
            'M' => marks.motion = Some(Motion::Sideways),
            'D' => marks.motion = Some(Motion::Back),
            'H' => marks.drop = true,
            _ => return Err(text.error(Problem::Expected("letters of L C R U M D H"))),
        }
    }
    Ok(marks)
}

fn read_square(place: Json<'_>) -> Result<Square, ReadError> {
    let part = |key| match place.get(key) {
        Some(value) => value.whole(1, 9),
        None => Err(place.error(Problem::Expected("x and y"))),
    };
    let (x, y) = (part("x")?, part("y")?);
    Square::at(y as u8 - 1, 9 - x as u8).ok_or_else(|| place.error(Problem::Expected("a square")))
}

fn read_color(color: Json<'_>) -> Result<Color, ReadError> {
    Ok(if color.whole(0, 1)? == 0 { Color::Black } else { Color::White })
}

fn read_kind(name: Json<'_>) -> Result<PieceKind, ReadError> {
    csa_kind(name.text()?).ok_or_else(|| name.error(Problem::Unknown("piece")))
}

fn read_start(initial: Json<'_>) -> Result<Position, ReadError> {
    let name = initial.get("preset");
    let name = name.ok_or_else(|| initial.error(Problem::Expected("a preset")))?;
    let text = name.text()?;
    if let Some(preset) = Preset::find(|preset| preset.jkf == text) {
        return Ok(preset.position());
    }
    if text != "OTHER" {
        return Err(name.error(Problem::Unknown("preset")));
    }
    let data = initial.get("data");
    let data = data.ok_or_else(|| initial.error(Problem::Expected("data for the preset")))?;
    let mut setup = Setup::EMPTY;
    if let Some(color) = data.get("color") {
        setup.turn = read_color(color)?;
    }
    if let Some(board) = data.get("board").filter(|board| board.items().is_ok()) {
        read_board(board, &mut setup)?;
    }
    if let Some(hands) = data.get("hands") {
        setup.hands = read_hands(hands)?;
    }
    Position::try_from(setup).map_err(|error| data.error(Problem::Position(error.to_string())))
}

fn read_board(board: Json<'_>, setup: &mut Setup) -> Result<(), ReadError> {
    let files = board.items()?;
    if files.len() > 9 {
        return Err(board.error(Problem::Expected("nine files")));
    }
    for (x, &file) in (0..).zip(files) {
        let file = board.item(file);
        let squares = file.items()?;
        if squares.len() > 9 {
            return Err(file.error(Problem::Expected("nine squares")));
        }
        for (y, &square) in (0..).zip(squares) {
            let square = file.item(square);
            if let Some(kind) = square.get("kind") {
                let color = square.get("color");
                let color = color.ok_or_else(|| square.error(Problem::Expected("a color")))?;
                setup.set(y, 8 - x, Some(Piece::new(read_color(color)?, read_kind(kind)?)));
            }
        }
    }
    Ok(())
}

fn read_hands(hands: Json<'_>) -> Result<ByColor<Hand>, ReadError> {
    let &[black, white] = hands.items()? else {
        return Err(hands.error(Problem::Expected("two hands")));
    };
    let mut read = ByColor([Hand::EMPTY; 2]);
    for (color, hand) in [(Color::Black, black), (Color::White, white)] {
        for (name, count) in hands.item(hand).members()? {
            let kind = csa_kind(name).and_then(PieceKind::in_hand);
            let kind: Option<HandKind> = kind.filter(|kind| csa_kind(name) == Some(kind.kind()));
            let most = kind.map_or(0, |kind| i64::from(kind.total()));
            let count = count.whole(0, most)? as u8;
            if let Some(kind) = kind {
                read[color] = read[color].with(kind, count);
            }
        }
    }
    Ok(read)
}
