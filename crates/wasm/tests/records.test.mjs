import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import keisei, { at } from "./package.mjs";

const { Game, Library, Record, fileEncoding, readRecords } = keisei;
const text = (string) => new TextEncoder().encode(string);

const BRANCHED = `手合割：平手
先手：形勢
後手：相手
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:03/00:00:03)
*the first move
   2 ３四歩(33)   ( 0:05/00:00:05)+
   3 ２六歩(27)   ( 0:01/00:00:04)

変化：2手
   2 ８四歩(83)   ( 0:02/00:00:02)
   3 ２六歩(27)   ( 0:01/00:00:04)
`;

test("a branched file in Shift_JIS comes back byte for byte", () => {
  const [record] = readRecords(text(BRANCHED));
  const written = record.write("kif", "shift_jis");
  assert.deepEqual(written.lost, []);
  assert.equal(fileEncoding(written.bytes), "shift_jis");
  const [again] = readRecords(written.bytes, null, "game.kif");
  assert.deepEqual(again.write("kif", "shift_jis").bytes, written.bytes);
  assert.equal(again.player("first"), "形勢");
});

test("a tree shows lines, notes, variations and transpositions", () => {
  const record = new Record("shogi", "startpos moves 7g7f 3c3d 2g2f");
  record.first();
  for (const move of ["2g2f", "3c3d", "7g7f"]) record.play(move);
  const nodes = record.nodes("japanese");
  assert.equal(nodes.length, 7);
  const [one, other] = nodes.filter((node) => node.ply === 3);
  assert.deepEqual([one.main, other.main], [true, false]);
  assert.equal(one.key, other.key);
  assert.deepEqual([one.same, other.same], [[other.id], [one.id]]);
  assert.equal(one.text, "☗２六歩");
  record.setComment(one.id, "as usual");
  record.setBookmark(one.id, "here");
  record.setNags(one.id, new Uint8Array([1]));
  record.setSeconds(one.id, 3);
  record.setEvaluations(one.id, [
    { by: "analysis", centipawns: 31, mate: null, line: ["8c8d"], depth: 4, nodes: 100, engine: "Keisei" },
  ]);
  const noted = record.nodes("usi").find((node) => node.id === one.id);
  assert.deepEqual(
    [noted.comment, noted.bookmark, [...noted.nags], noted.seconds, noted.evaluations[0].centipawns],
    ["as usual", "here", [1], 3, 31],
  );
});

test("variations are promoted, made the main line and deleted", () => {
  const record = new Record("shogi", "startpos moves 7g7f 3c3d");
  const first = record.nodes("usi")[1].id;
  record.jump(first);
  const variation = record.play("8c8d");
  assert.equal(record.promote(variation), true);
  assert.deepEqual(record.nodes("usi").filter((node) => node.main).map((node) => node.move?.move), [undefined, "7g7f", "8c8d"]);
  assert.equal(record.remove(variation), true);
  assert.equal(record.current, first);
  assert.throws(() => record.jump(variation), /no node/);
  assert.equal(record.remove(0), false);
});

test("every sample of the records crate is read, and comes back whole where nothing was lost", async () => {
  const folder = at("crates/records/tests/samples/");
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  let read = 0;
  for (const { name, parentPath, path } of names.filter((entry) => entry.isFile())) {
    const file = await readFile(join(parentPath ?? path, name));
    const [record] = readRecords(file, null, name);
    for (const format of record.formats()) {
      const { bytes: written, lost } = record.write(format);
      const [again] = readRecords(written, format);
      if (lost.length === 0) assert.equal(again.size, record.size, `${name} as ${format}`);
    }
    read += 1;
  }
  assert.ok(read > 20, `${read} samples`);
});

test("what a format lacks is listed", () => {
  const [record] = readRecords(text(BRANCHED));
  const { lost } = record.write("csa");
  assert.ok(lost.some((loss) => loss.what === "variation" && loss.detail === "8c8d"), JSON.stringify(lost));
});

test("what cannot be read says where", () => {
  assert.throws(
    () => readRecords(text("手合割：平手\n   1 ７七歩(77)\n"), "kif"),
    (error) => error.line === 2 && /line 2/.test(error.message),
  );
});

test("a game becomes a record with its ending, and a node becomes a game again", () => {
  const game = new Game("chess");
  for (const move of ["f2f3", "e7e5", "g2g4", "d8h4"]) game.play(move);
  assert.equal(game.outcome().reason, "checkmate");
  const record = game.record();
  assert.equal(record.outcome().winner, "second");
  assert.match(record.write("pgn").text, /0-1/);
  const last = record.nodes("san").at(-2);
  assert.equal(last.text, "Qh4#");
  assert.equal(record.gameAt(last.id).outcome().reason, "checkmate");
  assert.equal(record.positionLine(last.parent), "startpos moves f2f3 e7e5 g2g4");
});

test("statistics count moves and scores over records", () => {
  const library = new Library("shogi", false);
  for (const moves of ["7g7f 3c3d", "7g7f 8c8d", "2g2f"]) {
    const record = new Record("shogi", `startpos moves ${moves}`);
    record.last();
    record.end("resignation");
    library.add(record);
  }
  assert.equal(library.games, 3);
  const moves = library.moves(new Game("shogi").position);
  assert.deepEqual(moves.map((one) => [one.move.move, one.played]), [["7g7f", 2], ["2g2f", 1]]);
  assert.equal(library.occurrences(new Game("shogi").position).length, 3);
  assert.throws(() => library.add(new Record("chess")), /no record of shogi/);
});
