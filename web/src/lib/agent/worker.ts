// The worker that thinks. It searches in short steps, so that a request to stop is heard between them.
import init, { Game, MateSolver, Network, Player, type GameName, type SearchSettings } from '$pkg';
import type { Mind, Reply, Request, Results } from './messages';

/** Long enough to search well, short enough to stop at once. */
const STEP_MS = 40;

let mind: { game: GameName; network: Network | null; named: string | null } | null = null;
let player: { player: Player; settings: string } | null = null;
/** Counts requests to stop: one ends everything that was asked before it. */
let stops = 0;

const ready = init();
const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
const say = (reply: Reply) => postMessage(reply);

function load(game: GameName, wanted: Mind): void {
  player?.player.free();
  mind?.network?.free();
  player = null;
  mind =
    'weights' in wanted
      ? { game, network: new Network(game, wanted.weights), named: null }
      : { game, network: null, named: wanted.named };
}

function loaded(): NonNullable<typeof mind> {
  if (!mind) throw new Error('no player is loaded');
  return mind;
}

/** A player keeps its tree from move to move; other settings need another player. */
function playerWith(settings: Partial<SearchSettings>): Player {
  const { game, network, named } = loaded();
  const wanted = JSON.stringify(settings);
  if (player?.settings === wanted) return player.player;
  player?.player.free();
  const made = network
    ? Player.network(network, settings)
    : Player.named(game, named ?? 'random', settings.seed ?? Math.floor(Math.random() * 2 ** 31));
  player = { player: made, settings: wanted };
  return made;
}

async function search(id: number, begun: number, request: Request & { type: 'search' }): Promise<Results['search']> {
  const thinker = playerWith(request.settings);
  const game = new Game(loaded().game, request.position);
  try {
    thinker.start(game, request.limits);
    for (;;) {
      if (stops !== begun) thinker.stop();
      const { lines, answer } = thinker.step(STEP_MS);
      if (lines.length > 0) say({ id, lines });
      if (answer) return answer;
      await pause();
    }
  } finally {
    game.free();
  }
}

function evaluate(position: string): Results['evaluate'] {
  const { game: name, network } = loaded();
  if (!network) throw new Error('this player has no network');
  const game = new Game(name, position);
  try {
    return network.evaluate(game);
  } finally {
    game.free();
  }
}

async function solve(begun: number, request: Request & { type: 'solve' }): Promise<Results['solve']> {
  const game = new Game(request.game, request.position);
  const solver = new MateSolver();
  try {
    solver.start(game, request.limits);
    for (;;) {
      if (stops !== begun) solver.stop();
      const progress = solver.step(STEP_MS);
      if (progress.done) return progress;
      await pause();
    }
  } finally {
    solver.free();
    game.free();
  }
}

function judge({ game: name, position, move, plies, nodes }: Request & { type: 'judge' }): Results['judge'] {
  const game = new Game(name, position);
  const solver = new MateSolver();
  try {
    return solver.judge(game, move, plies, nodes);
  } finally {
    solver.free();
    game.free();
  }
}

async function handle(id: number, begun: number, request: Request): Promise<Results[keyof Results]> {
  switch (request.type) {
    case 'load':
      return load(request.game, request.mind) as undefined;
    case 'search':
      return search(id, begun, request);
    case 'evaluate':
      return evaluate(request.position);
    case 'solve':
      return solve(begun, request);
    case 'judge':
      return judge(request);
    case 'stop':
      return undefined;
  }
}

// One thing at a time: each request waits for those before it.
let busy: Promise<unknown> = ready;

addEventListener('message', ({ data }: MessageEvent<{ id: number; request: Request }>) => {
  const { id, request } = data;
  if (request.type === 'stop') stops++;
  const begun = stops;
  busy = busy
    .then(() => handle(id, begun, request))
    .then(
      (result) => say({ id, result }),
      (error: unknown) => say({ id, problem: error instanceof Error ? error.message : String(error) }),
    );
});
