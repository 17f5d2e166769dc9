<<<<<<< HEAD
// An agent that thinks in a worker of its own, so that the page never waits.
import type { Answer, GameName, Judgement, MateLimits, MateProgress, Prediction, SearchLimits, SearchLine, SearchSettings } from '$pkg';
import type { Mind, Reply, Request, Results } from './messages';
import { weights, type NetworkEntry } from './models';
=======
// The agent in the browser: networks with search, and the mate solver, in a worker of their own.
import type { Answer, Judgement, MateProgress, Prediction, SearchLine, SearchSettings } from '$pkg';
import type { FromWorker, Limits, Position, Request, Results, Thinker } from './messages';
>>>>>>> main

interface Pending {
  resolve: (result: never) => void;
  reject: (problem: Error) => void;
  lines?: ((lines: SearchLine[]) => void) | undefined;
}

export interface SearchRequest {
  position: Position;
  thinker: Thinker;
  limits: Limits;
  settings?: Partial<SearchSettings>;
  /** Told the best lines so far, again and again. */
  lines?: (lines: SearchLine[]) => void;
}

/** One worker. Requests are answered in turn; `stop` ends the one under way. */
export class Agent {
  #worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  #pending = new Map<number, Pending>();
  #last = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    this.#worker.onerror = ({ message }) => {
      for (const { reject } of this.#pending.values()) reject(new Error(message));
      this.#pending.clear();
    };
  }

  /** Loads what `thinker` needs before it is asked. */
  prepare(game: Position['game'], thinker: Thinker): Promise<null> {
    return this.#ask({ call: 'prepare', game, thinker });
  }

  search({ position, thinker, limits, settings = {}, lines }: SearchRequest): Promise<Answer> {
    return this.#ask({ call: 'search', position, thinker, settings, limits }, lines);
  }

  /** What the bare network thinks: its policy and its value. */
  evaluate(position: Position, weights: string): Promise<Prediction> {
    return this.#ask({ call: 'evaluate', position, weights });
  }

  solve(position: Position, limits: { plies?: number; nodes?: number } = {}): Promise<MateProgress> {
    return this.#ask({ call: 'solve', position, ...limits });
  }

  /** What a move of a mate problem is worth. */
  judge(position: Position, move: string, plies: number, nodes = 200_000): Promise<Judgement> {
    return this.#ask({ call: 'judge', position, move, plies, nodes });
  }

  /** Ends what is under way: a search answers with the best move so far. */
  stop(): void {
    this.#worker.postMessage({ stop: true });
  }

  /** Ends the worker and all it was asked. */
  close(): void {
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(new Error('closed'));
    this.#pending.clear();
  }

  #ask<C extends Request['call']>(request: Request & { call: C }, lines?: Pending['lines']): Promise<Results[C]> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, lines });
      this.#worker.postMessage({ id, request });
    });
  }

<<<<<<< HEAD
  /** Makes a network of models.json think for this agent. */
  async load(network: NetworkEntry): Promise<void> {
    await this.use(network.game, { weights: await weights(network) });
  }

  /** Makes given weights, or a classical player ("random", "ab:2"), think for this agent. */
  async use(game: GameName, mind: Mind): Promise<void> {
    this.stop();
    await this.#ask({ type: 'load', game, mind });
  }

  /** Searches a position; a search still under way is stopped first and answers with its best. */
  search(position: string, options: SearchOptions, onlines?: (lines: SearchLine[]) => void): Promise<Answer> {
    this.stop();
    const { settings = {}, ...limits } = options;
    return this.#ask({ type: 'search', position, limits, settings }, onlines);
  }

  /** What the bare network thinks: the worth of the position and how likely each move is. */
  evaluate(position: string): Promise<Prediction> {
    return this.#ask({ type: 'evaluate', position });
  }

  /** Looks for a mate. */
  solve(game: GameName, position: string, limits: MateLimits): Promise<MateProgress> {
    this.stop();
    return this.#ask({ type: 'solve', game, position, limits });
  }

  /** What a move of a mate problem is worth that asks for a mate within `plies`. `nodes` hold for each answer to it. */
  judge(game: GameName, position: string, move: string, plies: number, nodes = 100_000): Promise<Judgement> {
    return this.#ask({ type: 'judge', game, position, move, plies, nodes });
  }

  /** Ends what is under way; it answers with what it has. */
  stop(): void {
    if (this.#waiting.size > 0) void this.#ask({ type: 'stop' });
  }

  terminate(): void {
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Error('the agent was ended'));
    this.#waiting.clear();
=======
  #hear(message: FromWorker): void {
    const pending = this.#pending.get(message.id);
    if ('lines' in message) {
      pending?.lines?.(message.lines);
      return;
    }
    this.#pending.delete(message.id);
    if ('problem' in message) pending?.reject(new Error(message.problem));
    else pending?.resolve(message.result as never);
>>>>>>> main
  }
}
