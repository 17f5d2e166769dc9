// Search and evaluations in Chromium beside the native program: the same USI lines to both, in turns,
// and what each makes of a second of processor time, so that a busy machine spoils nothing.
//
//   node tools/speed.mjs [NODES] [ROUNDS]     after cargo xtask wasm and cargo build --release
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';

const [nodes = 2000, rounds = 3] = process.argv.slice(2).map(Number);
const root = new URL('../../', import.meta.url);
const WEIGHTS = 'crates/engine/models/shogi.safetensors';
const POSITIONS = {
  opening: 'startpos moves 7g7f 3c3d 2g2f 8c8d',
  middle: 'sfen l4k2l/3s2gs1/p1npppn1p/1p4pp1/3N5/2P3P2/PPS1PP2P/1KG1G1S2/L6NL w RBbp 1',
};
const CASES = [
  { name: 'batches of 4', batch: 4 },
  { name: 'one evaluation at a time', batch: 1 },
];

/** What Chromium's page does: an engine of the package is told lines until it has answered. */
const PAGE = `<!doctype html><script type="module">
import init, { Game, Network, UsiEngine } from '/web/pkg/keisei.js';
const weights = new Uint8Array(await (await fetch('/${WEIGHTS}')).arrayBuffer());
let engine;
window.prepare = async (wasm, lines) => {
  await init({ module_or_path: '/web/pkg/' + wasm });
  engine?.free();
  engine = new UsiEngine('network');
  engine.writeFile('network', weights);
  for (const line of lines) {
    engine.tell(line);
    while (engine.hasWork) engine.advance(1000);
  }
};
window.go = (line) => {
  const said = engine.tell(line);
  while (engine.hasWork) said.push(...engine.advance(1000));
  return said;
};
window.evaluate = (count) => {
  const [network, game] = [new Network('shogi', weights), new Game('shogi')];
  for (let i = 0; i < count; i++) network.evaluate(game);
};
window.ready = true;
</script>`;

const FILES = {
  '/': ['text/html', () => PAGE],
  '/web/pkg/keisei.js': ['text/javascript'],
  '/web/pkg/keisei_bg.wasm': ['application/wasm'],
  '/web/pkg/keisei_plain_bg.wasm': ['application/wasm'],
  [`/${WEIGHTS}`]: ['application/octet-stream'],
};
const server = createServer(({ url }, response) => {
  const [type, read = () => readFileSync(new URL(`.${url}`, root))] = FILES[url] ?? [];
  if (!type) return response.writeHead(404).end();
  response.setHeader('content-type', type);
  return response.end(read());
}).listen(0, '127.0.0.1');

const options = (batch, position) => [
  'usi', `setoption name Batch value ${batch}`, 'setoption name Threads value 1', 'isready', 'usinewgame', `position ${position}`,
];
const visited = (said) => Number(/nodes (\d+)/.exec(said.findLast((line) => line.includes(' nodes ')))[1]);

/** The native program. */
class Native {
  #child = spawn(new URL('target/release/keisei', root).pathname, ['usi'], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, RAYON_NUM_THREADS: '1' } });
  #lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();

  async tell(lines, until) {
    this.#child.stdin.write(lines.map((line) => `${line}\n`).join(''));
    const said = [];
    for (;;) {
      const { value } = await this.#lines.next();
      said.push(value);
      if (value.startsWith(until)) return said;
    }
  }

  /** Seconds of processor time, of which the kernel counts hundredths. */
  get spent() {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  end() {
    this.#child.stdin.end('quit\n');
  }
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const system = await browser.newBrowserCDPSession();
/** A page for each module: a page loads one for good. */
async function opened() {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction('window.ready');
  return page;
}
const pages = { 'keisei_bg.wasm': await opened(), 'keisei_plain_bg.wasm': await opened() };
const spentByPages = async () => {
  const { processInfo } = await system.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
};

async function inBrowser(wasm, batch, position) {
  const page = pages[wasm];
  await page.evaluate(([file, lines]) => window.prepare(file, lines), [wasm, options(batch, position)]);
  const before = await spentByPages();
  const said = await page.evaluate((line) => window.go(line), `go nodes ${nodes}`);
  return visited(said) / ((await spentByPages()) - before);
}

async function natively(batch, position) {
  const native = new Native();
  await native.tell(options(batch, position), 'readyok');
  const before = native.spent;
  const said = await native.tell([`go nodes ${nodes * 5}`], 'bestmove');
  const speed = visited(said) / (native.spent - before);
  native.end();
  return speed;
}

const best = new Map();
const note = (key, value) => best.set(key, Math.max(best.get(key) ?? 0, value));
for (let round = 0; round < rounds; round++) {
  for (const [where, position] of Object.entries(POSITIONS)) {
    for (const { name, batch } of CASES) {
      note(`${where}, ${name}, native`, await natively(batch, position));
      note(`${where}, ${name}, browser`, await inBrowser('keisei_bg.wasm', batch, position));
      note(`${where}, ${name}, without vectors`, await inBrowser('keisei_plain_bg.wasm', batch, position));
    }
  }
  const before = await spentByPages();
  await pages['keisei_bg.wasm'].evaluate(() => window.evaluate(500));
  note('Network.evaluate', 500 / ((await spentByPages()) - before));
}
console.log('nodes a second of processor time, one thread, the best of', rounds, 'rounds');
console.log('| position | search | native | Chromium | share | without vectors |\n|---|---|---|---|---|---|');
for (const where of Object.keys(POSITIONS)) {
  for (const { name } of CASES) {
    const [native, wasm, plain] = ['native', 'browser', 'without vectors'].map((kind) => best.get(`${where}, ${name}, ${kind}`));
    console.log(`| ${where} | ${name} | ${Math.round(native)} | ${Math.round(wasm)} | ${(wasm / native).toFixed(2)} | ${Math.round(plain)} |`);
  }
}
console.log(`Network.evaluate, policy and value of one position as JavaScript sees them: ${Math.round(best.get('Network.evaluate'))} a second`);
await browser.close();
server.close();
