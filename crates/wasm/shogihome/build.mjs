// Puts the folder together that goes to ShogiHome's public/engines: node build.mjs PACKAGE WEIGHTS
// LICENSES FOLDER. The manifest's options are those that the engine itself declares.
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [pkg, weights, licenses, folder] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const files = {
  "engine.js": join(here, "engine.js"),
  "keisei.js": join(pkg, "keisei.js"),
  "keisei.wasm": join(pkg, "keisei_bg.wasm"),
};
for (const [name, from] of Object.entries(files)) await copyFile(from, join(folder, name));

// Other weights have another name, because ShogiHome keeps a file for as long as its name is known.
const network = await readFile(weights);
const model = `shogi-${createHash("sha256").update(network).digest("hex").slice(0, 8)}.bin`;
await writeFile(join(folder, model), network);
const texts = await Promise.all(["LICENSE-MIT", "LICENSE-APACHE"].map((name) => readFile(join(licenses, name), "utf8")));
await writeFile(join(folder, "LICENSE.txt"), texts.join("\n"));

/** What the engine answers to `usi`. */
async function greeting() {
  const { default: create } = await import(pathToFileURL(join(folder, "engine.js")));
  const engine = await create();
  const lines = [];
  engine.addMessageListener((line) => lines.push(line));
  engine.postMessage("usi");
  engine.terminate();
  return lines;
}

/** An `option` line as the manifest writes it. */
function option(line) {
  const [, name, type, rest] = line.match(/^option name (\S+) type (\S+)(.*)$/);
  const word = (key) => rest.match(new RegExp(` ${key} (\\S+)`))?.[1];
  const text = word("default") === "<empty>" ? "" : word("default");
  if (type === "check") return { name, type, default: text === "true" };
  if (type === "spin") {
    const number = (key) => Number(word(key));
    return { name, type, default: Number(text), min: number("min"), max: number("max") };
  }
  if (type === "combo") return { name, type, default: text, vars: [...rest.matchAll(/ var (\S+)/g)].map((one) => one[1]) };
  return { name, type, default: text };
}

const said = await greeting();
const id = (key) => said.find((line) => line.startsWith(`id ${key} `)).slice(`id ${key} `.length);
const preset = (suffix, displayName, simulations, label) => ({
  id: `keisei-v1-${suffix}`,
  displayName,
  values: { Simulations: simulations },
  tags: suffix === "full" ? ["game", "research", "mate"] : ["game"],
  mobileGame: { label },
});
const manifest = {
  abi: "shogihome-wasm-engine/1",
  module: "engine.js",
  moduleFormat: "esm",
  name: id("name"),
  author: id("author"),
  licenses: [{ spdx: "MIT OR Apache-2.0", file: "LICENSE.txt" }],
  dataFiles: [{ url: model, path: "/keisei/shogi.bin" }],
  options: said.filter((line) => line.startsWith("option ")).map(option),
  presets: [
    preset("016", "Keisei 16", 16, "Keisei Lv.1"),
    preset("100", "Keisei 100", 100, "Keisei Lv.2"),
    preset("full", "Keisei", 0, "Keisei Lv.3"),
  ],
};
await writeFile(join(folder, "engine.json"), `${JSON.stringify(manifest, null, 2)}\n`);
