// Follows the document that defines shogihome-wasm-engine/1, as ShogiHome's own test does.
import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import test from "node:test";
import keisei, { at } from "./package.mjs";

const folder = at("target/shogihome/keisei/");
const manifest = JSON.parse(await readFile(new URL("engine.json", folder), "utf8"));

/** An engine with its data files written, and the lines it has said. */
async function start() {
  const moduleURL = new URL(manifest.module, folder).href;
  const { default: createEngine } = await import(moduleURL);
  const engine = await createEngine({
    printErr: (line) => assert.fail(line),
    locateFile: (path) => new URL(path, moduleURL).href,
    mainScriptUrlOrBlob: moduleURL,
  });
  for (const { url, path } of manifest.dataFiles) {
    engine.FS.mkdir(path.split("/").slice(0, -1).join("/"));
    engine.FS.writeFile(path, new Uint8Array(await readFile(new URL(url, folder))));
  }
  const said = [];
  const listener = (line) => said.push(line);
  engine.addMessageListener(listener);
  /** Waits until a line begins with `word`, and gives it back. */
  const until = async (word) => {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const found = said.find((line) => line.startsWith(word));
      if (found !== undefined) return found;
      assert.ok(Date.now() < deadline, `no ${word}: ${said.join("\n")}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { engine, said, listener, until };
}

test("the manifest has what the document asks for, and its files are there", async () => {
  assert.equal(manifest.abi, "shogihome-wasm-engine/1");
  assert.equal(manifest.moduleFormat, "esm");
  assert.ok(manifest.presets.length > 0);
  assert.equal(new Set(manifest.presets.map((preset) => preset.id)).size, manifest.presets.length);
  for (const { tags } of manifest.presets) {
    assert.ok(tags.every((tag) => ["game", "research", "mate"].includes(tag)));
  }
  const files = [manifest.module, "keisei.wasm", ...manifest.dataFiles.map((file) => file.url)];
  for (const file of [...files, ...manifest.licenses.map((license) => license.file)]) {
    assert.ok((await stat(new URL(file, folder))).size > 0, file);
  }
});

test("it greets with the names and options of the manifest", async () => {
  const { engine, said, until } = await start();
  engine.postMessage("usi");
  await until("usiok");
  assert.ok(said.includes(`id name ${manifest.name}`));
  assert.ok(said.includes(`id author ${manifest.author}`));
  const offered = said.filter((line) => line.startsWith("option ")).map((line) => line.split(" "));
  assert.deepEqual(
    offered.map(([, , name, , type]) => [name, type]),
    manifest.options.map(({ name, type }) => [name, type]),
  );
  engine.terminate();
});

test("it gets ready, takes the values of every preset and plays legal moves", async () => {
  for (const preset of manifest.presets) {
    const { engine, said, until } = await start();
    engine.postMessage("usi");
    await until("usiok");
    for (const [name, value] of Object.entries(preset.values)) {
      engine.postMessage(`setoption name ${name} value ${value}`);
    }
    engine.postMessage("isready");
    await until("readyok");
    engine.postMessage("usinewgame");
    const game = new keisei.Game("shogi", "startpos moves 7g7f");
    engine.postMessage(`position ${game.positionLine()}`);
    engine.postMessage("go btime 0 wtime 0 byoyomi 300");
    const [, move] = (await until("bestmove ")).split(" ");
    if (move !== "resign") game.play(move);
    assert.ok(!said.some((line) => /error/.test(line)), said.join("\n"));
    engine.terminate();
  }
});

test("stop is answered at once, and nothing is said after quit or terminate", async () => {
  const { engine, said, until } = await start();
  engine.postMessage("isready");
  await until("readyok");
  engine.postMessage("position startpos");
  engine.postMessage("go infinite");
  await until("info ");
  assert.ok(!said.some((line) => line.startsWith("bestmove")));
  const asked = Date.now();
  engine.postMessage("stop");
  await until("bestmove ");
  assert.ok(Date.now() - asked < 2_000);
  for (const end of [() => engine.postMessage("quit"), () => engine.terminate()]) {
    engine.postMessage("go infinite");
    end();
    const length = said.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(said.length, length);
  }
});

test("it looks for mates, and a listener that was removed hears nothing", async () => {
  const { engine, said, listener, until } = await start();
  engine.postMessage("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  engine.postMessage("go mate infinite");
  assert.equal(await until("checkmate"), "checkmate G*5b");
  engine.removeMessageListener(listener);
  const length = said.length;
  engine.postMessage("usi");
  assert.equal(said.length, length);
  engine.terminate();
});
