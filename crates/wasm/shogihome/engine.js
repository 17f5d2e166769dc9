// The engine as ShogiHome loads it: the interface of shogihome-wasm-engine/1 around the package.
import init, { UsiEngine } from "./keisei.js";

/** Where the manifest puts the weights. */
const MODEL = "/keisei/shogi.bin";
/** How long the engine thinks before it looks whether something was said to it. */
const SLICE_MS = 20;

/** The compiled module at `url`; Node's fetch knows no files. */
async function compiled(url) {
  if (!url.startsWith("file:")) return fetch(url);
  const { readFile } = await import("node:fs/promises");
  return readFile(new URL(url));
}

/** Makes an engine. ShogiHome says with `locateFile` where the compiled module lies. */
export default async function createEngine({ locateFile } = {}) {
  const beside = (file) => new URL(file, import.meta.url).href;
  const url = (locateFile ?? beside)("keisei.wasm");
  await init({ module_or_path: compiled(url) });
  const engine = new UsiEngine(MODEL);
  const listeners = new Set();
  let timer = null;
  let ended = false;

  const say = (lines) => {
    for (const line of lines) for (const listener of [...listeners]) listener(line);
  };
  /** Thinks a little. Whether there is more to think about. */
  const poll = () => {
    if (ended || !engine.hasWork) return false;
    say(engine.advance(SLICE_MS));
    return !ended && engine.hasWork;
  };
  const run = () => {
    timer = null;
    if (poll()) timer = setTimeout(run);
  };
  const terminate = () => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    listeners.clear();
    engine.free();
  };

  return {
    postMessage(command) {
      if (ended) return;
      say(engine.tell(command));
      if (command.trim() === "quit") terminate();
      else if (timer === null && engine.hasWork) timer = setTimeout(run);
    },
    addMessageListener: (listener) => void listeners.add(listener),
    removeMessageListener: (listener) => void listeners.delete(listener),
    terminate,
    poll,
    FS: {
      mkdir() {},
      writeFile: (path, data) => engine.writeFile(path, data),
    },
  };
}
