// Who answers for a seat that no person takes: a level that thinks in a worker, or the server.
import { Agent } from '$lib/agent/agent';
import type { Thinker } from '$lib/agent/messages';
import { models, nameOf, weightsUrl, type Level, type Models } from '$lib/agent/models';
import type { GameName } from '$lib/board/types';
import { RemotePlayer } from '$lib/server';
import type { Answer, SearchSettings } from '$pkg';
import type { Seat } from './terms';
import { text } from './text';

/** What a seat is called. */
export function seatName(seat: Seat, listed: Models | null): string {
  if (seat.kind === 'human') return text.human;
  if (seat.kind === 'server') return serverName(seat.name);
  if (seat.kind === 'age') {
    const age = listed?.networks.find(({ id }) => id === seat.id);
    return age ? `${nameOf(age)}, ${strengthName(seat.simulations)}` : '…';
  }
  const level = listed?.levels.find(({ id }) => id === seat.id);
  return level ? nameOf(level) : '…';
}

/** `net:/home/…/first/models/shogi_ppo_agent_step_1024.safetensors` is "first · 1024". */
function serverName(name: string): string {
  const [, run, model] = /([^/\\]+)[/\\]models[/\\]([^/\\]+)\.safetensors$/.exec(name) ?? [];
  return run && model ? `${run} · ${/step_0*(\d+)$/.exec(model)?.[1] ?? model}` : name;
}

/** What a seat is called in full, where its name is shortened. */
export const seatTitle = (seat: Seat): string | undefined => (seat.kind === 'server' ? seat.name : undefined);

/** How much search is called. */
export const strengthName = (simulations: number): string =>
  simulations === 0 ? text.firstThought : text.simulations(simulations);

export interface Opponent {
  /** Fetches what it plays with, so that it can go on without a network. */
  prepare(): Promise<unknown>;
  answer(line: string): Promise<Answer>;
  /** Ends its thinking; an answer under way no longer matters. */
  stop(): void;
}

let shared: Agent | undefined;
/** Both sides and hints think in the same worker, in turn. */
const agent = () => (shared ??= new Agent());

/** Sends the worker away, when nobody plays here any more. */
export function dismiss(): void {
  shared?.close();
  shared = undefined;
}

/** Who thinks in the browser. */
type LocalSeat = Extract<Seat, { id: string }>;

interface Strength {
  thinker: Thinker;
  settings: Partial<SearchSettings>;
  nodes: number;
}

function strengthOf(seat: LocalSeat, { networks, levels }: Models): Strength {
  const level: Partial<Level> | undefined =
    seat.kind === 'age' ? { network: seat.id, simulations: seat.simulations } : levels.find(({ id }) => id === seat.id);
  if (level?.named !== undefined) {
    return { thinker: { name: level.named, seed: Math.floor(Math.random() * 2 ** 31) }, settings: {}, nodes: 0 };
  }
  const network = networks.find(({ id }) => id === level?.network);
  if (!network) throw new Error(seat.id);
  const simulations = level?.simulations ?? 0;
  const settings: Partial<SearchSettings> = simulations > 0 ? {} : { policyOnly: true };
  if (level?.temperature !== undefined) settings.temperature = level.temperature;
  return { thinker: { weights: weightsUrl(network) }, settings, nodes: Math.max(1, simulations) };
}

async function think(game: GameName, line: string, { thinker, settings, nodes }: Strength): Promise<Answer> {
  const limits = nodes > 0 ? { nodes } : {};
  return agent().search({ position: { game, line }, thinker, settings, limits });
}

/** How long a player of the server may think about a move, unless its name says otherwise. */
const SERVER_MOVE_MS = 3000;

function onServer(game: GameName, name: string): Opponent {
  const player = new RemotePlayer(game, name);
  return {
    prepare: () => Promise.resolve(),
    async answer(line) {
      const answer = await player.think(line, { move_time_ms: SERVER_MOVE_MS });
      if (answer.answer !== 'play') return { kind: answer.answer, move: null, ponder: null };
      return { kind: 'move', move: answer.move, ponder: answer.ponder };
    },
    stop: () => player.stop(),
  };
}

/** The opponent in a seat. */
export function opponent(game: GameName, seat: Exclude<Seat, { kind: 'human' }>): Opponent {
  if (seat.kind === 'server') return onServer(game, seat.name);
  let known: Strength | undefined;
  const strength = async () => (known ??= strengthOf(seat, await models()));
  return {
    async prepare() {
      const { thinker } = await strength();
      if ('weights' in thinker) await agent().prepare(game, thinker);
    },
    async answer(line) {
      return think(game, line, await strength());
    },
    stop: stopThinking,
  };
}

/** Ends the search for a hint, or for a level's move. */
export function stopThinking(): void {
  shared?.stop();
}

/** How many positions a hint looks at: a second or two in a browser. */
const HINT_NODES = 200;

/** A good move in the position, by the strongest there is for the game. */
export async function hint(game: GameName, line: string): Promise<string | null> {
  const listed = await models();
  const network = listed.networks.findLast((entry) => entry.game === game);
  const thinker: Thinker = network ? { weights: weightsUrl(network) } : { name: 'ab:3,quiescence' };
  const { move } = await think(game, line, { thinker, settings: {}, nodes: network ? HINT_NODES : 0 });
  return move;
}
