// Exchanges random records with tsshogi. In this folder: `npm install`, then `npm run soak -- 500`.
//
// Keisei writes the records; tsshogi reads them, and every move, ending, time, comment and the
// notation of every move must be what Keisei says. Then tsshogi writes them and Keisei reads those.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Move,
  Position,
  Record,
  exportCSA,
  exportJKFString,
  exportKI2,
  exportKIF,
  formatMove,
  importCSA,
  importJKFString,
  importKI2,
  importKIF,
} from "tsshogi";

const count = process.argv[2] ?? "500";
const folder = mkdtempSync(join(tmpdir(), "keisei-soak-"));
const keisei = (...args) =>
  execFileSync(
    "cargo",
    ["run", "--quiet", "--release", "-p", "keisei-records", "--example", "tsshogi_soak", "--", ...args],
    { stdio: "inherit" },
  );

const formats = {
  kifu: { read: importKIF, write: (record) => exportKIF(record) },
  ki2u: { read: importKI2, write: (record) => exportKI2(record) },
  csa: { read: importCSA, write: (record) => exportCSA(record, { v3: {} }), main: true },
  jkf: { read: importJKFString, write: exportJKFString },
  usi: {
    read: (text) => Record.newByUSI(text.trim()),
    write: (record) => record.getUSI({ allMoves: true }),
    main: true,
  },
};

// The nodes of a list that Keisei wrote: only the main line, which comes first, if `main`.
function readList(path, main) {
  const [start, ...lines] = readFileSync(path, "utf8").split("\n");
  const nodes = lines.filter(Boolean).map((line) => {
    const [ply, step, seconds, shown, comment] = line.split("\t");
    return { ply: Number(ply), step, seconds: Number(seconds), shown, comment };
  });
  const end = nodes.findIndex((node, index) => index > 0 && node.ply <= nodes[index - 1].ply);
  return { start, nodes: main && end >= 0 ? nodes.slice(0, end) : nodes };
}

function describe(record) {
  const nodes = [];
  record.forEach((node) => {
    if (node.ply === 0) {
      return;
    }
    const isMove = node.move instanceof Move;
    const lastMove = node.prev?.move instanceof Move ? node.prev.move : undefined;
    nodes.push({
      ply: node.ply,
      step: isMove ? node.move.usi : node.move.type,
      seconds: node.elapsedMs / 1000,
      shown: isMove
        ? formatMove(Position.newBySFEN(node.prev.sfen), node.move, { lastMove, compatible: true })
        : "",
      comment: node.comment.trimEnd().replaceAll("\n", "\\n"),
    });
  });
  return nodes;
}

let files = 0;
let moves = 0;
let differences = 0;
function differ(name, what) {
  differences += 1;
  if (differences <= 20) {
    console.log(`${name}: ${what}`);
  }
}

// tsshogi 2.2.0 has the sides of CSA's %+ILLEGAL_ACTION and %-ILLEGAL_ACTION exchanged, so that in
// CSA and JKF only the foul itself can be compared, not who committed it.
function comparableStep(step, extension) {
  const exchanged = extension === "csa" || extension === "jkf";
  return exchanged && step.startsWith("foul") ? "foul" : step;
}

// The nodes that can be compared: in a USI line tsshogi 2.2.0 knows no ending but resign.
function held(nodes, extension) {
  const holds = (node) => node.shown !== "" || node.step === "resign";
  return extension === "usi" ? nodes.filter(holds) : nodes;
}

function compare(name, extension, expected, record) {
  if (record instanceof Error) {
    differ(name, `tsshogi refuses it, ${record}`);
    return;
  }
  if (record.initialPosition.sfen !== expected.start) {
    differ(name, `starts from ${record.initialPosition.sfen}, expected ${expected.start}`);
  }
  const found = held(describe(record), extension);
  const wanted = held(expected.nodes, extension);
  if (found.length !== wanted.length) {
    differ(name, `${found.length} nodes, expected ${wanted.length}`);
    return;
  }
  const timed = extension !== "usi" && extension !== "ki2u";
  found.forEach((node, index) => {
    const want = wanted[index];
    moves += 1;
    const same =
      node.ply === want.ply &&
      comparableStep(node.step, extension) === comparableStep(want.step, extension) &&
      node.shown === want.shown &&
      (!timed || node.seconds === want.seconds) &&
      (extension === "usi" || node.comment === want.comment);
    if (!same) {
      differ(name, `${JSON.stringify(node)}, expected ${JSON.stringify(want)}`);
    }
  });
}

keisei("write", folder, count);
for (let seed = 0; seed < Number(count); seed++) {
  for (const [extension, format] of Object.entries(formats)) {
    const name = join(folder, `${seed}.${extension}`);
    const record = format.read(readFileSync(name, "utf8"));
    compare(name, extension, readList(join(folder, `${seed}.list`), format.main), record);
    files += 1;
    // What tsshogi writes comes from the record with everything in it.
    const whole = importKIF(readFileSync(join(folder, `${seed}.kifu`), "utf8"));
    writeFileSync(join(folder, `${seed}.ts.${extension}`), whole instanceof Error ? "" : format.write(whole));
  }
}
console.log(`${files} files of Keisei read by tsshogi, ${moves} nodes compared, ${differences} differences`);
if (differences > 0) {
  console.log(`the files are in ${folder}`);
  process.exit(1);
}
keisei("check", folder);
rmSync(folder, { recursive: true });
