// An agent that thinks in a worker of its own, so that the page never waits.
import type { Answer, GameName, Judgement, MateLimits, MateProgress, Prediction, SearchLimits, SearchLine, SearchSettings } from '$pkg';
import type { Mind, Reply, Request, Results } from './messages';
import { weights, type NetworkEntry } from './models';

interface Waiting {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
  onlines?: ((lines: SearchLine[]) => void) | undefined;
}

export type SearchOptions = SearchLimits & { settings?: Partial<SearchSettings> };

export class Agent {
  readonly #worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, Waiting>();
  #id = 0;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      const waiting = this.#waiting.get(data.id);
      if (!waiting) return;
      if ('lines' in data) return waiting.onlines?.(data.lines);
      this.#waiting.delete(data.id);
      if ('problem' in data) waiting.reject(new Error(data.problem));
      else waiting.resolve(data.result as never);
    });
    this.#worker.addEventListener('error', ({ message }) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(message));
      this.#waiting.clear();
    });
  }

  #ask<T extends keyof Results>(request: Request & { type: T }, onlines?: Waiting['onlines']): Promise<Results[T]> {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onlines });
      this.#worker.postMessage({ id, request });
    });
  }

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
  }
}
