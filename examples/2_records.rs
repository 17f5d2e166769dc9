//! Records of games: read one format, walk through the moves, write another.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use anyhow::Result;
use keisei_records::Format;
use keisei_records::formats::kif;

const KIF: &str = "\
手合割：平手
先手：Sente
後手：Gote
   1 ７六歩(77)   ( 0:16/00:00:16)
*The bishop's diagonal opens.
   2 ３四歩(33)   ( 0:03/00:00:03)
   3 ２二角成(88) ( 0:20/00:00:36)
   4 投了

変化：3手
   3 ２六歩(27)
";

fn main() -> Result<()> {
    let record = kif::read(KIF)?;
    for id in record.main_line() {
        let node = record.node(id);
        let text = node.mv().map_or("resigns".to_owned(), |mv| mv.to_string());
        println!("{}. {text}  {}", node.ply(), node.notes.comment);
    }

    // What a format cannot hold is listed, never dropped silently.
    let csa = record.write(Format::Csa)?;
    print!("{}", csa.text().unwrap_or_default());
    for loss in &csa.lost {
        println!("lost: {loss}");
    }
    Ok(())
}

// Output:
//
// 1. 7g7f  The bishop's diagonal opens.
// 2. 3c3d
// 3. 8h2b+
// 4. resigns
// 'CSA encoding=UTF-8
// V2.2
// N+Sente
// N-Gote
// PI
// +
// +7776FU,T16
// '*The bishop's diagonal opens.
// -3334FU,T3
// +8822UM,T20
// %TORYO
// lost: ply 3 of a variation: variation "2g2f"
