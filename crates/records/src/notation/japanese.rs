//! Japanese notation by the rules of the Japan Shogi Association.

use std::cmp::Ordering;

use keisei_shogi::{Color, Move, PieceKind, Position, Square};

use super::{NotationError, Rivals, SideMark, Spelling, moved_kind, rivals};

/// Where a piece comes from, seen by the mover: 左, 直, 右.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relative {
    /// 左: from the left.
    Left,
    /// 直: straight up, among rivals that also move up.
    Straight,
    /// 右: from the right.
    Right,
}

/// How a piece moves, seen by the mover: 上, 寄, 引.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Motion {
    /// 上: towards the opponent.
    Up,
    /// 寄: sideways.
    Sideways,
    /// 引: back.
    Back,
}

/// The marks that tell a move from those of its rivals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks {
    /// 左, 直 or 右.
    pub relative: Option<Relative>,
    /// 上, 寄 or 引.
    pub motion: Option<Motion>,
    /// 打: the piece is dropped although one on the board could move there.
    pub drop: bool,
}

impl Marks {
    /// The marks as they are written: 左上, 直, 引, 打.
    pub fn text(self) -> String {
        let relative = self.relative.map(|relative| match relative {
            Relative::Left => '左',
            Relative::Straight => '直',
            Relative::Right => '右',
        });
        let motion = self.motion.map(|motion| match motion {
            Motion::Up => '上',
            Motion::Sideways => '寄',
            Motion::Back => '引',
        });
        relative.into_iter().chain(motion).chain(self.drop.then_some('打')).collect()
    }
}

/// The way from `from` to `to` as `color` sees it: the side the piece comes from, and its motion.
pub(super) fn way(color: Color, from: Square, to: Square) -> (Relative, Motion) {
    let (from, to) = match color {
        Color::Black => (from, to),
        Color::White => (from.rotated(), to.rotated()),
    };
    let relative = match from.column().cmp(&to.column()) {
        Ordering::Less => Relative::Left,
        Ordering::Equal => Relative::Straight,
        Ordering::Greater => Relative::Right,
    };
    let motion = match to.row().cmp(&from.row()) {
        Ordering::Less => Motion::Up,
        Ordering::Equal => Motion::Sideways,
        Ordering::Greater => Motion::Back,
    };
    (relative, motion)
}

/// The marks that `mv` needs in `position`: none where it has no rivals.
///
/// The motion is enough if no rival moves the same way; otherwise the side is given, and the motion
/// too if a rival comes from the same side.
pub fn marks(position: &Position, mv: Move, which: Rivals) -> Result<Marks, NotationError> {
    let kind = moved_kind(position, mv)?;
    let rivals = rivals(position, mv, kind, which);
    let Some(from) = mv.from() else {
        return Ok(Marks { drop: !rivals.is_empty(), ..Marks::default() });
    };
    let mover = position.turn();
    let (relative, motion) = way(mover, from, mv.to());
    let rivals: Vec<_> = rivals.into_iter().map(|from| way(mover, from, mv.to())).collect();
    let same_motion = rivals.iter().find(|(_, other)| *other == motion);
    Ok(match (same_motion, relative) {
        (None, _) if rivals.is_empty() => Marks::default(),
        (None, _) => Marks { motion: Some(motion), ..Marks::default() },
        // There are only two dragons or horses, so the straight one is to one side of the other.
        (Some((rival, _)), Relative::Straight)
            if matches!(kind, PieceKind::Horse | PieceKind::Dragon) =>
        {
            let side = if *rival == Relative::Left { Relative::Right } else { Relative::Left };
            Marks { relative: Some(side), ..Marks::default() }
        }
        (Some(_), Relative::Straight) => {
            Marks { relative: Some(Relative::Straight), ..Marks::default() }
        }
        (Some(_), side) => {
            let shared = rivals.iter().any(|(other, _)| *other == side);
            Marks { relative: Some(side), motion: shared.then_some(motion), drop: false }
        }
    })
}

/// Whether `mv` could promote and does not: such a move is marked 不成.
fn declines(kind: PieceKind, color: Color, from: Square, mv: Move) -> bool {
    let in_zone = |square: Square| color.relative_row(square.row()) < 3;
    kind.promoted().is_some() && !mv.promotes() && (in_zone(from) || in_zone(mv.to()))
}

/// The move in Japanese notation: ☗７六歩, ☖同　銀右上不成.
///
/// `previous` is the destination of the move before; a move to the same square is written 同.
pub fn japanese(
    position: &Position,
    mv: Move,
    previous: Option<Square>,
    spelling: Spelling,
) -> Result<String, NotationError> {
    let kind = moved_kind(position, mv)?;
    let mut text = spelling.mark_of(position.turn()).to_owned();
    push_destination(&mut text, mv, previous, spelling);
    text.push_str(spelling.name(kind));
    text.push_str(&marks(position, mv, spelling.rivals)?.text());
    match mv.from() {
        Some(_) if mv.promotes() => text.push('成'),
        Some(from) if declines(kind, position.turn(), from, mv) => text.push_str("不成"),
        _ => {}
    }
    Ok(text)
}

/// The move as KIF writes it, with the origin in brackets: ７六歩(77), 同　銀成(31), ５五角打.
pub fn kif(
    position: &Position,
    mv: Move,
    previous: Option<Square>,
) -> Result<String, NotationError> {
    let spelling = Spelling { mark: SideMark::None, ..Spelling::default() };
    let mut text = String::new();
    push_destination(&mut text, mv, previous, spelling);
    text.push_str(spelling.name(moved_kind(position, mv)?));
    match mv.from() {
        Some(from) => {
            let promotes = if mv.promotes() { "成" } else { "" };
            text.push_str(&format!("{promotes}({}{})", from.file(), from.row() + 1));
        }
        None => text.push('打'),
    }
    Ok(text)
}

fn push_destination(text: &mut String, mv: Move, previous: Option<Square>, spelling: Spelling) {
    if previous == Some(mv.to()) {
        text.push_str("同　");
    } else {
        text.push_str(&spelling.square(mv.to()));
    }
}
