import assert from "node:assert/strict";
import test from "node:test";
import keisei, { bytes, perft } from "./package.mjs";

const { Game, checkPosition, gameInfo, gameNames, readSetup, setupText } = keisei;

test("counts of positions agree with the tables of the rules crates", async () => {
  const tables = { shogi: "shogi", chess: "chess", animal: "animal" };
  for (const game of gameNames()) {
    const table = await bytes(`crates/${tables[game]}/tests/data/perft-${game}.txt`);
    const lines = table.toString().split("\n").filter((line) => line && !line.startsWith("#"));
    let checked = 0;
    for (const line of lines) {
      const [position, depth, count] = line.split(";");
      if (Number(count) > 30_000 || checked >= 20) continue;
      const rules = { moveLimit: 0 };
      assert.equal(perft(new Game(game, position, rules), Number(depth)), Number(count), line);
      checked += 1;
    }
    assert.ok(checked >= 5, `${game}: ${checked} lines`);
  }
});

test("a board is drawn as the first side sees it", () => {
  const info = gameInfo("shogi");
  const { squares, hands, turn } = new Game("shogi").board();
  assert.equal(squares.length, info.rows * info.columns);
  assert.deepEqual(squares[info.squareNames.indexOf("2h")], { side: "first", kind: "R" });
  assert.deepEqual(squares[info.squareNames.indexOf("9a")], { side: "second", kind: "L" });
  assert.deepEqual([hands, turn], [[[], []], "first"]);
  const chess = gameInfo("chess");
  const board = new Game("chess").board();
  assert.deepEqual(board.squares[chess.squareNames.indexOf("d1")], { side: "first", kind: "Q" });
  const animal = new Game("animal").board();
  assert.deepEqual(animal.squares[1], { side: "second", kind: "L" });
});

test("moves with the same way are a choice of promotion, forced ones stand alone", () => {
  const ways = (position, from, to) => {
    const names = gameInfo("shogi").squareNames;
    const moves = new Game("shogi", position).legalMoves();
    return moves
      .filter((move) => move.from === names.indexOf(from) && move.to === names.indexOf(to))
      .map((move) => move.promotion);
  };
  assert.deepEqual(ways("4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d", "5c").sort(), ["+S", null].sort());
  assert.deepEqual(ways("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b", "9a"), ["+P"]);
  const chess = new Game("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1");
  const kinds = chess.legalMoves().filter((move) => move.promotion).map((move) => move.promotion);
  assert.deepEqual(kinds.sort(), ["B", "N", "Q", "R"]);
});

test("two pawns on a file and a mate by a dropped pawn are not among the moves", () => {
  const drops = (position) => new Game("shogi", position).legalMoves().filter((move) => move.drop === "P");
  const names = gameInfo("shogi").squareNames;
  const nifu = drops("4k4/9/9/9/9/9/4P4/9/4K4 b P 1").map((move) => names[move.to]);
  assert.ok(nifu.length > 0 && nifu.every((name) => !name.startsWith("5")), String(nifu));
  // 5b would mate.
  const position = "3lkl3/3p1p3/4G4/9/9/9/9/9/4K4 b P 1";
  const game = new Game("shogi", position);
  assert.throws(() => game.play("P*5b"), /uchifuzume|mate/i);
});

test("a refused move says which rule it breaks, and changes nothing", () => {
  const game = new Game("shogi");
  assert.throws(() => game.play("7g7e"), (error) => error instanceof Error && /7g7e/.test(error.message));
  assert.throws(() => game.play("nonsense"), /nonsense/);
  assert.equal(game.ply, 0);
});

test("moves are read in every notation and written in every style", () => {
  const game = new Game("shogi");
  for (const text of ["7g7f", "７六歩", "76歩", "P-7f", "☗７六歩", "７六歩(77)"]) {
    assert.equal(game.readMove(text), "7g7f", text);
  }
  const styles = { japanese: "☗７六歩", western: "P-7f", kif: "７六歩(77)", usi: "7g7f" };
  for (const [style, text] of Object.entries(styles)) assert.equal(game.moveText("7g7f", style), text);
  assert.deepEqual(game.lineText(["7g7f", "3c3d", "8h2b+", "3a2b"], "japanese").at(-1), "☖同　銀");
  const chess = new Game("chess");
  assert.equal(chess.readMove("Nf3"), "g1f3");
  assert.equal(chess.moveText("g1f3", "san"), "Nf3");
});

test("castling, en passant and captured pieces", () => {
  const game = new Game("chess");
  for (const text of ["e4", "a6", "e5", "d5"]) game.play(game.readMove(text));
  const passant = game.legalMoves().find((move) => move.move === "e5d6");
  assert.deepEqual(passant.captured, { side: "second", kind: "P" });
  game.play("e5d6");
  assert.deepEqual(game.board().captured, [[], [{ kind: "P", count: 1 }]]);
  const castling = new Game("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
  assert.equal(castling.readMove("O-O"), "e1g1");
});

test("handicaps have names, and the giver moves first", () => {
  const { handicaps } = gameInfo("shogi");
  assert.ok(handicaps.length >= 12);
  for (const { name, position } of handicaps) {
    const game = new Game("shogi", name);
    assert.equal(game.position, position);
    assert.equal(game.turn, name === handicaps[0].name ? "first" : "second");
  }
});

test("repetition, perpetual check and limits end a game by name", () => {
  const game = new Game("shogi");
  const there = ["2h3h", "8b7b", "3h2h", "7b8b"];
  for (let times = 1; times < 4; times += 1) {
    assert.equal(game.repetition().times, times);
    for (const move of there) game.play(move);
  }
  assert.equal(game.outcome().reason, "repetition");
  assert.equal(game.legalMoves().length, 0);
  game.undo();
  assert.equal(game.outcome(), undefined);
  const short = new Game("shogi", null, { moveLimit: 2 });
  short.play("7g7f");
  short.play("3c3d");
  assert.deepEqual([short.outcome().reason, short.outcome().winner], ["moveLimit", null]);
});

test("a declaration shows points and the condition that is missing", () => {
  const near = "RB1K5/+P+P+P+P+P+P3/SSGG5/9/9/9/9/9/4k4 b RBGG2S4N4L12P 1";
  const declaration = new Game("shogi", near).declaration();
  assert.equal(declaration.kingEntered, true);
  assert.ok(declaration.points >= declaration.pointsToWin);
  assert.equal(declaration.outcome.reason, "declaration");
  const far = new Game("shogi").declaration();
  assert.equal(far.outcome, null);
  assert.match(far.problem, /far rows/);
  assert.throws(() => new Game("shogi").claim(), /far rows/);
  assert.equal(new Game("shogi", null, { declaration: "off" }).declaration(), undefined);
  assert.equal(new Game("chess").declaration(), undefined);
});

test("what people get wrong is also told as data", () => {
  const explained = (act) => {
    try {
      act();
    } catch (error) {
      const { code, ...details } = error.explanation;
      return [code, Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null))];
    }
    return assert.fail("nothing was refused");
  };
  const shogi = new Game("shogi");
  const typed = (game, text) => explained(() => game.readMove(text));
  assert.deepEqual(typed(shogi, "7g7e"), ["unreachable", { square: "7g", to: "7e", kind: "P" }]);
  assert.deepEqual(typed(shogi, "５五歩"), ["noSuchMove", { to: "5e", kind: "P" }]);
  assert.deepEqual(typed(shogi, "hello"), ["notAMove", {}]);
  assert.deepEqual(typed(shogi, "3c3d"), ["opponentsPiece", { square: "3c", kind: "P" }]);
  const nifu = new Game("shogi", "4k4/9/9/9/9/9/4P4/9/4K4 b P 1");
  assert.deepEqual(typed(nifu, "P*5e"), ["twoPawns", { square: "5e", by: "5g" }]);
  assert.deepEqual(typed(new Game("chess"), "Ke2"), ["ownPiece", { square: "e2", kind: "P" }]);
  assert.deepEqual(typed(new Game("chess"), "e1g1"), ["castlingBlocked", { by: "f1" }]);
  assert.deepEqual(typed(new Game("animal"), "2d2b"), ["unreachable", { square: "2d", to: "2b", kind: "L" }]);
  const placed = (game, text) => explained(() => checkPosition(game, text));
  assert.deepEqual(placed("chess", "8/8/8/8/8/8/8/K7 w - - 0 1"), ["noKing", { side: "second" }]);
  assert.deepEqual(placed("shogi", "nonsense"), ["notAPosition", {}]);
});

test("the editor writes what it reads and names what is wrong", () => {
  for (const game of gameNames()) {
    const { start } = gameInfo(game);
    assert.equal(setupText(game, readSetup(game, start)), start);
    checkPosition(game, start);
  }
  const setup = readSetup("shogi", "4k4/9/9/9/9/4P4/4P4/9/4K4 b 2R9p 1");
  assert.throws(() => checkPosition("shogi", setupText("shogi", setup)), /nifu: Black has two pawns on file 5/);
  assert.throws(() => checkPosition("chess", "8/8/8/8/8/8/8/K7 w - - 0 1"), /no king/);
  assert.throws(() => readSetup("shogi", "4k4/9 b - 1"), /81/);
});
