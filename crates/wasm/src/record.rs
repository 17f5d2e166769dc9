//! Records: trees of moves, read from any format and written to any.

use std::path::Path;

use keisei_game::Rules;
use keisei_games::with_game;
use keisei_records::{AnyRecord, NodeId, Recorded, read_line, read_named, with_record};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::board::{BoardData, Side, position_board};
use crate::error::{Refusal, Result, unreadable};
use crate::game::Game;
use crate::games::{GameName, NotationStyle, Shown};
use crate::rules::{Outcome, RulesInput};
use crate::tree::{
    self, Encoding, EndingName, Format, Header, Loss, NodeEvaluations, TreeNode, duration,
};

/// A record of a game: headers, and a tree of moves with notes. A cursor stands at one node.
#[wasm_bindgen]
pub struct Record(AnyRecord);

/// A file as it was written, and what the format could not hold.
#[wasm_bindgen]
pub struct Written(keisei_records::Written);

#[wasm_bindgen]
impl Written {
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> Vec<u8> {
        self.0.bytes.clone()
    }

    /// The file as text, whatever its encoding.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        keisei_records::decode(&self.0.bytes).unwrap_or_default()
    }

    /// Everything that is in the record and not in the file.
    #[wasm_bindgen(getter)]
    pub fn lost(&self) -> Vec<Loss> {
        self.0.lost.iter().map(Loss::from).collect()
    }
}

/// All records in a file of any format and encoding. Where the content does not tell the format, the
/// name of the file may. A problem has `line` and `column` of its place.
#[wasm_bindgen(js_name = readRecords)]
pub fn read_records(
    bytes: &[u8],
    format: Option<Format>,
    file_name: Option<String>,
) -> Result<Vec<Record>> {
    let name = file_name.unwrap_or_default();
    let records = read_named(bytes, Path::new(&name), format.map(Into::into));
    Ok(records.map_err(|error| unreadable(&error))?.into_iter().map(Record).collect())
}

/// The encoding of a file, so that it can be written again as it was; undefined for one that is only
/// read (EUC-JP).
#[wasm_bindgen(js_name = fileEncoding)]
pub fn file_encoding(bytes: &[u8]) -> Option<Encoding> {
    keisei_records::Encoding::detect(bytes).map(Encoding::from)
}

/// The format of a file by its content or else by its name.
#[wasm_bindgen(js_name = fileFormat)]
pub fn file_format(bytes: &[u8], file_name: Option<String>) -> Option<Format> {
    let text = keisei_records::decode(bytes).ok()?;
    let named = || keisei_records::Format::from_path(Path::new(&file_name?));
    keisei_records::Format::detect(&text).or_else(named).map(Format::from)
}

/// The usual extension of a format, without a dot. Shift_JIS files of KIF and KI2 have shorter ones.
#[wasm_bindgen(js_name = formatExtension)]
pub fn format_extension(format: Format, encoding: Encoding) -> String {
    match (format, encoding) {
        (Format::Kif, Encoding::ShiftJis) => "kif".to_owned(),
        (Format::Ki2, Encoding::ShiftJis) => "ki2".to_owned(),
        _ => keisei_records::Format::from(format).extension().to_owned(),
    }
}

impl Record {
    /// The record of a game that was played.
    pub(crate) fn of_game<G: Shown>(game: &G) -> Self {
        Self(keisei_records::Record::of_game(game).into())
    }

    /// The record, if it is one of `G`.
    pub(crate) fn of<G: Recorded>(&self) -> Option<&keisei_records::Record<G>> {
        self.0.of()
    }

    fn id(&self, number: u32) -> Result<NodeId> {
        let found = with_record!(&self.0, record => record.numbered(number));
        found.ok_or_else(|| Refusal::new(&format!("the record has no node {number}")))
    }
}

#[wasm_bindgen]
impl Record {
    /// An empty record from a position in the game's notation, from a handicap by name, or from the
    /// standard start. The moves of a line `sfen … moves …` become the main line.
    #[wasm_bindgen(constructor)]
    pub fn new(game: GameName, position: Option<String>) -> Result<Record> {
        let text = position.unwrap_or_default();
        with_game!(game.into(), G => {
            let mut record = Record::of_game(&read_line::<G>(&text, Rules::BARE)?);
            // What ends the game of the line is known from its position.
            record.drop_ending();
            Ok(record)
        })
    }

    fn drop_ending(&mut self) {
        with_record!(&mut self.0, record => {
            let last = record.main_line().last();
            if let Some(last) = last.filter(|&last| record.node(last).ending().is_some()) {
                record.delete(last);
            }
        });
    }

    #[wasm_bindgen(getter)]
    pub fn game(&self) -> GameName {
        self.0.game().into()
    }

    /// The start as SFEN or FEN.
    #[wasm_bindgen(getter)]
    pub fn start(&self) -> String {
        with_record!(&self.0, record => record.start().to_string())
    }

    /// The node at the cursor.
    #[wasm_bindgen(getter)]
    pub fn current(&self) -> u32 {
        with_record!(&self.0, record => record.current().number())
    }

    /// How many nodes there are besides the start.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> u32 {
        with_record!(&self.0, record => record.preorder().count() as u32)
    }

    /// All nodes: the start, and then each before its continuations, the main ones first.
    pub fn nodes(&self, style: NotationStyle) -> Vec<TreeNode> {
        with_record!(&self.0, record => tree::nodes(record, style))
    }

    pub fn headers(&self) -> Vec<Header> {
        with_record!(&self.0, record => {
            let pair = |(key, value): (&str, &str)| Header { key: key.into(), value: value.into() };
            record.headers.iter().map(pair).collect()
        })
    }

    /// Sets a header, or removes it if there is no value.
    #[wasm_bindgen(js_name = setHeader)]
    pub fn set_header(&mut self, key: &str, value: Option<String>) {
        with_record!(&mut self.0, record => match value {
            Some(value) => record.headers.set(key, value),
            None => {
                record.headers.remove(key);
            }
        });
    }

    /// The name of a player, if the record gives it.
    pub fn player(&self, side: Side) -> Option<String> {
        with_record!(&self.0, record => record.player(side.into()).map(str::to_owned))
    }

    /// Names a player, as `player` gives the name back.
    #[wasm_bindgen(js_name = setPlayer)]
    pub fn set_player(&mut self, side: Side, name: &str) {
        fn key<G: Recorded>(_: &keisei_records::Record<G>, side: Side) -> &'static str {
            G::PLAYER_KEYS[side as usize]
        }
        let key = with_record!(&self.0, record => key(record, side));
        self.set_header(key, Some(name.to_owned()));
    }

    /// Puts the cursor on a node; `next` follows the line through it from then on.
    pub fn jump(&mut self, id: u32) -> Result<()> {
        let id = self.id(id)?;
        with_record!(&mut self.0, record => record.jump(id));
        Ok(())
    }

    /// One step along the line visited last; undefined at its end.
    #[allow(clippy::should_implement_trait, reason = "a cursor steps; it is no iterator")]
    pub fn next(&mut self) -> Option<u32> {
        with_record!(&mut self.0, record => record.next()).map(NodeId::number)
    }

    /// One step back; undefined at the start.
    pub fn previous(&mut self) -> Option<u32> {
        with_record!(&mut self.0, record => record.previous()).map(NodeId::number)
    }

    pub fn first(&mut self) {
        with_record!(&mut self.0, record => record.first());
    }

    /// To the end of the line visited last.
    pub fn last(&mut self) -> u32 {
        with_record!(&mut self.0, record => record.last()).number()
    }

    /// To the next variation at this move, and from the last to the first.
    pub fn sibling(&mut self) -> Option<u32> {
        with_record!(&mut self.0, record => record.sibling()).map(NodeId::number)
    }

    /// To the variation before this one, and from the first to the last.
    #[wasm_bindgen(js_name = siblingBefore)]
    pub fn sibling_before(&mut self) -> Option<u32> {
        with_record!(&mut self.0, record => record.sibling_before()).map(NodeId::number)
    }

    /// Plays a move at the cursor and follows it. A new move becomes the last variation.
    pub fn play(&mut self, text: &str) -> Result<u32> {
        with_record!(&mut self.0, record => {
            let mv = parsed(record, text)?;
            Ok(record.play(mv)?.number())
        })
    }

    /// Marks an ending at the cursor and goes there.
    pub fn end(&mut self, ending: EndingName) -> Result<u32> {
        Ok(with_record!(&mut self.0, record => record.end(ending.into())?.number()))
    }

    /// Moves a variation one place forward among its siblings. False if it is the first.
    pub fn promote(&mut self, id: u32) -> Result<bool> {
        let id = self.id(id)?;
        Ok(with_record!(&mut self.0, record => record.promote(id)))
    }

    /// Moves a variation one place back among its siblings. False if it is the last.
    pub fn demote(&mut self, id: u32) -> Result<bool> {
        let id = self.id(id)?;
        Ok(with_record!(&mut self.0, record => record.demote(id)))
    }

    /// Makes the line through a node the main line.
    #[wasm_bindgen(js_name = makeMain)]
    pub fn make_main(&mut self, id: u32) -> Result<()> {
        let id = self.id(id)?;
        with_record!(&mut self.0, record => record.make_main(id));
        Ok(())
    }

    /// Deletes a node and all that follows it. False for the start.
    pub fn remove(&mut self, id: u32) -> Result<bool> {
        let id = self.id(id)?;
        Ok(with_record!(&mut self.0, record => record.delete(id)))
    }

    #[wasm_bindgen(js_name = setComment)]
    pub fn set_comment(&mut self, id: u32, text: String) -> Result<()> {
        let id = self.id(id)?;
        with_record!(&mut self.0, record => record.notes_mut(id).comment = text);
        Ok(())
    }

    /// Names a bookmark at a node, or removes it.
    #[wasm_bindgen(js_name = setBookmark)]
    pub fn set_bookmark(&mut self, id: u32, name: Option<String>) -> Result<()> {
        let id = self.id(id)?;
        with_record!(&mut self.0, record => record.notes_mut(id).bookmark = name);
        Ok(())
    }

    #[wasm_bindgen(js_name = setNags)]
    pub fn set_nags(&mut self, id: u32, nags: Vec<u8>) -> Result<()> {
        let id = self.id(id)?;
        with_record!(&mut self.0, record => record.notes_mut(id).nags = nags);
        Ok(())
    }

    /// The time spent on a move, in seconds.
    #[wasm_bindgen(js_name = setSeconds)]
    pub fn set_seconds(&mut self, id: u32, seconds: Option<f64>) -> Result<()> {
        let (id, time) = (self.id(id)?, seconds.map(duration).transpose()?);
        with_record!(&mut self.0, record => record.notes_mut(id).time = time);
        Ok(())
    }

    /// The time left on the mover's clock after a move, in seconds.
    #[wasm_bindgen(js_name = setClock)]
    pub fn set_clock(&mut self, id: u32, seconds: Option<f64>) -> Result<()> {
        let (id, left) = (self.id(id)?, seconds.map(duration).transpose()?);
        with_record!(&mut self.0, record => record.notes_mut(id).clock = left);
        Ok(())
    }

    /// Replaces the evaluations at a node.
    #[wasm_bindgen(js_name = setEvaluations)]
    pub fn set_evaluations(&mut self, id: u32, evaluations: NodeEvaluations) -> Result<()> {
        let id = self.id(id)?;
        with_record!(&mut self.0, record => {
            let read = evaluations.0.into_iter().map(|data| tree::evaluation(record, id, data));
            let read = read.collect::<Result<_>>()?;
            record.notes_mut(id).evaluations = read;
        });
        Ok(())
    }

    /// The board at the cursor.
    pub fn board(&self) -> BoardData {
        with_record!(&self.0, record => board_at(record, record.current()))
    }

    #[wasm_bindgen(js_name = boardAt)]
    pub fn board_at(&self, id: u32) -> Result<BoardData> {
        let id = self.id(id)?;
        Ok(with_record!(&self.0, record => board_at(record, id)))
    }

    /// The game at a node, with the moves that led there. Where the rules ended it before, it begins
    /// anew from there.
    #[wasm_bindgen(js_name = gameAt)]
    pub fn game_at(&self, id: u32, rules: Option<RulesInput>) -> Result<Game> {
        let id = self.id(id)?;
        let rules = rules.unwrap_or_default();
        Ok(with_record!(&self.0, record => game_at(record, id, rules)))
    }

    /// A line `startpos moves …` or `sfen … moves …` that leads to a node.
    #[wasm_bindgen(js_name = positionLine)]
    pub fn position_line(&self, id: u32) -> Result<String> {
        Ok(self.game_at(id, None)?.position_line())
    }

    /// How the game of the main line ended.
    pub fn outcome(&self) -> Option<Outcome> {
        fn outcome<G: Shown>(record: &keisei_records::Record<G>) -> Option<Outcome> {
            record.outcome().map(Outcome::new::<G>)
        }
        with_record!(&self.0, record => outcome(record))
    }

    /// The formats that hold the record, the usual one first.
    pub fn formats(&self) -> Vec<Format> {
        crate::games::game_info(self.game()).formats
    }

    /// The record as a file, in UTF-8 unless told otherwise.
    pub fn write(&self, format: Format, encoding: Option<Encoding>) -> Result<Written> {
        let encoding = encoding.map_or(keisei_records::Encoding::Utf8, Into::into);
        Ok(Written(keisei_records::write_encoded(&self.0, format.into(), encoding)?))
    }

    pub fn copy(&self) -> Record {
        Record(self.0.clone())
    }
}

/// The move at the cursor that `text` writes as the protocol does. One that must promote need not
/// say so.
fn parsed<G: Shown>(record: &keisei_records::Record<G>, text: &str) -> Result<G::Move> {
    let game = G::with_rules(record.position().clone(), Rules::BARE);
    Ok(game.parse_move(text)?)
}

fn board_at<G: Shown>(record: &keisei_records::Record<G>, id: NodeId) -> BoardData {
    position_board::<G>(&record.position_at(id), record.start(), tree::last_move(record, id))
}

fn game_at<G: Shown>(record: &keisei_records::Record<G>, id: NodeId, rules: RulesInput) -> Game {
    Game::from_game(record.game_at(id, rules.complete::<G>()))
}
