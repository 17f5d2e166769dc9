// The package as a browser loads it, for tests.
import { readFile } from "node:fs/promises";

const root = new URL("../../../", import.meta.url);
export const at = (path) => new URL(path, root);

const file = process.env.KEISEI_WASM ?? "keisei_bg.wasm";
const keisei = await import(at("web/pkg/keisei.js"));
await keisei.default({ module_or_path: await readFile(at(`web/pkg/${file}`)) });
export default keisei;

export const bytes = (path) => readFile(at(path));
export const weights = await bytes("crates/engine/models/shogi.safetensors");

/** How many positions lie `depth` moves ahead. */
export function perft(game, depth) {
  const moves = game.legalMoves();
  if (depth === 1) return moves.length;
  let count = 0;
  for (const { move } of moves) {
    game.play(move);
    count += perft(game, depth - 1);
    game.undo();
  }
  return count;
}

/** Lets a player think to its end. */
export function think(player, game, limits) {
  player.start(game, limits);
  let lines = [];
  for (let steps = 1; ; steps += 1) {
    const progress = player.step(10);
    if (progress.lines.length > 0) lines = progress.lines;
    if (progress.answer) return { ...progress.answer, lines, steps };
  }
}
