// The agent's worker: networks, search and the mate solver away from the page, one request at a time.
import { load } from '$lib/load';
import { Game, MateSolver, Network, Player } from '$pkg';
import type { Answer, GameName, MateProgress } from '$pkg';
import { Unreachable, type FromWorker, type Position, type Request, type Results, type Thinker, type ToWorker } from './messages';

/** How long a search runs before it looks for messages and shows its lines. */
const SLICE = 60;

const ready = load();
const networks = new Map<string, Promise<Network>>();
const players = new Map<string, Promise<Player>>();
const solver = ready.then(() => new MateSolver());
/** What was asked for and not begun yet. */
const waiting: { id: number; request: Request }[] = [];
let busy = false;
let stopping = false;

const say = (message: FromWorker) => postMessage(message);

function once<T>(memory: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let made = memory.get(key);
  if (!made) {
    made = make();
    // What failed may be asked for again.
    made.catch(() => memory.delete(key));
    memory.set(key, made);
  }
  return made;
}

function network(game: GameName, weights: string): Promise<Network> {
  return once(networks, weights, async () => {
    const answer = await fetch(weights).catch((error: Error) => {
      throw new Unreachable(error.message);
    });
    if (!answer.ok) throw new Error(`${weights}: ${answer.status} ${answer.statusText}`);
    return new Network(game, new Uint8Array(await answer.arrayBuffer()));
  });
}

function player(game: GameName, thinker: Thinker, settings: object): Promise<Player> {
  return once(players, JSON.stringify([game, thinker, settings]), async () =>
    'name' in thinker
      ? Player.named(game, thinker.name, thinker.seed ?? 1)
      : Player.network(await network(game, thinker.weights), settings),
  );
}

/** Lets messages in. */
const pause = () =>
  new Promise<void>((resume) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resume();
    };
    port2.postMessage(null);
  });

async function withGame<T>({ game, line }: Position, use: (game: Game) => T | Promise<T>): Promise<T> {
  const made = new Game(game, line);
  try {
    return await use(made);
  } finally {
    made.free();
  }
}

async function search(id: number, request: Request & { call: 'search' }): Promise<Answer> {
  const { position, thinker, settings, limits } = request;
  const thinking = await player(position.game, thinker, settings);
  return withGame(position, async (game) => {
    thinking.start(game, limits);
    for (;;) {
      if (stopping) thinking.stop();
      const { lines, answer } = thinking.step(SLICE);
      if (lines.length > 0) say({ id, lines });
      if (answer) return answer;
      await pause();
    }
  });
}

async function solve({ position, plies, nodes }: Request & { call: 'solve' }): Promise<MateProgress> {
  const mates = await solver;
  return withGame(position, async (game) => {
    mates.start(game, { ...(plies !== undefined && { plies }), ...(nodes !== undefined && { nodes }) });
    for (;;) {
      if (stopping) mates.stop();
      const progress = mates.step(SLICE);
      if (progress.done) return progress;
      await pause();
    }
  });
}

async function answer(id: number, request: Request): Promise<Results[keyof Results]> {
  await ready;
  switch (request.call) {
    case 'prepare':
      if ('weights' in request.thinker) await network(request.game, request.thinker.weights);
      return null;
    case 'search':
      return search(id, request);
    case 'evaluate': {
      const net = await network(request.position.game, request.weights);
      return withGame(request.position, (game) => net.evaluate(game));
    }
    case 'solve':
      return solve(request);
    case 'judge': {
      const mates = await solver;
      const { move, plies, nodes } = request;
      return withGame(request.position, (game) => mates.judge(game, move, plies, { nodes }));
    }
  }
}

async function work(): Promise<void> {
  if (busy) return;
  busy = true;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { id, request } = next;
    stopping = false;
    try {
      say({ id, result: await answer(id, request) });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      say({ id, problem, unreachable: error instanceof Unreachable });
    }
  }
  busy = false;
}

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ('stop' in data) {
    stopping = true;
    return;
  }
  waiting.push(data);
  void work();
};
