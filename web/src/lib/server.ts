// The server that this page came from, if it is `keisei serve`: a typed view of its API (`/api` has
// the whole document). A static site has no server; then `info()` is null and the rest is not used.
import type { GameName } from './board/types';
import { dictionary } from './i18n';

export interface ServerInfo {
  version: string;
  games: GameName[];
  records: boolean;
  limits: { nodes: number; move_time_ms: number; lines: number };
}

export interface RunSummary {
  name: string;
  game: GameName;
  preset: string | null;
  began: string | null;
  finished: boolean;
  /** Training goes on. */
  live: boolean;
  update: number;
  step: number;
  seconds: number;
  speed: number | null;
  elo: number | null;
  elo_error: number | null;
}

export interface Run extends RunSummary {
  settings: Record<string, unknown>;
  metrics: string[];
}

/** A curve whose points stand for stretches of the axis, with their least, mean and greatest value. */
export interface Curve {
  name: string;
  x: number[];
  mean: number[];
  min: number[];
  max: number[];
  count: number;
}

export type Axis = 'step' | 'seconds';
export type Scale = 'linear' | 'log';

export interface Curves {
  generation: number;
  records: number;
  x: Axis;
  curves: Curve[];
}

export interface CurvesWanted {
  names?: readonly string[];
  x?: Axis;
  from?: number;
  to?: number;
  points?: number;
  scale?: Scale;
}

export interface RunGame {
  /** A position line without its first word. */
  position: string;
  began_at: number;
  earlier_self: number | null;
  end: { winner: number | null; reason: string } | null;
}

export interface RunGames {
  update: number;
  step: number;
  playing: RunGame[];
  ended: RunGame[];
}

export interface Checkpoint {
  file: string;
  step: number | null;
  bytes: number;
  written: string | null;
  /** `net:` or `policy:` before it make the name of a player. */
  network: string;
}

export interface Met {
  first: string;
  second: string;
  wins: number;
  draws: number;
  losses: number;
}

export interface LadderRow {
  name: string;
  candidate: { name: string; kind: string; step: number | null; minutes: number | null } | null;
  rating: { elo: number; error: number; games: number; bound: 'at_least' | 'at_most' | null } | null;
  results: Met[];
}

export interface Ladder {
  game: GameName;
  conditions: string;
  rows: LadderRow[];
  left_out: [string, string][];
}

export interface MetricsRow {
  update: number;
  step: number;
  seconds: number;
  values: Record<string, number>;
}

export type LiveMessage =
  | { type: 'metrics'; generation: number; after: number; records: number; rows: MetricsRow[] }
  | ({ type: 'games' } & RunGames)
  | { type: 'state'; finished: boolean; models: number }
  | { type: 'restart'; generation: number };

export interface ServerPlayer {
  /** As on the command line: `net:shipped`, `ab:2`, `net:runs/first`. */
  name: string;
  kind: 'classical' | 'net' | 'policy' | 'engine';
  run?: string;
}

export interface Evaluated {
  /** How likely the side to move wins, 0 to 1. */
  value: number;
  moves: { move: string; probability: number }[];
}

export interface RecordEntry {
  name: string;
  path: string;
  folder: boolean;
  bytes: number;
  modified: string | null;
}

/** A request that was refused; `detail` says why, and `value` is what is to blame. */
export class ServerProblem extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly value?: string,
  ) {
    super(value === undefined ? detail : `${detail} (${value})`);
  }
}

const text = dictionary({ unreachable: 'The server does not answer.' }, { unreachable: 'サーバーが応答しません。' });

/** Nobody answered: the server has ended, or there is no network. */
export class ServerUnreachable extends Error {
  constructor() {
    super(text.unreachable);
  }
}

const address = (path: string) => new URL(`api${path}`, document.baseURI);

async function request(path: string, options?: RequestInit): Promise<Response> {
  const response = await fetch(address(path), options).catch(() => {
    throw new ServerUnreachable();
  });
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as Partial<ServerProblem>;
  throw new ServerProblem(response.status, problem.detail ?? response.statusText, problem.value);
}

const json = async <T>(path: string): Promise<T> => (await request(path)).json() as Promise<T>;

const run = (name: string) => `/runs/${encodeURIComponent(name)}`;

let known: Promise<ServerInfo | null> | undefined;

/** What the server is and offers, or null where there is none. Asked until there is an answer, and `again` where it is wished. */
export function info({ again = false } = {}): Promise<ServerInfo | null> {
  if (again) known = undefined;
  known ??= json<ServerInfo>('/server').then(
    (found) => (Array.isArray(found.games) ? found : null),
    (problem: unknown) => {
      // A site without a server says that there is no such file, or shows another one.
      const none = problem instanceof SyntaxError || (problem instanceof ServerProblem && problem.status === 404);
      if (!none) known = undefined;
      return null;
    },
  );
  return known;
}

export const runs = () => json<RunSummary[]>('/runs');
export const showRun = (name: string) => json<Run>(run(name));
export const games = (name: string) => json<RunGames & { files: string[] }>(`${run(name)}/games`);
export const checkpoints = (name: string) => json<Checkpoint[]>(`${run(name)}/checkpoints`);
export const players = (game: GameName) => json<ServerPlayer[]>(`/players?game=${game}`);

/** Where a model's weights can be fetched, for the agent in the browser. */
export const weightsUrl = (runName: string, file: string): string =>
  address(`${run(runName)}/models/${encodeURIComponent(file)}`).href;

/** The games of an evaluation, as position lines. */
export async function gameFile(runName: string, file: string): Promise<string[]> {
  const response = await request(`${run(runName)}/games/${encodeURIComponent(file)}`);
  const lines = (await response.text()).split('\n');
  return lines.filter((line) => line !== '').map((line) => line.replace(/^position /, ''));
}

/** The ladder of a run, or null if it has none. */
export async function ladder(name: string): Promise<Ladder | null> {
  try {
    return await json<Ladder>(`${run(name)}/ladder`);
  } catch (problem) {
    if (problem instanceof ServerProblem && problem.status === 404) return null;
    throw problem;
  }
}

export function curves(name: string, wanted: CurvesWanted = {}): Promise<Curves> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(wanted)) {
    if (value !== undefined) query.set(key, String(value));
  }
  return json<Curves>(`${run(name)}/metrics?${query}`);
}

/** What a network (`shipped`, a run or a model of a run) thinks of a position, without search. */
export async function evaluate(game: GameName, network: string, position: string): Promise<Evaluated> {
  const response = await request('/evaluate', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ game, network, position }),
  });
  return response.json() as Promise<Evaluated>;
}

export const records = (folder = '') =>
  json<RecordEntry[]>(`/records?folder=${encodeURIComponent(folder)}`);

export async function readRecord(path: string): Promise<Uint8Array> {
  const response = await request(`/record?path=${encodeURIComponent(path)}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Writes a record; one that is there already only with `replace`, otherwise it is a problem 409. */
export async function writeRecord(path: string, bytes: Uint8Array<ArrayBuffer>, replace = false): Promise<void> {
  const query = new URLSearchParams({ path, replace: String(replace) });
  await request(`/record?${query}`, { method: 'PUT', body: bytes });
}

function socketAt(path: string): WebSocket {
  const url = address(path);
  url.protocol = url.protocol.replace('http', 'ws');
  return new WebSocket(url);
}

/**
 * Follows a run from where its curves end. `lost` is called when the connection breaks; whoever
 * follows may fetch the curves and follow again. Returns what ends it.
 */
export function follow(
  name: string,
  from: { records: number; generation: number },
  tell: (message: LiveMessage) => void,
  lost: () => void,
): () => void {
  const socket = socketAt(`${run(name)}/live?after=${from.records}&generation=${from.generation}`);
  let ended = false;
  socket.onmessage = ({ data }) => {
    if (!ended) tell(JSON.parse(data as string) as LiveMessage);
  };
  socket.onclose = () => {
    if (!ended) lost();
  };
  return () => {
    ended = true;
    socket.close();
  };
}

export interface ThinkLimits {
  nodes?: number;
  depth?: number;
  move_time_ms?: number;
  /** Until it is stopped. */
  infinite?: boolean;
}

/** A line that a player considers, seen by the side to move. */
export interface ThinkLine {
  line: number;
  depth: number;
  nodes: number;
  time_ms: number;
  score: { cp: number } | { mate: number };
  win_rate: number | null;
  moves: string[];
}

export type ThinkAnswer =
  | { answer: 'play'; move: string; ponder: string | null }
  | { answer: 'resign' | 'win' };

type ThinkMessage =
  | ({ type: 'report'; id: number } & ThinkLine)
  | ({ type: 'answer'; id: number } & ThinkAnswer)
  | { type: 'problem'; id: number | null; status: number; detail: string; value?: string };

interface Thought {
  report: (line: ThinkLine) => void;
  resolve: (answer: ThinkAnswer) => void;
  reject: (problem: Error) => void;
}

/** A player on the server. It thinks about one thing at a time; a new task ends the one before. */
export class RemotePlayer {
  #socket: WebSocket | undefined;
  #thoughts = new Map<number, Thought>();
  #next = 1;

  constructor(
    readonly game: GameName,
    readonly name: string,
  ) {}

  /** Thinks about a position line and answers for the side to move; `lines` of the best are reported. */
  async think(
    position: string,
    limits: ThinkLimits = {},
    report: (line: ThinkLine) => void = () => {},
    lines = 1,
  ): Promise<ThinkAnswer> {
    const socket = await this.#open();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#thoughts.set(id, { report, resolve, reject });
      const task = { type: 'think', id, game: this.game, player: this.name, position, limits, lines };
      socket.send(JSON.stringify(task));
    });
  }

  /** Asks for an answer at once. */
  stop(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type: 'stop' }));
  }

  close(): void {
    this.#socket?.close();
  }

  #open(): Promise<WebSocket> {
    const socket =
      this.#socket && this.#socket.readyState <= WebSocket.OPEN ? this.#socket : this.#connect();
    if (socket.readyState === WebSocket.OPEN) return Promise.resolve(socket);
    return new Promise((resolve, reject) => {
      socket.addEventListener('open', () => resolve(socket));
      socket.addEventListener('close', () => reject(new ServerUnreachable()));
    });
  }

  #connect(): WebSocket {
    const socket = socketAt('/think');
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data as string) as ThinkMessage);
    socket.onclose = () => {
      for (const { reject } of this.#thoughts.values()) reject(new ServerUnreachable());
      this.#thoughts.clear();
    };
    return socket;
  }

  #hear(message: ThinkMessage): void {
    const thought = message.id === null ? undefined : this.#thoughts.get(message.id);
    if (!thought || message.id === null) return;
    if (message.type === 'report') {
      thought.report(message);
      return;
    }
    this.#thoughts.delete(message.id);
    if (message.type === 'answer') thought.resolve(message);
    else thought.reject(new ServerProblem(message.status, message.detail, message.value));
  }
}
